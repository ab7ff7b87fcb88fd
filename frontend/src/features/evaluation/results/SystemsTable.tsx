import { DataTable } from "../../../components/DataTable";
import { WithInterval } from "../../../components/intervals";
import { TableCard } from "../../../components/TableCard";
import { bounded, count } from "../../../text/format";
import { problemTitle } from "../copy";
import type { StageFigures, SystemFigures } from "../figures";
import type { Names } from "./names";

/** All figures of a stage, a row each system. */
export function SystemsTable({ stage, names }: { stage: StageFigures; names: Names }) {
  const isPartial = stage.systems.some(({ n }) => n !== stage.n);
  return (
    <TableCard title="Figures of each system" about={<Gold stage={stage} />}>
      <DataTable
        className="accuracies"
        rows={stage.systems}
        keyOf={({ name }) => name}
        columns={[
          ["System", ({ name }) => names.system(name)],
          ...(isPartial ? ([["Items", ({ n }: SystemFigures) => count(n), "number"]] as const) : []),
          [
            "Accuracy",
            (of) => <WithInterval value={of.accuracy} low={of.accuracy_low} high={of.accuracy_high} />,
            "number nowrap",
          ],
          ["Of compliant", (of) => <WithInterval value={of.accuracy_of_compliant} />, "number nowrap"],
          [
            "Macro-F1",
            (of) => <WithInterval value={of.macro_f1} low={of.macro_f1_low} high={of.macro_f1_high} />,
            "number nowrap",
          ],
          [
            "Weighted F1",
            (of) => (
              <WithInterval value={of.weighted_f1} low={of.weighted_f1_low} high={of.weighted_f1_high} />
            ),
            "number nowrap",
          ],
          ["Micro-F1", ({ micro_f1 }) => bounded(micro_f1), "number"],
          ["ECE", ({ ece }) => <WithInterval value={ece} />, "number"],
          ["Not compliant", (of) => <NotCompliant of={of} />, "number"],
          ["No answer", ({ n_without_answer }) => count(n_without_answer), "number"],
        ]}
      />
    </TableCard>
  );
}

function Gold({ stage }: { stage: StageFigures }) {
  const labels = stage.labels.map((label) => `${label} ${count(stage.gold[label] ?? 0)}`).join(", ");
  const agreed =
    stage.n_unanimous === null ? "" : ` On ${count(stage.n_unanimous)} of them all people agreed.`;
  return (
    <p className="table-about">
      {count(stage.n)} gold labels: {labels}.{agreed} ECE is the expected calibration error of the stated
      confidences.
    </p>
  );
}

function NotCompliant({ of }: { of: SystemFigures }) {
  const problems = Object.entries(of.problems).map(([problem, n]) => `${problemTitle(problem)} ${count(n)}`);
  return (
    <>
      {count(of.n_not_compliant)}
      {problems.length > 0 && <span className="basis">{problems.join(", ")}</span>}
    </>
  );
}
