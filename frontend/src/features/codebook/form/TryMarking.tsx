import { useEffect, useId, useMemo } from "react";
import { COLORS } from "../../../annotate/ColorMark";
import { Categories } from "../../../annotate/spans/parts/Categories";
import { CategoryHelp } from "../../../annotate/spans/parts/CategoryHelp";
import { EditableSpans } from "../../../annotate/spans/parts/EditableSpans";
import { EditableText } from "../../../annotate/spans/parts/EditableText";
import { useMarking } from "../../../annotate/spans/useMarking";
import { useSources } from "../../../annotate/spans/useSources";
import { useSpanEditor } from "../../../annotate/spans/useSpanEditor";
import type { CodebookDefinition, SpanCategory, SpanLayer } from "../../../api/types";
import { useKeyboard } from "../../../keyboard/useKeyboard";
import "../../../annotate/spans/spans.css";
import "../../../annotate/spans/spanList.css";

const NO_SOURCES: never[] = [];
const SHORTCUTS = "1234567890";

/** The marking of spans as people will do it, with its keys and rules, on one text. Nothing is stored. */
export function TryMarking({ text, layer }: { text: string; layer: SpanLayer }) {
  const editor = useSpanEditor(text, layer, NO_SOURCES, NO_SOURCES);
  const marking = useMarking(editor);
  const sources = useSources(NO_SOURCES, { texts: undefined, error: null, retry: () => undefined });
  const hintId = useId();
  useKeyboard(marking.actions);
  const { view } = marking;
  useEffect(() => view.current?.focus(), [view]);
  return (
    <section className="card stack" aria-label="Marking on a text">
      <Categories
        editor={editor}
        keys={marking.keys}
        onCategory={marking.spanCommands.category}
        onCard={marking.focus.show}
        id={hintId}
      />
      <EditableText marking={marking} hintId={hintId} />
      <EditableSpans marking={marking} sources={sources} />
      <CategoryHelp layer={layer} only={editor.selectedSpan?.category} />
    </section>
  );
}

/** The layer with everything written out that the server fills in where the draft leaves it out. */
export function useWholeLayer(layer: CodebookDefinition["span_layer"]): SpanLayer | null {
  return useMemo(() => (layer ? whole(layer) : null), [layer]);
}

function whole({ target = null, categories = [] }: Partial<SpanLayer>): SpanLayer {
  const taken = new Set(categories.map(({ shortcut }) => shortcut));
  const free = [...SHORTCUTS].filter((key) => !taken.has(key));
  return { target, categories: categories.map((category, at) => wholeCategory(category, at, free)) };
}

function wholeCategory(typed: Partial<SpanCategory>, at: number, free: string[]): SpanCategory {
  const { key = "", name = "" } = typed;
  return {
    ...{ key, name: name || key, marker: typed.marker ?? key, help: typed.help ?? "" },
    color: typed.color ?? COLORS[at % COLORS.length] ?? "blue",
    shortcut: typed.shortcut ?? free.shift() ?? null,
    ...{
      at_least: typed.at_least ?? 0,
      at_most: typed.at_most ?? null,
      comment: typed.comment ?? "optional",
    },
    ...{ within: typed.within ?? null, refers: typed.refers ?? false },
  };
}
