import { type CSSProperties, type KeyboardEvent, useRef, useState } from "react";
import { TableScroll } from "../../../components/TableCard";
import { count } from "../../../text/format";
import type { Cell } from "../figures";
import "../../../components/confusion.css";

interface HeatMapProps {
  title: string;
  /** Numbers of classes. */
  rows: readonly number[];
  columns: readonly number[];
  nameOf: (number: number) => string;
  cellAt: (positive: number, negative: number) => Cell | undefined;
  onOpen: (cell: Cell) => void;
}

const STEPS: Record<string, readonly [down: number, across: number]> = {
  ArrowUp: [-1, 0],
  ArrowDown: [1, 0],
  ArrowLeft: [0, -1],
  ArrowRight: [0, 1],
  Home: [0, Number.NEGATIVE_INFINITY],
  End: [0, Number.POSITIVE_INFINITY],
};

/** Mistakes by the two classes of an instance. Arrows move, Enter opens the instances of a cell. */
export function HeatMap({ title, rows, columns, nameOf, cellAt, onOpen }: HeatMapProps) {
  const [at, setAt] = useState<readonly [number, number]>([0, 0]);
  const grid = useRef<HTMLTableElement>(null);
  const cells = rows.map((row) => columns.map((column) => cellAt(row, column)));
  const open = (cell: Cell | undefined) => cell && onOpen(cell);
  const onKeyDown = (event: KeyboardEvent) => {
    if (event.key === "Enter" || event.key === " ") {
      event.preventDefault();
      return open(cells[at[0]]?.[at[1]]);
    }
    const step = STEPS[event.key];
    if (!step) return;
    event.preventDefault();
    const next = [within(at[0] + step[0], rows.length), within(at[1] + step[1], columns.length)] as const;
    setAt(next);
    grid.current?.querySelector<HTMLElement>(`[data-cell="${next[0]} ${next[1]}"]`)?.focus();
  };
  return (
    <TableScroll title={title}>
      <table
        ref={grid}
        // biome-ignore lint/a11y/noNoninteractiveElementToInteractiveRole: ARIA's grid may be a table.
        role="grid"
        aria-label={title}
        className={columns.length > 6 ? "table confusion heat many" : "table confusion heat"}
        onKeyDown={onKeyDown}
      >
        <thead>
          <tr>
            <th scope="col">
              True ↓ <span className="of-column">False →</span>
            </th>
            {columns.map((column) => (
              <th scope="col" className="number" key={column}>
                {nameOf(column)}
              </th>
            ))}
          </tr>
        </thead>
        <tbody>
          {rows.map((row, i) => (
            <tr key={row}>
              <th scope="row">{nameOf(row)}</th>
              {columns.map((column, j) => {
                const cell = cells[i]?.[j];
                return (
                  // biome-ignore lint/a11y/useKeyWithClickEvents: the grid has the keys.
                  <td
                    key={column}
                    // biome-ignore lint/a11y/noNoninteractiveElementToInteractiveRole: the cell of a grid.
                    role="gridcell"
                    data-cell={`${i} ${j}`}
                    tabIndex={at[0] === i && at[1] === j ? 0 : -1}
                    aria-label={cellWords(cell, nameOf(row), nameOf(column))}
                    className={cell ? "number shaded opens" : "number"}
                    style={{ "--depth": cell ? cell.mistakes / cell.n : 0 } as CSSProperties}
                    onFocus={() => setAt([i, j])}
                    onClick={() => open(cell)}
                  >
                    {cell && (
                      <>
                        {count(cell.mistakes)} <span className="basis">of {count(cell.n)}</span>
                      </>
                    )}
                  </td>
                );
              })}
            </tr>
          ))}
        </tbody>
      </table>
    </TableScroll>
  );
}

function within(place: number, length: number): number {
  return Math.max(0, Math.min(length - 1, place));
}

function cellWords(cell: Cell | undefined, positive: string, negative: string): string {
  const pair = `true ${positive}, false ${negative}`;
  return cell ? `${count(cell.mistakes)} of ${count(cell.n)} are mistakes: ${pair}` : `no instances: ${pair}`;
}
