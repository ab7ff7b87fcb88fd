import type { Project } from "../../api/types";

/** A person's own progress in a project, in words. */
export function progressWords(project: Pick<Project, "my_progress" | "role" | "has_spans">): string {
  const progress = project.my_progress;
  const isIdle = !progress || progress.state === "none";
  if (isIdle && project.role === "adjudicator")
    return `Nothing is assigned to you to label. ${project.has_spans ? "Items to validate" : "Disagreements to settle"} are listed in the project.`;
  if (isIdle) return "Nothing is assigned to you at the moment.";
  const batch = progress.batch_number === null ? "this batch" : `batch ${progress.batch_number}`;
  if (progress.state === "finished") return `Batch done: all ${progress.total} of ${batch} are answered.`;
  if (progress.state === "waiting")
    return `You are done with ${batch} (${progress.done} of ${progress.total}). Waiting for others.`;
  return `${progress.done} of ${progress.total} done in ${batch}, ${progress.total - progress.done} to go.`;
}
