import { useQuery } from "@tanstack/react-query";
import { useState } from "react";
import { batchesApi, type LeftToDo, restQuery, type Taker } from "../api/batches";
import { useAnnounce } from "../components/Announcer";
import { DataTable } from "../components/DataTable";
import { CancelButton, Dialog } from "../components/Dialog";
import { Refusal } from "../components/Refusal";
import { Select } from "../components/Select";
import { count, counted } from "../text/format";
import { useBatchAct, Waiting } from "./batchActs";

interface BatchPeopleProps {
  batch: { id: string };
  name: string;
  projectId: string;
  onClose: () => void;
}

/** Who is on an open batch: each can be taken off it and put back on it, and others are added. */
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
      <AddPerson batch={batch} projectId={projectId} joiners={rest.joiners} />
      <Priority batch={batch} projectId={projectId} value={rest.priority} />
      <div className="row">
        <CancelButton onClose={onClose}>Close</CancelButton>
      </div>
    </Dialog>
  );
}

interface AddPersonProps extends Pick<BatchPeopleProps, "batch" | "projectId"> {
  joiners: Taker[];
}

/** Lets one more person answer what still waits for an answer, after saying how much that is. */
function AddPerson({ batch, projectId, joiners }: AddPersonProps) {
  const [asked, setAsked] = useState("");
  const announce = useAnnounce();
  const add = useBatchAct(batch.id, projectId, (person: string) => batchesApi.addPerson(batch.id, person));
  const chosen = joiners.find(({ id }) => id === asked);
  if (joiners.length === 0)
    return <p className="small mute">Nobody could be added: everybody has had what waits for an answer.</p>;
  return (
    <>
      <Select
        label="Add a person"
        value={chosen?.id ?? ""}
        options={[
          { value: "", text: "Nobody" },
          ...joiners.map(({ id, display_name, items }) => ({
            value: id,
            text: `${display_name}: ${counted(items, "item")}`,
          })),
        ]}
        onValue={setAsked}
      />
      {chosen && (
        <p>
          {counted(chosen.items, "item")} {chosen.items === 1 ? "waits" : "wait"} for an answer that{" "}
          {chosen.display_name} can give. The batch asks for as many answers an item as before: from now on,
          whoever asks first gives them.
        </p>
      )}
      {chosen?.is_admin && (
        <p className="notice">
          {chosen.display_name} is an admin, and can have looked at what others answered. Their answers are
          independent only if they have not.
        </p>
      )}
      <Refusal error={add.error} />
      <div className="row">
        <button
          type="button"
          className="button"
          disabled={!chosen || add.isPending}
          onClick={() =>
            chosen &&
            add.mutate(chosen.id, {
              onSuccess: () => {
                announce(`${chosen.display_name} is on the batch.`);
                setAsked("");
              },
            })
          }
        >
          Add
        </button>
      </div>
    </>
  );
}

const PRIORITIES = [1, 2, 3, 4, 5, 6, 7, 8, 9];
const PRIORITY_WORDS: Record<number, string> = { 1: "1: first", 5: "5: as usual", 9: "9: last" };

interface PriorityProps extends Pick<BatchPeopleProps, "batch" | "projectId"> {
  value: number;
}

/** Of a person's open batches the one with the lowest number is handed out first. */
function Priority({ batch, projectId, value }: PriorityProps) {
  const set = useBatchAct(batch.id, projectId, (priority: number) =>
    batchesApi.setPriority(batch.id, priority),
  );
  return (
    <>
      <Select
        label="Priority"
        value={String(value)}
        disabled={set.isPending}
        options={PRIORITIES.map((each) => ({
          value: String(each),
          text: PRIORITY_WORDS[each] ?? String(each),
        }))}
        hint="Whoever is on several open batches is given the one with the lowest number first, and of equal ones the oldest."
        onValue={(priority) => set.mutate(Number(priority))}
      />
      <Refusal error={set.error} />
    </>
  );
}
