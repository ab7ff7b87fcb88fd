import { useState } from "react";
import { useRefresh } from "../../api/useRefresh";
import { ConfirmButton } from "../../components/ConfirmButton";
import { useProject } from "../../session/project";
import { factoidsApi, setsQuery } from "./api";
import { PeopleField } from "./People";
import type { Phase } from "./types";

export function AddPeople({ phase }: { phase: Phase }) {
  const { id: projectId } = useProject();
  const [members, setMembers] = useState<string[]>([]);
  const refresh = useRefresh();
  const add = async () => {
    await factoidsApi.addPeople(phase.id, members);
    setMembers([]);
    await refresh(setsQuery(projectId).queryKey);
  };
  return (
    <ConfirmButton
      button="Add people"
      label={`Add people to phase ${phase.number}`}
      title={`Add people to phase ${phase.number}`}
      act="Add them"
      blocked={members.length === 0}
      onConfirm={add}
    >
      {(errors) => (
        <PeopleField
          legend="Who else takes part?"
          without={phase.people.flatMap(({ member }) => member ?? [])}
          values={members}
          errors={errors.members}
          onValues={setMembers}
        />
      )}
    </ConfirmButton>
  );
}
