import { type MouseEvent, memo, useEffect, useMemo, useRef } from "react";
import type { SpanLayer } from "../../../api/types";
import { type Layout, layOut, NO_LAYOUT } from "../model/layout";
import { spansAt } from "../model/segments";
import type { TextModel } from "../model/textModel";
import type { Drawn } from "../model/types";
import { Caret } from "./Caret";
import { SpanBlock } from "./SpanBlock";
import { type TextSelectionProps, useTextSelection } from "./useTextSelection";
import "../spans.css";
import "../spanList.css";
import "../sources.css";

interface SpanTextProps extends TextSelectionProps {
  layer: SpanLayer;
  spans: readonly Drawn[];
  /** The id of the span that is filled. */
  selectedId: number | null;
  onSelectSpan?: (id: number | null) => void;
  label: string;
  describedBy?: string;
}

/** From here on, what is out of view is not laid out. */
const LONG = 20_000;

/** A text with its spans: an underline in a lane of its own and a label for each. */
export function SpanText(props: SpanTextProps) {
  const { model, layer, spans, selectedId, selection, onSelect, label, describedBy } = props;
  const root = useRef<HTMLDivElement>(null);
  const layout = useLayout(model, spans);
  useTextSelection(root, props, layout);
  const onClick = (event: MouseEvent) => {
    const clicked = clickedSpan(event.target, model, spans, selectedId);
    if (clicked !== undefined) props.onSelectSpan?.(clicked);
  };
  const isEditable = selection !== undefined && onSelect !== undefined;
  return (
    // biome-ignore lint/a11y/useKeyWithClickEvents: the keys are the page's actions
    // biome-ignore lint/a11y/noStaticElementInteractions: it has one of two roles
    // biome-ignore lint/a11y/useAriaPropsSupportedByRole: both take a name
    <div
      ref={root}
      className={model.text.length > LONG ? "span-text long" : "span-text"}
      role={isEditable ? "application" : "group"}
      aria-label={label}
      aria-describedby={describedBy}
      tabIndex={0}
      data-testid="span-text"
      onClick={onClick}
    >
      <Blocks model={model} layer={layer} layout={layout} selectedId={selectedId} />
      {isEditable && <Caret root={root} model={model} at={selection.head} layout={layout} />}
    </div>
  );
}

interface BlocksProps extends Pick<SpanTextProps, "model" | "layer" | "selectedId"> {
  layout: Layout;
}

/** Apart from the caret, which moves more often than a span changes. */
const Blocks = memo(function Blocks({ model, layer, layout, selectedId }: BlocksProps) {
  return model.blocks.map((block, at) => {
    const here = layout.byBlock[at] ?? [];
    const held = selectedId !== null && here.some(({ id }) => id === selectedId) ? selectedId : null;
    return <SpanBlock key={block.start} model={model} layer={layer} at={at} spans={here} selectedId={held} />;
  });
});

function useLayout(model: TextModel, spans: readonly Drawn[]): Layout {
  const last = useRef<{ model: TextModel; layout: Layout } | null>(null);
  const layout = useMemo(
    () => layOut(model, spans, last.current?.model === model ? last.current.layout : NO_LAYOUT),
    [model, spans],
  );
  useEffect(() => {
    last.current = { model, layout };
  });
  return layout;
}

/** The span that a click means, null for none; undefined where it ended a selection. Clicks in one place go round. */
function clickedSpan(
  target: EventTarget,
  model: TextModel,
  spans: readonly Drawn[],
  selectedId: number | null,
): number | null | undefined {
  if (!(target instanceof Element)) return undefined;
  const label = target.closest("[data-span]");
  if (label) return Number(label.getAttribute("data-span"));
  if (document.getSelection()?.isCollapsed === false) return undefined;
  const piece = target.closest("[data-from]");
  if (!piece) return null;
  const there = spansAt(spans, model.points.toPoint(Number(piece.getAttribute("data-from"))));
  const held = there.findIndex(({ id }) => id === selectedId);
  return there[(held + 1) % there.length]?.id ?? null;
}
