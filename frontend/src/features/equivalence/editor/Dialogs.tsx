import { type SubmitEvent, useState } from "react";
import { RadioChoices } from "../../../components/Choices";
import { ConfirmButton } from "../../../components/ConfirmButton";
import { CancelButton, Dialog } from "../../../components/Dialog";
import { Field } from "../../../components/Field";
import { Labelled } from "../../../components/Labelled";
import { capitalised, counted } from "../../../text/format";
import { PART_WORDS } from "../copy";
import { type ClassContent, classWords, settingsOf } from "../model/edits";
import type { ShownClass } from "../model/found";
import { InDepth } from "../NewEvaluation";
import type { Part } from "../types";
import type { Editor } from "./useEditor";

/** The dialog that is open, if any is. */
export function Overlays({ editor }: { editor: Editor }) {
  const { overlay, atHandClass } = editor;
  if (overlay === "put-into") return <PutInto editor={editor} />;
  if (overlay === "settings") return <SettingsDialog editor={editor} />;
  if (!atHandClass) return null;
  if (overlay === "rename") return <Rename editor={editor} of={atHandClass} />;
  if (overlay === "merge") return <Merge editor={editor} of={atHandClass} />;
  if (overlay === "return") return <Return editor={editor} of={atHandClass} />;
  return null;
}

interface OfClass {
  editor: Editor;
  of: ClassContent;
}

function submitting(act: () => void) {
  return (event: SubmitEvent) => {
    event.preventDefault();
    act();
  };
}

function Rename({ editor, of }: OfClass) {
  const [name, setName] = useState(of.name);
  const rename = () => {
    if (name.trim() !== of.name)
      editor.perform({ kind: "rename", key: of.key, from: of.name, to: name.trim() });
    editor.close();
  };
  return (
    <Dialog title={`Name of ${classWords(editor.content, of.key)}`} onClose={editor.close}>
      <form className="stack" onSubmit={submitting(rename)}>
        <Field
          label="Name"
          hint="Left empty, the class goes by its number."
          value={name}
          maxLength={200}
          autoComplete="off"
          data-first-focus
          onValue={setName}
        />
        <div className="row">
          <button type="submit" className="button primary">
            Name the class
          </button>
          <CancelButton onClose={editor.close} />
        </div>
      </form>
    </Dialog>
  );
}

/** More are found by typing. */
const OFFERED = 10;

interface PickProps {
  editor: Editor;
  title: string;
  act: string;
  without?: string;
  hint?: string;
  onPick: (key: string) => void;
}

/** Finds a class by its name or one of its strings. */
function Pick({ editor, title, act, without, hint, onPick }: PickProps) {
  const { content } = editor;
  const [sought, setSought] = useState("");
  const [chosen, choose] = useState<string | null>(null);
  const words = sought.toLowerCase().split(/\s+/).filter(Boolean);
  const found = content.classes
    .map((each, place) => ({ ...each, number: place + 1 }))
    .filter(({ key }) => key !== without)
    .filter(({ number, name, members }) => {
      const all = [`class ${number}`, name, ...members].join(" ").toLowerCase();
      return words.every((word) => all.includes(word));
    });
  const picked = found.find(({ key }) => key === chosen) ?? found[0];
  const pick = () => {
    if (!picked) return;
    onPick(picked.key);
    editor.close();
  };
  return (
    <Dialog title={title} onClose={editor.close}>
      <form className="stack" onSubmit={submitting(pick)}>
        <Field
          label="The class: its name, number or a string of it"
          value={sought}
          autoComplete="off"
          data-first-focus
          onValue={(value) => {
            setSought(value);
            choose(null);
          }}
        />
        <fieldset className="choices">
          <legend>{counted(found.length, "class", "classes")}</legend>
          {found.slice(0, OFFERED).map(({ key, name, number, members }) => (
            <label key={key} className="row pick">
              <input type="radio" name="class" checked={picked?.key === key} onChange={() => choose(key)} />
              <span dir="auto">
                <b>{name || `Class ${number}`}</b>{" "}
                <span className="mute small">{members.slice(0, 4).join(" · ") || "no string yet"}</span>
              </span>
            </label>
          ))}
          {found.length > OFFERED && <p className="small mute">Type more to see the others.</p>}
        </fieldset>
        {hint && <p className="small mute">{hint}</p>}
        <div className="row">
          <button type="submit" className="button primary" disabled={!picked}>
            {act}
          </button>
          <CancelButton onClose={editor.close} />
        </div>
      </form>
    </Dialog>
  );
}

