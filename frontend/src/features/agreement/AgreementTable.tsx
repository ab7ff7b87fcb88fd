import { bounded, boundedPercent, count, counted } from "../../components/words";
import type { AgreementPage, AgreementRow, Statistic } from "./api";
import { annotatorName, type StageGroup, type View, whyUndefined } from "./rows";

interface AgreementTableProps {
  page: AgreementPage;
  groups: StageGroup[];
  view: View;
}

export function AgreementTable({ page, groups, view }: AgreementTableProps) {
  return (
    <table className="table agreement">
      <thead>
        <tr>
          <th scope="col">Stage</th>
          <th scope="col">{view === "all" ? "Round" : "Pair"}</th>
          <th scope="col" className="number">
            Items
          </th>
          <th scope="col" className="number">
            With 2+ answers
          </th>
          <th scope="col" className="number">
            Percent agreement
          </th>
          <th scope="col" className="number">
            {view === "all" ? "Fleiss’ κ" : "Scott’s π"}
          </th>
          <th scope="col" className="number">
            Krippendorff’s α
          </th>
        </tr>
      </thead>
      {groups.map((group) => (
        <tbody key={group.key}>
          {group.rows.map((row, place) => (
            <tr key={`${row.round}:${row.pair}`} className={isTotal(row, view) ? "total" : undefined}>
              {place === 0 && (
                <th scope="rowgroup" rowSpan={group.rows.length}>
                  {group.title} <code>{group.key}</code>
                </th>
              )}
              <th scope="row" className="nowrap">
                {view === "all" ? roundWords(row) : pairWords(page, row)}
              </th>
              <td className="number">{count(row.n_items)}</td>
              <td className="number">{count(row.n_units)}</td>
              <Value row={row} statistic="percent_agreement" words={boundedPercent} />
              <Value row={row} statistic="fleiss_kappa" words={threeDecimals} basis={completeWords(row)} />
              <Value row={row} statistic="alpha_nominal" words={threeDecimals} />
            </tr>
          ))}
        </tbody>
      ))}
    </table>
  );
}

function threeDecimals(value: number): string {
  return bounded(value, 3);
}

function isTotal(row: AgreementRow, view: View): boolean {
  return view === "all" && row.round === null;
}

function roundWords(row: AgreementRow): string {
  return row.round === null ? "all rounds" : `round ${row.round}`;
}

function pairWords(page: AgreementPage, row: AgreementRow): string {
  return row.pair?.map((number) => annotatorName(page, number)).join(" – ") ?? "";
}

/** Fleiss' kappa stands on complete items only, which may be few: they are always said. */
function completeWords(row: AgreementRow): string {
  return row.pair ? "" : `${count(row.fleiss_items)} of ${counted(row.n_items, "item")} complete`;
}

interface ValueProps {
  row: AgreementRow;
  statistic: Statistic;
  words: (value: number) => string;
  basis?: string;
}

function Value({ row, statistic, words, basis }: ValueProps) {
  const value = row[statistic];
  return (
    <td className={value === null ? "number why" : "number"}>
      {value === null ? whyUndefined(row, statistic) : words(value)}
      {basis && <span className="basis">{basis}</span>}
    </td>
  );
}
