import { memo } from "react";
import { colorOf, nameOf } from "../../../annotate/spans/model/categories";
import type { TextModel } from "../../../annotate/spans/model/textModel";
import type { SpanLayer, SpanOut } from "../../../api/types";
import { Key } from "../../../components/Key";
import { Quote } from "../../../components/Quote";
import { shortQuote } from "../../../text/quote";
import { TAKE_OVER_KEY } from "../actions";
import { type Comparison, SHAPES } from "../model/compare";

/** The span that is looked at, in every column that has it. */
export type Held = Pick<SpanOut, "start" | "end" | "category">;

export interface ColumnShared {
  model: TextModel;
  layer: SpanLayer;
  /** Source id -> title. */
  titles: ReadonlyMap<string, string>;
  held: Held | null;
  onHold: (held: Held | null) => void;
}

interface SpanLinesProps extends ColumnShared {
  spans: readonly SpanOut[];
  marks?: readonly Comparison[];
  onlyDifferences: boolean;
  onTakeOver?: (span: SpanOut) => void;
}

/** From here on, lines out of view are not laid out. */
const LONG = 100;

/** Every span in text order, of those that begin together the longer one first; each with how the other annotations differ from it. */
export function SpanLines(props: SpanLinesProps) {
  const { spans, marks, onlyDifferences, layer, titles, held, onHold, onTakeOver } = props;
  const shown = spans
    .map((span, place) => ({ span, place, mark: marks?.[place] }))
    .filter(({ mark }) => !onlyDifferences || mark?.likeness !== "all")
    .sort((a, b) => a.span.start - b.span.start || b.span.end - a.span.end);
  if (spans.length === 0) return <p className="mute small">Nothing is marked.</p>;
  if (shown.length === 0) return <p className="mute small">No differences.</p>;
  return (
    <ol className={shown.length > LONG ? "beside-list long" : "beside-list"}>
      {shown.map(({ span, place, mark }) => (
        <li key={place} className="beside-item">
          <SpanLine
            span={span}
            mark={mark}
            layer={layer}
            source={span.source === null ? undefined : titles.get(span.source)}
            isHeld={held !== null && isSame(span, held)}
            onHold={onHold}
            onTakeOver={onTakeOver}
          />
        </li>
      ))}
    </ol>
  );
}

interface SpanLineProps {
  span: SpanOut;
  mark: Comparison | undefined;
  layer: SpanLayer;
  source: string | undefined;
  isHeld: boolean;
  onHold: ColumnShared["onHold"];
  onTakeOver: SpanLinesProps["onTakeOver"];
}

const SpanLine = memo(function SpanLine(props: SpanLineProps) {
  const { span, layer, onTakeOver } = props;
  return (
    <>
      <LookAt {...props} />
      {onTakeOver && (
        <button type="button" className="button small-button take-over" onClick={() => onTakeOver(span)}>
          Take over{" "}
          <span className="visually-hidden">
            {nameOf(layer, span.category)}: {shortQuote(span.quote)}
          </span>{" "}
          <Key name={TAKE_OVER_KEY} />
        </button>
      )}
    </>
  );
});

function LookAt({ span, mark, layer, source, isHeld, onHold }: SpanLineProps) {
  return (
    <button
      type="button"
      className={`beside-line ${mark?.likeness ?? ""}`}
      style={{ borderInlineStartColor: colorOf(layer, span.category) }}
      aria-pressed={isHeld}
      onClick={() => onHold(isHeld ? null : span)}
    >
      <span>
        <b>{nameOf(layer, span.category)}</b> <Quote quote={span.quote} longest={80} />
      </span>
      {(source || span.comment) && (
        <span className="mute" dir="auto">
          {source && `→ ${source} `}
          {span.comment}
        </span>
      )}
      {mark && (
        <span className="likeness">
          <i aria-hidden="true">{SHAPES[mark.likeness]}</i> {mark.words}
        </span>
      )}
    </button>
  );
}

export function isSame(a: Held, b: Held): boolean {
  return a.start === b.start && a.end === b.end && a.category === b.category;
}
