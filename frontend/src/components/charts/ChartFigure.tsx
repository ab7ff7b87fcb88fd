import { type ReactNode, useId } from "react";
import { TableScroll } from "../TableCard";

interface ChartFigureProps {
  title: string;
  /** What it shows and on what it stands, in a line or two. */
  about?: ReactNode;
  /** The drawing. Left out where there is nothing to draw yet; then only `about` is said. */
  children?: ReactNode;
  /** The same numbers as a table. */
  table?: ReactNode;
}

/** A card with a drawing and the numbers behind it, reached by key. */
export function ChartFigure({ title, about, children, table }: ChartFigureProps) {
  const id = useId();
  return (
    <section className="card stack chart-figure" aria-labelledby={id}>
      <div className="stack-tight">
        <h2 id={id}>{title}</h2>
        {about && <p className="small mute">{about}</p>}
      </div>
      {children}
      {table && (
        <details className="more">
          <summary>
            The numbers <span className="visually-hidden">of “{title}”</span>
          </summary>
          <TableScroll title={`${title}: the numbers`}>{table}</TableScroll>
        </details>
      )}
    </section>
  );
}
