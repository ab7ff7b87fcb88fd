import type { Project } from "../api/types";

/** The screen on which a member begins. */
export function homeScreen({ may, has_spans }: Pick<Project, "may" | "has_spans">): string {
  if (may.includes("manage")) return "overview";
  if (may.includes("rate")) return "label";
  return has_spans ? "validation" : "adjudication";
}
