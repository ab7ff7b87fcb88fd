import { useRef, useState } from "react";
import { useAnnounce } from "../../../components/Announcer";
import { HelpSheet } from "../../../components/HelpSheet";
import { Key } from "../../../components/Key";
import { type Action, action } from "../../../keyboard/registry";
import { useKeyboard } from "../../../keyboard/useKeyboard";
import { count, counted } from "../../../text/format";
import type { Generation } from "../api";
import { faultLines } from "../copy";
import { MarkedText } from "../MarkedText";
import { useLayer } from "../useLayer";

interface ReadingProps {
  /** Undefined where there is none at this place. */
  row: Generation | undefined;
  place: number;
  total: number;
  /** Of the system. */
  title: string;
  projectId: string;
  onPlace: (place: number) => void;
}

/** One source: what was generated, its references, and what the model read. Keys go on and back. */
export function Reading({ row, place, total, title, projectId, onPlace }: ReadingProps) {
  const layer = useLayer(projectId);
  const announce = useAnnounce();
  const [keysShown, showKeys] = useState(false);
  const source = useRef<HTMLDetailsElement>(null);
  const go = (to: number) => {
    onPlace(to);
    announce(`Text ${count(to + 1)} of ${count(total)}.`);
  };
  const [hasNext, hasPrevious] = [place + 1 < total, place > 0];
  const [next, previous] = [() => go(place + 1), () => go(Math.min(place, total) - 1)];
  const fold = () => {
    if (source.current) source.current.open = !source.current.open;
  };
  const actions: Action[] = [
    ...["j", "arrowright"].map((key) =>
      action(`next-${key}`, "Go to the next text", "Texts", key, hasNext, next, "before the last"),
    ),
    ...["k", "arrowleft"].map((key) =>
      action(
        `previous-${key}`,
        "Go to the text before",
        "Texts",
        key,
        hasPrevious,
        previous,
        "after the first",
      ),
    ),
    action("source", "Unfold or fold the source", "Texts", "s", row !== undefined, fold),
    action("keys", "Show the keys", "Page", "?", true, () => showKeys(true)),
  ];
  useKeyboard(actions);
  return (
    <>
      <div className="row reading-way">
        <button type="button" className="button" disabled={!hasPrevious} onClick={previous}>
          Back <Key name="k" />
        </button>
        <span className="small numbers">
          Text {count(place + 1)} of {count(total)}
        </span>
        <button type="button" className="button" disabled={!hasNext} onClick={next}>
          Forward <Key name="j" />
        </button>
        <button type="button" className="button quiet" onClick={() => showKeys(true)}>
          Keys <Key name="?" />
        </button>
      </div>
      {!row && <p className="notice">There is no text at this place.</p>}
      {row && (
        <>
          <h2 className="source-title" dir="auto">
            {row.source_title || row.source}
          </h2>
          <div className="beside">
            <section className="card stack" aria-labelledby="generated">
              <div className="card-head">
                <h3 id="generated">{title}</h3>
                <span className="small mute">{counted(row.generated.spans.length, "span")}</span>
              </div>
              {row.generated.text.trim() === "" ? (
                <p className="mute">The model wrote nothing.</p>
              ) : (
                <MarkedText marked={row.generated} layer={layer} label={`What ${title} wrote`} />
              )}
              <Faults row={row} />
            </section>
            <section className="card stack" aria-labelledby="references">
              <h3 id="references">{counted(row.references.length, "reference")}</h3>
              {row.references.map((reference, at) => (
                <article key={reference.id} className="reference" aria-label={`Reference ${at + 1}`}>
                  {row.references.length > 1 && <p className="small mute">Reference {at + 1}</p>}
                  <MarkedText marked={reference} layer={layer} label={`Reference ${at + 1}`} />
                </article>
              ))}
            </section>
          </div>
          <Filtered row={row} place={source} />
        </>
      )}
      {keysShown && <HelpSheet actions={actions} onClose={() => showKeys(false)} />}
    </>
  );
}

/** Markers that do not pair, which no span is drawn for. */
function Faults({ row: { generated } }: { row: Generation }) {
  return (
    <>
      {generated.faults.length > 0 && (
        <div className="notice warn stack-tight">
          <p>{counted(generated.faults.length, "marker that does", "markers that do")} not pair:</p>
          <ul className="reasons small">
            {faultLines(generated.faults).map((line) => (
              <li key={line}>{line}</li>
            ))}
          </ul>
        </div>
      )}
      <details className="more">
        <summary>With its markers</summary>
        <p className="linear small" dir="auto">
          {generated.linear}
        </p>
      </details>
    </>
  );
}

interface FilteredProps {
  row: Generation;
  place: React.RefObject<HTMLDetailsElement | null>;
}

/** What the filter kept of the source, which is all that the model read. */
function Filtered({ row: { filtered }, place }: FilteredProps) {
  const sentences = filtered.map((text, at) => ({ text, at }));
  return (
    <section className="card" aria-label="Filtered source">
      <details className="more" ref={place}>
        <summary>
          What the model read: {counted(filtered.length, "sentence")} <Key name="s" />
        </summary>
        {filtered.length === 0 && <p className="mute">The filter kept nothing.</p>}
        <div className="filtered" dir="auto">
          {sentences.map(({ text, at }) => (
            <p key={at}>{text}</p>
          ))}
        </div>
      </details>
    </section>
  );
}
