import type { Project } from "../api/types";

/** The screen on which a person of this role begins. */
export function homeScreen({ role, has_spans }: Pick<Project, "role" | "has_spans">): string {
  if (role === "admin") return "overview";
  if (role === "annotator") return "label";
  return has_spans ? "validation" : "adjudication";
}
