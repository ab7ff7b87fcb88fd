import { useQuery } from "@tanstack/react-query";
import { useEffect, useState } from "react";
import { useSearchParams } from "react-router";
import {
  type CodebookDraft,
  type CodebookTemplate,
  type CodebookVersion,
  codebooksQuery,
  draftQuery,
  publishedCodebook,
  templatesQuery,
} from "../../api/codebooks";
import type { Project } from "../../api/types";
import { useAnnounce } from "../../components/Announcer";
import { Failure, Loading } from "../../components/states";
import { KeptDrafts } from "../../kept/drafts";
import { useProject } from "../../session/project";
import { useMe } from "../../session/session";
import { Compare } from "./Compare";
import { Editor, keptName } from "./Editor";
import { SaveFile } from "./Files";
import { Notes } from "./Notes";
import { inReadingOrder } from "./order";
import { Publish } from "./Publish";
import { Reading } from "./Reading";
import { Versions } from "./Versions";
import "../../components/admin.css";
import "./codebook.css";

export function Component() {
  const project = useProject();
  const { data: versions, error, refetch } = useQuery(codebooksQuery(project.id));
  const templates = useQuery(templatesQuery);
  const draft = useQuery(draftQuery(project.id));
  if (error && !versions) return <Failure error={error} retry={refetch} />;
  if (templates.error) return <Failure error={templates.error} retry={templates.refetch} />;
  if (draft.error && !draft.data) return <Failure error={draft.error} retry={draft.refetch} />;
  if (!versions || !templates.data || !draft.data) return <Loading what="the codebook" />;
  return <Codebook versions={versions} templates={templates.data} draft={draft.data} project={project} />;
}

interface CodebookProps {
  versions: CodebookVersion[];
  templates: CodebookTemplate[];
  draft: CodebookDraft;
  project: Project;
}

function Codebook({ versions, templates, draft, project }: CodebookProps) {
  const announce = useAnnounce();
  const [shownId, setShownId] = useState<string | null>(null);
  const me = useMe();
  const hasKept = () => new KeptDrafts<string>(me.id, "form").find(keptName(project.id)) !== null;
  // The address holds it, so that a reload goes on with the text that the server has by then.
  const [asked, ask] = useSearchParams();
  const isAsked = asked.has("edit");
  const [begun, setBegun] = useState(hasKept);
  useEffect(() => {
    if (begun && !isAsked) ask({ edit: "1" }, { replace: true });
  }, [begun, isAsked, ask]);
  const editing = begun || isAsked;
  const setEditing = (is: boolean) => {
    setBegun(is);
    if (!is) ask({}, { replace: true });
  };
  const current = publishedCodebook(versions);
  const shown = versions.find(({ id }) => id === shownId) ?? current ?? versions[0];
  const show = (version: CodebookVersion) => {
    setShownId(version.id);
    setEditing(false);
  };
  const saved = (version: CodebookVersion) => {
    setShownId(version.id);
    setEditing(false);
    announce(`Version ${version.version} is saved as a draft.`);
  };
  return (
    <main className="page codebook-page" id="main">
      <div className="page-head">
        <h1>Codebook</h1>
        <p className="mute">
          {shown
            ? "What is asked or marked, and what each label and category means. Every answer carries the version it was given under."
            : "No codebook yet. Write its stages or its categories of spans, save a draft, and publish it: then the first batch can be drawn."}
        </p>
      </div>
      {editing || !shown ? (
        <Editor
          projectId={project.id}
          versions={versions}
          templates={templates}
          from={shown}
          draft={draft}
          onShow={show}
          onSaved={saved}
          onClose={() => setEditing(false)}
        />
      ) : (
        <>
          <ShownHead
            shown={shown}
            current={current}
            project={project}
            isBegun={draft.text !== null || hasKept()}
            onEdit={() => setEditing(true)}
          />
          {shown.faults.length > 0 ? <Faulty version={shown} /> : <Reading definition={shown.definition} />}
        </>
      )}
      {current && !editing && <Notes project={project} current={current} />}
      {shown && <Versions versions={versions} current={current} shown={shown} onShow={show} />}
      {!editing && <Compare projectId={project.id} versions={versions} current={current} />}
    </main>
  );
}

/** What today's rules find wrong with a version of earlier ones. Its text can be read, and corrected as a new draft. */
function Faulty({ version: { faults, definition } }: { version: CodebookVersion }) {
  return (
    <section className="card stack" aria-labelledby="faulty">
      <h2 id="faulty">This version breaks a rule that came after it</h2>
      <div className="notice bad stack-tight">
        <p>Edit it as a new draft, correct what is named here, and save it.</p>
        <ul className="reasons">
          {faults.map(({ path, message }) => (
            <li key={`${path} ${message}`}>
              {path && <code>{path}</code>} {message}
            </li>
          ))}
        </ul>
      </div>
      <textarea
        className="input code"
        aria-label="Definition (JSON)"
        readOnly
        value={JSON.stringify(inReadingOrder(definition), null, 2)}
      />
    </section>
  );
}

interface ShownHeadProps {
  shown: CodebookVersion;
  current: CodebookVersion | undefined;
  project: Project;
  /** A text that was not saved as a version waits, on the server or in this browser. */
  isBegun: boolean;
  onEdit: () => void;
}

function ShownHead({ shown, current, project, isBegun, onEdit }: ShownHeadProps) {
  return (
    <section
      className={shown.state === "draft" ? "card now shown-head" : "card shown-head"}
      aria-label="Version"
    >
      <div className="stack-tight">
        <h2>{shown.definition.name}</h2>
        <p className="small mute">{shownWords(shown, current)}</p>
      </div>
      <div className="row">
        <button type="button" className="button" onClick={onEdit}>
          {isBegun ? "Go on with the unsaved text" : "Edit as a new draft"}
        </button>
        <SaveFile version={shown} />
        {shown.state === "draft" && shown.faults.length === 0 && (
          <Publish draft={shown} current={current} projectId={project.id} />
        )}
      </div>
    </section>
  );
}

function shownWords(shown: CodebookVersion, current: CodebookVersion | undefined): string {
  if (shown.id === current?.id) return `Version ${shown.version}, published: new batches take it.`;
  if (shown.state === "draft")
    return `Version ${shown.version}, a draft: nobody labels by it before it is published.`;
  return `Version ${shown.version}, published earlier and replaced by version ${current?.version}.`;
}
