import { bounded, boundedPercent, count, counted } from "../../components/words";
import type { AgreementPage, AgreementRow, Statistic } from "./api";
import {
  annotatorName,
  missingEverywhere,
  type StageGroup,
  statisticsShown,
  type View,
  whyUndefined,
} from "./rows";

interface AgreementTableProps {
  page: AgreementPage;
  groups: StageGroup[];
  view: View;
}

function title(statistic: Statistic, view: View): string {
  return {
    percent_agreement: "Percent agreement",
    fleiss_kappa: view === "all" ? "Fleiss’ κ" : "Scott’s π",
    alpha_nominal: "Krippendorff’s α",
    alpha_ordinal: "α, ordinal",
    cohen_kappa: "Cohen’s κ",
    ac1: "Gwet’s AC1",
  }[statistic];
}

export function AgreementTable({ page, groups, view }: AgreementTableProps) {
  const statistics = statisticsShown(groups, view);
  return (
    <>
      <Missing groups={groups} view={view} />
      <table className="table agreement">
        <thead>
          <tr>
            <th scope="col">{view === "all" ? "Round" : "Pair"}</th>
            <th scope="col" className="number">
              Items
            </th>
            <th scope="col" className="number">
              With 2+ answers
            </th>
            {statistics.map((statistic) => (
              <th scope="col" className="number" key={statistic}>
                {title(statistic, view)}
              </th>
            ))}
          </tr>
        </thead>
        {groups.map((group) => (
          <tbody key={group.key}>
            <tr>
              <th scope="rowgroup" colSpan={3 + statistics.length}>
                {group.title} <code>{group.key}</code>
              </th>
            </tr>
            {group.rows.map((row) => (
              <tr key={`${row.round}:${row.pair}`} className={isTotal(row, view) ? "total" : undefined}>
                <th scope="row" className={view === "all" ? "nowrap" : "pair"}>
                  {view === "all" ? roundWords(row) : <PairName page={page} row={row} />}
                </th>
                <td className="number">{count(row.n_items)}</td>
                <td className="number">{count(row.n_units)}</td>
                {statistics.map((statistic) => (
                  <Value key={statistic} row={row} statistic={statistic} />
                ))}
              </tr>
            ))}
          </tbody>
        ))}
      </table>
    </>
  );
}

/** Statistics that have no value in any row, for one reason each. */
function Missing({ groups, view }: Pick<AgreementTableProps, "groups" | "view">) {
  return missingEverywhere(groups, view).map(({ statistic, reason }) => (
    <p className="small mute" key={statistic}>
      {title(statistic, view)} has no value here: {reason}.
    </p>
  ));
}

function valueWords(statistic: Statistic, value: number): string {
  return statistic === "percent_agreement" ? boundedPercent(value) : bounded(value, 3);
}

/** Its 95 percent interval, or nothing where there is none: the reason stands in the CSV. */
function intervalWords(row: AgreementRow, statistic: Statistic): string {
  const interval = row.ci[statistic];
  if (!interval) return "";
  const [low, high] = interval.map((end) =>
    statistic === "percent_agreement" ? boundedPercent(end) : bounded(end, 2),
  );
  return `${low} to ${high}`;
}

function isTotal(row: AgreementRow, view: View): boolean {
  return view === "all" && row.round === null;
}

function roundWords(row: AgreementRow): string {
  return row.round === null ? "all rounds" : `round ${row.round}`;
}

/** A name to a line: columns of numbers would press both into a tower of syllables. */
function PairName({ page, row }: { page: AgreementPage; row: AgreementRow }) {
  const [first, second] = (row.pair ?? []).map((number) => annotatorName(page, number));
  return (
    <>
      <span className="name">{first} –</span> <span className="name">{second}</span>
    </>
  );
}

/** Fleiss' kappa stands on complete items only, which may be few: they are always said. */
function completeWords(row: AgreementRow): string {
  return row.pair ? "" : `${count(row.fleiss_items)} of ${counted(row.n_items, "item")} complete`;
}

interface ValueProps {
  row: AgreementRow;
  statistic: Statistic;
}

function Value({ row, statistic }: ValueProps) {
  const value = row[statistic];
  const basis = statistic === "fleiss_kappa" ? completeWords(row) : "";
  const interval = value === null ? "" : intervalWords(row, statistic);
  return (
    <td className={value === null ? "number why" : "number"}>
      {value === null ? whyUndefined(row, statistic) : valueWords(statistic, value)}
      {interval && <span className="basis">{interval}</span>}
      {basis && <span className="basis">{basis}</span>}
    </td>
  );
}
