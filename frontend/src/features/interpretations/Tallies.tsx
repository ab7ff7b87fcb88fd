import { type Counted, splitWords, tallyWords } from "./copy";

/** How many instances each evaluation has, and what of its spans is left out, in sentences. */
export function Tallies({ tallies }: { tallies: readonly Counted[] }) {
  return (
    <ul className="reasons small">
      {tallies.map((tally) => (
        <li key={`${tally.annotation} ${tally.evaluation} ${tally.split}`}>
          <b>
            {tally.annotation}: {tally.evaluation}
          </b>{" "}
          ({splitWords(tally.split)}). {tallyWords(tally)}
        </li>
      ))}
    </ul>
  );
}
