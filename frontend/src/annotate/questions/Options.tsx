import { type KeyboardEvent, useId, useRef, useState } from "react";
import type { LabelDefinition } from "../../api/types";
import { Key } from "../../components/Key";
import { ColorMark } from "../ColorMark";
import { FILTER_KEY, LONG_LIST, labelsFound } from "./filtering";

interface OptionsProps {
  labels: readonly LabelDefinition[];
  keys: readonly (string | null)[];
  chosen: readonly string[];
  isCurrent: boolean;
  onChoose: (label: string) => void;
  /** Several may be chosen: boxes to check, each marked with what this gives. Left out: one label. */
  nameOfChoice?: (label: string) => string;
}

/** A button or a box for each label; of a long question with a box that filters them. */
export function Options(props: OptionsProps) {
  return props.labels.length > LONG_LIST ? (
    <LongOptions {...props} />
  ) : (
    <Buttons {...props} shown={props.labels} />
  );
}

/** Arrows go from the box to the buttons and among them, Enter takes the first that was found, Escape goes back. */
function LongOptions(props: OptionsProps) {
  const { labels, isCurrent, onChoose } = props;
  const [sought, setSought] = useState("");
  const box = useRef<HTMLInputElement>(null);
  const list = useRef<HTMLDivElement>(null);
  const id = useId();
  const isFiltered = sought.trim() !== "";
  const shown = isFiltered ? labelsFound(labels, sought) : labels;
  const onKeyDown = (event: KeyboardEvent) => {
    if (event.nativeEvent.isComposing) return;
    const inBox = event.target === box.current;
    if (event.key === "Escape" && (inBox || isFiltered)) {
      event.preventDefault();
      if (inBox) {
        setSought("");
        box.current?.closest<HTMLElement>("fieldset")?.focus({ preventScroll: true });
      } else box.current?.focus();
    } else if (event.key === "Enter" && inBox) {
      event.preventDefault();
      const [first] = shown;
      if (isFiltered && first) onChoose(first.key);
    } else if (event.key === "ArrowDown" || event.key === "ArrowUp") {
      event.preventDefault();
      step(box.current, list.current, event.key === "ArrowDown" ? 1 : -1);
    }
  };
  return (
    // biome-ignore lint/a11y/noStaticElementInteractions: arrows and Escape of the controls inside
    <div className="long-options" onKeyDown={onKeyDown}>
      <label htmlFor={id} className="small">
        Filter the {labels.length} answers {isCurrent && <Key name={FILTER_KEY} />}
      </label>
      <input
        id={id}
        ref={box}
        type="search"
        autoComplete="off"
        data-answer-filter={isCurrent ? "now" : "later"}
        aria-describedby={`${id}-found`}
        placeholder="Name, key or help text"
        value={sought}
        onChange={(event) => setSought(event.target.value)}
      />
      <p className="small mute" id={`${id}-found`} role="status">
        {foundWords(isFiltered, shown.length, labels.length)}
      </p>
      <div className="options long" ref={list}>
        <Buttons {...props} shown={shown} isBare />
      </div>
    </div>
  );
}

function foundWords(isFiltered: boolean, found: number, all: number): string {
  if (!isFiltered) return "Type to filter; the arrow keys go through the answers.";
  if (found === 0) return "No answer holds these words.";
  return `${found} of ${all}. Enter takes the first one.`;
}

/** From the box to the first button, among the buttons, and from the first one back to the box. */
function step(box: HTMLElement | null, list: HTMLElement | null, by: 1 | -1): void {
  const buttons = [...(list?.querySelectorAll("button") ?? [])];
  const now = buttons.indexOf(document.activeElement as HTMLButtonElement);
  const next = now + by;
  (next < 0 ? box : buttons[Math.min(next, buttons.length - 1)])?.focus();
}

function Buttons({
  labels,
  keys,
  chosen,
  onChoose,
  nameOfChoice,
  shown,
  isBare = false,
}: OptionsProps & { shown: readonly LabelDefinition[]; isBare?: boolean }) {
  const keyOf = new Map(labels.map(({ key }, place) => [key, keys[place] ?? null]));
  const buttons = shown.map(({ key, name, color }) => (
    <OptionButton
      key={key}
      name={name}
      color={color}
      keyName={keyOf.get(key) ?? null}
      isChosen={chosen.includes(key)}
      choice={nameOfChoice?.(key)}
      onChoose={() => onChoose(key)}
    />
  ));
  return isBare ? buttons : <div className="options">{buttons}</div>;
}

interface OptionButtonProps {
  name: string;
  color: LabelDefinition["color"];
  keyName: string | null;
  isChosen: boolean;
  choice: string | undefined;
  onChoose: () => void;
}

function OptionButton({ name, color, keyName, isChosen, choice, onChoose }: OptionButtonProps) {
  const state =
    choice === undefined
      ? { "aria-pressed": isChosen }
      : { role: "checkbox", "aria-checked": isChosen, "data-choice": choice };
  return (
    <button type="button" className={isChosen ? "option chosen" : "option"} {...state} onClick={onChoose}>
      {choice !== undefined && <span className="box" aria-hidden="true" />}
      <ColorMark color={color} />
      <span className="name">{name}</span>
      {keyName && <Key name={keyName} isBound />}
    </button>
  );
}
