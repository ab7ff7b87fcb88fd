import type { SubmitEvent } from "react";
import { ofProject, patch } from "../../api/client";
import { isApiError } from "../../api/errors";
import type { Project } from "../../api/types";
import { bindFields } from "../../components/bindFields";
import { Field } from "../../components/Field";
import { Labelled } from "../../components/Labelled";
import { Refusal } from "../../components/Refusal";
import { KeptNotice } from "../../kept/KeptNotice";
import { useKept } from "../../kept/useKept";
import { count } from "../../text/format";
import { useProjectAct } from "./useProjectAct";

const FIELDS = ["name", "description", "time_zone", "annotation_budget"];

const storedOf = ({ name, description, time_zone, annotation_budget }: Project) => ({
  name,
  description,
  time_zone,
  budget: annotation_budget === null ? "" : String(annotation_budget),
});

/** The form is made anew where one of these is stored, here or elsewhere. */
export const namingKey = (project: Project) => JSON.stringify(storedOf(project));

/** What the project is called, where its times are of, and how much it may give out. */
export function Naming({ project }: { project: Project }) {
  const form = useKept(`naming.${project.id}`, storedOf(project));
  const { budget, ...named } = form.value;
  const save = useProjectAct(
    () =>
      patch("/api/projects/{project_id}/", {
        ...ofProject(project.id),
        body: { ...named, annotation_budget: budget.trim() === "" ? null : Number(budget) },
      }),
    "The project is saved.",
    form.saved,
  );
  const errors = isApiError(save.error) ? save.error.fields : {};
  const change = (part: Partial<typeof form.value>) => form.set((before) => ({ ...before, ...part }));
  const field = bindFields(form.value, errors, change);
  const submit = (event: SubmitEvent) => {
    event.preventDefault();
    save.mutate(undefined);
  };
  return (
    <form className="card stack" onSubmit={submit} aria-label="The project" noValidate>
      <h2>The project</h2>
      <KeptNotice form={form} what="the settings" />
      <Field label="Name" maxLength={200} {...field("name")} />
      <Labelled
        label="Description"
        hint="Members see it in their list of projects."
        errors={errors.description}
      >
        {(control) => (
          <textarea
            {...control}
            value={form.value.description}
            maxLength={10_000}
            onChange={(event) => change({ description: event.currentTarget.value })}
          />
        )}
      </Labelled>
      <div className="form-grid">
        <Field
          label="Time zone"
          hint="For the times on pages and in reports, such as Europe/Oslo."
          {...field("time_zone")}
        />
        <Field
          label="Budget"
          inputMode="numeric"
          hint={`Items that rounds may give out in all; ${count(project.budget_spent)} are spent. Empty: no limit.`}
          {...field("budget", "annotation_budget")}
        />
      </div>
      <Refusal error={save.error} placed={(name) => FIELDS.includes(name)} />
      <div className="row">
        <button type="submit" className="button primary" disabled={save.isPending}>
          Save the settings
        </button>
      </div>
    </form>
  );
}
