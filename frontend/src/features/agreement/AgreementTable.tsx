import type { AgreementPage, AgreementRow, Statistic } from "../../api/agreement";
import { ColumnHeads, number } from "../../components/ColumnHeads";
import { count, counted } from "../../text/format";
import {
  annotatorName,
  columnsOf,
  isCircular,
  type StageGroup,
  titleOf,
  type View,
  valueWords,
  whyUndefined,
} from "./rows";

interface AgreementTableProps {
  page: AgreementPage;
  groups: StageGroup[];
  view: View;
}

export function AgreementTable({ page, groups, view }: AgreementTableProps) {
  const { shown: statistics, same, missing } = columnsOf(page, groups, view);
  const rows = groups.flatMap((group) => group.rows);
  const isBoth = rows.some((row) => row.scope === "majority");
  return (
    <>
      {missing.map(({ statistic, reason }) => (
        <p className="small mute" key={statistic.key}>
          {titleOf(statistic, view)} has no value here: {reason}.
        </p>
      ))}
      <table className="table agreement">
        <ColumnHeads
          of={[
            view === "all" ? "Round" : "Pair",
            number("Items"),
            number("With 2+ answers"),
            ...statistics.map((statistic) => number(titleOf(statistic, view))),
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
                    No figure: {whyUndefined(row, page.statistics[0])}.
                  </td>
                ) : (
                  statistics.map((statistic) => <Value key={statistic.key} row={row} statistic={statistic} />)
                )}
              </tr>
            ))}
          </tbody>
        ))}
      </table>
      {same.map(({ variant, of }) => (
        <p className="small mute" key={variant.key}>
          {titleOf(variant, view)}: the same here as {titleOf(of, view)}.
        </p>
      ))}
      {rows.some((row) => row.n_circular > 0) && <p className="small mute">{CIRCULAR}</p>}
    </>
  );
}

const SCOPE_WORDS = { all: "all items", majority: "items with a majority" };
const CIRCULAR =
  "Equal by construction: an item with just as many answers as a majority takes (with two answers, both) has a " +
  "majority only if all of them are equal. Rows with a majority that hold other items too include them.";

/** Its 95 percent interval, or nothing where there is none: the reason stands in the CSV. */
function intervalWords(row: AgreementRow, statistic: Statistic): string {
  return (row.ci[statistic.key] ?? []).map((end) => valueWords(statistic, end, 2)).join(" to ");
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

/** A statistic may stand on some of the items only, which may be few: they are always said. */
function basisWords(row: AgreementRow, { basis }: Statistic): string {
  const of = `of ${counted(row.n_items, "item")}`;
  if (basis === "n_units" || row.pair) return "";
  if (basis === "fleiss_items") return `${count(row.fleiss_items)} ${of} complete`;
  if (row.general_answers === null) return "";
  return `${count(row.general_items)} ${of} with ${count(row.general_answers)} answers`;
}

interface ValueProps {
  row: AgreementRow;
  statistic: Statistic;
}

function Value({ row, statistic }: ValueProps) {
  const value = row[statistic.key];
  const basis = basisWords(row, statistic);
  const interval = value === null ? "" : intervalWords(row, statistic);
  return (
    <td className={value === null ? "number why" : "number"}>
      {value === null ? whyUndefined(row, statistic) : valueWords(statistic, value, 3)}
      {interval && <span className="basis">{interval}</span>}
      {basis && <span className="basis">{basis}</span>}
    </td>
  );
}
