import type { ReactNode } from "react";
import { count, counted, duration } from "../../text/format";
import type { Prediction } from "./api";
import { problemWords } from "./copy";

type Exchanged = Pick<
  Prediction,
  | "gold"
  | "label"
  | "confidence"
  | "problem"
  | "explanation"
  | "prompt"
  | "raw"
  | "model"
  | "tokens_in"
  | "tokens_out"
  | "seconds"
>;

/** The prompt, the raw answer, and how it was read. */
export function Exchange({ row }: { row: Exchanged }) {
  return (
    <div className="exchange">
      <Part title="Prompt">
        <Verbatim text={row.prompt} title="Prompt" />
      </Part>
      <Part title="Raw answer">
        <Verbatim text={row.raw || "(empty)"} title="Raw answer" />
        <p className="small mute numbers">{costOf(row)}</p>
      </Part>
      <Part title="Read as">
        <Reading row={row} />
      </Part>
    </div>
  );
}

function Part({ title, children }: { title: string; children: ReactNode }) {
  return (
    <div className="stack-tight">
      <h4>{title}</h4>
      {children}
    </div>
  );
}

/** As it was sent or came, white space and all. */
export function Verbatim({ text, title }: { text: string; title: string }) {
  return (
    // biome-ignore lint/a11y/useSemanticElements: it groups no form fields.
    // biome-ignore lint/a11y/noNoninteractiveTabindex: a scrolling region must be reachable by key.
    <pre className="verbatim" role="group" aria-label={title} tabIndex={0} dir="auto">
      {text}
    </pre>
  );
}

export function Reading({ row }: { row: Exchanged }) {
  if (row.label === null)
    return (
      <p>
        <span className="tag bad">not compliant</span> {problemWords(row.problem)} It counts as wrong.
      </p>
    );
  const isRight = row.gold === row.label;
  return (
    <>
      <p>
        <b>{row.label}</b>
        {row.confidence !== null && `, confidence ${row.confidence.toFixed(2)}`}{" "}
        {row.gold !== null && (
          <span className={isRight ? "tag ok" : "tag warn"}>
            {isRight ? "as the people said" : `people: ${row.gold}`}
          </span>
        )}
      </p>
      {row.explanation && <p dir="auto">{row.explanation}</p>}
    </>
  );
}

function costOf({ model, tokens_in, tokens_out, seconds }: Exchanged): string {
  return [
    model,
    tokens_in !== null && `${count(tokens_in)} tokens in`,
    tokens_out !== null && `${counted(tokens_out, "token")} out`,
    seconds !== null && duration(seconds),
  ]
    .filter(Boolean)
    .join(" · ");
}
