import type { Project } from "../api/types";

type Asking = Pick<Project, "may" | "has_spans" | "has_stages" | "has_batches" | "has_text_sets">;

/** The screen on which a member begins. */
export function homeScreen({ may, has_spans, has_stages, has_batches, has_text_sets }: Asking): string {
  if (may.includes("manage")) return "overview";
  // Where all work is on text sets, nothing would ever come to the other screens.
  if (has_text_sets && (may.includes("rate") ? !has_batches : !has_spans && !has_stages)) return "factoids";
  if (may.includes("rate")) return "label";
  return has_spans ? "validation" : "adjudication";
}
