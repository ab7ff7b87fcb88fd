import { useQuery } from "@tanstack/react-query";
import { isUnfinished } from "../../api/jobs";
import { workersQuery } from "../../api/queries";
import type { Project } from "../../api/types";
import { DataTable } from "../../components/DataTable";
import { Meter } from "../../components/Meter";
import { modelWorkerAway } from "../../components/modelWorker";
import { capitalised } from "../../text/format";
import { Acts } from "./actions";
import type { InterpretationDetail } from "./api";
import { doneWords, leftWords, progressWords, STAGES, stageWords, stateWords } from "./copy";

interface NowProps {
  interpretation: InterpretationDetail;
  project: Project;
}

/** Where it is, and what can be done about it. */
export function Now({ interpretation, project }: NowProps) {
  const { progress } = interpretation;
  return (
    <section className="card now stack" aria-labelledby="now">
      <div className="card-head">
        <h2 id="now">{capitalised(stateWords(interpretation))}</h2>
        <span className="small numbers">{progressWords(progress)}</span>
      </div>
      <Meter share={progress.fraction} />
      <Where interpretation={interpretation} project={project} />
      <SystemsProgress interpretation={interpretation} />
      <Acts interpretation={interpretation} projectId={project.id} />
    </section>
  );
}

function Where({ interpretation, project }: NowProps) {
  if (isUnfinished(interpretation)) return <Going interpretation={interpretation} project={project} />;
  if (interpretation.state === "failed") return <Failed failure={interpretation.failure} />;
  if (interpretation.state === "paused")
    return <p>It is paused. What was done is kept. Resume it, and it goes on from the last epoch or text.</p>;
  return <p>It was cancelled for good. Start another one, or remove this one with its files.</p>;
}

function Going({ interpretation, project }: NowProps) {
  const { data: workers } = useQuery(workersQuery(project.id));
  const away = workers && modelWorkerAway(workers, "interpretations");
  if (away)
    return (
      <p className="notice bad" role="alert">
        {away} Start it again: the interpretation then goes on by itself.
      </p>
    );
  const words =
    interpretation.progress.detail ||
    (interpretation.state === "waiting"
      ? "It begins as soon as the model worker is free. Rounds go first."
      : "");
  const told = words && `${capitalised(words).replace(/\.$/, "")}.`;
  return <p className="small mute">{told} You need not wait here: it goes on without this page.</p>;
}

function Failed({ failure }: { failure: string }) {
  return (
    <div className="notice bad stack-tight" role="alert">
      <p className="failure">{failure}</p>
      <p>Correct what it names, then resume it: what was done is kept. Or start another one.</p>
    </div>
  );
}

/** Which system is at work and at what; those before it are done. */
function SystemsProgress({ interpretation }: { interpretation: InterpretationDetail }) {
  const { systems, progress, curves } = interpretation;
  const at = systems.findIndex(({ name }) => name === progress.system);
  if (systems.length === 0 || at < 0) return null;
  const rows = systems.map((system, place) => ({ ...system, place }));
  return (
    <DataTable
      title="Progress of each system"
      rows={rows}
      keyOf={({ name }) => name}
      columns={[
        ["System", ({ title }) => title],
        [
          "Stage",
          ({ place }) => {
            if (place < at) return "done";
            return place > at
              ? "waits"
              : `${stageWords(progress.stage)} (${stagePlace(progress.stage)} of ${STAGES.length})`;
          },
        ],
        ["Done", ({ place }) => (place === at ? doneWords(progress) : ""), "number nowrap"],
        [
          "Left of the stage",
          ({ place }) => (place === at && isUnfinished(interpretation) ? leftWords(progress) : ""),
          "number nowrap",
        ],
        ["Epochs", ({ name }) => curves[name]?.length ?? 0, "number"],
      ]}
    />
  );
}

function stagePlace(stage: string): number {
  return STAGES.indexOf(stage) + 1;
}
