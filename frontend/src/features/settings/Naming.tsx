import type { SubmitEvent } from "react";
import { ofProject, patch } from "../../api/client";
import { isApiError } from "../../api/errors";
import type { Project } from "../../api/types";
import { bindFields } from "../../components/bindFields";
import { Field } from "../../components/Field";
import { Labelled } from "../../components/Labelled";
import { Refusal } from "../../components/Refusal";
import { Select } from "../../components/Select";
import { KeptNotice } from "../../kept/KeptNotice";
import { useKept } from "../../kept/useKept";
import { count, zonesWith } from "../../text/format";
import { typedNumber } from "../../text/typedNumber";
import { useProjectAct } from "./useProjectAct";

const FIELDS = ["name", "description", "time_zone", "annotation_budget"];

const storedOf = ({ name, description, time_zone, annotation_budget }: Project) => ({
  name,
  description,
  time_zone,
  budget: annotation_budget === null ? "" : String(annotation_budget),
});

type Stored = ReturnType<typeof storedOf>;

/** What stands otherwise in the form than when it was begun. */
function changes(begun: Stored, typed: Stored): Partial<Stored> {
  const parts = Object.entries(typed).filter(([name, value]) => value !== begun[name as keyof Stored]);
  return Object.fromEntries(parts);
}

/** The form is made anew where one of these is stored, here or elsewhere. */
export const namingKey = (project: Project) => JSON.stringify(storedOf(project));

/** What the project is called, where its times are of, and how much it may give out. */
export function Naming({ project }: { project: Project }) {
  const stored = storedOf(project);
  const form = useKept(`naming.${project.id}`, stored, JSON.stringify(stored));
  // Only what was changed here: meanwhile another admin may have changed the rest.
  const changed = changes(form.base ? JSON.parse(form.base) : stored, form.value);
  const shown = { ...stored, ...changed };
  const { budget, ...named } = changed;
  const save = useProjectAct(
    () =>
      patch("/api/projects/{project_id}/", {
        ...ofProject(project.id),
        body: { ...named, ...(budget !== undefined && { annotation_budget: typedNumber(budget) }) },
      }),
    "The project is saved.",
    form.saved,
  );
  const errors = isApiError(save.error) ? save.error.fields : {};
  const change = (part: Partial<typeof form.value>) => form.set((before) => ({ ...before, ...part }));
  const field = bindFields(shown, errors, change);
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
            value={shown.description}
            maxLength={10_000}
            onChange={(event) => change({ description: event.currentTarget.value })}
          />
        )}
      </Labelled>
      <div className="form-grid">
        <Select
          label="Time zone"
          hint="For the times on pages and in reports."
          value={shown.time_zone}
          options={zonesWith(shown.time_zone).map((zone) => ({ value: zone, text: zone }))}
          errors={errors.time_zone}
          onValue={(time_zone) => change({ time_zone })}
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
