import { useState } from "react";
import { DataTable } from "../../../components/DataTable";
import { CardFiles } from "../../../components/FileLinks";
import { pWords } from "../../../components/intervals";
import { Select } from "../../../components/Select";
import { count } from "../../../text/format";
import type { Figures, Paired } from "../figures";
import { evaluationKey, evaluationTitle, systemTitle } from "./names";

/** Each two systems on the same instances. */
export function PairsTable({ figures }: { figures: Figures }) {
  const [at, setAt] = useState(0);
  const { comparisons } = figures;
  const pair = comparisons[at];
  if (!pair) return null;
  const words = ({ first, second }: typeof pair) =>
    `${systemTitle(figures, first)} – ${systemTitle(figures, second)}`;
  return (
    <section className="card stack" aria-labelledby="pairs">
      <div className="stack-tight">
        <h2 id="pairs">Systems compared in pairs</h2>
        <PairedAbout />
      </div>
      {comparisons.length > 1 && (
        <Select
          label="First and second"
          value={String(at)}
          options={comparisons.map((each, place) => ({ value: String(place), text: words(each) }))}
          onValue={(value) => setAt(Number(value))}
        />
      )}
      <PairedTable title={words(pair)} rows={pair.evaluations} />
      <CardFiles stem="comparisons" />
    </section>
  );
}

export function PairedAbout() {
  return (
    <p className="small mute">
      An exact test by targets, whose instances are alike: each target's difference may have either sign.
      Holm's adjustment is for the number of evaluations. Bold: below 0.05.
    </p>
  );
}

export function PairedTable({ title, rows }: { title: string; rows: readonly Paired[] }) {
  return (
    <DataTable
      title={title}
      caption={title}
      rows={rows}
      keyOf={evaluationKey}
      columns={[
        ["Evaluation", evaluationTitle],
        ["Only the first is right", ({ first_alone }) => count(first_alone), "number"],
        ["Only the second is right", ({ second_alone }) => count(second_alone), "number"],
        ["p", ({ p }) => pWords(p), "number nowrap"],
        [
          "p, adjusted",
          ({ p_holm }) => (p_holm < 0.05 ? <b>{pWords(p_holm)}</b> : pWords(p_holm)),
          "number nowrap",
        ],
      ]}
    />
  );
}
