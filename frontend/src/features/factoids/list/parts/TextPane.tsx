import { memo, type ReactNode, useCallback, useMemo, useState } from "react";
import type { Factoid, SetText } from "../../../../api/factoids";
import { Key } from "../../../../components/Key";
import { count, counted } from "../../../../text/format";
import { hitsOf } from "../../../../text/search";
import { KEYS } from "../actions";
import type { Texts } from "../model/views";
import { sentenceId } from "../useBench";

interface TextStripProps {
  texts: Texts;
  place: number;
  /** By the place of a text: the part of it that is covered, or answered. */
  parts: readonly { done: number; of: number }[];
  /** As in "3 of 20 sentences linked". */
  words: (part: { done: number; of: number }) => string;
  onText: (place: number) => void;
}

/** All texts of the set, each with how far it is. */
export const TextStrip = memo(function TextStrip({ texts, place, parts, words, onText }: TextStripProps) {
  return (
    <nav className="text-strip" aria-label="Texts">
      {texts.all.map(({ id }, at) => {
        const part = parts[at] ?? { done: 0, of: 0 };
        const share = part.of === 0 ? 1 : part.done / part.of;
        return (
          <button
            key={id}
            type="button"
            className={share === 1 ? "full" : undefined}
            aria-current={at === place ? "true" : undefined}
            aria-label={`${id}: ${words(part)}`}
            title={words(part)}
            onClick={() => onText(at)}
          >
            {id}
            <span className="bar" aria-hidden="true">
              <i style={{ width: `${100 * share}%` }} />
            </span>
          </button>
        );
      })}
    </nav>
  );
});

interface SentenceProps {
  id: string;
  number: number;
  text: string;
  isCurrent: boolean;
  /** Linked to the factoid at hand. */
  isLinked: boolean;
  /** Factoids that are linked to it, and the one at hand among them. */
  linked: readonly Factoid[];
  active: string | null;
  onSentence: (id: string) => void;
  onFactoid: ((key: string) => void) | null;
}

const NOTHING: readonly Factoid[] = [];

const Sentence = memo(function Sentence(props: SentenceProps) {
  const { id, number, text, isCurrent, isLinked, linked, active, onSentence, onFactoid } = props;
  return (
    <li
      id={sentenceId(id)}
      data-sentence={id}
      className={["sentence", isCurrent && "current", isLinked && "linked"].filter(Boolean).join(" ")}
      aria-current={isCurrent ? "true" : undefined}
      tabIndex={isCurrent ? 0 : -1}
      onFocus={() => onSentence(id)}
    >
      <span className="sentence-number" aria-hidden="true">
        {number}
      </span>
      <div>
        <p dir="auto">{text}</p>
        {isLinked && <span className="visually-hidden">, linked to the factoid at hand</span>}
        {onFactoid && linked.length > 0 && (
          <span className="chips">
            {linked.map(({ key, id: name, description }) => (
              <button
                key={key}
                type="button"
                className="chip"
                tabIndex={isCurrent ? 0 : -1}
                aria-pressed={key === active}
                title={description}
                onClick={() => onFactoid(key)}
              >
                {name}
              </button>
            ))}
          </span>
        )}
      </div>
    </li>
  );
});

interface SentencesProps {
  text: SetText;
  current: string | null;
  chosen: ReadonlySet<string>;
  linked: ReadonlyMap<string, readonly Factoid[]>;
  active: string | null;
  onSentence: (id: string) => void;
  onFactoid: ((key: string) => void) | null;
}

/** A text, sentence by sentence. The one at hand has the focus. */
export function Sentences({ text, current, chosen, linked, active, onSentence, onFactoid }: SentencesProps) {
  return (
    <ol className="sentences" aria-label={`Sentences of ${text.id}`}>
      {text.sentences.map(({ id, text: words }, place) => (
        <Sentence
          key={id}
          id={id}
          number={place + 1}
          text={words}
          isCurrent={id === current}
          isLinked={chosen.has(id)}
          linked={linked.get(id) ?? NOTHING}
          active={active}
          onSentence={onSentence}
          onFactoid={onFactoid}
        />
      ))}
    </ol>
  );
}

/** Hits beyond these are counted. */
const SHOWN = 30;

interface SearchTextsProps {
  texts: Texts;
  inputRef: React.RefObject<HTMLInputElement | null>;
  onSentence: (id: string) => void;
  onLeave: () => void;
}

/** Finds words in all texts of the set. Enter goes to the first hit. */
export function SearchTexts({ texts, inputRef, onSentence, onLeave }: SearchTextsProps) {
  const [sought, setSought] = useState("");
  const hits = useMemo(
    () =>
      sought.trim() === ""
        ? []
        : texts.order.filter((id) => hitsOf(texts.words.get(id) ?? "", sought).length > 0),
    [texts, sought],
  );
  const leave = useCallback(() => {
    setSought("");
    onLeave();
  }, [onLeave]);
  return (
    <search className="search-texts">
      <SearchBox
        label="Search the texts"
        keyName={KEYS.findText}
        value={sought}
        inputRef={inputRef}
        onValue={setSought}
        onEnter={() => hits[0] && onSentence(hits[0])}
        onEscape={leave}
      />
      {sought.trim() !== "" && (
        <div className="hits">
          <p className="small mute" role="status">
            {counted(hits.length, "sentence")}
            {hits.length > SHOWN && `; the first ${count(SHOWN)} are shown`}
          </p>
          <ul className="hit-list">
            {hits.slice(0, SHOWN).map((id) => (
              <li key={id}>
                <button type="button" onClick={() => onSentence(id)}>
                  <b>{id}</b> <Found text={texts.words.get(id) ?? ""} sought={sought} />
                </button>
              </li>
            ))}
          </ul>
        </div>
      )}
    </search>
  );
}

function Found({ text, sought }: { text: string; sought: string }) {
  const parts: ReactNode[] = [];
  let from = 0;
  for (const { start, end } of hitsOf(text, sought)) {
    parts.push(text.slice(from, start), <mark key={start}>{text.slice(start, end)}</mark>);
    from = end;
  }
  return (
    <span dir="auto">
      {parts}
      {text.slice(from)}
    </span>
  );
}

interface SearchBoxProps {
  label: string;
  keyName: string;
  value: string;
  inputRef: React.RefObject<HTMLInputElement | null>;
  onValue: (value: string) => void;
  onEnter: () => void;
  onEscape: () => void;
}

/** A box in which Enter takes the first hit, and Escape goes back to the text. */
export function SearchBox(props: SearchBoxProps) {
  const { label, keyName, value, inputRef, onValue, onEnter, onEscape } = props;
  return (
    <label className="search-box">
      <span className="visually-hidden">{label}</span>
      <input
        ref={inputRef}
        className="input"
        type="search"
        placeholder={label}
        value={value}
        onChange={(event) => onValue(event.currentTarget.value)}
        onKeyDown={(event) => {
          if (event.nativeEvent.isComposing) return;
          if (event.key === "Enter") onEnter();
          if (event.key === "Escape") onEscape();
        }}
      />
      <Key name={keyName} />
    </label>
  );
}
