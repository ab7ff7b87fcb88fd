import { useMutation, useQueryClient } from "@tanstack/react-query";
import { type SubmitEvent, useId, useRef, useState } from "react";
import { errorWords, isApiError } from "../../api/errors";
import { counted } from "../../components/words";
import { type CodebookVersion, codebookApi, codebooksQuery } from "./api";
import { locate } from "./locate";
import { inReadingOrder } from "./order";

interface EditorProps {
  projectId: string;
  /** What the text begins as; undefined: a small example. */
  from: CodebookVersion | undefined;
  onSaved: (version: CodebookVersion) => void;
  onClose: () => void;
}

/** A whole definition as JSON: each save makes a new draft, so that no version ever changes under somebody. */
export function Editor({ projectId, from, onSaved, onClose }: EditorProps) {
  const id = useId();
  const area = useRef<HTMLTextAreaElement>(null);
  const [text, setText] = useState(() =>
    JSON.stringify(inReadingOrder(from?.definition ?? EXAMPLE), null, 2),
  );
  const [syntax, setSyntax] = useState("");
  const save = useSave(projectId, onSaved);
  const faults = faultsOf(save.error);
  const submit = (event: SubmitEvent) => {
    event.preventDefault();
    const parsed = parse(text);
    setSyntax("fault" in parsed ? parsed.fault : "");
    if (!("fault" in parsed)) save.mutate(parsed.value);
  };
  const go = (path: string) => {
    const place = locate(text, path);
    if (!place || !area.current) return;
    area.current.focus();
    area.current.setSelectionRange(place.start, place.end);
    // Line height is the text's own 1.5; a browser scrolls to a selection only where it was typed.
    area.current.scrollTop = (area.current.scrollHeight / text.split("\n").length) * (place.line - 3);
  };
  return (
    <form className="card stack" onSubmit={submit} aria-label="Edit the codebook">
      <div className="editor">
        <div className="field">
          <label htmlFor={id}>Definition (JSON)</label>
          <textarea
            ref={area}
            id={id}
            className="input code"
            spellCheck={false}
            value={text}
            aria-describedby={`${id}-faults`}
            aria-invalid={Boolean(syntax) || faults.length > 0 || undefined}
            onChange={(event) => setText(event.currentTarget.value)}
          />
        </div>
        <div id={`${id}-faults`} className="faults" role="status">
          {syntax && <p className="notice bad">{syntax}</p>}
          {!syntax && save.error && <Faults faults={faults} error={save.error} text={text} onGo={go} />}
          {!syntax && !save.error && <Advice />}
        </div>
      </div>
      <div className="row">
        <button type="submit" className="button primary" disabled={save.isPending}>
          Save as a draft
        </button>
        {from && (
          <button type="button" className="button" onClick={onClose}>
            Close without saving
          </button>
        )}
      </div>
    </form>
  );
}

function useSave(projectId: string, onSaved: (version: CodebookVersion) => void) {
  const client = useQueryClient();
  return useMutation({
    mutationFn: (definition: unknown) => codebookApi.save(projectId, definition),
    onSuccess: async (version) => {
      await client.invalidateQueries({ queryKey: codebooksQuery(projectId).queryKey });
      onSaved(version);
    },
  });
}

function parse(text: string): { value: unknown } | { fault: string } {
  try {
    return { value: JSON.parse(text) };
  } catch (error) {
    return { fault: `This is not JSON yet: ${errorWords(error)}.` };
  }
}

interface Fault {
  path: string;
  messages: string[];
}

function faultsOf(error: unknown): Fault[] {
  if (!isApiError(error)) return [];
  return Object.entries(error.fields).map(([path, messages]) => ({
    path: path.replace(/^definition\.?/, ""),
    messages,
  }));
}

interface FaultsProps {
  faults: Fault[];
  error: unknown;
  text: string;
  onGo: (path: string) => void;
}

function Faults({ faults, error, text, onGo }: FaultsProps) {
  if (faults.length === 0) return <p className="notice bad">{errorWords(error)}</p>;
  return (
    <div className="notice bad stack">
      <p>Not saved: {counted(faults.length, "place")} to mend.</p>
      <ul className="reasons">
        {faults.map(({ path, messages }) => (
          <li key={path}>
            {path === "" ? (
              <b>the whole</b>
            ) : (
              <button type="button" className="link" onClick={() => onGo(path)}>
                <code>{path}</code> (line {locate(text, path)?.line ?? "?"})
              </button>
            )}{" "}
            {messages.join("; ")}
          </li>
        ))}
      </ul>
    </div>
  );
}

function Advice() {
  return (
    <div className="small mute stack">
      <p>
        A draft changes nothing yet: it takes effect when it is published, and only for batches that open
        after that.
      </p>
      <p>
        Keys are what is stored: keep them, and change names, prompts and help as you like. Removing a stage
        or label, or changing when a stage opens, is breaking: earlier answers then leave training.
      </p>
      <p>
        Spans are marked by a <code>span_layer</code>, next to or instead of stages:{" "}
        <code>{'{"categories": [{"key": "act", "name": "Act", "within": "sentence", "at_least": 1}]}'}</code>.
        A category removed, or a rule that asks for more than before, is breaking.
      </p>
      <p>
        Conditions look back only: <code>{'{"stage": "opinion", "in": ["yes"]}'}</code>,{" "}
        <code>{'{"stage": "opinion", "answered": true}'}</code>, <code>{'{"all": [...]}'}</code> or{" "}
        <code>{'{"any": [...]}'}</code>.
      </p>
    </div>
  );
}

const EXAMPLE = {
  name: "My codebook",
  guidelines: "",
  stages: [
    {
      key: "opinion",
      title: "Opinion",
      prompt: "Does the speaker give an opinion here?",
      help: "",
      open_when: null,
      labels: [
        { key: "yes", name: "Yes", help: "" },
        { key: "no", name: "No", help: "" },
        { key: "ambiguous", name: "Can’t tell", help: "" },
      ],
      positive: ["yes"],
    },
  ],
  learning: { stage: "opinion", exclude: ["ambiguous"] },
};
