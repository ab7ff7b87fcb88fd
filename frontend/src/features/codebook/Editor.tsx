import { useMutation, useQueryClient } from "@tanstack/react-query";
import { Fragment, type SubmitEvent, useMemo, useRef, useState } from "react";
import { flushSync } from "react-dom";
import {
  type CodebookDraft,
  type CodebookTemplate,
  type CodebookVersion,
  codebookApi,
  codebooksQuery,
  publishedAfter,
  publishedCodebook,
} from "../../api/codebooks";
import { errorWords } from "../../api/errors";
import type { CodebookDefinition } from "../../api/types";
import { RadioChoices } from "../../components/Choices";
import { ConfirmButton } from "../../components/ConfirmButton";
import { Switch } from "../../components/Switch";
import { KeptNotice } from "../../kept/KeptNotice";
import { useKept } from "../../kept/useKept";
import { useZone } from "../../session/project";
import { moment } from "../../text/format";
import { Advice } from "./Advice";
import { DraftNotices } from "./DraftNotices";
import { Faults, faultsOf } from "./Faults";
import { TakeFile } from "./Files";
import { DefinitionForm } from "./form";
import { formable } from "./form/shape";
import { keysOf, StoredKeys } from "./form/stored";
import { TryOut } from "./form/TryOut";
import { JsonEditor, selectPlace } from "./JsonEditor";
import { inReadingOrder } from "./order";
import { ChangeList } from "./Publish";
import { baseWith, type SharedDraft, useSharedDraft } from "./useSharedDraft";

interface EditorProps {
  projectId: string;
  versions: readonly CodebookVersion[];
  /** What the text begins as; undefined: a template. */
  from: CodebookVersion | undefined;
  templates: readonly CodebookTemplate[];
  /** The text that the project's admins write together. */
  draft: CodebookDraft;
  onShow: (version: CodebookVersion) => void;
  onSaved: (version: CodebookVersion) => void;
  onClose: () => void;
}

/** How this browser keeps what a person typed and did not save: one text a project. */
export const keptName = (projectId: string) => `codebook.${projectId}`;

/**
 * A whole definition, as fields or as the JSON text that they are a view of. Each save makes a new draft, so that no
 * version ever changes under somebody. What is typed is kept in this browser and on the server, for all admins of the
 * project, until it is saved or discarded.
 */
export function Editor(props: EditorProps) {
  const { projectId, versions, from, templates, draft, onShow, onSaved, onClose } = props;
  const area = useRef<HTMLTextAreaElement>(null);
  const [begun] = useState(() => written(from?.definition ?? templates[0]?.definition));
  const form = useKept(keptName(projectId), draft.text ?? begun, baseWith(baseOf(versions), draft));
  const shared = useSharedDraft(projectId, form, draft);
  const { value: text, set: setText } = form;
  const isBegun = form.isChanged || shared.draft.text !== null;
  const definition = formable(parsedValue(text));
  const stored = useMemo(() => keysOf(formable(from?.definition) ?? NOTHING), [from]);
  const [view, setView] = useState<View>(definition ? "form" : "json");
  const [syntax, setSyntax] = useState("");
  const save = useSave(projectId, shared, form.saved, onSaved);
  const faults = faultsOf(save.error);
  const submit = (event: SubmitEvent) => {
    event.preventDefault();
    const parsed = parse(text);
    setSyntax("fault" in parsed ? parsed.fault : "");
    if ("fault" in parsed) setView("json");
    else save.mutate(parsed.value);
  };
  const go = (path: string) => {
    flushSync(() => setView("json"));
    selectPlace(area.current, text, path);
  };
  const said = save.error ? <Faults faults={faults} error={save.error} text={text} onGo={go} /> : null;
  return (
    <>
      <form className="card stack" onSubmit={submit} aria-label="Edit the codebook">
        <KeptNotice form={form} what="the text of the codebook" />
        <DraftNotices shared={shared} isChanged={form.isChanged} />
        <Meanwhile base={form.base} versions={versions} onShow={onShow} />
        {!from && <Templates {...{ text, templates }} onText={setText} />}
        <TakeFile isWritten={isBegun} onText={setText} />
        <Switch
          label="How the codebook is shown"
          value={view}
          options={VIEWS}
          onValue={(next) => {
            setView(next);
            setSyntax("");
          }}
        />
        {view === "form" && definition && (
          <fieldset
            className="form-fields stack"
            disabled={save.isPending}
            aria-label="Fields of the codebook"
            onKeyDown={(event) => {
              if (event.key === "Enter" && event.target instanceof HTMLInputElement) event.preventDefault();
            }}
          >
            <div role="status">{said}</div>
            <StoredKeys value={stored}>
              <DefinitionForm
                definition={definition}
                errorsAt={(path) => faults.find((fault) => fault.path === path)?.messages}
                faultyPaths={faults.map(({ path }) => path)}
                onChange={(changed) => setText(written(changed))}
              />
            </StoredKeys>
          </fieldset>
        )}
        {view !== "json" && !definition && (
          <p className="notice warn">
            This cannot be shown as fields: the JSON is not complete, or a part of it is of another kind.
            Correct it under JSON.
          </p>
        )}
        {view === "json" && (
          <JsonEditor
            areaRef={area}
            text={text}
            isReadOnly={save.isPending}
            isFaulty={Boolean(syntax) || faults.length > 0}
            onText={setText}
          >
            {syntax ? <p className="notice bad">{syntax}</p> : (said ?? <Advice />)}
          </JsonEditor>
        )}
        <div className="row">
          <button type="submit" className="button primary" disabled={save.isPending}>
            Save as a draft
          </button>
          {from && (
            <button type="button" className="button" onClick={onClose}>
              {isBegun ? "Close, and keep the text for later" : "Close"}
            </button>
          )}
          {isBegun && (
            <ConfirmButton
              button="Discard the changes"
              title="Discard the changes?"
              act="Discard the changes"
              danger
              onConfirm={() => shared.discard(begun)}
            >
              <p>
                What was typed since {from ? `version ${from.version}` : "the template"} is deleted, for all
                admins of the project, and cannot be brought back.
              </p>
            </ConfirmButton>
          )}
        </div>
      </form>
      {/* Beside the form, since Enter in an answer would send it. */}
      {view === "try" && definition && <TryOut key={text} projectId={projectId} definition={definition} />}
    </>
  );
}

