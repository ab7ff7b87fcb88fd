import { useQuery } from "@tanstack/react-query";
import { useState } from "react";
import { ofProject, post } from "../../api/client";
import { membersQuery } from "../../api/members";
import type { Project } from "../../api/types";
import { ConfirmButton } from "../../components/ConfirmButton";
import { Select } from "../../components/Select";
import { NotLoaded } from "../../components/states";
import { useProjectAct } from "./useProjectAct";

/** Who answers for the project, and the other admins to whom it may be given. */
export function Transfer({ project }: { project: Project }) {
  const { data, error, refetch } = useQuery({ ...membersQuery(project.id), refetchInterval: false });
  const [chosen, setChosen] = useState("");
  const transfer = useProjectAct(
    (member: string) =>
      post("/api/projects/{project_id}/transfer/", { ...ofProject(project.id), body: { member } }),
    "The project is transferred.",
    () => setChosen(""),
  );
  const admins = (data ?? []).filter(
    ({ may, is_active, is_owner }) => is_active && may.includes("manage") && !is_owner,
  );
  const name = admins.find(({ id }) => id === chosen)?.display_name;
  return (
    <section className="card stack" aria-labelledby="transfer">
      <h2 id="transfer">Transfer</h2>
      <p>
        <b>{project.owner}</b> answers for this project. Members see this name in their list of projects, and
        know whom to ask. All admins may do the same.
      </p>
      {error && <NotLoaded what="The list of members" error={error} retry={refetch} />}
      {data && admins.length === 0 && (
        <p className="mute">
          Make somebody else an admin on the page Members, to transfer the project to them.
        </p>
      )}
      {admins.length > 0 && (
        <>
          <Select
            label="Transfer it to"
            value={chosen}
            options={[
              { value: "", text: "Choose an admin" },
              ...admins.map(({ id, display_name, username }) => ({
                value: id,
                text: `${display_name} (${username})`,
              })),
            ]}
            onValue={setChosen}
          />
          <div className="row">
            {name && (
              <ConfirmButton
                button="Transfer the project"
                title={`Transfer ${project.name}?`}
                act="Transfer the project"
                onConfirm={() => transfer.mutateAsync(chosen)}
              >
                <p>
                  {name} answers for it from then on. Nobody's role changes: {project.owner} stays what they
                  are until an admin changes it.
                </p>
              </ConfirmButton>
            )}
          </div>
        </>
      )}
    </section>
  );
}
