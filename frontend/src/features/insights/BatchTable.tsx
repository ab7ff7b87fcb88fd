import { useQuery } from "@tanstack/react-query";
import { batchTitle, liftWords, perHundredWords, shareWords } from "../../activeLearning/insightFormat";
import { strategyTitle } from "../../activeLearning/roundState";
import type { Insights } from "../../api/insights";
import { roundsQuery } from "../../api/rounds";
import { DataTable } from "../../components/DataTable";
import { TableCard } from "../../components/TableCard";
import { useProject } from "../../session/project";
import { bounded, coefficient, count } from "../../text/format";
import { coefficientOf } from "./metrics";

/** Every batch in one line: what chose it, what came of it. */
export function BatchTable({ insights }: { insights: Insights }) {
  const project = useProject();
  const { data: page } = useQuery(roundsQuery(project.id));
  const title = (name: string) => (name ? strategyTitle(page?.strategies ?? [], name) : "–");
  return (
    <TableCard title="All batches">
      <DataTable
        rows={insights.batches}
        keyOf={batchTitle}
        columns={[
          ["Batch", batchTitle, "nowrap"],
          ["Strategy", ({ strategy_used }) => title(strategy_used)],
          [
            "With an outcome",
            ({ n_labeled, size }) => `${count(n_labeled)} of ${count(size)}`,
            "number nowrap",
          ],
          ["Positives", ({ positives }) => shareWords(positives), "number"],
          ["Lift", ({ positives }) => liftWords(positives) ?? "–", "number nowrap"],
          ["Per 100 annotations", ({ positives }) => perHundredWords(positives), "number nowrap"],
          [
            coefficientOf(insights.batches),
            ({ agreement: { alpha } }) => (alpha === null ? "–" : bounded(alpha)),
            "number",
          ],
          ["Trained on", ({ n_training }) => (n_training > 0 ? count(n_training) : "–"), "number"],
          [
            "Held-out macro-F1",
            ({ held_out }) =>
              held_out ? `${coefficient(held_out.macro_f1, 3)}, n = ${count(held_out.n)}` : "–",
            "number",
          ],
          [
            "State",
            ({ complete, informative }) => (
              <>
                {complete ? "complete" : "open"}
                {informative === false && <span className="tag warn">not informative yet</span>}
              </>
            ),
          ],
        ]}
      />
    </TableCard>
  );
}
