import { type KeyboardEvent, type ReactNode, useId } from "react";
import { Key } from "../../../components/Key";
import { type SpanKeys, shifted } from "../model/spanKeys";
import type { EditorSpan, SourceName } from "../model/types";
import { SmallButton } from "./SmallButton";
import type { CardFocus } from "./useCardFocus";

export interface SourceFieldProps {
  span: EditorSpan;
  sources: readonly SourceName[];
  keys: SpanKeys;
  onSource: (source: string | null) => void;
  onShowSource: (id: string) => void;
  onLeave: () => void;
  focus: CardFocus;
}

/** Further ones are chosen by arrow or mouse. */
const WITH_DIGITS = 9;

/**
 * Which of the item's sources a span means. Only a digit, an arrow or a click sets one: a letter typed by someone who
 * takes the focus for the text's does nothing, and Esc or Enter leads back to the text.
 */
export function SourceField({
  span,
  sources,
  onSource,
  onShowSource,
  onLeave,
  keys,
  focus,
}: SourceFieldProps) {
  const name = useId();
  const { commands } = keys;
  const onKeyDown = (event: KeyboardEvent) => {
    if (event.ctrlKey || event.metaKey || event.altKey) return;
    const digit = /^[1-9]$/.test(event.key) ? sources[Number(event.key) - 1] : undefined;
    if (!digit && event.key !== "Escape" && event.key !== "Enter") return;
    event.preventDefault();
    if (digit) onSource(digit.id);
    onLeave();
  };
  return (
    <>
      <fieldset className="span-sources" ref={focus.sourceRef} onKeyDown={onKeyDown} data-span-source="">
        <legend>The source that it means {commands.source && <Key name={commands.source} />}</legend>
        {sources.map(({ id, title }, place) => (
          <Option key={id} name={name} isChosen={span.source === id} onChoose={() => onSource(id)}>
            <span dir="auto">{title}</span>
            {place < WITH_DIGITS && <Key name={String(place + 1)} />}
          </Option>
        ))}
        <Option name={name} isChosen={span.source === null} onChoose={() => onSource(null)}>
          <span className="mute">not said yet</span>
        </Option>
      </fieldset>
      {span.source && onShowSource && (
        <SmallButton keyName={shifted(commands.sources)} onClick={() => onShowSource(span.source ?? "")}>
          Show this source
        </SmallButton>
      )}
    </>
  );
}

interface OptionProps {
  name: string;
  isChosen: boolean;
  onChoose: () => void;
  children: ReactNode;
}

/** By mouse it leaves the focus where it is. */
function Option({ name, isChosen, onChoose, children }: OptionProps) {
  return (
    <label onMouseDown={(event) => event.preventDefault()}>
      <input type="radio" name={name} checked={isChosen} onChange={onChoose} />
      {children}
    </label>
  );
}
