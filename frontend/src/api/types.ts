/**
 * The API's shapes under the names that the screens use. They come from the server's schema, so that a screen which no
 * longer fits the API does not compile; only the codebook's definition, JSON to the schema, is written out here.
 */
import type { Answer, Body } from "./contract";

type Window = Answer<"/api/projects/{project_id}/next/", "get">;
type Submitted = Answer<"/api/assignments/{assignment_id}/annotations/", "post", 201>;
export type Submission = Body<"/api/assignments/{assignment_id}/annotations/", "post">;

export type Me = Answer<"/api/me/", "get">;
export type InviteShown = Answer<"/api/invites/{token}/", "get">;
export type Project = Answer<"/api/projects/{project_id}/", "get">;
export type Role = Project["role"];
export type Workers = Answer<"/api/projects/{project_id}/workers/", "get">;
export type Liveness = Workers["models"];

export type WindowState = Window["state"];
export type Progress = Window["progress"];
export type Assignment = Omit<Window["assignments"][number], "codebook"> & {
  codebook: { id: string; version: number; definition: CodebookDefinition };
};
export type LabelWindow = Omit<Window, "assignments"> & { assignments: Assignment[] };
export type Item = Assignment["item"];
export type ItemContext = Item["context"];
export type Turn = ItemContext["minus_5_sentences"][number];
export type CurrentAnnotation = NonNullable<Assignment["current"]>;
/** A marked stretch of the item's text: code points, half-open. `source` is the id of the document that it means. */
export type SpanOut = CurrentAnnotation["spans"][number];
export type ContextLevel = CurrentAnnotation["context_opened"];
/** Stage key -> label key. */
export type Answers = CurrentAnnotation["answers"];
export type DoneAssignment = Answer<"/api/projects/{project_id}/assignments/", "get">["assignments"][number];
export interface DoneList {
  assignments: DoneAssignment[];
  codebook: Assignment["codebook"] | null;
}
export type AnnotationBody = Omit<Submission, "skip_reason" | "spans"> & {
  skip_reason?: string;
  spans: SpanOut[];
};
export type AnnotationReceipt = Omit<Submitted, "refill"> & { refill: LabelWindow };

export interface SourceText {
  id: string;
  external_id: string;
  title: string;
  text: string;
}

export type SpanColor =
  | "blue"
  | "orange"
  | "green"
  | "purple"
  | "ochre"
  | "teal"
  | "red"
  | "pink"
  | "brown"
  | "grey"
  | "indigo"
  | "lime";

export interface SpanCategory {
  key: string;
  name: string;
  marker: string;
  color: SpanColor;
  shortcut: string | null;
  help: string;
  /** How often it must and may (null: any number) occur in each span of the category `within`, or in the item. */
  at_least: number;
  at_most: number | null;
  comment: "none" | "optional" | "required";
  within: string | null;
  refers: boolean;
}

export interface SpanLayer {
  /** The category whose spans make target sentences. */
  target: string | null;
  categories: SpanCategory[];
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
  /** null or left out where there are no stages. */
  learning?: { stage: string; exclude?: string[] } | null;
  span_layer?: SpanLayer | null;
}
