import { standingWords } from "../../activeLearning/practiceWords";
import type { Annotator, AnnotatorsPage } from "../../api/annotators";
import { type Cell, csv } from "../../text/csv";

export type Sorting = "name" | "done" | "skipped" | "time" | "pace" | "agreement";

export interface Order {
  by: Sorting;
  isDown: boolean;
}

export function agreementAt(annotator: Annotator, stage: string | undefined) {
  return annotator.agreement.find((each) => each.stage === stage);
}

/** Seconds of active time an item; null where nothing is done. */
export function secondsAnItem({ done, active_ms }: Annotator): number | null {
  return done === 0 ? null : active_ms / 1000 / done;
}

export function skippedShare({ done, skipped }: Annotator): number | null {
  return done === 0 ? null : skipped / done;
}

function sortedBy(annotator: Annotator, by: Sorting, stage: string | undefined): number | string | null {
  switch (by) {
    case "name":
      return annotator.display_name;
    case "done":
      return annotator.done;
    case "skipped":
      return skippedShare(annotator);
    case "time":
      return annotator.active_ms;
    case "pace":
      return secondsAnItem(annotator);
    case "agreement":
      return agreementAt(annotator, stage)?.value ?? null;
  }
}

/** In this order; who has no value comes last, whichever way. */
export function sorted(
  annotators: readonly Annotator[],
  { by, isDown }: Order,
  stage: string | undefined,
): Annotator[] {
  const sign = isDown ? -1 : 1;
  return [...annotators].sort((one, other) => {
    const [a, b] = [sortedBy(one, by, stage), sortedBy(other, by, stage)];
    if (a === null || b === null) return Number(a === null) - Number(b === null);
    return (
      sign * (typeof a === "string" ? a.localeCompare(String(b)) : a - Number(b)) || one.number - other.number
    );
  });
}

/** The whole table, with every stage. */
export function annotatorsCsv({ stages, annotators }: AnnotatorsPage, rows: readonly Annotator[]): string {
  // Titles are not unique.
  const practices = new Map(annotators.flatMap((each) => each.practices.map((one) => [one.id, one])));
  const heads: Cell[] = [
    ...["number", "name", "role", "is_active", "done", "skipped", "active_minutes", "seconds_an_item"],
    ...["check_items_answered", "check_items_right", "check_items_skipped"],
    ...stages.flatMap(({ key }) =>
      ["coefficient", "value", "low", "high", "percent_agreement", "items", "reason"].map(
        (part) => `${key}.${part}`,
      ),
    ),
    ...[...practices.values()].map(({ number, title }) => `practice ${number}: ${title}`),
  ];
  return csv([heads, ...rows.map((row) => [...workCells(row), ...agreementCells(row), ...practised(row)])]);

  function agreementCells(row: Annotator): Cell[] {
    return stages.flatMap(({ key, coefficient }) => {
      const found = agreementAt(row, key);
      const [low, high] = found?.interval ?? [];
      return [
        coefficient ?? "",
        found?.value ?? "",
        low ?? "",
        high ?? "",
        found?.percent_agreement ?? "",
        found?.n ?? 0,
        found?.reason ?? "",
      ];
    });
  }

  function practised({ practices: theirs }: Annotator): Cell[] {
    return [...practices.keys()].map((id) => {
      const found = theirs.find((each) => each.id === id);
      return found ? standingWords(found) : "";
    });
  }
}

function workCells(row: Annotator): Cell[] {
  return [
    row.number,
    row.display_name,
    row.role,
    row.is_active ? "yes" : "no",
    row.done,
    row.skipped,
    Math.round(row.active_ms / 600) / 100,
    secondsAnItem(row) ?? "",
    row.checks.answered,
    row.checks.right,
    row.checks.skipped,
  ];
}
