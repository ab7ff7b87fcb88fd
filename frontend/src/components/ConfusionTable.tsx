import type { CSSProperties, ReactNode } from "react";
import { count, percent } from "../text/format";
import { TableScroll } from "./TableCard";
import "./confusion.css";

export interface Named {
  key: string;
  name: string;
}

interface ConfusionTableProps {
  title: string;
  /** What the rows are, and the columns. */
  ways: readonly [down: string, across: string];
  rows: readonly Named[];
  columns: readonly Named[];
  countAt: (row: string, column: string) => number;
  /** Most cells are empty: these say 0 and no more. */
  isMany?: boolean;
}

/** How often two sides gave which two labels. Where they agree a cell is outlined; a deeper shade means more items. */
export function ConfusionTable({ title, ways, rows, columns, countAt, isMany = false }: ConfusionTableProps) {
  const counts = rows.map((row) => columns.map((column) => countAt(row.key, column.key)));
  const most = Math.max(1, ...counts.flat());
  const n = total(counts.flat());
  return (
    <TableScroll title={title}>
      <table className={isMany ? "table confusion many" : "table confusion"}>
        <thead>
          <tr>
            <th scope="col">
              {ways[0]} ↓ <span className="of-column">{ways[1]} →</span>
            </th>
            {[...columns.map(({ name }) => name), "All"].map((name) => (
              <th scope="col" className="number" key={name}>
                {name}
              </th>
            ))}
          </tr>
        </thead>
        <tbody>
          {rows.map((row, i) => (
            <tr key={row.key}>
              <th scope="row">{row.name}</th>
              {columns.map((column, j) => (
                <Cell
                  key={column.key}
                  n={counts[i]?.[j] ?? 0}
                  of={n}
                  most={most}
                  isSame={row.key === column.key}
                  isMany={isMany}
                />
              ))}
              <td className="number">{count(total(counts[i] ?? []))}</td>
            </tr>
          ))}
          <Sums>
            {columns.map(({ key }, j) => (
              <td className="number" key={key}>
                {count(total(counts.map((each) => each[j] ?? 0)))}
              </td>
            ))}
            <td className="number">{count(n)}</td>
          </Sums>
        </tbody>
      </table>
    </TableScroll>
  );
}

function Sums({ children }: { children: ReactNode }) {
  return (
    <tr>
      <th scope="row">All</th>
      {children}
    </tr>
  );
}

function total(numbers: readonly number[]): number {
  return numbers.reduce((sum, n) => sum + n, 0);
}

interface CellProps {
  n: number;
  of: number;
  /** The fullest cell's. */
  most: number;
  isSame: boolean;
  isMany: boolean;
}

function Cell({ n, of, most, isSame, isMany }: CellProps) {
  return (
    <td
      className={isSame ? "number shaded same" : "number shaded"}
      style={{ "--depth": n / most } as CSSProperties}
    >
      {count(n)} {(n > 0 || !isMany) && <span className="basis">{percent(of === 0 ? 0 : n / of)}</span>}
    </td>
  );
}
