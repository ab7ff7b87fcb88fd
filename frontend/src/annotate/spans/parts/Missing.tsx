import { useMemo } from "react";
import { Key } from "../../../components/Key";
import { counted } from "../../../text/format";
import { type Fault, faultWords } from "../model/rules";

const SHOWN = 3;

interface MissingProps {
  faults: readonly Fault[];
  keyName: string | null;
  onGo: () => void;
}

/** What keeps the spans from being submitted, with a way there. */
export function Missing({ faults, keyName, onGo }: MissingProps) {
  const words = useMemo(() => faultWords(faults), [faults]);
  if (words.length === 0) return null;
  const more = words.length - SHOWN;
  return (
    <section className="span-missing" aria-label="Not complete yet">
      <ul>
        {words.slice(0, SHOWN).map((each) => (
          <li key={each} dir="auto">
            {each}
          </li>
        ))}
        {more > 0 && <li>and {counted(more, "thing")} more</li>}
      </ul>
      <button type="button" className="button quiet" onClick={onGo}>
        Go there {keyName && <Key name={keyName} />}
      </button>
    </section>
  );
}

/** The first of them, for a line: "Sentence “…” has no Act yet. And 2 more." */
export function missingWords(faults: readonly Fault[]): string {
  const words = faultWords(faults);
  const more = words.length - 1;
  return more > 0 ? `${words[0]} And ${more} more.` : (words[0] ?? "");
}
