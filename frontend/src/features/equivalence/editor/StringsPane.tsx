import { type MouseEvent, memo, useCallback, useEffect, useRef } from "react";
import { Key } from "../../../components/Key";
import { Switch } from "../../../components/Switch";
import { NotLoaded, Status } from "../../../components/states";
import { count, counted } from "../../../text/format";
import { hiddenWords, PART_WORDS } from "../copy";
import { classTitle } from "../model/edits";
import type { Shown, Which } from "../model/found";
import { KEYS } from "./actions";
import { dragOf, useDrop } from "./dragging";
import { type Editor, stringId } from "./useEditor";

/** All strings that were found, to be selected by mouse, finger or keys. */
export function StringsPane({ editor }: { editor: Editor }) {
  const { strings, all, shown, which, setWhich, sought, setSought, atHandClass, mayEdit, refs } = editor;
  const { isOver, target } = useDrop(editor.takeOut, mayEdit);
  const free = all.filter(({ in: key }) => key === null).length;
  const inClass = atHandClass ? all.filter(({ in: key }) => key === atHandClass.key).length : 0;
  if (!strings.data)
    return strings.error ? (
      <NotLoaded what="The strings" error={strings.error} retry={strings.refetch} />
    ) : (
      <Status>Finding the strings</Status>
    );
  const options: { value: Which; text: string }[] = [
    { value: "all", text: `All ${count(all.length)}` },
    { value: "free", text: `In no class ${count(free)}` },
    ...(atHandClass ? [{ value: "class" as const, text: `In this class ${count(inClass)}` }] : []),
  ];
  return (
    <section className={isOver ? "strings-pane over" : "strings-pane"} aria-label="Strings" {...target}>
      <div className="search-box">
        <input
          ref={refs.search}
          className="input"
          type="search"
          aria-label="Search the strings"
          placeholder="Search the strings"
          value={sought}
          onChange={({ currentTarget }) => setSought(currentTarget.value)}
          onKeyDown={(event) => {
            if (event.key !== "Enter" && event.key !== "Escape" && event.key !== "ArrowDown") return;
            event.preventDefault();
            if (event.key === "Escape") setSought("");
            else editor.selection.goTo(shown[0]?.text ?? null);
            refs.list.current?.focus();
          }}
        />
        <Key name={KEYS.find} />
      </div>
      <Switch<Which>
        label="Which strings"
        value={which === "class" && !atHandClass ? "all" : which}
        options={options}
        onValue={setWhich}
      />
      <List editor={editor} />
      <Selected editor={editor} />
      <Left editor={editor} />
    </section>
  );
}

function List({ editor }: { editor: Editor }) {
  const { shown, selection, atHand, content, refs, isTouch, mayEdit } = editor;
  const latest = useRef(editor);
  useEffect(() => {
    latest.current = editor;
  });
  const onPress = useCallback((text: string, event: MouseEvent) => {
    latest.current.selection.press(text, event);
    latest.current.refs.list.current?.focus({ preventScroll: true });
  }, []);
  const taken = useCallback((text: string) => latest.current.dragged(text), []);
  const isShown = atHand !== null && shown.some(({ text }) => text === atHand);
  const isNone = selection.selected.size === 0;
  return (
    <>
      <div
        ref={refs.list}
        className="string-list"
        role="listbox"
        aria-label="Strings found"
        aria-multiselectable="true"
        aria-activedescendant={isShown ? stringId(atHand) : undefined}
        tabIndex={0}
      >
        {shown.map((each) => (
          <Row
            key={each.text}
            found={each}
            title={each.in === null ? null : classTitle(content, each.in)}
            isSelected={selection.selected.has(each.text) || (isNone && each.text === atHand && !isTouch)}
            isChecked={selection.selected.has(each.text)}
            isAtHand={each.text === atHand}
            mayDrag={mayEdit && !isTouch}
            onPress={onPress}
            taken={taken}
          />
        ))}
      </div>
      {shown.length === 0 && <p className="mute small">{emptyWords(editor)}</p>}
    </>
  );
}

function emptyWords({ all, sought, which }: Editor): string {
  if (all.length === 0) return "No settled span has such a string.";
  if (sought) return "No string matches. Search for less, or show all.";
  return which === "free" ? "Every string is in a class." : "No string of this class is found in the texts.";
}

interface RowProps {
  found: Shown;
  title: string | null;
  isSelected: boolean;
  isChecked: boolean;
  isAtHand: boolean;
  mayDrag: boolean;
  onPress: (text: string, event: MouseEvent) => void;
  taken: (text: string) => readonly string[];
}

const Row = memo(function Row(props: RowProps) {
  const { found, title, isSelected, isChecked, isAtHand, mayDrag, onPress, taken } = props;
  const state = [isSelected && "selected", isAtHand && "at-hand", title !== null && "grouped"].filter(
    Boolean,
  );
  return (
    // biome-ignore lint/a11y/useKeyWithClickEvents: the list box has the keys.
    // biome-ignore lint/a11y/useFocusableInteractive: the list box has the focus.
    <div
      id={stringId(found.text)}
      role="option"
      aria-selected={isSelected}
      className={["string-row", ...state].join(" ")}
      onClick={(event) => onPress(found.text, event)}
      {...dragOf(() => taken(found.text), mayDrag)}
    >
      <span className="check" aria-hidden="true">
        {isChecked ? "✓" : ""}
      </span>
      <span className="string-text" dir="auto">
        {found.text}
      </span>
      {title !== null && <span className="tag">{title}</span>}
      <span className="string-count numbers mute">
        <span className="visually-hidden">found </span>
        {count(found.n)}
        <span className="visually-hidden"> times</span>
      </span>
    </div>
  );
});

/** What the next act is about, with its buttons. */
function Selected({ editor }: { editor: Editor }) {
  const { targets, targetWords, enabled, commands, mayEdit, selection } = editor;
  if (!mayEdit) return null;
  return (
    <div className="selected-bar">
      <p className="small" role="status">
        {targets.length === 0 ? "Nothing is selected." : `${targetWords} selected.`}
      </p>
      <div className="row tight">
        <button type="button" className="button" onClick={commands.create}>
          {targets.length > 0 ? "New class" : "New empty class"} <Key name={KEYS.create} />
        </button>
        {enabled.maySplit && (
          <button type="button" className="button" onClick={commands.split}>
            Split off <Key name={KEYS.split} />
          </button>
        )}
        {targets.length > 0 && enabled.n_classes > 0 && (
          <button type="button" className="button" onClick={commands.putInto}>
            Put into… <Key name={KEYS.putInto} />
          </button>
        )}
        {enabled.isInClass && (
          <button type="button" className="button" onClick={commands.takeOut}>
            Take out <Key name={KEYS.takeOut} />
          </button>
        )}
        {selection.selected.size > 0 && (
          <button type="button" className="button quiet" onClick={commands.letGo}>
            Select nothing
          </button>
        )}
      </div>
    </div>
  );
}

/** What is not in the list, and why. */
function Left({ editor }: { editor: Editor }) {
  const { data } = editor.strings;
  if (!data) return null;
  const { n_spans, n_without_part, hidden_items } = data;
  const part = PART_WORDS[editor.evaluation.part];
  return (
    <p className="small mute">
      From {counted(n_spans, "settled span")}.
      {n_without_part > 0 &&
        ` ${counted(n_without_part, "span has", "spans have")} no ${part}, and are left out.`}
      {hidden_items > 0 && ` ${hiddenWords(hidden_items)}`}
    </p>
  );
}