/** The newest version and the published one, as they stood when a text was begun. */
function baseOf(versions: readonly CodebookVersion[]): string {
  const newest = Math.max(0, ...versions.map(({ version }) => version));
  return `${newest}.${publishedCodebook(versions)?.version ?? 0}`;
}

interface MeanwhileProps {
  base: string;
  versions: readonly CodebookVersion[];
  onShow: (version: CodebookVersion) => void;
}

/** Versions that others saved or published since the text was begun: nothing of either is lost. */
function Meanwhile({ base, versions, onShow }: MeanwhileProps) {
  const zone = useZone();
  const [newest = 0, published = 0] = base.split(".").map(Number);
  const since = publishedAfter(versions, published);
  const drafts = versions.filter(({ version, state }) => version > newest && state === "draft");
  if (since.length === 0 && drafts.length === 0) return null;
  return (
    <div className="notice warn stack-tight" role="status">
      {since.map(({ id, version, published_at, created_at, changes }) => (
        <Fragment key={id}>
          <p>
            <b>Version {version} was published meanwhile</b>, on {moment(published_at ?? created_at, zone)}.
            Your text below does not hold its changes. Saving makes a new draft and leaves version {version}{" "}
            as it is.
          </p>
          {changes && <ChangeList changes={changes} />}
        </Fragment>
      ))}
      {drafts.map((draft) => (
        <p key={draft.id}>
          Version {draft.version} was saved as a draft meanwhile, on {moment(draft.created_at, zone)}.
        </p>
      ))}
      <div className="row">
        {[...since, ...drafts].map((other) => (
          <button key={other.id} type="button" className="button" onClick={() => onShow(other)}>
            Read version {other.version}
          </button>
        ))}
      </div>
    </div>
  );
}

const NOTHING: CodebookDefinition = { name: "", stages: [] };

type View = "form" | "try" | "json";

const VIEWS: { value: View; text: string }[] = [
  { value: "form", text: "Form" },
  { value: "try", text: "Try it" },
  { value: "json", text: "JSON" },
];

function written(definition: unknown): string {
  return JSON.stringify(inReadingOrder(definition), null, 2);
}

interface TemplatesProps {
  text: string;
  templates: readonly CodebookTemplate[];
  onText: (text: string) => void;
}

/** Another template may be taken while the text is still one: what somebody wrote is never replaced. */
function Templates({ text, templates, onText }: TemplatesProps) {
  const shown = templates.find(({ definition }) => written(definition) === text);
  if (!shown) return null;
  return (
    <RadioChoices
      legend="Template to begin with"
      hint="Once you have changed something, no other template can be chosen, so that nothing you wrote is replaced."
      value={shown.title}
      choices={templates.map(({ title, help }) => ({ value: title, text: title, help }))}
      inColumns
      onValue={(title) => onText(written(templates.find((each) => each.title === title)?.definition))}
    />
  );
}

function useSave(
  projectId: string,
  shared: SharedDraft,
  onStored: () => void,
  onSaved: (version: CodebookVersion) => void,
) {
  const client = useQueryClient();
  return useMutation({
    mutationFn: async (definition: unknown) => codebookApi.save(projectId, definition, await shared.flush()),
    onSuccess: async (version) => {
      onStored();
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

function parsedValue(text: string): unknown {
  const parsed = parse(text);
  return "fault" in parsed ? null : parsed.value;
}
