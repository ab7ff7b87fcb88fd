import type { Project } from "../../api/types";
import { count, counted, duration } from "../../components/words";
import type { Round, RoundsPage } from "../rounds/api";
import { budgetLeft, isFirstBatch } from "../rounds/spec";
import { isMachine, isUnfinished, stateWords } from "../rounds/state";

/** The one thing to do next. `to` is a screen of the project; null where there is nothing to do but wait. */
export interface NextStep {
  title: string;
  words: string;
  act: string;
  to: string;
}

export function nextStep(project: Project, page: RoundsPage): NextStep {
  return preparation(project, page) ?? unfinished(page) ?? nextRound(project, page);
}

function preparation(project: Project, page: RoundsPage): NextStep | null {
  if (project.pool_size === 0)
    return {
      title: "Import text",
      words:
        "The project has no text yet. Import a corpus: its items become the pool that batches are drawn from.",
      act: "Import a corpus",
      to: "import",
    };
  if (!project.active_codebook)
    return {
      title: "Publish a codebook",
      words:
        "People label by a published codebook: its questions with their labels, or the categories of spans to mark.",
      act: "Write the codebook",
      to: "codebook",
    };
  if (!page.annotators.some((person) => person.role === "annotator"))
    return {
      title: "Invite annotators",
      words: "Text and codebook are ready. Invite the people who label, each with a link of their own.",
      act: "Invite people",
      to: "members",
    };
  return null;
}

function unfinished(page: RoundsPage): NextStep | null {
  const round = page.rounds.find(isUnfinished);
  if (!round) return null;
  if (round.state === "failed")
    return {
      title: `Round ${round.number} ${stateWords(round)}`,
      words: `${sentence(round.failure)}No label is lost. Mend the cause and restart it, or cancel it.`,
      act: "See and restart it",
      to: "rounds",
    };
  if (isMachine(round))
    return {
      title: `Round ${round.number} is at work`,
      words: `${stateWords(round)}, ${duration(round.progress.seconds)} so far. Its batch opens by itself.`,
      act: "Watch it",
      to: "rounds",
    };
  return waiting(round);
}

/** A reason as its own sentence, whether or not the worker ended it with a full stop. */
function sentence(reason: string): string {
  return reason && `${reason.trim().replace(/[.]?$/, ".")} `;
}

function waiting(round: Round): NextStep {
  const late = round.annotators.filter((person) => person.done < person.total);
  const { done = 0, total = 0 } = round.batch ?? {};
  return {
    title: `Batch ${round.batch?.number ?? round.number} is open`,
    words: `${count(done)} of ${count(total)} assignments are done; ${counted(late.length, "annotator")} still at it. The next round can start when all are done.`,
    act: "See the round",
    to: "rounds",
  };
}

/** Whether what the server suggests for the next round trains a model. */
function isLearning({ strategies, next }: RoundsPage): boolean {
  return strategies.some(({ name, needs_model }) => name === next.suggested_strategy && needs_model);
}

function nextRound(project: Project, page: RoundsPage): NextStep {
  if (isFirstBatch(page))
    return {
      title: "Start the first batch",
      words: "It is drawn at random, so that what later rounds choose has something to be compared with.",
      act: "Start the first random batch",
      to: "rounds",
    };
  const left = budgetLeft(project);
  if (left === 0 || project.pool_size <= project.budget_spent)
    return {
      title: left === 0 ? "The budget is spent" : "The pool is used up",
      words: `${counted(project.budget_spent, "item")} were labelled. Look at the agreement, then take the data.`,
      act: "Export the dataset",
      to: "export",
    };
  return {
    title: "The batch is complete",
    words: `Every assignment of it is done. The next round ${isLearning(page) ? "learns from it and " : ""}picks what to label next.`,
    act: `Start round ${page.next.number}`,
    to: "rounds",
  };
}
