import { useState } from "react";
import { at } from "../../../browser/base";
import { Select } from "../../../components/Select";
import { type EvaluationDetail, errorTablePath, type PredictionFilters } from "../api";

interface ErrorTableProps {
  evaluation: EvaluationDetail;
  filters: Pick<PredictionFilters, "system" | "stage">;
}

/** The table of the paper: the most confident errors in each direction, with their causes. */
export function ErrorTable({ evaluation, filters: { system, stage } }: ErrorTableProps) {
  const [k, setK] = useState("5");
  return (
    <section className="card stack" aria-labelledby="error-table">
      <div className="stack-tight">
        <h2 id="error-table">Table of errors for a paper</h2>
        <p className="small mute">
          The most confident errors in each direction, with the text, the explanation, the votes and the
          cause.
        </p>
      </div>
      {system === "" || stage === "" ? (
        <p>Choose a system and a stage above to take it away.</p>
      ) : (
        <div className="row table-files">
          <Select
            label="Errors in each direction"
            value={k}
            options={["3", "5", "10", "20"].map((value) => ({ value, text: value }))}
            onValue={setK}
          />
          {(["csv", "tex"] as const).map((format) => (
            <a
              key={format}
              className="button"
              href={at(errorTablePath(evaluation.id, format, system, stage, Number(k)))}
              download
            >
              {format === "csv" ? "Download as CSV" : "Download as LaTeX"}
            </a>
          ))}
        </div>
      )}
    </section>
  );
}
