import { useMutation, useQueryClient } from "@tanstack/react-query";
import { type SubmitEvent, useState } from "react";
import { useNavigate } from "react-router";
import { ofProject, post } from "../../api/client";
import { isApiError } from "../../api/errors";
import { projectsQuery } from "../../api/queries";
import type { Project } from "../../api/types";
import { CheckChoices } from "../../components/Choices";
import { Field } from "../../components/Field";
import { Refusal } from "../../components/Refusal";
import { useClientId } from "../../outbox/useClientId";
import { useMe } from "../../session/session";
import { counted } from "../../text/format";

type Part = "members" | "texts";

/** A project from this one: for the next study, or to try something without touching this one. */
export function CopyProject({ project }: { project: Project }) {
  const me = useMe();
  const [name, setName] = useState(`${project.name} (copy)`);
  const [parts, setParts] = useState<Part[]>([]);
  const copy = useCopy(project.id);
  const errors = isApiError(copy.error) ? copy.error.fields : {};
  if (!me.can_create_projects) return null;
  const submit = (event: SubmitEvent) => {
    event.preventDefault();
    copy.mutate({ name: name.trim(), members: parts.includes("members"), texts: parts.includes("texts") });
  };
  return (
    <form className="card stack" onSubmit={submit} aria-label="Copy" noValidate>
      <h2>Copy</h2>
      <p>
        A copy has the settings, the codebook and the prompts of this project. It has none of its answers,
        batches and results: these belong to the people who gave them here.
      </p>
      <Field label="Name of the copy" value={name} maxLength={200} errors={errors.name} onValue={setName} />
      <CheckChoices<Part>
        legend="Copy as well"
        values={parts}
        choices={[
          {
            value: "texts",
            text: "the texts",
            help: `With their columns, and what was left out of the pool: ${counted(project.pool_size, "item")} to label.`,
          },
          {
            value: "members",
            text: "the members",
            help: "Everyone who is active, with their role and a new number.",
          },
        ]}
        onValues={setParts}
      />
      <Refusal error={copy.error} placed={(field) => field === "name"} />
      <div className="row">
        <button type="submit" className="button" disabled={copy.isPending}>
          {copy.isPending ? "Copying" : "Copy the project"}
        </button>
        {copy.isPending && project.pool_size > MANY && (
          <span className="mute" role="status">
            So many texts take a minute or more.
          </span>
        )}
      </div>
    </form>
  );
}

const MANY = 50_000;

function useCopy(projectId: string) {
  const client = useQueryClient();
  const navigate = useNavigate();
  const idOf = useClientId();
  return useMutation({
    mutationFn: (body: { name: string; members: boolean; texts: boolean }) =>
      post("/api/projects/{project_id}/copy/", {
        ...ofProject(projectId),
        body: { ...body, client_id: idOf(body) },
      }),
    onSuccess: async (copy) => {
      await client.invalidateQueries({ queryKey: projectsQuery.queryKey });
      await navigate(`/projects/${copy.id}`);
    },
  });
}
