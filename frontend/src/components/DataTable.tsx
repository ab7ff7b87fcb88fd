import { Fragment, type ReactNode } from "react";
import { ColumnHeads, number } from "./ColumnHeads";
import { TableScroll } from "./TableCard";

/** The head of a column, what stands in it for a row, and the class of its cells; those of "number" stand to the right. */
export type Column<Row> = readonly [head: string, cell: (row: Row) => ReactNode, className?: string];

interface DataTableProps<Row> {
  rows: readonly Row[];
  keyOf: (row: Row) => string | number;
  columns: readonly Column<Row>[];
  /** The name of the box in which it scrolls; left out where what is around it scrolls. */
  title?: string;
  label?: string;
  caption?: ReactNode;
  className?: string;
  classOf?: (row: Row) => string | undefined;
  /** No column names the rows. */
  isHeadless?: boolean;
  /** A row that stands below another one, across all columns. */
  below?: (row: Row) => ReactNode;
  /** Rows after these. */
  children?: ReactNode;
}

/** A table with a row for each of `rows`, which the first column names. */
export function DataTable<Row>(props: DataTableProps<Row>) {
  const { rows, keyOf, columns, title, className, classOf, isHeadless, below } = props;
  const table = (
    <table className={className ? `table ${className}` : "table"} aria-label={props.label}>
      {props.caption && <caption>{props.caption}</caption>}
      <ColumnHeads
        of={columns.map(([head, , cells]) => (cells?.startsWith("number") ? number(head) : head))}
      />
      <tbody>
        {rows.map((row) => {
          const more = below?.(row);
          return (
            <Fragment key={keyOf(row)}>
              <tr className={classOf?.(row)}>
                {columns.map(([head, cell, cells], place) => {
                  const Cell = place === 0 && !isHeadless ? "th" : "td";
                  return (
                    <Cell
                      scope={Cell === "th" ? "row" : undefined}
                      className={cells}
                      // What a folded row says before the cell, as it has no heads there.
                      data-head={head || undefined}
                      key={String(place)}
                    >
                      {cell(row)}
                    </Cell>
                  );
                })}
              </tr>
              {more && (
                <tr>
                  <td colSpan={columns.length}>{more}</td>
                </tr>
              )}
            </Fragment>
          );
        })}
        {props.children}
      </tbody>
    </table>
  );
  return title ? <TableScroll title={title}>{table}</TableScroll> : table;
}
