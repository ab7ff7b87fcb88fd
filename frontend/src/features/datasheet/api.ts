import { queryOptions } from "@tanstack/react-query";
import { isApiError } from "../../api/errors";
import { request } from "../../api/http";

export interface Question {
  key: string;
  text: string;
  help: string;
  /** Nobody but a person can say. */
  needs_answer: boolean;
  /** Markdown made from the data; null: nothing can be computed. */
  computed: string | null;
  answer: string;
  /** 0: never answered. */
  revision: number;
  answered_by: string | null;
  answered_at: string | null;
}

export interface Section {
  key: string;
  title: string;
  questions: Question[];
}

export interface Datasheet {
  n_questions: number;
  n_open: number;
  sections: Section[];
}

export const datasheetQuery = (projectId: string) =>
  queryOptions({
    queryKey: ["datasheet", projectId],
    queryFn: ({ signal }) => request<Datasheet>("GET", `/api/projects/${projectId}/datasheet/`, { signal }),
    staleTime: 10_000,
  });

/** `baseRevision`: of the answer that the text was written from; another one stored by now is a 409. */
export const answerSave = (projectId: string, key: string, text: string, baseRevision: number) =>
  request<Question>("PUT", `/api/projects/${projectId}/datasheet/${key}/`, {
    body: { text, base_revision: baseRevision },
  });

/** What somebody else saved meanwhile; null where the error is another one. */
export function currentOf(error: unknown): Question | null {
  if (!isApiError(error, 409) || error.code !== "stale_revision") return null;
  return (error.body as { current: Question }).current;
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
