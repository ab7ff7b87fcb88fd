import { type Column, DataTable } from "../../../components/DataTable";
import { CardFiles } from "../../../components/FileLinks";
import { TableCard } from "../../../components/TableCard";
import { count, percent } from "../../../text/format";
import type { Accuracy as AccuracyOf, Figures, SystemFigures } from "../figures";
import { Accuracy, MeanAccuracy } from "./cells";
import { evaluationKey, evaluationTitle } from "./names";

interface AccuracyTableProps {
  figures: Figures;
  inDepth: boolean;
}

type Row = Pick<SystemFigures, "name" | "title" | "equivalence"> | null;

/** Accuracy by evaluation and system (the paper's Tables 3 and 6). */
export function AccuracyTable({ figures, inDepth }: AccuracyTableProps) {
  const evaluations = evaluationsOf(figures, inDepth);
  if (evaluations.length === 0) return null;
  const rows: Row[] = [...figures.systems.filter(({ equivalence }) => equivalence), null];
  const title = inDepth ? "Accuracy of the evaluations in depth" : "Accuracy by equivalence classes";
  const mean = (row: Row) => (inDepth ? row?.equivalence?.in_depth_mean : row?.equivalence?.main_mean);
  return (
    <TableCard
      title={title}
      about={
        <p className="table-about">
          Share of instances in which the true continuation is likelier than the false one; a tie is a
          mistake. In parentheses: instances. In brackets: 95 % interval, which knows that instances of one
          target are alike. The mean is over evaluations, each counts once.
        </p>
      }
    >
      <DataTable
        label={title}
        className="accuracies"
        rows={rows}
        keyOf={(row) => row?.name ?? ""}
        columns={[
          ["System", (row) => row?.title ?? "Chance"],
          ...evaluations.map(
            (of): Column<Row> => [
              `${evaluationTitle(of)} (${count(of.n)})`,
              (row) => (row ? <Accuracy of={found(row, of)?.accuracy} /> : percent(0.5)),
              "number nowrap",
            ],
          ),
          ["Mean", (row) => (row ? <MeanAccuracy value={mean(row)} /> : percent(0.5)), "number nowrap"],
        ]}
      />
      <CardFiles stem={inDepth ? "accuracy-in-depth" : "accuracy"} />
    </TableCard>
  );
}

function found(row: NonNullable<Row>, of: AccuracyOf): AccuracyOf | undefined {
  return row.equivalence?.evaluations.find((each) => evaluationKey(each) === evaluationKey(of));
}

/** Each evaluation once, in the order of the systems' first mention. */
function evaluationsOf({ systems }: Figures, inDepth: boolean): AccuracyOf[] {
  const all = systems.flatMap(({ equivalence }) => equivalence?.evaluations ?? []);
  const first = new Map(all.toReversed().map((each) => [evaluationKey(each), each]));
  return [...first.values()].toReversed().filter((each) => each.in_depth === inDepth);
}
