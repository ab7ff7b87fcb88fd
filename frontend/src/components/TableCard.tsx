import type { ReactNode } from "react";

/** A table that scrolls inside its card; it is reachable by key, so that it scrolls without a mouse. */
export function TableScroll({ title, children }: { title: string; children: ReactNode }) {
  return (
    // biome-ignore lint/a11y/useSemanticElements: it groups no form fields, and a landmark for every table is too many.
    // biome-ignore lint/a11y/noNoninteractiveTabindex: a scrolling region must be reachable by key.
    <div className="table-wrap" role="group" aria-label={title} tabIndex={0}>
      {children}
    </div>
  );
}

interface TableCardProps {
  title: string;
  about?: ReactNode;
  children: ReactNode;
}

export function TableCard({ title, about, children }: TableCardProps) {
  return (
    <div className="card stack">
      <div className="card-head">
        <h2>{title}</h2>
        {about}
      </div>
      <TableScroll title={title}>{children}</TableScroll>
    </div>
  );
}
