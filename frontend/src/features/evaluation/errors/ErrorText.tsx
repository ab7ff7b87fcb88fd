import { useQuery } from "@tanstack/react-query";
import { useLayoutEffect, useRef } from "react";
import { NotLoaded } from "../../../components/states";
import { counted } from "../../../text/format";
import { type Prediction, type PredictionDetail, predictionQuery } from "../api";
import { Exchange, Reading } from "../Exchange";
import { useSystemTitle } from "../useSystemTitle";

/** The item in its context, what people said, and what the system said of it. */
export function ErrorText({ row }: { row: Prediction }) {
  const title = useSystemTitle();
  const box = useRef<HTMLDivElement>(null);
  const { data, error, refetch } = useQuery(predictionQuery(row.id));
  // biome-ignore lint/correctness/useExhaustiveDependencies(data): the context comes after the item, and stands above it.
  useLayoutEffect(() => showMark(box.current), [data]);
  return (
    <>
      <p className="small mute">
        {[row.item.external_id, data?.context.document, data?.context.speaker].filter(Boolean).join(" · ")}
      </p>
      {/* biome-ignore lint/a11y/useSemanticElements: it groups no form fields. */}
      <div
        className="error-text"
        role="group"
        aria-label="Text"
        // biome-ignore lint/a11y/noNoninteractiveTabindex: a scrolling region must be reachable by key.
        tabIndex={0}
        ref={box}
        dir="auto"
      >
        {data?.context.before.map(({ speaker, text }, place) => (
          // biome-ignore lint/suspicious/noArrayIndexKey: turns stand in their order and never change.
          <p className="context" key={place}>
            {speaker && <b>{speaker} </b>}
            {text}
          </p>
        ))}
        <p>{data ? <Marked context={data.context} text={row.item.text} /> : <mark>{row.item.text}</mark>}</p>
      </div>
      {error && <NotLoaded what="The context" error={error} retry={refetch} />}
      <div className="two-sides">
        <div className="stack-tight">
          <h3>People</h3>
          <p>
            <b>{row.gold ?? "no gold label"}</b>
            {row.is_unanimous === true && ", all of one mind"}
            {row.is_unanimous === false && ", not all of one mind"}
          </p>
          {data && data.votes.length > 0 && (
            <p className="small">
              {data.votes.map(({ label, n }) => `${label}: ${counted(n, "vote")}`).join(", ")}
            </p>
          )}
        </div>
        <div className="stack-tight">
          <h3>{title(row.system)}</h3>
          <Reading row={row} />
        </div>
      </div>
      {row.prompt && (
        <details className="more">
          <summary>Prompt and raw answer</summary>
          <Exchange row={row} />
        </details>
      )}
    </>
  );
}

/** Long context is scrolled away above: what was judged stands in the middle of the box. */
function showMark(box: HTMLElement | null) {
  const mark = box?.querySelector("mark");
  if (!box || !mark) return;
  const from = mark.getBoundingClientRect().top - box.getBoundingClientRect().top;
  box.scrollTop += from - box.clientHeight / 3;
}

/** The item inside its utterance, where it stands there word for word. */
function Marked({ context, text }: { context: PredictionDetail["context"]; text: string }) {
  const start = context.utterance.indexOf(text);
  if (start === -1) return <mark>{text}</mark>;
  return (
    <>
      {context.utterance.slice(0, start)}
      <mark>{text}</mark>
      {context.utterance.slice(start + text.length)}
    </>
  );
}
