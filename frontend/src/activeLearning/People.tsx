import type { RoundAnnotator } from "../api/rounds";
import { Meter } from "../components/Meter";
import { count } from "../text/format";

/** Counts only: who has done how much, never what they answered. */
export function People({ people }: { people: RoundAnnotator[] }) {
  return (
    <ul className="people">
      {people.map((person) => (
        <li key={person.id}>
          <span className="row">
            <b>{person.display_name}</b>
            <span className="small mute numbers">
              {count(person.done)} of {count(person.total)}
            </span>
          </span>
          <Meter share={person.total === 0 ? 0 : person.done / person.total} />
        </li>
      ))}
    </ul>
  );
}
