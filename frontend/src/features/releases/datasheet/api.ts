import { queryOptions } from "@tanstack/react-query";
import { get, ofProject, put } from "../../../api/client";
import type { Answer } from "../../../api/contract";
import { isApiError } from "../../../api/errors";

export type Datasheet = Answer<"/api/projects/{project_id}/datasheet/", "get">;
export type Section = Datasheet["sections"][number];
export type Question = Section["questions"][number];
type Stale = Answer<"/api/projects/{project_id}/datasheet/{question}/", "put", 409>;

export const datasheetQuery = (projectId: string) =>
  queryOptions({
    queryKey: ["datasheet", projectId],
    queryFn: ({ signal }) =>
      get("/api/projects/{project_id}/datasheet/", { ...ofProject(projectId), signal }),
    staleTime: 10_000,
  });

/** `baseRevision`: of the answer that the text was written from; another one stored by now is a 409. */
export const answerSave = (projectId: string, key: string, text: string, baseRevision: number) =>
  put("/api/projects/{project_id}/datasheet/{question}/", {
    params: { path: { project_id: projectId, question: key } },
    body: { text, base_revision: baseRevision },
  });

/** What somebody else saved meanwhile; null where the error is another one. */
export function currentOf(error: unknown): Question | null {
  if (!isApiError(error, 409) || error.code !== "stale_revision") return null;
  return (error.body as Stale).current;
}

export function isOpen({ needs_answer, answer }: Question): boolean {
  return needs_answer && answer.trim() === "";
}

/** The datasheet with one question as it is now stored. */
export function withQuestion(sheet: Datasheet, question: Question): Datasheet {
  const sections = sheet.sections.map((section) =>
    section.questions.some(({ key }) => key === question.key)
      ? {
          ...section,
          questions: section.questions.map((each) => (each.key === question.key ? question : each)),
        }
      : section,
  );
  const questions = sections.flatMap((section) => section.questions);
  return { ...sheet, sections, n_open: questions.filter(isOpen).length };
}
