import { type CSSProperties, memo, useMemo } from "react";
import type { SpanLayer } from "../../../api/types";
import { shortQuote } from "../../../text/quote";
import { colorOf, nameOf } from "../model/categories";
import { categoryOf } from "../model/editor";
import type { Placed } from "../model/lanes";
import { laneCount, type Segment, segmentsOf } from "../model/segments";
import type { TextModel } from "../model/textModel";

interface SpanBlockProps {
  model: TextModel;
  layer: SpanLayer;
  /** Its place among the text's blocks. */
  at: number;
  spans: readonly Placed[];
  /** The selected span, where it touches this block. */
  selectedId: number | null;
}

/** Drawn again only when a span that touches it changes: the text may be long. */
export const SpanBlock = memo(function SpanBlock({ model, layer, at, spans, selectedId }: SpanBlockProps) {
  const block = model.blocks[at];
  const segments = useMemo(() => (block ? segmentsOf(model, block, spans) : []), [model, block, spans]);
  const lanes = laneCount(spans);
  if (!block) return null;
  const lines = Math.ceil((block.to - block.from) / LINE_LENGTH);
  const style = { containIntrinsicSize: `auto ${lines * (1.75 + 0.4 * lanes)}em` };
  return (
    <div className="span-block" data-block={at} dir="auto" style={style}>
      {segments.map((segment) => (
        <SegmentShown
          key={segment.from}
          segment={segment}
          layer={layer}
          model={model}
          selectedId={selectedId}
        />
      ))}
    </div>
  );
});

const LINE_LENGTH = 65;
const LANE_PX = 6;
const LINE_PX = 3;

interface SegmentShownProps {
  segment: Segment;
  layer: SpanLayer;
  model: TextModel;
  selectedId: number | null;
}

function SegmentShown({ segment, layer, model, selectedId }: SegmentShownProps) {
  const held = segment.spans.find(({ id }) => id === selectedId);
  return (
    <>
      {segment.begins.length > 0 && (
        <span className={segment.isWithinWord ? "span-tags within" : "span-tags"}>
          {segment.begins.map((span) => (
            <Label
              key={span.id}
              span={span}
              layer={layer}
              model={model}
              isSelected={span.id === selectedId}
            />
          ))}
        </span>
      )}
      <span
        data-from={segment.from}
        className={held ? "piece held" : "piece"}
        style={segment.spans.length > 0 ? underlines(segment, layer, held) : undefined}
      >
        {segment.text}
      </span>
    </>
  );
}

/** One line a span, each in its lane; a span's last piece stops short, so that two neighbours are seen to be two. */
function underlines(segment: Segment, layer: SpanLayer, held?: Placed): CSSProperties {
  const lanes = segment.spans.reduce((most, { lane }) => Math.max(most, lane + 1), 0);
  const colors = segment.spans.map(({ category }) => colorOf(layer, category));
  const style: Record<string, string> = {
    backgroundImage: colors.map((color) => `linear-gradient(${color}, ${color})`).join(", "),
    backgroundPosition: segment.spans
      .map(({ lane }) => `0 calc(100% - ${(lanes - 1 - lane) * LANE_PX}px)`)
      .join(", "),
    backgroundSize: segment.spans
      .map(({ id }) => `${segment.ends.has(id) ? "calc(100% - 2px)" : "100%"} ${LINE_PX}px`)
      .join(", "),
  };
  if (held) style["--held"] = colorOf(layer, held.category);
  return { ...style, "--lanes": lanes } as CSSProperties;
}

interface LabelProps {
  span: Placed;
  layer: SpanLayer;
  model: TextModel;
  isSelected: boolean;
}

/** Its words come from a style sheet: they are neither counted nor copied with the text. */
function Label({ span, layer, model, isSelected }: LabelProps) {
  const category = categoryOf(layer, span.category);
  return (
    <button
      type="button"
      className={isSelected ? "span-tag held" : "span-tag"}
      style={{ color: colorOf(layer, span.category) }}
      data-span={span.id}
      data-name={category?.marker ?? span.category}
      aria-label={`${nameOf(layer, span.category)}: ${shortQuote(model.points.slice(span.start, span.end))}`}
      aria-pressed={isSelected}
      tabIndex={isSelected ? 0 : -1}
    />
  );
}
