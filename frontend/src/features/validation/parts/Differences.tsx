import { Key } from "../../../components/Key";
import { counted } from "../../../text/format";
import { KEYS } from "../actions";
import { SHAPES, type Summary } from "../model/compare";

interface DifferencesProps extends Summary {
  isOn: boolean;
  onToggle: () => void;
}

/** How far the annotations are the same, and what the shapes at their spans mean. */
export function Differences({ common, different, isOn, onToggle }: DifferencesProps) {
  return (
    <div className="differences">
      <p>
        <b>
          {counted(common, "span")} in common, {different} not.
        </b>{" "}
        <span className="mute small">
          <i aria-hidden="true">{SHAPES.all}</i> all have it · <i aria-hidden="true">{SHAPES.told}</i> all
          have it, with another comment or source · <i aria-hidden="true">{SHAPES.some}</i> some have it ·{" "}
          <i aria-hidden="true">{SHAPES.only}</i> only this one has it
        </span>
      </p>
      <button type="button" className="button quiet" aria-pressed={isOn} onClick={onToggle}>
        List only differences <Key name={KEYS.differences} />
      </button>
    </div>
  );
}
