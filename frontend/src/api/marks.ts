import type { SpanOut } from "./types";

/** A marked stretch as it is worked on and kept: code points of the text, half-open; no comment is "". */
export interface Mark {
  start: number;
  end: number;
  category: string;
  comment: string;
  source: string | null;
}

/** As the server takes and gives them: each with its words, no comment is null, nor is one of white space alone. */
export function sentSpans(spans: readonly Mark[], quote: (span: Mark) => string): SpanOut[] {
  return spans.map((span) => ({
    ...{ start: span.start, end: span.end, quote: quote(span) },
    ...{
      category: span.category,
      comment: isComment(span.comment) ? span.comment : null,
      source: span.source,
    },
  }));
}

export function marksOf(spans: readonly Omit<SpanOut, "quote">[]): Mark[] {
  return spans.map(({ start, end, category, comment, source }) => ({
    ...{ start, end, category },
    ...{ comment: comment ?? "", source },
  }));
}

export function isComment(comment: string): boolean {
  return comment.trim() !== "";
}
