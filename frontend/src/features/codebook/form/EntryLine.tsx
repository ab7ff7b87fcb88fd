import type { ReactNode } from "react";
import { Field } from "../../../components/Field";
import { keyFor } from "./edits";
import { Grip } from "./Grip";
import { KeyField } from "./KeyField";
import { MoveButtons } from "./MoveButtons";
import { keyIn, useStoredKeys } from "./stored";
import type { DragProps } from "./useDragOrder";

/** What a label and a category have in common. */
interface Entry {
  key: string;
  name: string;
  shortcut?: string | null;
}

export interface EntryProps {
  at: number;
  /** All of the list. */
  entries: readonly Entry[];
  errorsAt: (name: string) => string[] | undefined;
  drag: DragProps;
  onMove: (to: number) => void;
  onRemove: () => void;
}

interface EntryLineProps extends EntryProps {
  kind: "Label" | "Category";
  /** The stage of a label; null: a category. */
  stage: string | null;
  /** Between the key and the key on the keyboard. */
  children?: ReactNode;
  /** Before the buttons. */
  mark?: ReactNode;
  onChange: (part: Partial<Entry>) => void;
}

/** Name, key and key on the keyboard of a label or a category, and how it is moved and removed. */
export function EntryLine(props: EntryLineProps) {
  const { kind, stage, at, entries, errorsAt, drag, children, mark, onChange, onMove, onRemove } = props;
  const entry = entries[at] as Entry;
  const word = kind.toLowerCase();
  const name = entry.name || `${word} ${at + 1}`;
  const taken = entries.filter((_, other) => other !== at).map(({ key }) => key);
  // The key that was made for the name of a new entry follows it; one of an earlier version stays.
  const isMade =
    !useStoredKeys().has(keyIn(stage, entry.key)) && entry.key === keyFor(entry.name || word, taken, word);
  const rename = (typed: string) =>
    onChange({ name: typed, ...(isMade && { key: keyFor(typed || word, taken, word) }) });
  return (
    <div className="form-label-line">
      <Field label={`${kind} ${at + 1}`} value={entry.name} errors={errorsAt("name")} onValue={rename} />
      <KeyField value={entry.key} taken={taken} errors={errorsAt("key")} onKey={(key) => onChange({ key })} />
      {children}
      <Field
        label="On the keyboard"
        maxLength={1}
        value={entry.shortcut ?? ""}
        errors={errorsAt("shortcut")}
        onValue={(key) => onChange({ shortcut: key || undefined })}
      />
      <div className="row">
        {mark}
        <Grip drag={drag} />
        <MoveButtons name={name} at={at} count={entries.length} onMove={onMove} />
        <button
          type="button"
          className="button quiet"
          aria-label={`Remove ${name}`}
          disabled={entries.length < 2}
          onClick={onRemove}
        >
          Remove
        </button>
      </div>
    </div>
  );
}
