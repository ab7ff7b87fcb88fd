import { CategoryHelp } from "../../../annotate/spans/parts/CategoryHelp";
import { Missing } from "../../../annotate/spans/parts/Missing";
import { SmallButton } from "../../../annotate/spans/parts/SmallButton";
import { SpanList } from "../../../annotate/spans/parts/SpanList";
import type { SpanBench } from "./useSpanBench";

/** Beside the text: the spans in its order, and what is missing. */
export function SpanSide({ bench, showHelp }: { bench: SpanBench; showHelp: boolean }) {
  const { editor, acts, keys, sources } = bench;
  return (
    <>
      <SpanList
        editor={editor}
        acts={acts}
        keys={keys}
        sources={sources.names}
        onShowSource={sources.show}
        onLeave={() => {
          bench.view.current?.focus();
          bench.focus.goBack();
        }}
        focus={bench.focus}
      />
      <Missing faults={editor.faults} keyName={keys.commands.missing} onGo={acts.goToMissing} />
      <History bench={bench} />
      {showHelp && editor.inHand && <CategoryHelp layer={editor.layer} only={editor.inHand.category} />}
      {showHelp && !editor.inHand && <CategoryHelp layer={editor.layer} />}
    </>
  );
}

function History({ bench }: { bench: SpanBench }) {
  const { acts, editor, keys } = bench;
  const { past, future } = editor.state;
  return (
    <div className="more-row">
      <SmallButton
        keyName={keys.commands.previous}
        isOff={editor.spans.length === 0}
        onClick={() => acts.walk("back")}
      >
        Previous
      </SmallButton>
      <SmallButton
        keyName={keys.commands.next}
        isOff={editor.spans.length === 0}
        onClick={() => acts.walk("on")}
      >
        Next
      </SmallButton>
      <SmallButton keyName="ctrl+z" isOff={past.length === 0} onClick={acts.undo}>
        Undo
      </SmallButton>
      <SmallButton keyName="ctrl+shift+z" isOff={future.length === 0} onClick={acts.redo}>
        Redo
      </SmallButton>
    </div>
  );
}
