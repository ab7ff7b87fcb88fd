import { useState } from "react";
import { Link } from "react-router";
import { post } from "../../api/client";
import type { Project } from "../../api/types";
import { ConfirmButton } from "../../components/ConfirmButton";
import { Field } from "../../components/Field";
import { Refusal } from "../../components/Refusal";
import { useProject, useZone } from "../../session/project";
import { moment } from "../../text/format";
import { ColumnsBeside } from "./ColumnsBeside";
import { CopyProject } from "./CopyProject";
import { MemberTokens } from "./MemberTokens";
import { Naming, namingKey } from "./Naming";
import { Transfer } from "./Transfer";
import { useProjectAct } from "./useProjectAct";
import { Webhooks } from "./Webhooks";
import "../../components/admin.css";

/** All settings of a project in one place, and its end. */
export function Component() {
  const project = useProject();
  return (
    <main className="page narrow" id="main">
      <div className="page-head">
        <h1>Settings</h1>
      </div>
      {project.archived_at === null && (
        <>
          <Naming key={namingKey(project)} project={project} />
          <ColumnsBeside projectId={project.id} />
          <MemberTokens projectId={project.id} />
          <Webhooks projectId={project.id} />
          <Elsewhere projectId={project.id} />
          <Transfer project={project} />
        </>
      )}
      <CopyProject project={project} />
      {project.archived_at === null ? <Archive project={project} /> : <Restore project={project} />}
      {project.deletes_at === null && <Delete project={project} />}
    </main>
  );
}

/** Settings that stand where they are used. */
function Elsewhere({ projectId }: { projectId: string }) {
  return (
    <section className="card stack" aria-labelledby="elsewhere">
      <h2 id="elsewhere">Set elsewhere</h2>
      <ul className="reasons">
        <li>
          <Link to={`/projects/${projectId}/members`}>Members</Link>: roles, invitations, who is active
        </li>
        <li>
          <Link to={`/projects/${projectId}/codebook`}>Codebook</Link>: questions, labels, spans, and what the
          model learns
        </li>
        <li>
          <Link to={`/projects/${projectId}/evaluation`}>Evaluation</Link>: prompts, and which language models
          may see the texts
        </li>
        <li>
          <Link to={`/projects/${projectId}/rounds`}>Rounds</Link>: strategy, batch size, and how many people
          label an item
        </li>
      </ul>
    </section>
  );
}

const at = (project: Project) => ({ params: { path: { project_id: project.id } } });

function Archive({ project }: { project: Project }) {
  const archive = useProjectAct(
    () => post("/api/projects/{project_id}/archive/", at(project)),
    "The project is archived.",
  );
  return (
    <section className="card stack" aria-labelledby="archive">
      <h2 id="archive">Archive</h2>
      <p>
        An archived project can be read and exported, and nothing in it can be changed. It leaves the main
        part of everybody's list, and can be restored at any time.
      </p>
      <div className="row">
        <ConfirmButton
          button="Archive the project"
          title={`Archive ${project.name}?`}
          act="Archive the project"
          onConfirm={() => archive.mutateAsync(undefined)}
        >
          <p>
            Annotators get no more of its items, and are told why. An answer on its way is refused, and stays
            in its browser. Invitation links do not work while it is archived.
          </p>
          <p>Restoring it brings all of this back as it was.</p>
        </ConfirmButton>
      </div>
    </section>
  );
}

function Restore({ project }: { project: Project }) {
  const zone = useZone();
  const restore = useProjectAct(
    () => post("/api/projects/{project_id}/restore/", at(project)),
    "The project is restored.",
  );
  return (
    <section className="card now stack" aria-labelledby="restore">
      <h2 id="restore">{project.deletes_at ? "It will be deleted" : "It is archived"}</h2>
      <p>
        {project.deletes_at
          ? `On ${moment(project.deletes_at, zone)} it is deleted with its texts, answers and files. Until then it can be restored.`
          : "Nothing in it can be changed until it is restored."}
      </p>
      <Refusal error={restore.error} />
      <div className="row">
        <button
          type="button"
          className="button primary"
          disabled={restore.isPending}
          onClick={() => restore.mutate(undefined)}
        >
          Restore the project
        </button>
      </div>
    </section>
  );
}

function Delete({ project }: { project: Project }) {
  const [name, setName] = useState("");
  const remove = useProjectAct(
    (typed: string) => post("/api/projects/{project_id}/delete/", { ...at(project), body: { name: typed } }),
    "It will be deleted.",
  );
  return (
    <section className="card stack" aria-labelledby="delete">
      <h2 id="delete">Delete</h2>
      <p>
        The project is archived at once, and deleted for good some days later with its texts, answers, rounds,
        releases and files. Until then any of its admins can restore it. Export or release what you want to
        keep.
      </p>
      <div className="row">
        <ConfirmButton
          button="Delete the project"
          className="button danger"
          title={`Delete ${project.name}?`}
          act="Delete the project"
          danger
          blocked={name.trim() !== project.name.trim()}
          onConfirm={() => remove.mutateAsync(name)}
        >
          {(errors) => (
            <>
              <p>
                Everybody's answers are deleted too. The day is shown here after you confirm. After that day
                nothing can be restored.
              </p>
              <Field
                label={`Type ${project.name} to confirm`}
                value={name}
                maxLength={200}
                autoComplete="off"
                data-first-focus
                errors={errors.name}
                onValue={setName}
              />
            </>
          )}
        </ConfirmButton>
      </div>
    </section>
  );
}
