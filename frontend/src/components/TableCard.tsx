import type { ReactNode } from "react";

/** A table that scrolls inside its card; the region is reachable by key, so that it scrolls without a mouse. */
export function TableScroll({ title, children }: { title: string; children: ReactNode }) {
  return (
    // biome-ignore lint/a11y/noNoninteractiveTabindex: a scrolling region must be reachable by key.
    <section className="table-wrap" aria-label={title} tabIndex={0}>
      {children}
    </section>
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
