import type { Project } from "../../api/types";
import { count, withdrawnWords } from "../../text/format";

/** A person's own progress in a project, in words. */
export function progressWords(project: Pick<Project, "my_progress" | "may" | "has_spans">): string {
  const progress = project.my_progress;
  const isIdle = !progress || progress.state === "none";
  if (isIdle && !project.may.includes("rate"))
    return `Nothing is assigned to you to label. ${project.has_spans ? "Items to validate" : "Disagreements to decide"} are listed in the project.`;
  if (isIdle) return "Nothing is assigned to you at the moment.";
  const batch = progress.batch_number === null ? "this batch" : `batch ${progress.batch_number}`;
  const { done, total, withdrawn } = progress;
  const rest = withdrawnWords(withdrawn);
  if (progress.state === "finished" && rest)
    return `Batch done: you answered ${count(done)} of ${batch}. ${rest}`;
  if (progress.state === "finished") return `Batch done: all ${count(total)} of ${batch} are answered.`;
  if (progress.state === "waiting")
    return [`You are done with ${batch} (${count(done)} of ${count(total)}).`, rest, "Waiting for others."]
      .filter(Boolean)
      .join(" ");
  return `${count(done)} of ${count(total)} done in ${batch}, ${count(total - done)} to go.`;
}
