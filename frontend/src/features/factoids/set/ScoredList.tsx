import { useState } from "react";
import { Select } from "../../../components/Select";
import { counted } from "../../../text/format";
import { phaseTitle } from "../copy";
import type { TextSet } from "../types";
import { Scores } from "./Scores";
import { Stability } from "./Stability";

/** Lists that texts can be scored with: marked ones first, since they say most of the texts. */
function listsOf({ phases, consensus }: TextSet) {
  const closed = phases.filter(({ closed_at }) => closed_at !== null);
  const people = (wanted: string) =>
    closed
      .filter(({ kind, step }) => (step === "consensus" ? "consensus" : kind) === wanted)
      .toReversed()
      .flatMap((phase) =>
        phase.people.map(({ list, name }) => ({
          value: list,
          text: wanted === "consensus" ? phaseTitle(phase) : `${phaseTitle(phase)}: ${name}`,
        })),
      );
  const versions = consensus
    .toSorted((a, b) => b.version - a.version)
    .map(({ id, version, n_factoids }) => ({
      value: id,
      text: `Consensus list, version ${version} (${counted(n_factoids, "factoid")})`,
    }));
  return [...people("consensus"), ...versions, ...people("annotation"), ...people("definition")];
}

/** Weights, scores and stability of one list. */
export function ScoredList({ set }: { set: TextSet }) {
  const options = listsOf(set);
  const [chosen, choose] = useState("");
  const list = chosen || options[0]?.value;
  return (
    <>
      <section className="card stack" aria-labelledby="scored">
        <h2 id="scored">Weights and scores</h2>
        {list ? (
          <div className="scored-list">
            <Select label="By which list" value={list} options={options} onValue={choose} />
          </div>
        ) : (
          <p className="mute">
            None yet: they need a closed phase or a published consensus list. The best list is that of a
            consensus phase.
          </p>
        )}
      </section>
      {list && <Scores key={`scores ${list}`} listId={list} setId={set.id} />}
      {list && <Stability key={`stability ${list}`} listId={list} setId={set.id} />}
    </>
  );
}
