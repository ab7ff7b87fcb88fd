import { DataTable } from "../../../components/DataTable";
import { Because, WithInterval } from "../../../components/intervals";
import { TableCard } from "../../../components/TableCard";
import { count } from "../../../text/format";
import { isReason, type StageFigures } from "../figures";

/** Each person against the majority, with and without their own vote in it. */
export function PeopleTable({ stage: { humans } }: { stage: StageFigures }) {
  if (humans === null) return null;
  const title = "People against the majority";
  if (isReason(humans))
    return (
      <section className="card stack-tight" aria-label={title}>
        <h2>{title}</h2>
        <Because reason={humans.reason} />
      </section>
    );
  const others = (annotator: number) =>
    humans.others.annotators.find((each) => each.annotator === annotator) ?? null;
  return (
    <TableCard
      title={title}
      about={
        <p className="table-about">
          With their own vote, a person helps to make the majority. Without it, the majority is of the others.
        </p>
      }
    >
      <DataTable
        className="accuracies"
        rows={humans.own.annotators}
        keyOf={({ annotator }) => annotator}
        columns={[
          ["Person", ({ annotator }) => `Annotator ${annotator}`],
          ["Items", ({ n }) => count(n), "number"],
          [
            "With their own vote",
            (own) => <WithInterval value={own.accuracy} low={own.low} high={own.high} />,
            "number nowrap",
          ],
          [
            "Without it",
            ({ annotator }) => {
              const found = others(annotator);
              return <WithInterval value={found?.accuracy ?? null} low={found?.low} high={found?.high} />;
            },
            "number nowrap",
          ],
        ]}
      />
    </TableCard>
  );
}
