import { useQuery } from "@tanstack/react-query";
import { isUnfinished } from "../../api/jobs";
import { NotLoaded, Status } from "../../components/states";
import { type EvaluationDetail, predictionsQuery } from "./api";
import { Exchange } from "./Exchange";
import { useSystemTitle } from "./useSystemTitle";

/** As many as the server gives at once. */
const TRIED = 200;

/** What a trial asked, what came back, and how it was read, item by item. */
export function TriedItems({ evaluation }: { evaluation: EvaluationDetail }) {
  const title = useSystemTitle();
  const answered = evaluation.progress.systems.reduce((sum, { answered }) => sum + answered, 0);
  const asked = predictionsQuery(evaluation.id, { only: "all" }, 1, TRIED);
  // With each answer there is more to show.
  const queryKey = [...asked.queryKey, answered, evaluation.state];
  const { data, error, refetch } = useQuery({ ...asked, queryKey });
  const stageTitle = (key: string) => evaluation.stages.find((stage) => stage.key === key)?.title ?? key;
  if (error) return <NotLoaded what="The answers" error={error} retry={refetch} />;
  const place = ({ stage }: { stage: string }) => evaluation.stages.findIndex(({ key }) => key === stage);
  const rows = (data?.rows ?? [])
    .filter(({ prompt }) => prompt !== "")
    .toSorted((a, b) => place(a) - place(b) || a.item.external_id.localeCompare(b.item.external_id));
  if (rows.length === 0)
    return isUnfinished(evaluation) ? <Status>Waiting for the first answer</Status> : null;
  return (
    <section className="card stack" aria-label="What was asked and answered">
      <h2>What was asked and answered</h2>
      <ol className="exchanges">
        {rows.map((row) => (
          <li key={row.id} className="stack">
            <h3>
              {stageTitle(row.stage)}: {row.item.external_id}, {title(row.system)}
            </h3>
            <p className="item-text" dir="auto">
              {row.item.text}
            </p>
            <Exchange row={row} />
          </li>
        ))}
      </ol>
    </section>
  );
}
