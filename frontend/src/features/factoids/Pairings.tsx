import { useQuery } from "@tanstack/react-query";
import { useState } from "react";
import { Link, useNavigate } from "react-router";
import { useRefresh } from "../../api/useRefresh";
import { ConfirmButton } from "../../components/ConfirmButton";
import { DataTable } from "../../components/DataTable";
import { Select } from "../../components/Select";
import { NotLoaded, Status } from "../../components/states";
import { useProject } from "../../session/project";
import { count } from "../../text/format";
import { factoidsApi, pairingsQuery } from "./api";
import { pairingPath } from "./paths";
import type { PairingHead, Phase, TextSet } from "./types";

/** The pairs of lists that are compared. */
export function Pairings({ set }: { set: TextSet }) {
  const { id: projectId, may } = useProject();
  const { data, error, refetch } = useQuery(pairingsQuery(set.id));
  const phases = set.phases.filter(
    ({ kind, closed_at, people }) => kind === "definition" && closed_at !== null && people.length > 1,
  );
  if (may.includes("manage") && phases.length === 0) return null;
  return (
    <section className="phase stack" aria-label={`Pairings of ${set.name}`}>
      <div className="card-head">
        <h3>Pairings</h3>
        {phases.length > 0 && <PairLists set={set} phases={phases} />}
      </div>
      {error && !data && <NotLoaded what="The list of pairings" error={error} retry={refetch} />}
      {!data && !error && <Status>Loading the pairings</Status>}
      {data?.pairings.length === 0 && (
        <p className="mute small">
          {phases.length > 0
            ? "None yet. Pair two people’s lists of a closed definition phase."
            : "None yet. An admin pairs two people’s lists; the pairs then come here to be judged."}
        </p>
      )}
      {data && data.pairings.length > 0 && (
        <DataTable
          title={`Pairings of ${set.name}`}
          className="listed"
          rows={data.pairings}
          keyOf={({ id }) => id}
          columns={[
            [
              "Lists",
              ({ id, first, second }) => (
                <>
                  <Link to={pairingPath(projectId, id)}>
                    {first.name} and {second.name}
                  </Link>
                  <span className="basis">phase {first.phase_number}</span>
                </>
              ),
            ],
            ["Judged", judgedWords, "nowrap"],
          ]}
        />
      )}
    </section>
  );
}

function judgedWords({ n_judged, n_strong, n_weak }: PairingHead): string {
  if (n_strong === null || n_weak === null) return "the phase is open";
  return `${count(n_judged)} judged, ${count(n_strong)} paired, ${count(n_weak)} weakly`;
}

/** Chooses two lists of one phase; with more than two people, one pair after another. */
function PairLists({ set, phases }: { set: TextSet; phases: readonly Phase[] }) {
  const { id: projectId } = useProject();
  const refresh = useRefresh();
  const navigate = useNavigate();
  const [chosen, choose] = useState({ phase: "", first: "", second: "" });
  const phase = phases.find(({ id }) => id === chosen.phase) ?? phases.at(-1);
  const people = phase?.people ?? [];
  const first = chosen.first || people[0]?.list || "";
  const second = chosen.second || people.find(({ list }) => list !== first)?.list || "";
  const options = people.map(({ list, name }) => ({ value: list, text: name }));
  const pair = async () => {
    const { id } = await factoidsApi.pair(set.id, first, second);
    await refresh(pairingsQuery(set.id).queryKey);
    await navigate(pairingPath(projectId, id));
  };
  return (
    <ConfirmButton
      button="Pair two lists"
      label={`Pair two lists of ${set.name}`}
      title="Pair two lists"
      act="Pair them"
      blocked={first === second}
      onConfirm={pair}
    >
      {(errors) => (
        <>
          <p>
            Factoids that share sentences are linked. Then people judge each pair: equal, one subsumes the
            other, related, or unrelated.
          </p>
          {phases.length > 1 && (
            <Select
              label="Phase"
              value={phase?.id ?? ""}
              options={phases.map(({ id, number }) => ({ value: id, text: `Phase ${number}` }))}
              onValue={(value) => choose({ phase: value, first: "", second: "" })}
            />
          )}
          <div className="form-grid">
            <Select
              label="First list (A)"
              value={first}
              options={options}
              errors={errors.first}
              onValue={(value) => choose({ ...chosen, phase: phase?.id ?? "", first: value })}
            />
            <Select
              label="Second list (B)"
              value={second}
              options={options}
              errors={errors.second}
              hint={first === second ? "Choose two different lists." : undefined}
              onValue={(value) => choose({ ...chosen, phase: phase?.id ?? "", second: value })}
            />
          </div>
        </>
      )}
    </ConfirmButton>
  );
}
