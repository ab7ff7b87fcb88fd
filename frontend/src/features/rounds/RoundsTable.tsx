import { useState } from "react";
import { RoundFigures } from "../../activeLearning/RoundFigures";
import {
  learnsWords,
  metricsWords,
  stateWords,
  stepSeconds,
  strategyWords,
} from "../../activeLearning/roundState";
import { type Round, type RoundsPage, recordPath } from "../../api/rounds";
import type { Project } from "../../api/types";
import { at } from "../../browser/base";
import { DataTable } from "../../components/DataTable";
import { TableCard } from "../../components/TableCard";
import { useZone } from "../../session/project";
import { count, duration, moment } from "../../text/format";

interface RoundsTableProps {
  page: RoundsPage;
  project: Project;
}

export function RoundsTable({ page, project }: RoundsTableProps) {
  const zone = useZone();
  const [opened, setOpened] = useState<readonly string[]>([]);
  const toggle = (id: string) =>
    setOpened(opened.includes(id) ? opened.filter((each) => each !== id) : [...opened, id]);
  return (
    <TableCard title="All rounds">
      <DataTable
        rows={page.rounds}
        keyOf={({ id }) => id}
        columns={[
          [
            "Round",
            (round) => <span title={`Started ${moment(round.started_at, zone)}`}>{round.number}</span>,
          ],
          ["Strategy", (round) => strategyWords(page.strategies, round)],
          [
            "Model",
            (round) => (
              <div title={round.model}>
                {modelTitle(page, round)}
                {round.model !== "none" && <div className="small">{learnsWords(round)}</div>}
              </div>
            ),
          ],
          ["Items", ({ batch, query_size }) => count(batch?.size ?? query_size), "number"],
          [
            "Answered",
            ({ batch }) => (batch ? `${count(batch.done)} of ${count(batch.total)}` : "–"),
            "number nowrap",
          ],
          ["Trained on", ({ model, n_training }) => (model === "none" ? "–" : count(n_training)), "number"],
          ["Train", (round) => secondsWords(stepSeconds(round, "train", "training")), "number nowrap"],
          ["Score", (round) => secondsWords(stepSeconds(round, "score", "scoring")), "number nowrap"],
          ["State", stateWords],
          [
            "Measured",
            (round) => (
              <Measured round={round} isOpen={opened.includes(round.id)} onToggle={() => toggle(round.id)} />
            ),
            "small",
          ],
          ["Record", RecordLink],
        ]}
        below={({ id }) => opened.includes(id) && <RoundFigures projectId={project.id} roundId={id} />}
      />
    </TableCard>
  );
}

interface MeasuredProps {
  round: Round;
  isOpen: boolean;
  onToggle: () => void;
}

/** What was measured, and a button for what the batch brought, which opens under the round. */
function Measured({ round, isOpen, onToggle }: MeasuredProps) {
  const { batch, metrics, learning_stages } = round;
  return (
    <>
      {isBlind(round) && <span className="tag warn">not informative yet</span>}{" "}
      {metricsWords(metrics, learning_stages).join("; ") || (batch ? "" : "–")}{" "}
      {batch && learning_stages.length > 0 && (
        <button type="button" className="button quiet inline" aria-expanded={isOpen} onClick={onToggle}>
          figures <span className="visually-hidden">of round {round.number}</span>
        </button>
      )}
    </>
  );
}

function RecordLink(round: Round) {
  if (!round.batch) return "–";
  return (
    <a href={at(recordPath(round))} download>
      record <span className="visually-hidden">of round {round.number} (JSON)</span>
    </a>
  );
}

/** The core says so of a model that gives one label to everything. */
function isBlind(round: Round): boolean {
  return round.notices.some((notice) => notice.includes("not informative yet"));
}

function modelTitle(page: RoundsPage, round: Round): string {
  if (round.model === "none") return "–";
  return page.models.find(({ name }) => name === round.model)?.title ?? round.model;
}

function secondsWords(seconds: number | null): string {
  return seconds === null ? "–" : duration(seconds);
}
