import { useQuery } from "@tanstack/react-query";
import { useState } from "react";
import { batchesApi, type LeftToDo, type Rest, restQuery } from "../api/batches";
import { Confirm } from "../components/Confirm";
import { CancelButton, Dialog } from "../components/Dialog";
import { Refusal } from "../components/Refusal";
import { Select } from "../components/Select";
import { count, counted } from "../text/format";
import { BatchPeople } from "./BatchPeople";
import { useBatchAct, Waiting } from "./batchActs";

interface BatchRestProps {
  batch: { id: string; done: number; complete: boolean };
  /** "round 3" or "prototype 1". */
  name: string;
  projectId: string;
  /** A batch that can be cancelled ends that way while nobody has answered. */
  canBeCancelled?: boolean;
}

/** An open batch need not wait for everyone: its open items go to somebody else, or it ends with what is there. */
export function BatchRest({ batch, projectId, name, canBeCancelled = false }: BatchRestProps) {
  const [asked, setAsked] = useState<"close" | "hand-over" | "people" | null>(null);
  const shared = { batch, projectId, name, onClose: () => setAsked(null) };
  if (batch.complete || (canBeCancelled && batch.done === 0)) return null;
  return (
    <div className="row">
      <button type="button" className="button" onClick={() => setAsked("hand-over")}>
        Hand open items over
      </button>
      <button type="button" className="button" onClick={() => setAsked("people")}>
        Who works on it
      </button>
      <button type="button" className="button" onClick={() => setAsked("close")}>
        Close the batch with what is there
      </button>
      {asked === "close" && <CloseBatch {...shared} />}
      {asked === "hand-over" && <HandOver {...shared} />}
      {asked === "people" && <BatchPeople {...shared} />}
    </div>
  );
}

type DialogProps = BatchRestProps & { onClose: () => void };

function CloseBatch({ batch, projectId, name, onClose }: DialogProps) {
  const { data: rest, error, refetch } = useQuery(restQuery(batch.id));
  const close = useBatchAct(batch.id, projectId, () => batchesApi.close(batch.id));
  const title = `Close the batch of ${name}?`;
  if (!rest) return <Waiting title={title} error={error} retry={refetch} onClose={onClose} />;
  return (
    <Confirm
      title={title}
      act="Close the batch"
      danger
      busy={close.isPending}
      error={close.error}
      onConfirm={() => close.mutate(undefined, { onSuccess: onClose })}
      onClose={onClose}
    >
      <p>
        <b>
          {counted(rest.open, "open assignment is", "open assignments are")} withdrawn
          {openWords(rest)}.
        </b>{" "}
        Nobody is given them any more, and the next round can start.
      </p>
      <p>{shortWords(rest)}</p>
      <p>
        Answers that were given stay, and can be changed until the next round begins. Until then the batch can
        be opened again.
      </p>
    </Confirm>
  );
}

/** ", of Anna 40, of Ben 3". */
function openWords({ people }: Rest): string {
  const open = people.filter((person) => person.open > 0);
  return open.length > 0
    ? ` (${open.map((each) => `${each.display_name} ${count(each.open)}`).join(", ")})`
    : "";
}

function shortWords({ short, unanswered, annotators_per_item: slots }: Rest): string {
  if (short === 0) return "Every item has all its answers.";
  const none = unanswered > 0 ? ` ${counted(unanswered, "item has", "items have")} no answer at all.` : "";
  return `${counted(short, "item has", "items have")} fewer than ${counted(slots, "answer")}.${none} A majority is more than half of the ${count(slots)}: an item that does not reach it has none.`;
}

function HandOver({ batch, projectId, name, onClose }: DialogProps) {
  const { data: rest, error, refetch } = useQuery(restQuery(batch.id));
  const hand = useBatchAct(batch.id, projectId, ({ giver, taker }: Hands) =>
    batchesApi.handOver(batch.id, giver, taker),
  );
  const title = `Hand over open items of ${name}`;
  if (!rest) return <Waiting title={title} error={error} retry={refetch} onClose={onClose} />;
  const givers = rest.people.filter((person) => person.takers.length > 0);
  return (
    <Dialog title={title} onClose={onClose}>
      {givers.length === 0 ? (
        <>
          <p>
            Nobody could take anything over: everyone has these items already. Invite somebody, or close the
            batch with what is there.
          </p>
          <div className="row">
            <CancelButton onClose={onClose} />
          </div>
        </>
      ) : (
        <HandForm
          givers={givers}
          isBusy={hand.isPending}
          error={hand.error}
          onHand={(hands) => hand.mutate(hands, { onSuccess: onClose })}
          onClose={onClose}
        />
      )}
    </Dialog>
  );
}

interface Hands {
  giver: string;
  taker: string;
}

interface HandFormProps {
  givers: LeftToDo[];
  isBusy: boolean;
  error: unknown;
  onHand: (hands: Hands) => void;
  onClose: () => void;
}

function HandForm({ givers, isBusy, error, onHand, onClose }: HandFormProps) {
  const [chosen, setChosen] = useState<Partial<Hands>>({});
  const giver = givers.find(({ id }) => id === chosen.giver) ?? givers[0];
  // An admin may have seen the answers: somebody else is proposed where there is one.
  const takers = giver?.takers.toSorted((a, b) => Number(a.is_admin) - Number(b.is_admin)) ?? [];
  const taker = takers.find(({ id }) => id === chosen.taker) ?? takers[0];
  if (!giver || !taker) return null;
  return (
    <>
      <Select
        label="From"
        value={giver.id}
        options={givers.map((each) => ({
          value: each.id,
          text: `${each.display_name}: ${counted(each.open, "open item")}${each.is_active ? "" : ", deactivated"}`,
        }))}
        onValue={(id) => setChosen({ giver: id })}
      />
      <Select
        label="To"
        value={taker.id}
        options={takers.map((each) => ({
          value: each.id,
          text: `${each.display_name}: can take ${count(each.items)}`,
        }))}
        hint="Active members who have not had the items."
        onValue={(id) => setChosen({ giver: giver.id, taker: id })}
      />
      <p>
        {counted(taker.items, "item")} {taker.items === 1 ? "goes" : "go"} from {giver.display_name} to{" "}
        {taker.display_name}. What {giver.display_name} has answered stays; what they send later of these
        items is not taken.
      </p>
      {taker.is_admin && (
        <p className="notice">
          {taker.display_name} is an admin, and can have looked at what others answered. Their answers are
          independent only if they have not.
        </p>
      )}
      <Refusal error={error} />
      <div className="row">
        <button
          type="button"
          className="button primary"
          disabled={isBusy}
          onClick={() => onHand({ giver: giver.id, taker: taker.id })}
        >
          Hand over {counted(taker.items, "item")}
        </button>
        <CancelButton onClose={onClose} />
      </div>
    </>
  );
}

/** A batch that was closed by an admin can be opened again while no other round has begun. */
export function ClosedBatch({ batch, projectId, name }: BatchRestProps) {
  const reopen = useBatchAct(batch.id, projectId, () => batchesApi.reopen(batch.id));
  return (
    <div className="notice stack">
      <div className="row">
        <span>The batch of {name} was closed with what was there.</span>
        <button type="button" className="button" disabled={reopen.isPending} onClick={() => reopen.mutate()}>
          Open it again
        </button>
      </div>
      <Refusal error={reopen.error} />
    </div>
  );
}
