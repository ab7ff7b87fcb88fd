import type { SpanLayer } from "../../../api/types";
import { Key } from "../../../components/Key";
import { useTouch } from "../../../components/useTouch";
import { shortQuote } from "../../../text/quote";
import { colorOf, nameOf } from "../model/categories";
import type { SpanKeys } from "../model/spanKeys";
import { ONLY_SPACE } from "../spanCommands";
import type { SpanEditor } from "../useSpanEditor";

interface CategoriesProps {
  editor: SpanEditor;
  keys: SpanKeys;
  onCategory: (key: string) => void;
  /** To the card of the selected span; offered where it stands below the text. */
  onCard: () => void;
  id: string;
}

/** What a selection can be marked as. Choosing one by mouse leaves selection and focus in the text. */
export function Categories({ editor, keys, onCategory, onCard, id }: CategoriesProps) {
  return (
    <div className="span-categories">
      {/* biome-ignore lint/a11y/useSemanticElements: a fieldset cannot be laid out as a row */}
      <div role="group" aria-label="Categories" className="span-chips">
        {editor.layer.categories.map(({ key, name }) => (
          <Chip
            key={key}
            layer={editor.layer}
            category={key}
            name={name}
            keyName={keys.categories.get(key) ?? null}
            isSelected={editor.selectedSpan?.category === key}
            onChoose={() => onCategory(key)}
          />
        ))}
      </div>
      <div className="span-hint-row">
        <p className="span-hint" id={id}>
          {hintWords(editor, useTouch())}
        </p>
        {editor.selectedSpan && (
          <button
            type="button"
            className="button small-button span-narrow"
            onMouseDown={(event) => event.preventDefault()}
            onClick={onCard}
          >
            Its card ▾
          </button>
        )}
      </div>
    </div>
  );
}

interface ChipProps {
  layer: SpanLayer;
  category: string;
  name: string;
  keyName: string | null;
  isSelected: boolean;
  onChoose: () => void;
}

function Chip({ layer, category, name, keyName, isSelected, onChoose }: ChipProps) {
  return (
    <button
      type="button"
      className="span-chip"
      aria-pressed={isSelected}
      onMouseDown={(event) => event.preventDefault()}
      onClick={onChoose}
    >
      <i aria-hidden="true" style={{ background: colorOf(layer, category) }} />
      {name}
      {keyName && <Key name={keyName} isBound />}
    </button>
  );
}

function hintWords({ toMark, selectedSpan, layer, quote }: SpanEditor, isTouch: boolean): string {
  if (toMark)
    return toMark.start === toMark.end ? ONLY_SPACE : `Mark “${shortQuote(quote(toMark), 40)}” as …`;
  if (selectedSpan) {
    const held = `In hand: ${nameOf(layer, selectedSpan.category)}. Another category changes it`;
    return isTouch ? `${held}.` : `${held}, Esc lets go.`;
  }
  if (isTouch) return "Hold a word, drag to the last one, then press the category.";
  return "Select words by mouse (with Alt: characters) or by Shift and arrows, then a category.";
}
