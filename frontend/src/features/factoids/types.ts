import type { Answer } from "../../api/contract";
import type { Factoid, SetText } from "../../api/factoids";

export type Kind = Phase["kind"];
export type Step = Phase["step"];
export type Relation = "equal" | "subsumes" | "subsumed" | "related" | "unrelated";
/** null: a strong link. "none": people judged a pair that has no link. */
export type Direction = null | "A->B" | "A<-B" | "none";

export type TextSets = Answer<"/api/projects/{project_id}/text-sets/", "get">;
export type TextSet = TextSets["sets"][number];
export type OwnList = TextSets["mine"][number];
export type Phase = TextSet["phases"][number];
/** How far one list of a phase is; that of a consensus is nobody's own. */
export type PhasePerson = Phase["people"][number];
export type ConsensusDraft = TextSet["drafts"][number];

interface PairedList {
  list: string;
  name: string;
}

export interface PairingHead {
  id: string;
  first: PairedList & { phase_number: number };
  second: PairedList & { phase_number: number };
  threshold: number;
  description_weight: number;
  n_judged: number;
  n_strong: number;
  n_weak: number;
}

export interface PairLink {
  a: string;
  b: string;
  f: number;
  direction: Direction;
  relation: Relation | null;
}

export type LinkKind = "strong" | "A<-B" | "A->B" | "unlinked";

export interface Comparison {
  table: Record<Relation, Record<LinkKind, number>>;
  rates: Record<string, number | null>;
  n_not_judged: number;
}

export interface Pairing {
  id: string;
  set: { id: string; name: string };
  first: PairedList;
  second: PairedList;
  threshold: number;
  description_weight: number;
  texts: SetText[];
  first_factoids: Factoid[];
  second_factoids: Factoid[];
  links: PairLink[];
  unlinked: { a: string[]; b: string[] };
  comparison: Comparison;
  is_frozen: boolean;
}

export interface RelationBody {
  client_id: string;
  a: string;
  b: string;
  relation: Relation | "";
}

export interface AgreementRow {
  phase: number;
  phase_id: string;
  step: Step;
  /** Names of everyone whom the row counts. */
  who: string[];
  relation: Relation | null;
  K: number | null;
  /** null where nothing can be counted yet; `reason` says why. */
  N: number | null;
  k: number;
  n: number;
  P_A: number | null;
  P_E: number | null;
  cohen: number | null;
  low: number | null;
  high: number | null;
  reason: string | null;
  pairing: string | null;
}

export interface SetAgreement {
  annotation: AgreementRow[];
  definition: AgreementRow[];
}

export interface Disagreement {
  key: string;
  key_b: string | null;
  id: string;
  /** Empty in an annotation, as are the key and description. */
  id_b: string;
  description: string;
  description_b: string;
  text: string;
  answers: { name: string; is_there: boolean }[];
}

export interface Disagreements {
  total: number;
  items: Disagreement[];
}

export interface TextScore {
  text: string;
  is_system: boolean;
  score: number | null;
  reason: string | null;
  gold: number | null;
  gold_reason: string | null;
}

export interface Scores {
  weights: Record<string, number>;
  consensus: string[];
  scores: TextScore[];
}

export interface StabilityPoint {
  m: number;
  n: number;
  rho: number | null;
  sd: number | null;
  reason: string | null;
}
