import { useQuery } from "@tanstack/react-query";
import { batchesApi, type LeftToDo, restQuery } from "../api/batches";
import { DataTable } from "../components/DataTable";
import { CancelButton, Dialog } from "../components/Dialog";
import { Refusal } from "../components/Refusal";
import { count } from "../text/format";
import { useBatchAct, Waiting } from "./batchActs";

interface BatchPeopleProps {
  batch: { id: string };
  name: string;
  projectId: string;
  onClose: () => void;
}

/** Who is on an open batch: each can be taken off it, and put back on it. */
export function BatchPeople({ batch, name, projectId, onClose }: BatchPeopleProps) {
  const { data: rest, error, refetch } = useQuery(restQuery(batch.id));
  const off = useBatchAct(batch.id, projectId, (person: string) => batchesApi.takeOff(batch.id, person));
  const back = useBatchAct(batch.id, projectId, (person: string) => batchesApi.putBack(batch.id, person));
  const title = `Who works on ${name}`;
  if (!rest) return <Waiting title={title} error={error} retry={refetch} onClose={onClose} />;
  const change = ({ id, display_name, is_active, open, withdrawn }: LeftToDo) => {
    const isOn = open > 0;
    if (!isOn && !(is_active && withdrawn > 0)) return null;
    const [doing, other, words] = isOn ? [off, back, "Take off"] : [back, off, "Put back"];
    return (
      <button
        type="button"
        className="button"
        aria-label={`${words}: ${display_name}`}
        disabled={off.isPending || back.isPending}
        onClick={() => {
          other.reset();
          doing.mutate(id);
        }}
      >
        {words}
      </button>
    );
  };
  return (
    <Dialog title={title} onClose={onClose}>
      <p>
        Whoever is taken off is given no more items of this batch. What they answered stays; what they send
        later of other items is not taken.
      </p>
      <DataTable
        title="People"
        rows={rest.people}
        keyOf={({ id }) => id}
        columns={[
          ["Name", ({ display_name, is_active }) => `${display_name}${is_active ? "" : ", deactivated"}`],
          ["Done", ({ done }) => count(done), "number"],
          ["Open", ({ open }) => count(open), "number"],
          ["Withdrawn", ({ withdrawn }) => count(withdrawn), "number"],
          ["Change", change],
        ]}
      />
      <Refusal error={off.error ?? back.error} />
      <div className="row">
        <CancelButton onClose={onClose}>Close</CancelButton>
      </div>
    </Dialog>
  );
}
