import { ColumnHeads, number } from "../../components/ColumnHeads";
import { bounded, boundedPercent, count, counted, undefinedWords } from "../../text/format";
import type { SpanAgreementPage, SpanAgreementRow, SpanFigure, SpanStatistic } from "./spanApi";
import { categoryName } from "./spanRows";

/** What stands before the statistics. */
const SIZES = {
  spans: [["Items", "n_items"]],
  comments: [
    ["Exact matches", "n_matched"],
    ["Without any comment", "n_uncommented"],
  ],
} as const;

interface SpanTableProps {
  page: SpanAgreementPage;
  rows: SpanAgreementRow[];
  about: SpanStatistic["about"];
}

/** Categories by statistics. */
export function SpanAgreementTable({ page, rows, about }: SpanTableProps) {
  const columns = page.statistics.filter((each) => each.about === about && !each.beside);
  const titles = [...SIZES[about].map(([title]) => title), ...columns.map(({ title }) => title)];
  return (
    <table className="table agreement of-spans">
      <ColumnHeads of={["Category", ...titles.map((title) => number(title))]} />
      <tbody>
        {rows.map((row) => (
          <tr key={row.category} className={row.category === null ? "total" : undefined}>
            <th scope="row">
              {categoryName(page, row)} {row.category !== null && <code>{row.category}</code>}
            </th>
            {SIZES[about].map(([, size]) => (
              <td key={size} className="number">
                {count(row[size])}
              </td>
            ))}
            {columns.map((statistic) => (
              <Value key={statistic.key} page={page} row={row} statistic={statistic} />
            ))}
          </tr>
        ))}
      </tbody>
    </table>
  );
}

interface ValueProps {
  page: SpanAgreementPage;
  row: SpanAgreementRow;
  statistic: SpanStatistic;
}

/** A value with what it stands on, or the reason why there is none. */
function Value({ page, row, statistic }: ValueProps) {
  const figure = row.figures[statistic.key];
  const more = [statistic.key === "alpha_u" ? continuum(row) : "", besideWords(page, row, statistic)];
  return (
    <td className={figure.value === null ? "number why" : "number"}>
      {valueWords(statistic, figure)}
      {figure.value !== null && (
        <span className="basis">
          {figure.pairs !== null && `mean of ${counted(figure.pairs, "pair")}, `}
          {counted(figure.n, statistic.unit)}
        </span>
      )}
      {more.filter(Boolean).map((words) => (
        <span key={words} className="basis">
          {words}
        </span>
      ))}
    </td>
  );
}

function valueWords({ share_of }: SpanStatistic, { value, reason }: SpanFigure): string {
  if (value === null) return undefinedWords(reason);
  return share_of ? boundedPercent(value) : bounded(value, 3);
}

/** What must be read with a figure, such as how much is marked; empty where none of it has a value. */
function besideWords(
  { statistics }: SpanAgreementPage,
  { figures }: SpanAgreementRow,
  { key }: SpanStatistic,
) {
  const pairs = figures[key].pairs;
  const those = statistics.filter(({ beside }) => beside === key);
  if (those.every((each) => figures[each.key].value === null)) return "";
  return those
    .map((each) => {
      const figure = figures[each.key];
      const over =
        figure.pairs === null || figure.pairs === pairs ? "" : ` (${counted(figure.pairs, "pair")})`;
      return `${each.short} ${valueWords(each, figure)}${over}`;
    })
    .join(" · ");
}

function continuum({ alpha_items, alpha_merged }: SpanAgreementRow): string {
  const parts = alpha_items > 0 ? [counted(alpha_items, "item")] : [];
  if (alpha_merged > 0) parts.push(`${counted(alpha_merged, "overlapping span")} merged`);
  return parts.join("; ");
}
