import { TableScroll } from "../../components/TableCard";
import type { ReportTable } from "./api";

/** A table as the server laid it out: the first column heads the rows. */
export function Grid({ table: { title, columns, rows } }: { table: ReportTable }) {
  return (
    <TableScroll title={title}>
      <table className="table report-table">
        <thead>
          <tr>
            {columns.map((column) => (
              <th scope="col" className={column.kind} key={column.name}>
                {column.title}
              </th>
            ))}
          </tr>
        </thead>
        <tbody>
          {rows.map((row, number) => (
            // biome-ignore lint/suspicious/noArrayIndexKey: a row is its place.
            <tr key={number} className={row[0]?.repeats ? "goes-on" : undefined}>
              {row.map((cell, place) => (
                <GridCell
                  key={columns[place]?.name}
                  cell={cell}
                  kind={columns[place]?.kind}
                  isHead={place === 0}
                />
              ))}
            </tr>
          ))}
        </tbody>
      </table>
    </TableScroll>
  );
}

interface GridCellProps {
  cell: ReportTable["rows"][number][number];
  kind: string | undefined;
  isHead: boolean;
}

/** What repeats is there for who hears the table, and not for who sees it. */
function GridCell({ cell, kind, isHead }: GridCellProps) {
  const words = cell.repeats ? (
    <span className="visually-hidden">{cell.text}</span>
  ) : (
    <>
      {cell.text}
      {cell.interval && <span className="report-interval"> {cell.interval}</span>}
      {cell.basis && <span className="report-interval"> {cell.basis}</span>}
    </>
  );
  if (isHead)
    return (
      <th scope="row" className={kind}>
        {words}
      </th>
    );
  return <td className={kind}>{words}</td>;
}
