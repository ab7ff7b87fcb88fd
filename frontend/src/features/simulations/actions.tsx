import { useMutation } from "@tanstack/react-query";
import { useRefresh } from "../../api/useRefresh";
import { ConfirmButton } from "../../components/ConfirmButton";
import { Refusal } from "../../components/Refusal";
import { type Simulation, simulationQuery, simulationsApi, simulationsQuery } from "./api";

interface ActProps {
  simulation: Simulation;
  projectId: string;
}

function useAct({ simulation, projectId }: ActProps) {
  const refresh = useRefresh();
  return (act: Promise<Simulation>) =>
    act.finally(() => refresh(simulationQuery(simulation.id).queryKey, simulationsQuery(projectId).queryKey));
}

export function CancelSimulation(props: ActProps) {
  const act = useAct(props);
  return (
    <ConfirmButton
      button="Cancel the simulation"
      title="Cancel the simulation?"
      act="Cancel it"
      danger
      onConfirm={() => act(simulationsApi.cancel(props.simulation.id))}
    >
      <p>It stops within seconds. What was done is kept: it can go on from there later.</p>
    </ConfirmButton>
  );
}

export function RestartSimulation(props: ActProps) {
  const act = useAct(props);
  const restart = (anew: boolean) => act(simulationsApi.restart(props.simulation.id, anew));
  const going = useMutation({ mutationFn: () => restart(false) });
  return (
    <>
      <button
        type="button"
        className="button primary"
        disabled={going.isPending}
        onClick={() => going.mutate()}
      >
        Go on from where it stopped
      </button>
      <ConfirmButton
        button="Begin anew"
        title="Begin the simulation anew?"
        act="Begin anew"
        danger
        onConfirm={() => restart(true)}
      >
        <p>Everything that was trained so far is left aside, and all of it is done again.</p>
      </ConfirmButton>
      <Refusal error={going.error} />
    </>
  );
}
