import { useId } from "react";
import type { Marking } from "../useMarking";
import { SpanText } from "./SpanText";

/** The text of an editor, to be marked by mouse and by keys. `hintId` names what says how. */
export function EditableText({ marking, hintId }: { marking: Marking; hintId: string }) {
  const { editor, spanCommands, view } = marking;
  const { model, layer, spans, state, dispatch } = editor;
  const id = useId();
  return (
    <>
      <SpanText
        model={model}
        layer={layer}
        spans={spans}
        selectedId={state.selectedId}
        onSelectSpan={spanCommands.selectSpan}
        selection={state.selection}
        onSelect={(selection) => dispatch({ kind: "selectText", selection })}
        label="Text to mark"
        describedBy={`${hintId} ${id}`}
        handle={view}
      />
      <p className="visually-hidden" id={id}>
        Arrows move the caret, with Control by words; with Shift they select.
      </p>
    </>
  );
}
