import { type KeyboardEvent, useState } from "react";
import { type CharacterKeys, setCharacterKeys, useCharacterKeys } from "../keyboard/characterKeys";
import { bound, holderOf, keyToGive, setOwnKeys, useOwnKeys, withKey } from "../keyboard/ownKeys";
import { shownActions } from "../keyboard/page";
import { type Action, type HelpLine, helpGroups } from "../keyboard/registry";
import { Dialog } from "./Dialog";
import { Key, keyWords } from "./Key";

const CHOICES: [CharacterKeys, string][] = [
  ["on", "Act alone"],
  ["alt", "Act with Alt"],
  ["off", "Do not act"],
];

/** Screen readers and dictation send single characters of their own: they can be switched off. */
function CharacterKeysField() {
  const chosen = useCharacterKeys();
  return (
    <fieldset className="stack">
      <legend>Keys of one letter, digit or sign</legend>
      <div className="switch">
        {CHOICES.map(([mode, words]) => (
          <button
            key={mode}
            type="button"
            className="button"
            aria-pressed={chosen === mode}
            onClick={() => setCharacterKeys(mode)}
          >
            {words}
          </button>
        ))}
      </div>
      <p className="mute small">
        Kept for you in this browser. Enter, Escape, arrows and keys with Ctrl always act.
      </p>
    </fieldset>
  );
}

interface HelpSheetProps {
  actions: readonly Action[];
  /** What else is to be known about the keys of this screen, in sentences. */
  about?: string;
  onClose: () => void;
}

/** Every key of the screen, written from the registry that makes them act; what does not act now is grey, and says when it does. */
export function HelpSheet({ actions, about = "", onClose }: HelpSheetProps) {
  const changing = useChanging();
  const shown = bound(actions, useOwnKeys());
  return (
    // While a command waits for its key, Escape is an answer to that.
    <Dialog title="Keys" onClose={changing.waiting === null ? onClose : () => changing.wait(null)}>
      <p className="mute small">
        While you type in a box, none of these act but those with Ctrl (⌘ on a Mac). {about} What is grey does
        not act now, and says when it does.
      </p>
      <CharacterKeysField />
      <ChangeField changing={changing} />
      {helpGroups(shown, changing.isOn).map((group) => (
        <section key={group.name} className="stack" aria-label={group.name}>
          <h3>{group.name}</h3>
          <ul className="key-list">
            {group.lines.map((line) => (
              <Line key={line.label} line={line} changing={changing} />
            ))}
          </ul>
        </section>
      ))}
    </Dialog>
  );
}

function Line({ line: { label, commands, when }, changing }: { line: HelpLine; changing: Changing }) {
  const keys = commands.flatMap(({ key }) => (key === null ? [] : [key]));
  return (
    <li className={when ? "off" : undefined}>
      {changing.isOn
        ? commands.map((command) => (
            <KeyButton key={command.id} command={command} label={label} changing={changing} />
          ))
        : commands.map(({ id, key }) => key && <Key key={id} name={key} isBound />)}
      {!changing.isOn && <span className="visually-hidden">{keys.join(" or ")}: </span>}
      <span>
        {label}
        {when && <small> {when}</small>}
      </span>
    </li>
  );
}

/** A command that was asked to take a key which another one has. */
interface Clash {
  id: string;
  key: string;
  holder: Action;
}

type Changing = ReturnType<typeof useChanging>;

function useChanging() {
  const own = useOwnKeys();
  const [isOn, setOn] = useState(false);
  const [waiting, setWaiting] = useState<string | null>(null);
  const [clash, setClash] = useState<Clash | null>(null);
  const [said, say] = useState("");
  const give = (id: string, key: string) => {
    setOwnKeys(withKey(shownActions(), own, id, key));
    setClash(null);
    setWaiting(null);
    say(`The key is now ${keyWords(key)}.`);
  };
  const press = (id: string, event: KeyboardEvent) => {
    const isAway = event.key === "Tab";
    if (!isAway) event.preventDefault();
    if (isAway || event.key === "Escape") return setWaiting(null);
    const key = keyToGive(event.nativeEvent);
    if (key === null) return;
    if (key === "") return say("The browser or the page needs that key. Press another one.");
    const holder = holderOf(shownActions(), own, id, key);
    if (!holder) return give(id, key);
    setWaiting(null);
    say("");
    setClash({ id, key, holder });
  };
  return {
    ...{ own, isOn, waiting, clash, said, press, give },
    toggle: () => {
      setOn(!isOn);
      setWaiting(null);
      setClash(null);
      say("");
    },
    wait: (id: string | null) => {
      setWaiting(id);
      setClash(null);
      say("");
    },
    keepClash: () => setClash(null),
    reset: () => {
      setOwnKeys({});
      setClash(null);
      say("All keys are as they were.");
    },
  };
}

function ChangeField({ changing }: { changing: Changing }) {
  const { own, isOn, clash, said, toggle, reset } = changing;
  const n = Object.keys(own).length;
  return (
    <div className="stack key-change">
      <div className="row">
        <button type="button" className="button" aria-pressed={isOn} onClick={toggle}>
          Change keys
        </button>
        {n > 0 && (
          <button type="button" className="button" onClick={reset}>
            Back to the defaults
          </button>
        )}
      </div>
      {isOn && (
        <p className="mute small">
          Press the button of a command, then its new key; Escape leaves it as it is. A key with Alt or Ctrl,
          or one such as F2, acts however the keys of one character are set. Kept for you in this browser, for
          every project.
        </p>
      )}
      <div role="status">{said && <p className="notice">{said}</p>}</div>
      {clash && <ClashNotice clash={clash} changing={changing} />}
    </div>
  );
}

function ClashNotice({ clash: { id, key, holder }, changing }: { clash: Clash; changing: Changing }) {
  const now = bound(shownActions(), changing.own).find((action) => action.id === id);
  const left = now?.key ? `has ${keyWords(now.key)} then` : "has no key then";
  return (
    <div className="notice warn stack" role="alert">
      <p>
        {keyWords(key)} is the key of “{holder.label}”, which {left}.
      </p>
      <div className="row">
        <button type="button" className="button" onClick={() => changing.give(id, key)}>
          Give it to “{now?.label}”
        </button>
        <button type="button" className="button" onClick={changing.keepClash}>
          Cancel
        </button>
      </div>
    </div>
  );
}

interface KeyButtonProps {
  command: HelpLine["commands"][number];
  label: string;
  changing: Changing;
}

function KeyButton({ command: { id, key }, label, changing }: KeyButtonProps) {
  const isWaiting = changing.waiting === id;
  const words = key === null ? "no key" : keyWords(key);
  return (
    <button
      type="button"
      className="key-button"
      aria-label={isWaiting ? `Press the new key of: ${label}` : `${label}: ${words}. Change`}
      aria-pressed={isWaiting}
      onClick={() => changing.wait(isWaiting ? null : id)}
      onBlur={() => isWaiting && changing.wait(null)}
      onKeyDown={(event) => isWaiting && changing.press(id, event)}
    >
      {isWaiting ? "press a key" : words}
    </button>
  );
}
