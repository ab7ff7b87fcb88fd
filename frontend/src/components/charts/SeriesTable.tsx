import { ColumnHeads, number } from "../../components/ColumnHeads";
import { pointWords } from "./lineOption";
import { type Axis, axisWords, type Series } from "./model";

interface SeriesTableProps {
  series: readonly Series[];
  x: Axis;
  y: Axis;
}

/** The numbers of a line chart: one row an x, one column a line. */
export function SeriesTable({ series, x, y }: SeriesTableProps) {
  const xs = [...new Set(series.flatMap(({ points }) => points.map((point) => point.x)))].sort(
    (a, b) => a - b,
  );
  return (
    <table className="table">
      <ColumnHeads of={[number(x.name), ...series.map(({ label }) => number(label))]} />
      <tbody>
        {xs.map((value) => (
          <tr key={value}>
            <th scope="row" className="number">
              {axisWords(x, value)}
            </th>
            {series.map(({ label, points }) => (
              <td className="number nowrap" key={label}>
                {pointWords(points.find((point) => point.x === value) ?? { y: null }, y)}
              </td>
            ))}
          </tr>
        ))}
      </tbody>
    </table>
  );
}
