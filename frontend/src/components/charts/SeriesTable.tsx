import { type Column, DataTable } from "../../components/DataTable";
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
    <DataTable
      rows={xs}
      keyOf={(value) => value}
      columns={[
        [x.name, (value) => axisWords(x, value), "number"],
        ...series.map(
          ({ label, points }): Column<number> => [
            label,
            (value) => pointWords(points.find((point) => point.x === value) ?? { y: null }, y),
            "number nowrap",
          ],
        ),
      ]}
    />
  );
}
