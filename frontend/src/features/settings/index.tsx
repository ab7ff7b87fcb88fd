import { useMutation, useQueryClient } from "@tanstack/react-query";
import { type SubmitEvent, useState } from "react";
import { ofProject, patch, post } from "../../api/client";
import { isApiError } from "../../api/errors";
import { projectQuery, projectsQuery } from "../../api/queries";
import type { Project } from "../../api/types";
import { useAnnounce } from "../../components/Announcer";
import { ConfirmButton } from "../../components/ConfirmButton";
import { Field } from "../../components/Field";
import { Labelled } from "../../components/Labelled";
import { Refusal } from "../../components/Refusal";
import { KeptNotice } from "../../kept/KeptNotice";
import { useKept } from "../../kept/useKept";
import { useProject } from "../../session/project";
import { moment } from "../../text/format";
import { ColumnsBeside } from "./ColumnsBeside";
import "../../components/admin.css";

/** What a project is called, what people see beside its texts, and its end. */
export function Component() {
  const project = useProject();
  return (
    <main className="page narrow" id="main">
      <div className="page-head">
        <h1>Settings</h1>
      </div>
      {project.archived_at === null && (
        <Naming key={`${project.name} ${project.description}`} project={project} />
      )}
      {project.archived_at === null && <ColumnsBeside projectId={project.id} />}
      {project.archived_at === null ? <Archive project={project} /> : <Restore project={project} />}
      {project.deletes_at === null && <Delete project={project} />}
    </main>
  );
}

/** `stored` is called before the page shows what was stored: the form may then be another one. */
function useProjectAct<T>(act: (argument: T) => Promise<Project>, said: string, stored?: () => void) {
  const client = useQueryClient();
  const announce = useAnnounce();
  return useMutation({
    mutationFn: act,
    onSuccess: async (project) => {
      stored?.();
      client.setQueryData(projectQuery(project.id).queryKey, project);
      announce(said);
      await client.invalidateQueries({ queryKey: projectsQuery.queryKey });
    },
  });
}

const at = (project: Project) => ({ params: { path: { project_id: project.id } } });

function Naming({ project }: { project: Project }) {
  const { name: storedName, description: storedDescription } = project;
  const form = useKept(`naming.${project.id}`, { name: storedName, description: storedDescription });
  const { name, description } = form.value;
  const save = useProjectAct(
    () => patch("/api/projects/{project_id}/", { ...ofProject(project.id), body: { name, description } }),
    "The project is saved.",
    form.saved,
  );
  const errors = isApiError(save.error) ? save.error.fields : {};
  const submit = (event: SubmitEvent) => {
    event.preventDefault();
    save.mutate(undefined);
  };
  return (
    <form className="card stack" onSubmit={submit} aria-label="Name and description" noValidate>
      <h2>Name and description</h2>
      <KeptNotice form={form} what="the name and description" />
      <Field
        label="Name"
        value={name}
        maxLength={200}
        errors={errors.name}
        onValue={(typed) => form.set((before) => ({ ...before, name: typed }))}
      />
      <Labelled
        label="Description"
        hint="Members see it in their list of projects."
        errors={errors.description}
      >
        {(control) => (
          <textarea
            {...control}
            value={description}
            maxLength={10_000}
            onChange={(event) => {
              const typed = event.currentTarget.value;
              form.set((before) => ({ ...before, description: typed }));
            }}
          />
        )}
      </Labelled>
      <Refusal error={save.error} placed={(field) => field === "name" || field === "description"} />
      <div className="row">
        <button type="submit" className="button primary" disabled={save.isPending}>
          Save the name and description
        </button>
      </div>
    </form>
  );
}

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
  const restore = useProjectAct(
    () => post("/api/projects/{project_id}/restore/", at(project)),
    "The project is restored.",
  );
  return (
    <section className="card now stack" aria-labelledby="restore">
      <h2 id="restore">{project.deletes_at ? "It will be deleted" : "It is archived"}</h2>
      <p>
        {project.deletes_at
          ? `On ${moment(project.deletes_at, project.time_zone)} it is deleted with its texts, answers and files. Until then it can be restored.`
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
