import { useMutation, useQuery, useQueryClient } from "@tanstack/react-query";
import { type SubmitEvent, useId, useRef, useState } from "react";
import { flushSync } from "react-dom";
import { isApiError } from "../../../api/errors";
import { useRefresh } from "../../../api/useRefresh";
import { useAnnounce } from "../../../components/Announcer";
import { Confirm } from "../../../components/Confirm";
import { ConfirmButton } from "../../../components/ConfirmButton";
import { Refusal } from "../../../components/Refusal";
import { useSettled } from "../../../components/useSettled";
import { KeptNotice } from "../../../kept/KeptNotice";
import { useKept } from "../../../kept/useKept";
import { useProject } from "../../../session/project";
import { counted } from "../../../text/format";
import {
  type Choices,
  choicesQuery,
  evaluationApi,
  type Preview,
  type PromptChoice,
  previewQuery,
} from "../api";
import { PreviewPane } from "./PreviewPane";
import { placeOf } from "./place";
import { Versions } from "./Versions";

interface PromptEditorProps {
  prompt: PromptChoice;
  title: string;
  variables: Choices["variables"];
  onSaved: () => void;
}

/** One stage's prompt. Each save makes a new version; what is typed is kept in this browser until then. */
export function PromptEditor({ prompt, title, variables, onSaved }: PromptEditorProps) {
  const project = useProject();
  const id = useId();
  const area = useRef<HTMLTextAreaElement>(null);
  const form = useKept(`prompt.${project.id}.${prompt.stage}`, prompt.template, String(prompt.number));
  const [item, setItem] = useState<string | null>(null);
  const settled = useSettled(form.value);
  const client = useQueryClient();
  const previewOf = (template: string) =>
    previewQuery(project.id, { stage: prompt.stage, template, examples: 0, ...(item && { item }) });
  const preview = useQuery(previewOf(settled));
  // The version after which it is to be saved, while a warning waits for an answer.
  const [asking, setAsking] = useState<number | null>(null);
  const save = useSave(prompt.stage, () => {
    form.saved();
    onSaved();
  });
  const faults = preview.data?.faults ?? [];
  const warnings = preview.data?.warnings ?? [];
  const saving = useMutation({
    // The preview may be of what stood there a moment ago.
    mutationFn: async (base: number) => {
      const { warnings } = await client.fetchQuery(previewOf(form.value));
      if (warnings.length > 0) setAsking(base);
      else save.mutate({ template: form.value, base });
    },
  });
  const refused = isApiError(save.error) ? (save.error.fields.template ?? []) : [];
  const submit = (event: SubmitEvent) => {
    event.preventDefault();
    saving.mutate(Number(form.base));
  };
  const insert = (name: string) => {
    const words = `{${name}}`;
    const { selectionStart = form.value.length, selectionEnd = selectionStart } = area.current ?? {};
    // Drawn at once: a caret that is moved later would land in what is typed meanwhile.
    flushSync(() => form.set(form.value.slice(0, selectionStart) + words + form.value.slice(selectionEnd)));
    const caret = selectionStart + words.length;
    select(area.current, caret, caret);
  };
  return (
    <div className="prompt-page">
      <form className="card stack" onSubmit={submit} aria-label={`Prompt of ${title}`}>
        <h2>
          {title}: {prompt.number === 0 ? "the default" : `version ${prompt.number}`}
          {form.isChanged && ", changed and not saved"}
        </h2>
        <KeptNotice form={form} what={`the prompt of ${title}`} />
        <Meanwhile base={Number(form.base)} newest={prompt.number} />
        <div className="field">
          <label htmlFor={id}>Prompt</label>
          <textarea
            ref={area}
            id={id}
            className="input code prompt-text"
            value={form.value}
            readOnly={save.isPending}
            aria-describedby={`${id}-faults`}
            aria-invalid={faults.length > 0 || refused.length > 0 || undefined}
            onChange={(event) => form.set(event.currentTarget.value)}
          />
        </div>
        <div id={`${id}-faults`} role="status">
          <Faults
            faults={faults}
            onGo={({ line, column }) => {
              const place = placeOf(form.value, line, column);
              select(area.current, place, place + 1);
            }}
          />
        </div>
        <Warnings warnings={warnings} />
        <Variables variables={variables} onInsert={insert} />
        <Refusal error={saving.error} />
        {isApiError(save.error, 409) ? null : <Refusal error={save.error} />}
        {isApiError(save.error, 409) && (
          <p className="notice warn" role="alert">
            A newer version was saved meanwhile. Your text is kept here. Read the newer version below, then
            save yours after it.
          </p>
        )}
        <div className="row">
          <button
            type="submit"
            className="button primary"
            disabled={save.isPending || !form.isChanged || faults.length > 0}
          >
            Save the prompt
          </button>
          {Number(form.base) < prompt.number && (
            <button
              type="button"
              className="button"
              disabled={save.isPending || faults.length > 0}
              onClick={() => saving.mutate(prompt.number)}
            >
              Save my text after version {prompt.number}
            </button>
          )}
          {form.value !== prompt.default_template && (
            <button type="button" className="button" onClick={() => form.set(prompt.default_template)}>
              Go back to the default
            </button>
          )}
          {form.isChanged && (
            <ConfirmButton
              button="Discard the changes"
              title="Discard the changes?"
              act="Discard the changes"
              danger
              onConfirm={form.discard}
            >
              <p>What you typed since the last version is deleted and cannot be brought back.</p>
            </ConfirmButton>
          )}
        </div>
        <Versions prompt={prompt} title={title} onRestore={(template) => form.set(template)} />
      </form>
      <PreviewPane preview={preview} onItem={setItem} />
      {asking !== null && (
        <Confirm
          title="Save the prompt as it is?"
          act="Save it as it is"
          busy={save.isPending}
          error={null}
          onConfirm={() => {
            save.mutate({ template: form.value, base: asking });
            setAsking(null);
          }}
          onClose={() => setAsking(null)}
        >
          <Warnings warnings={warnings} />
        </Confirm>
      )}
    </div>
  );
}

