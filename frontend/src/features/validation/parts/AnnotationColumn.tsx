import { type RefObject, useEffect, useId, useMemo, useRef } from "react";
import { SpanText } from "../../../annotate/spans/parts/SpanText";
import type { SpanOut } from "../../../api/types";
import { Key } from "../../../components/Key";
import { counted } from "../../../text/format";
import { chooseKey, columnId, KEYS } from "../actions";
import type { AnonymizedAnnotation } from "../api";
import type { Comparison } from "../model/compare";
import type { ItemBench } from "../useItemBench";
import { type ColumnShared, isSame, SpanLines } from "./SpanLines";

interface AnnotationColumnProps extends ColumnShared {
  annotation: AnonymizedAnnotation;
  bench: ItemBench;
  /** For each of its spans; left out where there is nothing to compare with. */
  marks: readonly Comparison[] | undefined;
}

/** One annotation, under its letter. */
export function AnnotationColumn({ annotation, bench, marks, ...shared }: AnnotationColumnProps) {
  const id = useId();
  const { letter, spans, comment, skipped, skip_reason } = annotation;
  const decision = bench.page.decision;
  const isAccepted = decision?.decision === "accepted" && decision.annotation === annotation.id;
  return (
    <article
      id={columnId(annotation)}
      className={isAccepted ? "card column accepted" : "card column"}
      aria-labelledby={id}
    >
      <div className="column-head">
        <h2 id={id}>Annotation {letter}</h2>
        <span className="mute small">{skipped ? "skipped" : counted(spans.length, "span")}</span>
        {isAccepted && <span className="tag ok">accepted</span>}
        {annotation.revised_since && <span className="tag warn">revised since the decision</span>}
      </div>
      {skipped ? (
        <p>Skipped: {skip_reason}</p>
      ) : (
        <>
          <Acts annotation={annotation} bench={bench} />
          <SpansShown
            {...shared}
            spans={spans}
            marks={marks}
            label={`Text as ${letter} marked it`}
            onlyDifferences={bench.onlyDifferences}
            onTakeOver={bench.edit ? bench.takeOver : undefined}
          />
        </>
      )}
      {comment && (
        <p className="small" dir="auto">
          <b>Comment:</b> {comment}
        </p>
      )}
    </article>
  );
}

function Acts({ annotation, bench }: { annotation: AnonymizedAnnotation; bench: ItemBench }) {
  if (bench.page.state !== "open" || bench.edit) return null;
  const { commands, isBusy } = bench;
  const digit = chooseKey(annotation);
  return (
    <div className="row column-acts">
      <button
        type="button"
        className="button primary"
        aria-disabled={isBusy}
        onClick={() => commands.accept(annotation)}
      >
        Accept {annotation.letter} {digit && <Key name={digit} />}
      </button>
      <button type="button" className="button" onClick={() => commands.editFrom(annotation)}>
        Edit from {annotation.letter} <Key name={KEYS.edit} />
      </button>
    </div>
  );
}

interface SpansShownProps extends ColumnShared {
  spans: readonly SpanOut[];
  marks?: readonly Comparison[];
  label: string;
  onlyDifferences?: boolean;
  /** Left out while nothing is edited. */
  onTakeOver?: (span: SpanOut) => void;
}

/** The text with the spans in it, and the spans in text order below; what differs, when asked for alone, comes first. */
export function SpansShown({
  spans,
  marks,
  label,
  onlyDifferences = false,
  onTakeOver,
  ...shared
}: SpansShownProps) {
  const { model, layer, held, onHold } = shared;
  const drawn = useMemo(() => spans.map((span, id) => ({ ...span, id })), [spans]);
  const selectedId = held ? (drawn.find((span) => isSame(span, held))?.id ?? null) : null;
  const take = (id: number | null) => onHold(id === null ? null : (drawn[id] ?? null));
  const box = useRef<HTMLDivElement>(null);
  const drawing = (
    <div key="text" className="column-text">
      <SpanText
        model={model}
        layer={layer}
        spans={drawn}
        selectedId={selectedId}
        onSelectSpan={take}
        label={label}
      />
    </div>
  );
  const list = <SpanLines key="list" {...shared} {...{ spans, marks, onlyDifferences, onTakeOver }} />;
  useHeldInView(box, selectedId);
  return (
    <div className="column-spans" ref={box}>
      {onlyDifferences ? [list, drawing] : [drawing, list]}
    </div>
  );
}

/** The span that is looked at comes into view in the column's two boxes; the page moves only where the text's is out of it. */
function useHeldInView(column: RefObject<HTMLElement | null>, selectedId: number | null): void {
  useEffect(() => {
    if (selectedId === null) return;
    for (const held of column.current?.querySelectorAll("[aria-pressed=true]") ?? []) {
      const box = held.closest(".column-text, .beside-list");
      if (!box) continue;
      const [outer, inner] = [box.getBoundingClientRect(), held.getBoundingClientRect()];
      if (inner.top < outer.top || inner.bottom > outer.bottom)
        box.scrollTop += inner.top - outer.top - outer.height / 3;
      if (box.matches(".column-text")) held.scrollIntoView?.({ block: "nearest" });
    }
  }, [column, selectedId]);
}
