import { useMemo } from "react";
import type { DetailsPage } from "../../../api/agreement";
import { ColumnHeads, number } from "../../../components/ColumnHeads";
import { StackedBars } from "../../../components/charts/BarCharts";
import { ChartFigure } from "../../../components/charts/ChartFigure";
import type { Axis } from "../../../components/charts/model";
import { coefficient, count, counted, percent } from "../../../text/format";
import { nameOf, points, quoted } from "./copy";
import { Download } from "./Download";
import { sharesFile } from "./files";

type Row = DetailsPage["label_shares"][number];
type Habit = Row["habits"][number];

const TITLE = "How often each annotator gives each label";
const ABOUT =
  "Of the items that each annotator answered. In the table, below each share: its difference from the others’ on " +
  "the same items, in points, with its standard error.";
const SHARE: Axis = {
  name: "share of the annotator’s items",
  min: 0,
  max: 1,
  words: (value) => `${Math.round(100 * value)} %`,
};

/** Labels by annotator, and who says one much more often than the others do of the same items. */
export function SharesCard({ page }: { page: DetailsPage }) {
  const parts = useMemo(() => page.labels.map(({ key, name }) => ({ key, label: name })), [page]);
  const stacks = useMemo(() => page.label_shares.map((row) => stackOf(page, row)), [page]);
  if (stacks.length === 0) return <ChartFigure title={TITLE} about="Nobody has answered here yet." />;
  return (
    <ChartFigure title={TITLE} about={ABOUT} table={<Table page={page} />}>
      <StandingOut page={page} />
      <StackedBars
        label={pictureWords(page)}
        stacks={stacks}
        parts={parts}
        y={SHARE}
        isLying
        height={4 + 1.6 * stacks.length}
      />
      <Download file={sharesFile(page)} of={TITLE} />
    </ChartFigure>
  );
}

function stackOf(page: DetailsPage, row: Row) {
  const values = Object.fromEntries(page.labels.map(({ key }, place) => [key, row.shares[place] ?? 0]));
  return { label: nameOf(page, row.annotator), values };
}

function pictureWords(page: DetailsPage): string {
  const shares = (row: Row) =>
    page.labels.map(({ name }, place) => `${name} ${percent(row.shares[place] ?? 0)}`).join(", ");
  return page.label_shares.map((row) => `${nameOf(page, row.annotator)}: ${shares(row)}`).join("; ");
}

function StandingOut({ page }: { page: DetailsPage }) {
  const found = page.label_shares.flatMap((row) =>
    row.habits.flatMap((habit, place) => (habit.much_more ? [{ row, habit, place }] : [])),
  );
  return (
    <div className="stack-tight">
      {found.length === 0 ? (
        <p>{nobodyWords(page)}</p>
      ) : (
        <ul className="reasons">
          {found.map(({ row, habit, place }) => (
            <li key={`${row.annotator} ${place}`}>
              <b>{nameOf(page, row.annotator)}</b> says {quoted(page, place)} much more often than the others:{" "}
              {habitWords(row, habit)}.
            </li>
          ))}
        </ul>
      )}
      <p className="small mute">{ruleWords(page)}</p>
    </div>
  );
}

/** Too little to compare is not the same as nothing found. */
function nobodyWords({ label_shares, much_more_from }: DetailsPage): string {
  const most = Math.max(...label_shares.map((row) => row.n_compared));
  return most < much_more_from.items
    ? `Too early to compare: nobody has ${count(much_more_from.items)} items yet that others answered too.`
    : "Nobody says a label much more often than the others.";
}

function habitWords({ n_compared }: Row, { own, others, standard_error }: Habit): string {
  const error = standard_error === null ? "" : `, standard error ${coefficient(100 * standard_error, 1)}`;
  return (
    `on ${percent(own)} of ${counted(n_compared, "item")} that others answered too, where they say it on ` +
    `${percent(others)} (${points(own - others)} points${error})`
  );
}

function ruleWords({ much_more_from: from }: DetailsPage): string {
  return (
    "Compared on the same items, the others of an item together counting as one. Much more often: on at least " +
    `${count(from.items)} items, the difference at least ${from.standard_errors} standard errors, and the share at ` +
    `least ${from.times} times the others’ or ${Math.round(100 * from.points)} points above it.`
  );
}

function Table({ page }: { page: DetailsPage }) {
  return (
    <table className="table agreement">
      <ColumnHeads
        of={[
          "Annotator",
          number("Items"),
          number("Compared"),
          ...page.labels.map(({ name }) => number(name)),
        ]}
      />
      <tbody>
        {page.label_shares.map((row) => (
          <tr key={row.annotator}>
            <th scope="row">{nameOf(page, row.annotator)}</th>
            <td className="number">{count(row.n)}</td>
            <td className="number">{count(row.n_compared)}</td>
            {page.labels.map(({ key }, place) => (
              <ShareCell key={key} row={row} place={place} />
            ))}
          </tr>
        ))}
      </tbody>
    </table>
  );
}

function ShareCell({ row, place }: { row: Row; place: number }) {
  const habit = row.habits[place];
  return (
    <td className="number">
      <span className="nowrap">
        {percent(row.shares[place] ?? 0)} ({count(row.counts[place] ?? 0)})
      </span>
      {habit && <span className="basis">{differenceWords(habit)}</span>}
      {habit?.much_more && <span className="tag warn">much more often</span>}
    </td>
  );
}

function differenceWords({ own, others, standard_error }: Habit): string {
  const error = standard_error === null ? "" : ` ± ${coefficient(100 * standard_error, 1)}`;
  return `${points(own - others)}${error}`;
}
