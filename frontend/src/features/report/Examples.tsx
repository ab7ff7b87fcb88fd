import { type FormEvent, useState } from "react";
import { Disclosure } from "../../components/Disclosure";
import { Field } from "../../components/Field";
import { Refusal } from "../../components/Refusal";
import { counted } from "../../text/format";
import type { Report, ReportExample } from "./api";

interface ExamplesProps {
  report: Report;
  chosen: readonly string[];
  onChosen: (ids: string[]) => void;
  /** The tables below are still those of what was chosen before. */
  isMaking: boolean;
  /** Resolves once the server knows all of them; rejects with what it says against them. */
  onTry: (ids: string[]) => Promise<unknown>;
}

/** Which items stand in the tables of examples: out of short candidates, or any by its id. */
export function Examples({ report, chosen, isMaking, onChosen, onTry }: ExamplesProps) {
  const shown = useStill([...report.chosen, ...report.candidates]);
  if (shown.length === 0) return null;
  const toggle = (id: string) =>
    onChosen(chosen.includes(id) ? chosen.filter((each) => each !== id) : [...chosen, id]);
  return (
    <section className="card stack" aria-labelledby="choose-examples">
      <div className="stack-tight">
        <h3 id="choose-examples">Choose examples</h3>
        <p className="small mute">
          {chosen.length === 0
            ? "None chosen yet."
            : `${counted(chosen.length, "item")} chosen, kept in this page’s address.`}{" "}
          The candidates are the shortest items of each outcome.
        </p>
      </div>
      <ul className="report-examples">
        {shown.map((example) => (
          <Candidate
            key={example.id}
            example={example}
            isChosen={chosen.includes(example.id)}
            onToggle={() => toggle(example.id)}
          />
        ))}
      </ul>
      <p className="small mute" role="status">
        {isMaking ? "Making the tables below with your choice." : ""}
      </p>
      <AddById chosen={chosen} onChosen={onChosen} onTry={onTry} />
    </section>
  );
}

/** In the order in which they were first shown: choosing one moves none. */
function useStill(shown: readonly ReportExample[]): ReportExample[] {
  const [places] = useState(() => new Map<string, number>());
  for (const { id } of shown) if (!places.has(id)) places.set(id, places.size);
  return [...shown].sort((a, b) => (places.get(a.id) ?? 0) - (places.get(b.id) ?? 0));
}

interface CandidateProps {
  example: ReportExample;
  isChosen: boolean;
  onToggle: () => void;
}

function Candidate({ example, isChosen, onToggle }: CandidateProps) {
  const { id, text, labels, speaker, document, round, needed, needed_text } = example;
  const applies = labels.filter(({ label }) => label !== "*");
  return (
    <li>
      <label>
        <input type="checkbox" checked={isChosen} onChange={onToggle} />
        <span className="read">{text}</span>
      </label>
      <div className="small mute">
        {applies.map(({ stage, label }) => `${stage}: ${label}`).join(" · ")}
        <br />
        {id}, {[speaker, document, `round ${round}`].filter(Boolean).join(", ")}
      </div>
      {needed_text && (
        <div className="small">
          <Disclosure title={`Context: ${needed}`}>
            <p className="report-context">{needed_text}</p>
          </Disclosure>
        </div>
      )}
    </li>
  );
}

function AddById({ chosen, onChosen, onTry }: Omit<ExamplesProps, "report" | "isMaking">) {
  const [id, setId] = useState("");
  const [error, setError] = useState<unknown>(null);
  const add = (event: FormEvent) => {
    event.preventDefault();
    const wanted = id.trim();
    if (!wanted || chosen.includes(wanted)) return setId("");
    const ids = [...chosen, wanted];
    setError(null);
    onTry(ids).then(() => {
      setId("");
      onChosen(ids);
    }, setError);
  };
  return (
    <form className="report-add" onSubmit={add}>
      <Field label="Add any other item by its id" value={id} onValue={setId} autoComplete="off" />
      <button type="submit" className="button" disabled={id.trim() === ""}>
        Add
      </button>
      <Refusal error={error} />
    </form>
  );
}
