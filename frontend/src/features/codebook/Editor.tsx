import { useMutation, useQueryClient } from "@tanstack/react-query";
import { type SubmitEvent, useId, useRef, useState } from "react";
import { errorWords, isApiError } from "../../api/errors";
import { Switch } from "../../components/Switch";
import { counted } from "../../components/words";
import { Advice } from "./Advice";
import { type CodebookVersion, codebookApi, codebooksQuery } from "./api";
import { EXAMPLES } from "./examples";
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
  const [text, setText] = useState(() => written(from?.definition ?? EXAMPLES.Stages));
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
          {!from && <Examples text={text} onText={setText} />}
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

function written(definition: unknown): string {
  return JSON.stringify(inReadingOrder(definition), null, 2);
}

/** Another example may be taken while the text is still one: what somebody wrote is never replaced. */
function Examples({ text, onText }: { text: string; onText: (text: string) => void }) {
  const kinds = Object.keys(EXAMPLES) as (keyof typeof EXAMPLES)[];
  const shown = kinds.find((kind) => written(EXAMPLES[kind]) === text);
  if (!shown) return null;
  return (
    <Switch
      label="Example to begin with"
      value={shown}
      options={kinds.map((kind) => ({ value: kind, text: kind }))}
      onValue={(kind) => onText(written(EXAMPLES[kind]))}
    />
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
