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
import { ColumnHeads, number } from "../../components/ColumnHeads";
import { TableCard } from "../../components/TableCard";
import { count, duration, moment } from "../../text/format";

const COLUMNS = 11;

interface RoundsTableProps {
  page: RoundsPage;
  project: Project;
}

export function RoundsTable({ page, project }: RoundsTableProps) {
  return (
    <TableCard title="All rounds">
      <table className="table">
        <ColumnHeads
          of={[
            "Round",
            "Strategy",
            "Model",
            number("Items"),
            number("Answered"),
            number("Trained on"),
            number("Train"),
            number("Score"),
            "State",
            "Measured",
            "Record",
          ]}
        />
        <tbody>
          {page.rounds.map((round) => (
            <RoundRows key={round.id} round={round} page={page} project={project} />
          ))}
        </tbody>
      </table>
    </TableCard>
  );
}

interface RowProps extends RoundsTableProps {
  round: Round;
  isOpen: boolean;
  onToggle: () => void;
}

/** A round, and under it, when it is opened, what its batch brought. */
function RoundRows(props: Omit<RowProps, "isOpen" | "onToggle">) {
  const [isOpen, setOpen] = useState(false);
  return (
    <>
      <Row {...props} isOpen={isOpen} onToggle={() => setOpen(!isOpen)} />
      {isOpen && (
        <tr>
          <td colSpan={COLUMNS}>
            <RoundFigures projectId={props.project.id} roundId={props.round.id} />
          </td>
        </tr>
      )}
    </>
  );
}

function Row({ round, page, project, isOpen, onToggle }: RowProps) {
  const batch = round.batch;
  return (
    <tr>
      <th scope="row" title={`Started ${moment(round.started_at, project.time_zone)}`}>
        {round.number}
      </th>
      <td>{strategyWords(page.strategies, round)}</td>
      <td title={round.model}>
        {modelTitle(page, round)}
        {round.model !== "none" && <div className="small">{learnsWords(round)}</div>}
      </td>
      <td className="number">{count(batch?.size ?? round.query_size)}</td>
      <td className="number nowrap">{batch ? `${count(batch.done)} of ${count(batch.total)}` : "–"}</td>
      <td className="number">{round.model === "none" ? "–" : count(round.n_training)}</td>
      <td className="number nowrap">{secondsWords(stepSeconds(round, "train", "training"))}</td>
      <td className="number nowrap">{secondsWords(stepSeconds(round, "score", "scoring"))}</td>
      <td>{stateWords(round)}</td>
      <td className="small">
        {isBlind(round) && <span className="tag warn">not informative yet</span>}{" "}
        {metricsWords(round.metrics, round.learning_stages).join("; ") || (batch ? "" : "–")}{" "}
        {batch && round.learning_stages.length > 0 && (
          <button type="button" className="button quiet inline" aria-expanded={isOpen} onClick={onToggle}>
            figures <span className="visually-hidden">of round {round.number}</span>
          </button>
        )}
      </td>
      <td>
        {batch ? (
          <a href={at(recordPath(round))} download>
            record <span className="visually-hidden">of round {round.number} (JSON)</span>
          </a>
        ) : (
          "–"
        )}
      </td>
    </tr>
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
