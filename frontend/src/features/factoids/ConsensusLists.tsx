import { useState } from "react";
import { Link, useNavigate } from "react-router";
import { useRefresh } from "../../api/useRefresh";
import { RadioChoices } from "../../components/Choices";
import { ConfirmButton } from "../../components/ConfirmButton";
import { DataTable } from "../../components/DataTable";
import { useProject, useZone } from "../../session/project";
import { count, counted, moment } from "../../text/format";
import { factoidsApi, setsQuery } from "./api";
import { PublishDraft } from "./PublishDraft";
import { listPath } from "./paths";
import type { ConsensusDraft, TextSet } from "./types";

/** Published versions and drafts of the set's consensus list. */
export function ConsensusLists({ set }: { set: TextSet }) {
  const { id: projectId } = useProject();
  const zone = useZone();
  if (set.phases.length === 0 && set.consensus.length === 0 && set.drafts.length === 0) return null;
  const rows = [
    ...set.drafts.map((draft) => ({ ...draft, version: null })),
    ...set.consensus.toSorted((a, b) => b.version - a.version),
  ];
  return (
    <section className="phase stack" aria-label={`Consensus lists of ${set.name}`}>
      <div className="card-head">
        <h3>Consensus lists</h3>
        <StartDraft set={set} />
      </div>
      {rows.length === 0 ? (
        <p className="mute small">
          None yet. A draft is proposed on the page of a pairing, once its pairs are judged.
        </p>
      ) : (
        <DataTable
          title={`Consensus lists of ${set.name}`}
          className="listed"
          rows={rows}
          keyOf={({ id }) => id}
          columns={[
            [
              "List",
              (row) => (
                <Link to={listPath(projectId, row.id)}>
                  {row.version === null ? "Draft" : `Version ${row.version}`}
                </Link>
              ),
            ],
            ["Factoids", (row) => count(row.n_factoids), "number"],
            [
              "Since",
              (row) => moment(row.version === null ? row.created_at : row.published_at, zone),
              "small nowrap",
            ],
            ["State", (row) => (row.version === null ? <DraftActs draft={row} set={set} /> : "published")],
          ]}
        />
      )}
    </section>
  );
}

function DraftActs({ draft, set }: { draft: ConsensusDraft; set: TextSet }) {
  const { id: projectId } = useProject();
  const refresh = useRefresh();
  const discard = () => factoidsApi.discard(draft.id).finally(() => refresh(setsQuery(projectId).queryKey));
  return (
    <div className="row">
      <PublishDraft draft={draft.id} set={set.name} n_factoids={draft.n_factoids} />
      <ConfirmButton
        button="Discard"
        label={`Discard the draft of ${set.name}`}
        className="button quiet"
        title="Discard the draft?"
        act="Discard the draft"
        danger
        onConfirm={discard}
      >
        <p>
          The draft has {counted(draft.n_factoids, "factoid")} and {counted(draft.revision, "step")} of work.
          It can no longer be opened then, nor published.
        </p>
      </ConfirmButton>
    </div>
  );
}

const EMPTY = "empty";

/** A draft from a version or from one person's list, or an empty one. From a pairing it is proposed on that page. */
function StartDraft({ set }: { set: TextSet }) {
  const { id: projectId } = useProject();
  const refresh = useRefresh();
  const navigate = useNavigate();
  const sources = [
    ...set.consensus
      .toSorted((a, b) => b.version - a.version)
      .map(({ id, version }) => ({ value: id, text: `Version ${version}` })),
    ...set.phases
      .filter(({ kind, closed_at }) => closed_at !== null && kind === "definition")
      .flatMap(({ number, people }) =>
        people.map(({ list, name }) => ({ value: list, text: `${name}’s list of phase ${number}` })),
      ),
    { value: EMPTY, text: "An empty list" },
  ];
  const [chosen, choose] = useState<string | null>(null);
  const from = chosen ?? sources[0]?.value ?? EMPTY;
  const start = async () => {
    const { id } = await factoidsApi.draft(set.id, { pairing: null, from: from === EMPTY ? null : from });
    await refresh(setsQuery(projectId).queryKey);
    await navigate(listPath(projectId, id));
  };
  return (
    <ConfirmButton
      button="Start a draft"
      label={`Start a draft of ${set.name}`}
      className="button quiet"
      title="Start a draft of the consensus list"
      act="Start the draft"
      onConfirm={start}
    >
      <RadioChoices legend="Begin with a copy of" value={from} choices={sources} onValue={choose} />
    </ConfirmButton>
  );
}
