import { useQuery } from "@tanstack/react-query";
import { BatchRest, ClosedBatch } from "../../activeLearning/BatchRest";
import { CheckResults } from "../../activeLearning/CheckResults";
import { People } from "../../activeLearning/People";
import { type ChosenBatch, chosenQuery } from "../../api/batches";
import { Meter } from "../../components/Meter";
import { NotLoaded } from "../../components/states";
import { count, counted } from "../../text/format";
import { Suggestions } from "./Suggestions";

/** Batches of items that an admin chose on the page Items, while their answers can change. */
export function ChosenCard({ projectId }: { projectId: string }) {
  const { data: batches, error, refetch } = useQuery(chosenQuery(projectId));
  if (error && !batches)
    return (
      <section className="card stack" aria-label="Batches of chosen items">
        <NotLoaded what="The batches of chosen items" error={error} retry={refetch} />
      </section>
    );
  if (!batches || batches.length === 0) return null;
  return (
    <section className="card stack" aria-labelledby="chosen">
      <h2 id="chosen">Batches of chosen items</h2>
      {batches.map((batch) => (
        <Chosen key={batch.id} batch={batch} projectId={projectId} />
      ))}
    </section>
  );
}

function Chosen({ batch, projectId }: { batch: ChosenBatch; projectId: string }) {
  const name = `chosen batch ${batch.number}`;
  return (
    <div className="stack">
      <div className="stack-tight">
        <p className="numbers">
          Batch {batch.number}: {counted(batch.size, "item")}, each for{" "}
          {counted(batch.annotators_per_item, "person", "people")}. {count(batch.done)} of{" "}
          {count(batch.total)} assignments done{batch.complete && ": complete"}.
        </p>
        <Meter share={batch.total === 0 ? 0 : batch.done / batch.total} />
      </div>
      <People people={batch.annotators} />
      <BatchRest name={name} batch={batch} projectId={projectId} />
      <CheckResults name={name} batch={batch} />
      <Suggestions batchId={batch.id} />
      {batch.closed_at && <ClosedBatch name={name} batch={batch} projectId={projectId} />}
    </div>
  );
}
