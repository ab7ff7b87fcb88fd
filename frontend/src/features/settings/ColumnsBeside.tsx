import { useMutation, useQuery, useQueryClient } from "@tanstack/react-query";
import { type SubmitEvent, useState } from "react";
import { ofProject, put } from "../../api/client";
import { columnsQuery } from "../../api/columns";
import { isApiError } from "../../api/errors";
import type { components } from "../../api/schema";
import { useAnnounce } from "../../components/Announcer";
import { CheckChoices } from "../../components/Choices";
import { Refusal } from "../../components/Refusal";
import { NotLoaded } from "../../components/states";

type Columns = components["schemas"]["ColumnsOut"];

/** Which of the imported columns people see beside a text while they label it. */
export function ColumnsBeside({ projectId }: { projectId: string }) {
  const { data, error, refetch } = useQuery(columnsQuery(projectId));
  return (
    <section className="card stack" aria-labelledby="columns">
      <h2 id="columns">Columns beside the text</h2>
      <p>
        What came with the texts, such as a party or a date, can stand beside a text while people label,
        validate and decide. Nothing does unless it is ticked here; exports hold all of it either way.
      </p>
      {error && <NotLoaded what="The list of columns" error={error} retry={refetch} />}
      {data?.columns.length === 0 && (
        <p className="mute">No imported text of this project has columns beside its text.</p>
      )}
      {data && data.columns.length > 0 && (
        <Choose
          key={JSON.stringify(data.columns.map(({ path }) => path))}
          projectId={projectId}
          columns={data.columns}
        />
      )}
    </section>
  );
}

function Choose({ projectId, columns }: { projectId: string; columns: Columns["columns"] }) {
  const client = useQueryClient();
  const announce = useAnnounce();
  const [ticked, setTicked] = useState(
    columns.filter(({ shown }) => shown).map(({ path }) => JSON.stringify(path)),
  );
  const save = useMutation({
    mutationFn: () =>
      put("/api/projects/{project_id}/columns/", {
        ...ofProject(projectId),
        body: {
          shown: columns.map(({ path }) => path).filter((path) => ticked.includes(JSON.stringify(path))),
        },
      }),
    onSuccess: (saved) => {
      client.setQueryData(columnsQuery(projectId).queryKey, saved);
      announce("The columns are saved.");
    },
  });
  const submit = (event: SubmitEvent) => {
    event.preventDefault();
    save.mutate();
  };
  return (
    <form className="stack" onSubmit={submit} aria-label="Columns beside the text" noValidate>
      <CheckChoices
        legend="People see"
        inColumns
        values={ticked}
        choices={columns.map(({ path, name, example }) => ({
          value: JSON.stringify(path),
          text: name,
          help: example && `such as ${example}`,
        }))}
        hint="A column that tells what somebody else answered, or what a model guessed, influences people's own judgement. Leave it out."
        errors={isApiError(save.error) ? save.error.fields.shown : undefined}
        onValues={setTicked}
      />
      <Refusal error={save.error} placed={(field) => field === "shown"} />
      <div className="row">
        <button type="submit" className="button primary" disabled={save.isPending}>
          Save the columns
        </button>
        {save.isSuccess && (
          <span className="small mute">
            Saved. Items that people have open show it once they are loaded again.
          </span>
        )}
      </div>
    </form>
  );
}
