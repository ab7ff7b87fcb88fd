import { sizeOfSet } from "./copy";
import { Pairings } from "./Pairings";
import type { TextSet } from "./types";

/** A set as an adjudicator has it: the pairs to judge. */
export function SetToJudge({ set }: { set: TextSet }) {
  return (
    <section className="card stack" aria-labelledby={`set-${set.id}`}>
      <div className="card-head">
        <h2 id={`set-${set.id}`}>{set.name}</h2>
        <span className="small mute numbers">{sizeOfSet(set)}</span>
      </div>
      <Pairings set={set} />
    </section>
  );
}
