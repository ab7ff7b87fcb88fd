import { useMutation, useQuery, useQueryClient } from "@tanstack/react-query";
import { type FactoidList, listApi, listQuery } from "../../../../api/factoids";
import { ConfirmButton } from "../../../../components/ConfirmButton";
import { Refusal } from "../../../../components/Refusal";
import { mayCorrect, refusalWords } from "../../../../outbox/copy";
import { useOutbox } from "../../../../outbox/OutboxProvider";
import type { StepEntry } from "../../../../outbox/types";
import { counted } from "../../../../text/format";
import { stepWords } from "../model/copy";
import { stepsOnTop } from "../model/onTop";

interface RefusedProps {
  list: FactoidList;
  waiting: readonly StepEntry[];
  /** The steps were given up or made anew: what came before cannot be undone any more. */
  onSettled: () => void;
}

/** Where the server did not take a step: what happened there, what waits here, and the person's choice. Nothing is lost. */
export function Refused({ list, waiting, onSettled }: RefusedProps) {
  const refused = waiting.find(({ refusal }) => refusal !== null);
  return refused ? <Choice list={list} waiting={waiting} refused={refused} onSettled={onSettled} /> : null;
}

function Choice({ list, waiting, refused, onSettled }: RefusedProps & { refused: StepEntry }) {
  const { id: listId } = list;
  const outbox = useOutbox();
  const client = useQueryClient();
  const isStale = refused.refusal?.code === "stale";
  const fresh = () => client.fetchQuery({ ...listQuery(listId), staleTime: 0 });
  const again = useMutation({
    mutationFn: async () => {
      if (!isStale) {
        const base = waiting[0]?.body.base_revision ?? 0;
        return outbox.sendStepsAgain(listId, base, (steps) => steps);
      }
      const newest = await fresh();
      await outbox.sendStepsAgain(listId, newest.revision, (steps) => stepsOnTop(newest, steps));
    },
    onSuccess: onSettled,
  });
  return (
    <section className="notice bad stack" role="alert" aria-label="Not sent">
      <p>
        <b>{counted(waiting.length, "step")} not sent.</b> {refusalWords(refused)} Nothing is lost: your steps
        stay in this browser until you decide.
      </p>
      <div className="both-sides">
        {isStale && <Elsewhere list={list} since={refused.body.base_revision} />}
        <div>
          <h3>Waiting here</h3>
          <Steps steps={waiting.map(({ body }) => ({ id: body.client_id, words: stepWords(body, list) }))} />
        </div>
      </div>
      <Refusal error={again.error} />
      <div className="row">
        {!mayCorrect(refused) && (
          <button
            type="button"
            className="button primary"
            disabled={again.isPending}
            onClick={() => again.mutate()}
          >
            {isStale ? "Put my steps on top" : "Send again"}
          </button>
        )}
        <ConfirmButton
          button={isStale ? "Take the server’s list" : "Give my steps up"}
          title="Give up your steps?"
          act="Give them up"
          danger
          onConfirm={async () => {
            await outbox.discard(listId);
            onSettled();
            await client.invalidateQueries({ queryKey: listQuery(listId).queryKey });
          }}
        >
          <p>
            {counted(waiting.length, "step")} that the server does not have will be deleted, and cannot be
            brought back. What the server has stays.
          </p>
        </ConfirmButton>
      </div>
    </section>
  );
}

/** What became of the list on the server meanwhile. */
function Elsewhere({ list, since }: { list: FactoidList; since: number }) {
  const { data, error } = useQuery({
    queryKey: ["factoid-list", list.id, "since", since],
    queryFn: ({ signal }) => listApi.revisions(list.id, signal),
  });
  const newer = data?.revisions.filter(({ revision }) => revision > since);
  return (
    <div>
      <h3>On the server since</h3>
      <Refusal error={error} />
      {newer && (
        <Steps steps={newer.map((each) => ({ id: String(each.revision), words: stepWords(each, list) }))} />
      )}
    </div>
  );
}

const SHOWN = 12;

function Steps({ steps }: { steps: { id: string; words: string }[] }) {
  return (
    <ul className="step-list small">
      {steps.slice(0, SHOWN).map(({ id, words }) => (
        <li key={id}>{words}</li>
      ))}
      {steps.length > SHOWN && <li>and {counted(steps.length - SHOWN, "more step")}</li>}
    </ul>
  );
}
