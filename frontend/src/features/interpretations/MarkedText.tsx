import { useMemo, useState } from "react";
import { colorOf, nameOf } from "../../annotate/spans/model/categories";
import { textModel } from "../../annotate/spans/model/textModel";
import { SpanText } from "../../annotate/spans/parts/SpanText";
import type { SpanLayer } from "../../api/types";
import { Quote } from "../../components/Quote";
import { counted } from "../../text/format";
import type { MarkedText as Marked } from "./api";
import { keyOf } from "./useLayer";

interface MarkedTextProps {
  marked: Marked;
  layer: SpanLayer;
  label: string;
}

const QUOTE = 60;

/** A text with its spans drawn in the colours of their categories, and the comments below it. */
export function MarkedText({ marked: { text, spans }, layer, label }: MarkedTextProps) {
  const [held, setHeld] = useState<number | null>(null);
  const model = useMemo(() => textModel(text), [text]);
  const drawn = useMemo(
    () => spans.map((span, id) => ({ ...span, id, category: keyOf(layer, span.category) })),
    [spans, layer],
  );
  const commented = drawn.filter(({ comment }) => comment);
  return (
    <div className="marked-text">
      <SpanText
        model={model}
        layer={layer}
        spans={drawn}
        selectedId={held}
        onSelectSpan={setHeld}
        label={label}
      />
      {commented.length > 0 && (
        <details className="more" open>
          <summary>
            {counted(commented.length, "comment")} <span className="visually-hidden">of {label}</span>
          </summary>
          <ul className="plain-list small">
            {commented.map(({ id, start, end, category, comment }) => (
              <li key={id}>
                <b style={{ color: colorOf(layer, category) }}>{nameOf(layer, category)}</b>{" "}
                <Quote quote={model.points.slice(start, end)} longest={QUOTE} />: {comment}
              </li>
            ))}
          </ul>
        </details>
      )}
    </div>
  );
}