function select(area: HTMLTextAreaElement | null, start: number, end: number) {
  area?.focus();
  area?.setSelectionRange(start, end);
}

function useSave(stage: string, onStored: () => void) {
  const { id } = useProject();
  const refresh = useRefresh();
  const announce = useAnnounce();
  return useMutation({
    mutationFn: ({ template, base }: { template: string; base: number }) =>
      evaluationApi.savePrompt(id, { stage, template, base_number: base }),
    onSuccess: async ({ number }) => {
      await refresh(choicesQuery(id).queryKey);
      onStored();
      announce(`Saved as version ${number}.`);
    },
    // A newer version is to be seen where the save was refused for it.
    onError: () => refresh(choicesQuery(id).queryKey),
  });
}

/** A version that somebody saved since this text was begun. */
function Meanwhile({ base, newest }: { base: number; newest: number }) {
  if (base >= newest) return null;
  return (
    <p className="notice warn" role="status">
      Version {newest} was saved since you began this text, which does not hold its changes.
    </p>
  );
}

type Fault = Preview["faults"][number];

/** Each fault with its place; a click goes there. */
function Faults({ faults, onGo }: { faults: readonly Fault[]; onGo: (fault: Fault) => void }) {
  if (faults.length === 0) return null;
  return (
    <div className="notice bad stack-tight">
      <p>{counted(faults.length, "place")} to correct.</p>
      <ul className="reasons">
        {faults.map((fault) => (
          <li key={`${fault.line} ${fault.column} ${fault.message}`}>
            <button type="button" className="button quiet inline" onClick={() => onGo(fault)}>
              Line {fault.line}, column {fault.column}
            </button>
            : {fault.message}
          </li>
        ))}
      </ul>
    </div>
  );
}

/** What the model would not be shown. */
function Warnings({ warnings }: { warnings: readonly string[] }) {
  if (warnings.length === 0) return null;
  return (
    <ul className="notice warn reasons notices">
      {warnings.map((warning) => (
        <li key={warning}>{warning}</li>
      ))}
    </ul>
  );
}

interface VariablesProps {
  variables: Choices["variables"];
  onInsert: (name: string) => void;
}

/** What may stand in a prompt; a click puts it where the cursor is. */
function Variables({ variables, onInsert }: VariablesProps) {
  return (
    <fieldset className="choices">
      <legend>Insert a variable</legend>
      <ul className="variables">
        {variables.map(({ name, help }) => (
          <li key={name}>
            <button
              type="button"
              className="button"
              aria-label={`Insert {${name}}`}
              onClick={() => onInsert(name)}
            >
              <code>{`{${name}}`}</code>
            </button>
            <span className="small mute">{help}</span>
          </li>
        ))}
      </ul>
    </fieldset>
  );
}
