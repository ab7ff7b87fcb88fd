import { useQuery } from "@tanstack/react-query";
import { useState } from "react";
import { Link } from "react-router";
import { BatchRest, ClosedBatch } from "../../../activeLearning/BatchRest";
import { CheckResults } from "../../../activeLearning/CheckResults";
import { shareWords } from "../../../activeLearning/insightFormat";
import { People } from "../../../activeLearning/People";
import { type Insights, insightsQuery } from "../../../api/insights";
import type { RoundsPage } from "../../../api/rounds";
import type { Project } from "../../../api/types";
import { Meter } from "../../../components/Meter";
import { NotLoaded } from "../../../components/states";
import { count, counted, percent } from "../../../text/format";
import { Suggestions } from "../Suggestions";
import { type PrototypeBatch, type PrototypePage, prototypeQuery } from "./api";
import { PrototypeForm } from "./PrototypeForm";

const FOR_STAGES =
  "None was opened. It is drawn uniformly at random and kept out of training, of the released data and of the budget: it tells how frequent positives are, and lets people try the codebook. Without one, the first random batch stands in as the baseline.";
const FOR_SPANS =
  "None was opened. It is drawn uniformly at random and kept out of the released data and of the budget: it lets people try the codebook before it counts.";

interface PrototypeCardProps {
  project: Project;
  people: RoundsPage["annotators"];
  /** The codebook has stages, whose positives the batch counts. */
  asksQuestions: boolean;
}

/** A uniform random batch that is for measuring alone: its base rate is what later yields are compared with. */
export function PrototypeCard({ project, people, asksQuestions }: PrototypeCardProps) {
  const { data, error, refetch } = useQuery(prototypeQuery(project.id));
  return (
    <section className="card stack" aria-labelledby="prototype">
      <h2 id="prototype">Prototype batch</h2>
      {error && !data && <NotLoaded what="The prototype batch" error={error} retry={refetch} />}
      {!data && !error && <p className="mute small">Loading the prototype batch</p>}
      {data && <Shown page={data} {...{ project, people, asksQuestions }} />}
    </section>
  );
}

function Shown({ page, project, people, asksQuestions }: PrototypeCardProps & { page: PrototypePage }) {
  const [isOpen, setOpen] = useState(false);
  const { batch, may_open: mayOpen, reasons } = page;
  return (
    <>
      {batch ? (
        <Opened batch={batch} project={project} asksQuestions={asksQuestions} />
      ) : (
        <p className="small mute">{asksQuestions ? FOR_STAGES : FOR_SPANS}</p>
      )}
      {isOpen && mayOpen && (
        <PrototypeForm project={project} people={people} onClose={() => setOpen(false)} />
      )}
      {!isOpen && mayOpen && (
        <div className="row">
          <button type="button" className="button" onClick={() => setOpen(true)}>
            {batch ? "Open another" : "Open a prototype batch"}
          </button>
        </div>
      )}
      {!mayOpen && reasons.length > 0 && (
        <p className="small mute">
          {batch ? "No other can be opened now" : "It can't be opened now"}: {reasons.join(" ")}
        </p>
      )}
    </>
  );
}

interface OpenedProps extends Pick<PrototypeCardProps, "project" | "asksQuestions"> {
  batch: PrototypeBatch;
}

function Opened({ batch, project, asksQuestions }: OpenedProps) {
  const name = `prototype ${batch.number}`;
  return (
    <>
      <div className="stack-tight">
        <p className="numbers">
          Prototype {batch.number}: {counted(batch.size, "item")}, each for{" "}
          {counted(batch.annotators_per_item, "person", "people")}. {count(batch.done)} of{" "}
          {count(batch.total)} assignments done{batch.complete && ": complete"}.
        </p>
        <Meter share={batch.total === 0 ? 0 : batch.done / batch.total} />
      </div>
      <People people={batch.annotators} />
      <BatchRest name={name} batch={batch} projectId={project.id} />
      <CheckResults name={name} batch={batch} />
      <Suggestions batchId={batch.id} />
      {batch.closed_at && !batch.frozen_at && (
        <ClosedBatch name={name} batch={batch} projectId={project.id} />
      )}
      {asksQuestions && <BaseRate batch={batch} project={project} />}
    </>
  );
}

/** At the stage that the newest round learns. */
function BaseRate({ batch, project }: { batch: PrototypeBatch; project: Project }) {
  const { data: insights, error, refetch } = useQuery(insightsQuery(project.id));
  if (error && !insights) return <NotLoaded what="The base rate" error={error} retry={refetch} />;
  if (!insights) return null;
  return (
    <p className="small">
      {baseRateWords(insights, batch)} <Link to={`/projects/${project.id}/insights`}>All insights</Link>
    </p>
  );
}

function baseRateWords(insights: Insights, batch: PrototypeBatch): string {
  const own = insights.batches.find(({ kind, number }) => kind === "prototype" && number === batch.number);
  const title = insights.stages.find(({ key }) => key === insights.stage)?.title ?? insights.stage;
  if (!own || own.positives.share === null)
    return `The base rate at “${title}” is known once people have answered.`;
  const isOpen = batch.complete ? "" : " so far";
  const others =
    batch.complete && insights.baseline?.source === "prototype" && insights.baseline.batch !== batch.number;
  const which = others
    ? ` The baseline stays prototype batch ${insights.baseline?.batch} (${percent(insights.baseline?.share ?? 0)}).`
    : "";
  return `Base rate at “${title}”${isOpen}: ${shareWords(own.positives)}.${which}`;
}
