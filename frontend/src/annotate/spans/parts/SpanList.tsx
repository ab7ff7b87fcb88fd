import { type ReactNode, useCallback, useLayoutEffect, useMemo, useRef } from "react";
import { faultWords } from "../model/rules";
import type { SpanKeys } from "../model/spanKeys";
import type { EditorSpan, SourceName } from "../model/types";
import type { SpanCommands } from "../spanCommands";
import type { SpanEditor } from "../useSpanEditor";
import { SpanCard, SpanLine } from "./SpanCard";
import type { CardFocus } from "./useCardFocus";
import { useListWindow } from "./useListWindow";

interface SpanListProps {
  editor: SpanEditor;
  spanCommands: SpanCommands;
  keys: SpanKeys;
  sources: readonly SourceName[];
  onShowSource: (id: string) => void;
  /** Out of the card. */
  onLeave: () => void;
  focus: CardFocus;
}

/**
 * Every span in text order; the selected one is open. All are children of one list, each under its own id: a card keeps
 * its box, and what is typed in it, whichever stretch of a long list it falls into.
 */
export function SpanList(props: SpanListProps) {
  const { spans, selectedSpan } = props.editor;
  const scroller = useRef<HTMLOListElement>(null);
  const held = { place: selectedSpan ? spans.indexOf(selectedSpan) : -1, id: selectedSpan?.id ?? null };
  const parts = useListWindow(scroller, spans.length, held);
  const line = useLine(props);
  if (spans.length === 0) return <p className="mute small">Nothing is marked yet.</p>;
  const names = ["span-list", parts.length > 1 && "long", selectedSpan && "open"];
  return (
    <ol className={names.filter(Boolean).join(" ")} ref={scroller} aria-label="Spans">
      {parts.flatMap((part) =>
        "gap" in part ? (
          <li key={`from ${part.from}`} aria-hidden="true" style={{ height: part.gap }} />
        ) : (
          spans.slice(part.from, part.to).map((span, at) => line(span, part.from + at))
        ),
      )}
    </ol>
  );
}

/** Draws the span at a place of the list. */
function useLine(props: SpanListProps): (span: EditorSpan, place: number) => ReactNode {
  const { sources, editor } = props;
  const { spans, layer, selectedSpan, quote, faults } = editor;
  const faulty = useMemo(() => new Set(faults.map(({ place }) => place)), [faults]);
  const onSelectSpan = useStable(props.spanCommands.selectSpan);
  const titles = useMemo(() => new Map(sources.map(({ id, title }) => [id, title])), [sources]);
  return (span, place) => (
    <li
      key={span.id}
      aria-posinset={place + 1}
      aria-setsize={spans.length}
      aria-current={span === selectedSpan || undefined}
    >
      {span === selectedSpan ? (
        <HeldCard {...props} />
      ) : (
        <SpanLine
          span={span}
          layer={layer}
          quote={quote(span)}
          source={span.source === null ? undefined : titles.get(span.source)}
          isFaulty={faulty.has(place)}
          onSelectSpan={onSelectSpan}
        />
      )}
    </li>
  );
}

function HeldCard({ editor, spanCommands, keys, sources, onShowSource, onLeave, focus }: SpanListProps) {
  const { selectedSpan: span, layer, quote, faults, spans, toMark, dispatch } = editor;
  if (!span) return null;
  const place = spans.indexOf(span);
  return (
    <SpanCard
      span={span}
      layer={layer}
      quote={quote(span)}
      faults={faultWords(faults.filter((fault) => fault.place === place))}
      sources={sources}
      spanCommands={spanCommands}
      keys={keys}
      canRemark={toMark !== null}
      onComment={(comment) => dispatch({ kind: "comment", id: span.id, comment })}
      onSource={(source) => dispatch({ kind: "link", id: span.id, source })}
      onShowSource={onShowSource}
      onLeave={onLeave}
      focus={focus}
    />
  );
}

/** The same function for ever, which calls the newest one: lines that stay the same are not drawn again. */
function useStable<T extends unknown[]>(act: (...args: T) => void): (...args: T) => void {
  const latest = useRef(act);
  useLayoutEffect(() => {
    latest.current = act;
  });
  return useCallback((...args: T) => latest.current(...args), []);
}
