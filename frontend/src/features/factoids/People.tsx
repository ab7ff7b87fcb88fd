import { useQuery } from "@tanstack/react-query";
import { membersQuery } from "../../api/members";
import { CheckChoices } from "../../components/Choices";
import { NotLoaded, Status } from "../../components/states";
import { useProject } from "../../session/project";

interface PeopleProps {
  legend: string;
  /** Those who are in it already. */
  without?: readonly string[];
  values: readonly string[];
  errors?: string[];
  onValues: (values: string[]) => void;
}

/** Chooses among the active members who may annotate. */
export function PeopleField({ legend, without = [], values, errors, onValues }: PeopleProps) {
  const { id } = useProject();
  const { data, error, refetch } = useQuery({ ...membersQuery(id), refetchInterval: false });
  if (!data)
    return error ? (
      <NotLoaded what="The members" error={error} retry={refetch} />
    ) : (
      <Status>Loading the members</Status>
    );
  const able = data.filter(
    (member) => member.is_active && member.may.includes("rate") && !without.includes(member.id),
  );
  if (able.length === 0)
    return <p className="notice">Nobody else can annotate here. Invite people under Members.</p>;
  return (
    <CheckChoices
      legend={legend}
      inColumns
      choices={able.map(({ id: value, display_name, role }) => ({ value, text: display_name, help: role }))}
      values={values}
      errors={errors}
      onValues={onValues}
    />
  );
}
