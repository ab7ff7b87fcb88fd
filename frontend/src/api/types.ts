/** The API's shapes, as docs/api.md gives them. */

export type Role = "admin" | "annotator" | "adjudicator";
export type WindowState = "ok" | "finished" | "waiting" | "none";
export type ContextLevel = "sentence" | "utterance" | "minus_5_sentences" | "minus_200_tokens";
export type Answers = Record<string, string>;

export interface Me {
  id: string;
  username: string;
  display_name: string;
  can_create_projects: boolean;
}

export interface Progress {
  done: number;
  total: number;
  batch_number: number | null;
}

export interface Project {
  id: string;
  name: string;
  description: string;
  role: Role;
  annotation_budget: number | null;
  budget_spent: number;
  time_zone: string;
  created_at: string;
  pool_size: number;
  n_documents: number;
  active_codebook: { id: string; version: number } | null;
  my_progress: (Progress & { state: WindowState }) | null;
  active_round: { id: string; number: number; state: string } | null;
}

export type Condition =
  | { all: Condition[] }
  | { any: Condition[] }
  | { stage: string; in: string[] }
  | { stage: string; answered: true };

export interface LabelDefinition {
  key: string;
  name: string;
  help?: string;
  examples?: string[];
  shortcut?: string | null;
}

export interface StageDefinition {
  key: string;
  title: string;
  prompt: string;
  help?: string;
  scale?: "nominal" | "ordinal";
  required?: boolean;
  open_when?: Condition | null;
  labels: LabelDefinition[];
  positive?: string[];
}

export interface CodebookDefinition {
  name: string;
  guidelines?: string;
  stages: StageDefinition[];
  learning: { stage: string; exclude?: string[] };
}

export interface Turn {
  speaker: string | null;
  text: string;
}

export interface ItemContext {
  utterance: { speaker: string | null; before: string; after: string } | null;
  minus_5_sentences: Turn[];
  minus_200_tokens: Turn[];
}

export interface Item {
  id: string;
  external_id: string;
  text: string;
  speaker: string | null;
  document: { title: string; external_id: string };
  utterance: { external_id: string; number: number } | null;
  sentence_number: number | null;
  context: ItemContext;
}

export interface CurrentAnnotation {
  revision: number;
  answers: Answers;
  comment: string;
  context_opened: ContextLevel;
  skip_reason: string | null;
}

export interface Assignment {
  id: string;
  state: "open" | "claimed" | "submitted" | "skipped" | "surplus" | "withdrawn";
  position: number;
  /** Left alone until then, the item may go to somebody else; null: it stays. */
  claimed_until: string | null;
  item: Item;
  codebook: { id: string; version: number; definition: CodebookDefinition };
  current: CurrentAnnotation | null;
  batch: { number: number; total: number; open: boolean };
}

export interface LabelWindow {
  assignments: Assignment[];
  state: WindowState;
  progress: Progress;
}

export interface DoneAssignment {
  id: string;
  position: number;
  /** surplus: answered after the item had gone to somebody else; kept beside the others. */
  state: "submitted" | "skipped" | "surplus";
  text: string;
  answers: Answers;
}

export interface AnnotationBody {
  client_id: string;
  base_revision: number;
  answers: Answers;
  spans: [];
  comment: string;
  context_opened: ContextLevel;
  active_ms: number;
  wall_ms: number;
  skip_reason?: string;
}

export interface AnnotationReceipt {
  annotation: { id: string; revision: number; answers: Answers; created_at: string };
  refill: LabelWindow;
}

export interface Liveness {
  alive: boolean;
  seen_seconds_ago: number | null;
}

export interface Workers {
  broker: boolean;
  models: Liveness;
  light: Liveness;
}
