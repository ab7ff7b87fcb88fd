import { type AgreementPage, type AgreementRow, isShare, type Statistic } from "../../api/agreement";
import { ColumnHeads, number } from "../../components/ColumnHeads";
import { bounded, boundedPercent, count, counted } from "../../text/format";
import {
  annotatorName,
  isCircular,
  missingEverywhere,
  type StageGroup,
  statisticsShown,
  twoObserved,
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
    item_agreement: "Percent agreement, mean over items",
    fleiss_kappa: view === "all" ? "Fleiss’ κ" : "Scott’s π",
    fleiss_kappa_general: "Fleiss’ κ, any annotators",
    alpha_nominal: "Krippendorff’s α",
    alpha_ordinal: "α, ordinal",
    cohen_kappa: "Cohen’s κ",
    ac1: "Gwet’s AC1",
  }[statistic];
}

export function AgreementTable({ page, groups, view }: AgreementTableProps) {
  const statistics = statisticsShown(groups, view);
  const rows = groups.flatMap((group) => group.rows);
  const isBoth = rows.some((row) => row.scope === "majority");
  return (
    <>
      <Missing groups={groups} view={view} />
      <table className="table agreement">
        <ColumnHeads
          of={[
            view === "all" ? "Round" : "Pair",
            number("Items"),
            number("With 2+ answers"),
            ...statistics.map((statistic) => number(title(statistic, view))),
          ]}
        />
        {groups.map((group) => (
          <tbody key={group.key}>
            <tr>
              <th scope="rowgroup" colSpan={3 + statistics.length}>
                {group.title} <code>{group.key}</code>
              </th>
            </tr>
            {group.rows.map((row) => (
              <tr
                key={`${row.round}:${row.pair}:${row.scope}`}
                className={isTotal(row, view) ? "total" : undefined}
              >
                <th scope="row" className={view === "all" ? "nowrap" : "pair"}>
                  {view === "all" ? roundWords(row) : <PairName page={page} row={row} />}
                  {isBoth && <span className="basis">{SCOPE_WORDS[row.scope]}</span>}
                </th>
                <td className="number">{count(row.n_items)}</td>
                <td className="number">
                  {count(row.n_units)}
                  {row.n_circular > 0 && (
                    <span className="basis">{count(row.n_circular)} equal by construction</span>
                  )}
                </td>
                {isCircular(row) ? (
                  <td className="why" colSpan={statistics.length}>
                    No figure: {row.reason.percent_agreement}.
                  </td>
                ) : (
                  statistics.map((statistic) => <Value key={statistic} row={row} statistic={statistic} />)
                )}
              </tr>
            ))}
          </tbody>
        ))}
      </table>
      <p className="small mute">{observedWords(rows.some(twoObserved))}</p>
      {rows.some((row) => row.n_circular > 0) && <p className="small mute">{CIRCULAR}</p>}
    </>
  );
}

const SCOPE_WORDS = { all: "all items", majority: "items with a majority" };
const CIRCULAR =
  "Equal by construction: an item with just as many answers as a majority takes (with two answers, both) has a " +
  "majority only if all of them are equal. Rows with a majority that hold other items too include them.";

function observedWords(differ: boolean): string {
  const two =
    "Percent agreement pools the pairs of answers, so that items with more answers weigh more; the observed " +
    "agreement in AC1 is the mean over items.";
  return differ ? `${two} Here they differ: both are shown.` : `${two} Here the two are the same.`;
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
  return isShare(statistic) ? boundedPercent(value) : bounded(value, 3);
}

/** Its 95 percent interval, or nothing where there is none: the reason stands in the CSV. */
function intervalWords(row: AgreementRow, statistic: Statistic): string {
  const interval = row.ci[statistic];
  if (!interval) return "";
  const [low, high] = interval.map((end) => (isShare(statistic) ? boundedPercent(end) : bounded(end, 2)));
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

/** Fleiss' kappa stands on some of the items only, which may be few: they are always said. */
function basisWords(row: AgreementRow, statistic: Statistic): string {
  const of = `of ${counted(row.n_items, "item")}`;
  if (statistic === "fleiss_kappa" && !row.pair) return `${count(row.fleiss_items)} ${of} complete`;
  if (statistic === "fleiss_kappa_general" && row.general_answers !== null)
    return `${count(row.general_items)} ${of} with ${count(row.general_answers)} answers`;
  return "";
}

interface ValueProps {
  row: AgreementRow;
  statistic: Statistic;
}

function Value({ row, statistic }: ValueProps) {
  const value = row[statistic];
  const basis = basisWords(row, statistic);
  const interval = value === null ? "" : intervalWords(row, statistic);
  return (
    <td className={value === null ? "number why" : "number"}>
      {value === null ? whyUndefined(row, statistic) : valueWords(statistic, value)}
      {interval && <span className="basis">{interval}</span>}
      {basis && <span className="basis">{basis}</span>}
    </td>
  );
}
