import type { Datasheet, Question } from "../features/releases/datasheet/api";

export function question(key: string, part: Partial<Question> = {}): Question {
  return {
    ...{ key, text: `What about ${key}?`, help: `Say what ${key} is.`, needs_answer: true, computed: null },
    ...{ answer: "", revision: 0, answered_by: null, answered_at: null, ...part },
  };
}

export const SHEET: Datasheet = {
  n_questions: 4,
  n_open: 2,
  sections: [
    {
      key: "motivation",
      title: "Motivation",
      questions: [
        question("purpose"),
        question("funding", {
          ...{ answer: "A grant.", revision: 3 },
          ...{ answered_by: "Anna", answered_at: "2026-11-27T10:00:00Z" },
        }),
      ],
    },
    {
      key: "composition",
      title: "Composition",
      questions: [
        question("count", { needs_answer: false, computed: "| Kind | n |\n|---|---:|\n| Items | 1,050 |" }),
        question("errors"),
      ],
    },
  ],
};