function PutInto({ editor }: { editor: Editor }) {
  return (
    <Pick
      editor={editor}
      title={`Put ${editor.targetWords} into a class`}
      act="Put it there"
      onPick={(key) => editor.put(editor.targets, key)}
    />
  );
}

function Merge({ editor, of }: OfClass) {
  const title = classWords(editor.content, of.key);
  return (
    <Pick
      editor={editor}
      title={`Merge another class into ${title}`}
      act="Merge"
      without={of.key}
      hint={`All strings of both are then in ${title}, and the other class is gone. One undo takes it back.`}
      onPick={(other) => editor.perform({ kind: "merge", into: of.key, other })}
    />
  );
}

function Return({ editor, of }: OfClass) {
  const [note, setNote] = useState("");
  const [isTried, setTried] = useState(false);
  const send = () => {
    setTried(true);
    if (!note.trim()) return;
    editor.review("returned", note.trim());
    editor.close();
  };
  return (
    <Dialog title={`Return ${classWords(editor.content, of.key)}`} onClose={editor.close}>
      <form className="stack" onSubmit={submitting(send)}>
        <Labelled
          label="Note"
          hint="What should change. Who groups the strings sees it on the class."
          errors={isTried && !note.trim() ? ["Say what should change."] : undefined}
        >
          {(control) => (
            <textarea
              {...control}
              data-first-focus
              maxLength={10_000}
              value={note}
              onChange={({ currentTarget }) => setNote(currentTarget.value)}
              onKeyDown={(event) => {
                if (event.key === "Enter" && (event.ctrlKey || event.metaKey)) send();
              }}
            />
          )}
        </Labelled>
        <div className="row">
          <button type="submit" className="button primary">
            Return the class
          </button>
          <CancelButton onClose={editor.close} />
        </div>
      </form>
    </Dialog>
  );
}

function SettingsDialog({ editor }: { editor: Editor }) {
  const from = settingsOf(editor.content);
  const [to, setTo] = useState(from);
  const [isTried, setTried] = useState(false);
  const { evaluation, overview } = editor;
  const hasComment = overview.categories.find(({ key }) => key === evaluation.category)?.has_comment ?? true;
  const change = () => {
    setTried(true);
    const next = { ...to, name: to.name.trim() };
    if (!next.name) return;
    if (JSON.stringify(next) !== JSON.stringify(from)) editor.perform({ kind: "settings", from, to: next });
    editor.close();
  };
  return (
    <Dialog title="Settings of the evaluation" onClose={editor.close}>
      <form className="stack" onSubmit={submitting(change)} noValidate>
        <Field
          label="Name of the evaluation"
          value={to.name}
          maxLength={200}
          autoComplete="off"
          data-first-focus
          errors={isTried && !to.name.trim() ? ["Give the evaluation a name."] : undefined}
          onValue={(name) => setTo({ ...to, name })}
        />
        <RadioChoices<Part>
          legend="What of a span is grouped"
          value={to.part}
          choices={overview.parts.map((value) => ({
            value,
            text: capitalised(PART_WORDS[value]),
            isOff: value !== "words" && !hasComment,
          }))}
          hint="Members stay in their classes. Those that the new part does not have are marked as not found."
          onValue={(part) => setTo({ ...to, part })}
        />
        <InDepth isOn={to.in_depth} onChange={(in_depth) => setTo({ ...to, in_depth })} />
        <div className="row">
          <button type="submit" className="button primary">
            Change
          </button>
          <CancelButton onClose={editor.close} />
        </div>
      </form>
    </Dialog>
  );
}

export function DeleteClass({ of, title, editor }: { of: ShownClass; title: string; editor: Editor }) {
  const remove = () => editor.perform({ kind: "delete", key: of.key, members: of.members });
  if (of.members.length === 0)
    return (
      <button type="button" className="button quiet" onClick={remove}>
        Delete
      </button>
    );
  return (
    <ConfirmButton
      button="Delete"
      label={`Delete ${title}`}
      className="button quiet"
      title={`Delete ${title}?`}
      act="Delete the class"
      danger
      onConfirm={remove}
    >
      <p>
        Its {counted(of.members.length, "string")} will be in no class then. One undo brings the class back,
        with its members.
      </p>
    </ConfirmButton>
  );
}
