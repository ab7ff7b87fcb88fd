import { useMutation, useQueryClient } from "@tanstack/react-query";
import type { SubmitEvent } from "react";
import { useNavigate } from "react-router";
import { api, type ProjectBody } from "../../api/endpoints";
import { isApiError } from "../../api/errors";
import { projectsQuery } from "../../api/queries";
import { bindFields } from "../../components/bindFields";
import { RadioChoices } from "../../components/Choices";
import { Field } from "../../components/Field";
import { Refusal } from "../../components/Refusal";
import { KeptNotice } from "../../kept/KeptNotice";
import { useKept } from "../../kept/useKept";
import "../../components/admin.css";

const FOLDED = ["description", "annotation_budget", "time_zone"];
const FIELDS = ["name", "codebook", ...FOLDED];

type Codebook = NonNullable<ProjectBody["codebook"]>;

interface Draft {
  name: string;
  description: string;
  budget: string;
  timeZone: string;
  codebook: Codebook;
}

/** For people who may create projects. Only the name must be given. */
export function NewProject() {
  const form = useKept<Draft>("new-project", {
    name: "",
    description: "",
    budget: "",
    timeZone: Intl.DateTimeFormat().resolvedOptions().timeZone,
    codebook: "five-stage",
  });
  const draft = form.value;
  const create = useCreate(form.saved);
  const errors = isApiError(create.error) ? create.error.fields : {};
  const submit = (event: SubmitEvent) => {
    event.preventDefault();
    create.mutate(projectBody(draft));
  };
  const change = (part: Partial<Draft>) => form.set((before) => ({ ...before, ...part }));
  const field = bindFields(draft, errors, change);
  return (
    <form className="card stack" onSubmit={submit} aria-label="New project">
      <h2>New project</h2>
      <KeptNotice form={form} what="the new project" />
      <Field label="Name" required maxLength={200} {...field("name")} />
      <CodebookField draft={draft} errors={errors} change={change} />
      <MoreFields draft={draft} errors={errors} change={change} />
      <Refusal error={create.error} placed={(field) => FIELDS.includes(field)} />
      <button type="submit" className="button" disabled={create.isPending}>
        Create the project
      </button>
    </form>
  );
}

function useCreate(onStored: () => void) {
  const client = useQueryClient();
  const navigate = useNavigate();
  return useMutation({
    mutationFn: api.createProject,
    onSuccess: async (project) => {
      onStored();
      await client.invalidateQueries({ queryKey: projectsQuery.queryKey });
      await navigate(`/projects/${project.id}`);
    },
  });
}

function projectBody({ name, description, budget, timeZone, codebook }: Draft): ProjectBody {
  return {
    name: name.trim(),
    codebook,
    ...(description.trim() && { description: description.trim() }),
    ...(budget.trim() && { annotation_budget: Number(budget) }),
    ...(timeZone.trim() && { time_zone: timeZone.trim() }),
  };
}

interface MoreFieldsProps {
  draft: Draft;
  errors: Record<string, string[]>;
  change: (part: Partial<Draft>) => void;
}

function CodebookField({ draft, errors, change }: MoreFieldsProps) {
  return (
    <RadioChoices<Codebook>
      legend="Codebook to begin with"
      hint="A codebook chosen here is published at once. It can be changed before the first round."
      value={draft.codebook}
      choices={[
        {
          value: "five-stage",
          text: "Opinion and stance in five stages",
          help: "People answer questions about one sentence at a time, and a model picks the next ones.",
        },
        {
          value: "spans",
          text: "Spans with comments, in eight categories",
          help: "People mark words in a text and comment on them, beside the documents that it writes about.",
        },
        { value: "none", text: "None", help: "Write your own before the first round." },
      ]}
      errors={errors.codebook}
      onValue={(codebook) => change({ codebook })}
    />
  );
}

function MoreFields({ draft, errors, change }: MoreFieldsProps) {
  const refused = FOLDED.some((field) => errors[field]);
  const field = bindFields(draft, errors, change);
  return (
    <details className="more" open={refused || undefined}>
      <summary>More settings</summary>
      <div className="stack">
        <Field label="Description" {...field("description")} />
        <Field
          label="Budget"
          type="number"
          min={1}
          step={1}
          hint="How many items may be given out in all. Empty: no limit."
          {...field("budget", "annotation_budget")}
        />
        <Field
          label="Time zone"
          hint="For the times in reports, such as Europe/Oslo."
          {...field("timeZone", "time_zone")}
        />
      </div>
    </details>
  );
}
