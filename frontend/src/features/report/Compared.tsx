import { useId } from "react";
import type { Report } from "./api";

/** Their fifteen pairs are as many as a table holds; the server says so too. */
const MOST = 6;

interface ComparedProps {
  report: Report;
  chosen: readonly number[];
  /** The tables below are still those of what was chosen before. */
  isMaking: boolean;
  onChosen: (numbers: number[]) => void;
}

/** Whose pairs stand in the tables of agreement, where there are more people than a table holds. */
export function Compared({ report: { annotators, compared }, chosen, isMaking, onChosen }: ComparedProps) {
  const hint = useId();
  if (annotators.length <= MOST) return null;
  const shown = chosen.length > 0 ? chosen : compared;
  const toggle = (number: number) =>
    onChosen(shown.includes(number) ? shown.filter((each) => each !== number) : [...shown, number]);
  return (
    <fieldset className="card stack report-compared" aria-describedby={hint}>
      <legend>Annotators whose pairs the tables show</legend>
      <p className="small mute" id={hint}>
        {MOST} at most.{" "}
        {chosen.length === 0
          ? "These share the most items with others."
          : "Chosen by you, and kept in this page’s address."}
      </p>
      <div className="row report-people">
        {annotators.map((number) => (
          <label key={number}>
            <input
              type="checkbox"
              checked={shown.includes(number)}
              disabled={!shown.includes(number) && shown.length >= MOST}
              onChange={() => toggle(number)}
            />
            {number}
          </label>
        ))}
      </div>
      <p className="small mute" role="status">
        {isMaking ? "Making the tables below for them." : ""}
      </p>
    </fieldset>
  );
}
