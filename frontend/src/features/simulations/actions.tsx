import { useMutation, useQueryClient } from "@tanstack/react-query";
import { useState } from "react";
import { Confirm } from "../../components/Confirm";
import { Refusal } from "../../components/Refusal";
import { type Simulation, simulationQuery, simulationsApi, simulationsQuery } from "./api";

interface ActProps {
  simulation: Simulation;
  projectId: string;
}

function useAct<T>(id: string, projectId: string, act: (argument: T) => Promise<Simulation>) {
  const client = useQueryClient();
  return useMutation({
    mutationFn: act,
    onSettled: () =>
      Promise.all([
        client.invalidateQueries({ queryKey: simulationQuery(id).queryKey }),
        client.invalidateQueries({ queryKey: simulationsQuery(projectId).queryKey }),
      ]),
  });
}

export function CancelSimulation({ simulation, projectId }: ActProps) {
  const [asking, setAsking] = useState(false);
  const cancel = useAct(simulation.id, projectId, () => simulationsApi.cancel(simulation.id));
  return (
    <>
      <button type="button" className="button" onClick={() => setAsking(true)}>
        Cancel the simulation
      </button>
      {asking && (
        <Confirm
          title="Cancel the simulation?"
          act="Cancel it"
          danger
          busy={cancel.isPending}
          error={cancel.error}
          onConfirm={() => cancel.mutate(undefined, { onSuccess: () => setAsking(false) })}
          onClose={() => setAsking(false)}
        >
          <p>It stops within seconds. What was done is kept: it can go on from there later.</p>
        </Confirm>
      )}
    </>
  );
}

export function RestartSimulation({ simulation, projectId }: ActProps) {
  const [asking, setAsking] = useState(false);
  const restart = useAct(simulation.id, projectId, (anew: boolean) =>
    simulationsApi.restart(simulation.id, anew),
  );
  return (
    <>
      <button
        type="button"
        className="button primary"
        disabled={restart.isPending}
        onClick={() => restart.mutate(false)}
      >
        Go on from where it stopped
      </button>
      <button type="button" className="button" disabled={restart.isPending} onClick={() => setAsking(true)}>
        Begin anew
      </button>
      {!asking && <Refusal error={restart.error} />}
      {asking && (
        <Confirm
          title="Begin the simulation anew?"
          act="Begin anew"
          danger
          busy={restart.isPending}
          error={restart.error}
          onConfirm={() => restart.mutate(true, { onSuccess: () => setAsking(false) })}
          onClose={() => setAsking(false)}
        >
          <p>Everything that was trained so far is left aside, and all of it is done again.</p>
        </Confirm>
      )}
    </>
  );
}
