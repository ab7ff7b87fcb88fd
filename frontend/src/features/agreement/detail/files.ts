/** What is shown in detail, as CSV: full precision, and what it was counted of in the first columns. */
import type { AgreementPage, AgreementRow, DetailsPage, Statistic } from "../../../api/agreement";
import { type Cell, csv, csvLink } from "../../../text/csv";
import { nameOf } from "./copy";

export interface File {
  name: string;
  href: string;
}

const ABOUT = ["scope", "phase", "stage", "round"];

function about({ scope, phase, stage, round }: DetailsPage): Cell[] {
  return [scope, phase, stage, round ?? "all"];
}

function file(page: DetailsPage, what: string, header: string[], lines: Cell[][]): File {
  const name = ["agreement", what, ...about(page)].join("-");
  const rows = lines.map((line) => [...about(page), ...line]);
  return { name: `${name}.csv`, href: csvLink(csv([[...ABOUT, ...header], ...rows])) };
}

/** One line for each two labels of each pair. */
export function confusionFile(page: DetailsPage): File {
  const keys = page.labels.map(({ key }) => key);
  const lines = page.confusion.flatMap(({ pair: [a = 0, b = 0], counts }) =>
    counts.flatMap((row, i) =>
      row.map((n, j): Cell[] => [nameOf(page, a), nameOf(page, b), keys[i] ?? "", keys[j] ?? "", n]),
    ),
  );
  return file(page, "confusion", ["annotator_a", "annotator_b", "label_a", "label_b", "n"], lines);
}

/** One line for each label of each annotator. */
export function sharesFile(page: DetailsPage): File {
  const lines = page.label_shares.flatMap((row) =>
    page.labels.map(({ key }, place): Cell[] => {
      const habit = row.habits[place];
      const compared = habit
        ? [habit.own, habit.others, habit.standard_error ?? "", habit.much_more ? "yes" : "no"]
        : ["", "", "", ""];
      return [
        nameOf(page, row.annotator),
        row.n,
        key,
        row.counts[place] ?? 0,
        row.shares[place] ?? 0,
        row.n_compared,
        ...compared,
      ];
    }),
  );
  const header = [
    ...["annotator", "n_items", "label", "n", "share", "n_compared"],
    ...["share_of_compared", "others_share", "standard_error", "much_more"],
  ];
  return file(page, "label-shares", header, lines);
}

/** One line for each annotator and majority: that of the others first, then the one that holds their own vote. */
export function againstFile(page: DetailsPage): File {
  const ends = (interval: number[] | null): Cell[] => [interval?.[0] ?? "", interval?.[1] ?? ""];
  const linesOf = (majority: string, rows: DetailsPage["leave_one_out"]["rows"]) =>
    rows.map((row): Cell[] => [
      nameOf(page, row.annotator),
      majority,
      row.n,
      row.n_circular,
      row.n_right,
      row.accuracy ?? "",
      ...ends(row.interval),
      row.n_collapsed ?? "",
      row.collapsed ?? "",
      ...ends(row.collapsed_interval),
      row.reason,
    ]);
  const header = [
    ...[
      "annotator",
      "majority_of",
      "n_items",
      "n_circular",
      "n_right",
      "accuracy",
      "accuracy_low",
      "accuracy_high",
    ],
    ...["n_collapsed", "collapsed", "collapsed_low", "collapsed_high", "undefined_because"],
  ];
  const lines = [
    ...linesOf("the others", page.leave_one_out.rows),
    ...linesOf("everyone, own vote included", page.against_majority.rows),
  ];
  return file(page, "against-majority", header, lines);
}

/** One line a round; the last is all of them together. */
export function batchesFile(
  page: AgreementPage,
  rows: readonly AgreementRow[],
  { key }: Statistic,
  whose: string,
): File {
  const header = [
    ...["scope", "phase", "stage", "annotators", "round"],
    ...["n_items", "n_units", "fleiss_items", "n_circular"],
  ];
  const lines = rows.map((row): Cell[] => {
    const [low = "", high = ""] = row.ci[key] ?? [];
    return [
      ...[page.scope, page.phase, row.stage, whose, row.round ?? "all"],
      ...[row.n_items, row.n_units, row.fleiss_items, row.n_circular],
      ...[row[key] ?? "", low, high, row.reason[key] ?? row.reason[`ci.${key}`] ?? ""],
    ];
  });
  const columns = [...header, key, `${key}_low`, `${key}_high`, "reason"];
  const stage = rows[0]?.stage ?? "";
  return {
    name: `agreement-batches-${key}-${page.scope}-${page.phase}-${stage}.csv`,
    href: csvLink(csv([columns, ...lines])),
  };
}
