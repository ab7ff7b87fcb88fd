import { at } from "../../browser/base";
import { plotPath, reportPath, resultsPath, type SimulationDetail } from "./api";

/** What a paper needs: the report, a line a batch, and the figures. */
export function Downloads({ simulation: { id, plots } }: { simulation: SimulationDetail }) {
  return (
    <>
      <div className="row">
        <a className="button" href={at(reportPath(id))} download>
          Report (HTML)
        </a>
        <a className="button" href={at(resultsPath(id))} download>
          Results (JSONL, one line a batch)
        </a>
      </div>
      {plots.length > 0 && (
        <details className="more">
          <summary>Figures as SVG, PNG and PDF</summary>
          <ul className="reasons">
            {plots.map((name) => (
              <li key={name}>
                <a href={at(plotPath(id, name))} download>
                  {name}
                </a>
              </li>
            ))}
          </ul>
        </details>
      )}
    </>
  );
}
