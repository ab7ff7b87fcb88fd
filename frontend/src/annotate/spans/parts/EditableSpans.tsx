import type { Marking } from "../useMarking";
import type { Sources } from "../useSources";
import { Missing } from "./Missing";
import { SmallButton } from "./SmallButton";
import { SpanList } from "./SpanList";

/** Beside the text: its spans in their order, what is missing, and the ways between them. */
export function EditableSpans({ marking, sources }: { marking: Marking; sources: Sources }) {
  const { editor, spanCommands, keys, view, focus } = marking;
  return (
    <>
      <SpanList
        editor={editor}
        spanCommands={spanCommands}
        keys={keys}
        sources={sources.names}
        onShowSource={sources.show}
        onLeave={() => {
          view.current?.focus();
          focus.goBack();
        }}
        focus={focus}
      />
      <Missing faults={editor.faults} keyName={keys.commands.missing} onGo={spanCommands.goToMissing} />
      <History marking={marking} />
    </>
  );
}

function History({ marking: { spanCommands, editor, keys } }: { marking: Marking }) {
  const { past, future } = editor.state;
  const none = editor.spans.length === 0;
  return (
    <div className="span-history">
      <SmallButton keyName={keys.commands.previous} isOff={none} onClick={() => spanCommands.walk("back")}>
        Previous span
      </SmallButton>
      <SmallButton keyName={keys.commands.next} isOff={none} onClick={() => spanCommands.walk("on")}>
        Next span
      </SmallButton>
      <SmallButton keyName="ctrl+z" isOff={past.length === 0} onClick={spanCommands.undo}>
        Undo
      </SmallButton>
      <SmallButton keyName="ctrl+shift+z" isOff={future.length === 0} onClick={spanCommands.redo}>
        Redo
      </SmallButton>
    </div>
  );
}
