import type { Factoid, FactoidList, ListItem, SetText } from "../api/factoids";

/** A text "M01" with its sentences "M01-001" and so on. */
export function setText(id: string, sentences: string[], is_system = false): SetText {
  return {
    ...{ id, uuid: `uuid-${id}`, is_system },
    sentences: sentences.map((text, place) => ({ id: `${id}-${String(place + 1).padStart(3, "0")}`, text })),
  };
}

export function factoid(
  id: string,
  sentences: string[],
  description = `says ${id}`,
  absent: string[] = [],
): Factoid {
  return { key: `key-${id}`, id, description, sentences, absent };
}

export const TEXTS: SetText[] = [
  setText("M01", [
    "The ferry Marta ran aground.",
    "All 84 passengers were taken ashore.",
    "The captain had been drinking.",
  ]),
  setText("M02", ["A ferry struck a reef in fog.", "Nobody was hurt."]),
  setText("M03", ["Oil leaked into the bay."]),
];

/** P1 stands in M01 and M02, P2 in M01, P3 in M02, P4 in none. */
export const FACTOIDS: Factoid[] = [
  factoid("P1", ["M01-001", "M02-001"], "a ferry ran aground"),
  factoid("P2", ["M01-002"], "passengers were taken ashore"),
  factoid("P3", ["M02-001"], "there was fog"),
  factoid("P4", [], ""),
];

export function factoidList(said: Partial<FactoidList> = {}): FactoidList {
  return {
    ...{ id: "l1", kind: "definition", step: "independent", phase: "ph1", state: "open", owner: null },
    ...{ revision: 4, done_at: null, version: null, set: { id: "s1", name: "Ferry" } },
    ...{ texts: TEXTS, factoids: FACTOIDS, items: [], may_edit: true },
    ...said,
  };
}

export function listItem(id: string, key: string, text: string, was_there: boolean | null): ListItem {
  return { id, key, text, was_there, is_there: null, note: "", decided_at: null, answers: [] };
}
