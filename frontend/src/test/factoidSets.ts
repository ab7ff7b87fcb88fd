import type { Factoid, SetText } from "../api/factoids";
import type {
  AgreementRow,
  Comparison,
  Pairing,
  Phase,
  PhasePerson,
  Relation,
  TextSet,
} from "../features/factoids/types";

export const MEMBERS = [
  ...[
    ["m1", "Admin", "admin"],
    ["m2", "Ann", "annotator"],
    ["m3", "Ben", "annotator"],
    ["m4", "Eve", "adjudicator"],
  ].map(([id = "", display_name = "", role = ""], place) => ({
    ...{ id, display_name, role, username: display_name.toLowerCase(), number: place + 1 },
    may: role === "adjudicator" ? ["resolve", "group"] : ["rate", "group"],
    ...{ is_active: true, done: 0, total: 0 },
  })),
];

export function person(member: string, name: string, more: Partial<PhasePerson> = {}): PhasePerson {
  return {
    ...{ member, name, list: `list-${member}`, n_factoids: 9, n_texts_done: 6, n_items: 0, n_items_open: 0 },
    ...{ done_at: "2026-11-28T10:00:00Z", last_at: "2026-11-28T09:30:00Z" },
    ...more,
  };
}

export const DEFINITION: Phase = {
  ...{ id: "f1", number: 1, kind: "definition", step: "independent", follows: null, given_version: null },
  ...{ opened_at: "2026-11-28T08:00:00Z", closed_at: null, n_texts: 3 },
  people: [
    person("m2", "Ann"),
    person("m3", "Ben", { done_at: null, n_factoids: 1, n_texts_done: 1, last_at: null }),
  ],
};

export const CLOSED: Phase = { ...DEFINITION, closed_at: "2026-11-28T12:00:00Z" };

export function textSet(more: Partial<TextSet> = {}): TextSet {
  return {
    ...{ id: "s1", name: "Marta", n_texts: 3, n_sentences: 5, phases: [], consensus: [], drafts: [] },
    ...more,
  };
}

export const VERSION = { id: "v1", version: 1, published_at: "2026-11-28T14:00:00Z", n_factoids: 8 };

const TEXTS: SetText[] = [
  ["H01", ["The ferry Marta ran aground on Tuesday.", "Nobody was hurt."]],
  ["H02", ["On Tuesday a ferry hit a sandbank.", "Two people were hurt."]],
  ["H03", ["The Marta is old."]],
].map(([id, sentences]) => ({
  ...{ id: id as string, uuid: `t-${id}`, is_system: false },
  sentences: (sentences as string[]).map((text, place) => ({ id: `${id}-00${place + 1}`, text })),
}));

function factoid(key: string, id: string, description: string, sentences: string[]): Factoid {
  return { key, id, description, sentences, absent: [] };
}

const NONE = { strong: 0, "A<-B": 0, "A->B": 0, unlinked: 0 };

export const COMPARISON: Comparison = {
  table: { equal: NONE, subsumes: NONE, subsumed: NONE, related: NONE, unrelated: NONE },
  rates: {
    ...{ equal_strong: null, equal_unlinked: null, subsumption_linked: null },
    ...{ strong_unrelated: null, weak_unrelated: null },
  },
  n_not_judged: 3,
};

/** P1/F1 have F 1, P2/F2 0.8, F3 points weakly at P2 with 0.667; P4 and F5 are alone. */
export const PAIRING: Pairing = {
  ...{ id: "x1", set: { id: "s1", name: "Marta" }, threshold: 0.8, description_weight: 0 },
  ...{ n_judged: 0, n_strong: 2, n_weak: 1, is_frozen: false },
  first: { list: "list-m2", name: "Ann", phase_number: 1 },
  second: { list: "list-m3", name: "Ben", phase_number: 1 },
  texts: TEXTS,
  first_factoids: [
    factoid("p1", "P1", "A ferry ran aground", ["H01-001", "H02-001"]),
    factoid("p2", "P2", "It was a Tuesday", ["H01-001", "H02-001", "H03-001"]),
    factoid("p4", "P4", "the Marta is old", ["H03-001"]),
  ],
  second_factoids: [
    factoid("f1", "F1", "a ferry ran onto a sandbank", ["H01-001", "H02-001"]),
    factoid("f2", "F2", "Tuesday", ["H01-001", "H02-001"]),
    factoid("f3", "F3", "it happened", ["H01-001", "H02-001", "H02-002"]),
    factoid("f5", "F5", "an old ship", ["H01-002"]),
  ],
  links: [
    { a: "p1", b: "f1", f: 1, direction: null, relation: null },
    { a: "p2", b: "f2", f: 0.8, direction: null, relation: null },
    { a: "p2", b: "f3", f: 2 / 3, direction: "A<-B", relation: null },
  ],
  unlinked: { a: ["p4"], b: ["f5"] },
  comparison: COMPARISON,
};

export function related(pairing: Pairing, a: string, b: string, relation: Relation | null): Pairing {
  return {
    ...pairing,
    links: pairing.links.map((link) => (link.a === a && link.b === b ? { ...link, relation } : link)),
  };
}

export const ROW: AgreementRow = {
  ...{ phase: 2, phase_id: "f2", step: "independent", who: ["Ann", "Ben"], relation: null, pairing: null },
  ...{ K: 0.8561, N: 48, k: 2, n: 2, P_A: 0.9286, P_E: 0.5034, cohen: 0.857, low: 0.6934, high: 1 },
  reason: null,
};
