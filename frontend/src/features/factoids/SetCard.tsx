import { useQuery } from "@tanstack/react-query";
import { Link } from "react-router";
import { at } from "../../browser/base";
import { useProject } from "../../session/project";
import { AddTexts } from "./AddTexts";
import { exportPath, pairingsQuery } from "./api";
import { ConsensusLists } from "./ConsensusLists";
import { nextStep, sizeOfSet } from "./copy";
import { OpenPhase } from "./OpenPhase";
import { Pairings } from "./Pairings";
import { PhaseCard } from "./PhaseCard";
import { resultsPath } from "./paths";
import type { TextSet } from "./types";

/** A text set from its import to its results, in the order of the work. */
export function SetCard({ set }: { set: TextSet }) {
  const project = useProject();
  const { data: paired } = useQuery(pairingsQuery(set.id));
  const hasClosed = set.phases.some(({ closed_at }) => closed_at !== null);
  const hasOpen = set.phases.some(({ closed_at }) => closed_at === null);
  const id = `set-${set.id}`;
  return (
    <section className="card stack text-set" aria-labelledby={id}>
      <div className="card-head">
        <div>
          <h2 id={id}>{set.name}</h2>
          <p className="small mute numbers">{sizeOfSet(set)}</p>
        </div>
        <div className="row">
          {hasClosed && (
            <Link className="button" to={resultsPath(project.id, set.id)}>
              Agreement and scores <span className="visually-hidden">of {set.name}</span>
            </Link>
          )}
          <a className="button" href={at(exportPath(set.id))} download>
            Export as ZIP <span className="visually-hidden">: {set.name}</span>
          </a>
        </div>
      </div>
      <p className="notice">
        <b>Next:</b> {nextStep(set, paired?.pairings ?? [])}
      </p>
      {set.phases.map((phase) => (
        <PhaseCard key={phase.id} phase={phase} set={set} />
      ))}
      <div className="row">
        <OpenPhase set={set} />
        {!hasOpen && <AddTexts set={set} />}
      </div>
      {hasClosed && <Pairings set={set} />}
      <ConsensusLists set={set} />
    </section>
  );
}
