import { useMutation, useQuery, useQueryClient } from "@tanstack/react-query";
import type { SubmitEvent } from "react";
import { useNavigate } from "react-router";
import { templatesQuery } from "../../api/codebooks";
import { api, type ProjectBody } from "../../api/endpoints";
import { isApiError } from "../../api/errors";
import { projectsQuery } from "../../api/queries";
import { bindFields } from "../../components/bindFields";
import { RadioChoices } from "../../components/Choices";
import { Field } from "../../components/Field";
import { Refusal } from "../../components/Refusal";
import { Loading, NotLoaded } from "../../components/states";
import { KeptNotice } from "../../kept/KeptNotice";
import { useKept } from "../../kept/useKept";
import { useClientId } from "../../outbox/useClientId";
import { HERE } from "../../text/format";
import { typedNumber } from "../../text/typedNumber";
import "../../components/admin.css";

const FOLDED = ["description", "annotation_budget", "time_zone"];
const FIELDS = ["name", "codebook", ...FOLDED];

/** The key of a template; `factoids` needs none. */
type Beginning = Exclude<ProjectBody["codebook"], "none" | undefined> | "factoids";

interface Draft {
  name: string;
  description: string;
  budget: string;
  timeZone: string;
  codebook: Beginning;
}

/** For people who may create projects. Only the name must be given. */
export function NewProject() {
  const form = useKept<Draft>("new-project", {
    name: "",
    description: "",
    budget: "",
    timeZone: HERE,
    codebook: "blank",
  });
  const draft = form.value;
  const create = useCreate(form.saved);
  const errors = isApiError(create.error) ? create.error.fields : {};
  const submit = (event: SubmitEvent) => {
    event.preventDefault();
    create.mutate(draft);
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
  const idOf = useClientId();
  return useMutation({
    mutationFn: (draft: Draft) => {
      const body = projectBody(draft);
      return api.createProject({ ...body, client_id: idOf(body) });
    },
    onSuccess: async (project, { codebook }) => {
      onStored();
      await client.invalidateQueries({ queryKey: projectsQuery.queryKey });
      await navigate(`/projects/${project.id}${codebook === "factoids" ? "/factoids" : ""}`);
    },
  });
}

function projectBody({ name, description, budget, timeZone, codebook }: Draft): ProjectBody {
  return {
    name: name.trim(),
    codebook: codebook === "factoids" ? "none" : codebook,
    ...(description.trim() && { description: description.trim() }),
    ...(budget.trim() && { annotation_budget: typedNumber(budget) }),
    ...(timeZone.trim() && { time_zone: timeZone.trim() }),
  };
}

interface MoreFieldsProps {
  draft: Draft;
  errors: Record<string, string[]>;
  change: (part: Partial<Draft>) => void;
}

/** What the project asks people. Whatever is chosen stands on its pages at once. */
function CodebookField({ draft, errors, change }: MoreFieldsProps) {
  const { data: templates, error, refetch } = useQuery(templatesQuery);
  if (error) return <NotLoaded what="The list of templates" error={error} retry={refetch} />;
  if (!templates) return <Loading what="the templates" />;
  return (
    <RadioChoices<Beginning>
      legend="Begin with"
      hint="A template is a codebook that people can label by at once. You can change it whenever you like; Blank stays a draft until you publish it."
      inColumns
      value={draft.codebook}
      choices={[
        ...templates.map(({ key, title, help }) => ({ value: key, text: title, help })),
        {
          value: "factoids",
          text: "Factoids",
          help: "People break texts into the facts that they hold. It needs no codebook.",
        },
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
