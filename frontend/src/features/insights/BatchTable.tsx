import { useQuery } from "@tanstack/react-query";
import { batchTitle, liftWords, perHundredWords, shareWords } from "../../activeLearning/insightFormat";
import { strategyTitle } from "../../activeLearning/roundState";
import type { BatchInsight, Insights } from "../../api/insights";
import { roundsQuery } from "../../api/rounds";
import { ColumnHeads, number } from "../../components/ColumnHeads";
import { TableCard } from "../../components/TableCard";
import { useProject } from "../../session/project";
import { bounded, coefficient, count } from "../../text/format";

/** Every batch in one line: what chose it, what came of it. */
export function BatchTable({ insights }: { insights: Insights }) {
  const project = useProject();
  const { data: page } = useQuery(roundsQuery(project.id));
  const title = (name: string) => (name ? strategyTitle(page?.strategies ?? [], name) : "–");
  return (
    <TableCard title="All batches">
      <table className="table">
        <ColumnHeads
          of={[
            "Batch",
            "Strategy",
            number("With an outcome"),
            number("Positives"),
            number("Lift"),
            number("Per 100 annotations"),
            number("α"),
            number("Trained on"),
            number("Held-out macro-F1"),
            "State",
          ]}
        />
        <tbody>
          {insights.batches.map((batch) => (
            <Row key={batchTitle(batch)} batch={batch} strategy={title(batch.strategy_used)} />
          ))}
        </tbody>
      </table>
    </TableCard>
  );
}

function Row({ batch, strategy }: { batch: BatchInsight; strategy: string }) {
  const { positives, agreement, held_out } = batch;
  return (
    <tr>
      <th scope="row" className="nowrap">
        {batchTitle(batch)}
      </th>
      <td>{strategy}</td>
      <td className="number nowrap">
        {count(batch.n_labeled)} of {count(batch.size)}
      </td>
      <td className="number">{shareWords(positives)}</td>
      <td className="number nowrap">{liftWords(positives) ?? "–"}</td>
      <td className="number nowrap">{perHundredWords(positives)}</td>
      <td className="number">{agreement.alpha_nominal === null ? "–" : bounded(agreement.alpha_nominal)}</td>
      <td className="number">{batch.n_training > 0 ? count(batch.n_training) : "–"}</td>
      <td className="number">
        {held_out ? `${coefficient(held_out.macro_f1, 3)}, n = ${count(held_out.n)}` : "–"}
      </td>
      <td>
        {batch.complete ? "complete" : "open"}
        {batch.informative === false && <span className="tag warn">not informative yet</span>}
      </td>
    </tr>
  );
}
