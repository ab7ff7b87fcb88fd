/**
 * The API's shapes under the names that the screens use. They come from the server's schema, so that a screen which no
 * longer fits the API does not compile.
 */
import type { Answer, Body } from "./contract";
import type { components } from "./schema";

type Schemas = components["schemas"];

type Window = Answer<"/api/projects/{project_id}/next/", "get">;
type Submitted = Answer<"/api/assignments/{assignment_id}/annotations/", "post", 201>;
export type Submission = Body<"/api/assignments/{assignment_id}/annotations/", "post">;

export type Me = Answer<"/api/me/", "get">;
export type Project = Answer<"/api/projects/{project_id}/", "get">;
export type Role = Project["role"];
export type Workers = Answer<"/api/projects/{project_id}/workers/", "get">;
export type Liveness = Workers["models"];

export type WindowState = Window["state"];
export type Progress = Window["progress"];
export type Assignment = Answer<"/api/assignments/{assignment_id}/", "get">;
/** A window as the server sends it: the assignments name their codebooks, which come beside them. */
export type SentWindow = Window;
/** A window with what its assignments need. */
export type LabelWindow = Omit<Window, "assignments" | "codebooks"> & { assignments: Assignment[] };
export type Item = Assignment["item"];
export type ItemContext = Item["context"];
export type Turn = ItemContext["minus_5_sentences"][number];
export type CurrentAnnotation = NonNullable<Assignment["current"]>;
/** A marked stretch of the item's text: code points, half-open. `source` is the id of the document that it means. */
export type SpanOut = CurrentAnnotation["spans"][number];
export type ContextLevel = CurrentAnnotation["context_opened"];
/** Stage key -> label key. */
export type Answers = CurrentAnnotation["answers"];
export type DoneAssignment = DoneList["assignments"][number];
export type DoneList = Answer<"/api/projects/{project_id}/assignments/", "get">;
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

export type CodebookDefinition = Schemas["Codebook"];
export type StageDefinition = CodebookDefinition["stages"][number];
/** A stage that is answered with a label. */
export type LabelStage = Schemas["LabelStage"];
/** A stage that is answered with a point of a scale. */
export type ScaleStage = Schemas["ScaleStage"];
/** A stage that is answered with several labels. */
export type SeveralStage = Schemas["SeveralStage"];
/** A stage that is answered with a number. */
export type NumberStage = Schemas["NumberStage"];
/** A stage that is answered with a short text. */
export type TextStage = Schemas["TextStage"];
export type LabelDefinition = Schemas["Label"];
export type Condition = NonNullable<StageDefinition["open_when"]>;
export type SpanLayer = Schemas["SpanLayer"];
export type SpanCategory = Schemas["SpanCategory"];
export type SpanColor = SpanCategory["color"];
