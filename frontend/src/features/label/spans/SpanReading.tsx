import { Categories } from "../../../annotate/spans/parts/Categories";
import { EditableText } from "../../../annotate/spans/parts/EditableText";
import type { Assignment } from "../../../api/types";
import { Key } from "../../../components/Key";
import { counted } from "../../../text/format";
import type { SpanBench } from "./useSpanBench";

/** The categories, above the text and in view however far it is scrolled. */
export function SpanBar({ bench, hintId }: { bench: SpanBench; hintId: string }) {
  const { editor, spanCommands, keys } = bench;
  return (
    <Categories
      editor={editor}
      keys={keys}
      onCategory={spanCommands.category}
      onCard={bench.focus.show}
      id={hintId}
    />
  );
}

interface MarkedSentenceProps {
  bench: SpanBench;
  item: Assignment["item"];
  /** The turn around the item is open. */
  isWhole: boolean;
  hintId: string;
}

/** The item's text, to be marked; what stands before and after it in its turn cannot be. */
export function MarkedSentence({ bench, item, isWhole, hintId }: MarkedSentenceProps) {
  const { sources, keys } = bench;
  const { utterance } = item.context;
  const speaker = utterance?.speaker ?? item.speaker;
  return (
    <>
      {bench.startFromMarks && (
        <p className="span-offer">
          <button type="button" className="button" onClick={bench.startFromMarks}>
            Start from the {counted(item.marks.length, "imported mark")}
            {keys.commands.marks && <Key name={keys.commands.marks} />}
          </button>
        </p>
      )}
      {sources.names.length > 0 && !sources.isOpen && (
        <button type="button" className="rung" onClick={sources.toggle}>
          <span aria-hidden="true">▸</span> {counted(sources.names.length, "source")} beside the text
          {keys.commands.sources && <Key name={keys.commands.sources} />}
        </button>
      )}
      {speaker && <span className="who">{speaker}</span>}
      {isWhole && utterance?.before && <Around text={utterance.before} />}
      <EditableText marking={bench} hintId={hintId} />
      {isWhole && utterance?.after && <Around text={utterance.after} />}
    </>
  );
}

function Around({ text }: { text: string }) {
  return (
    <div className="text">
      <p dir="auto">{text}</p>
    </div>
  );
}
