import { budgetLeft } from "../../activeLearning/roundSpec";
import { stateWords } from "../../activeLearning/roundState";
import { isMachine, isUnfinished } from "../../api/rounds";
import { count, counted, duration } from "../../text/format";
import type { Overview, RoundBrief } from "./api";
import { batchName } from "./copy";

/** The one thing to do next. `to` is a screen of the project. */
interface NextStep {
  title: string;
  words: string;
  act: string;
  to: string;
}

export function nextStep(overview: Overview): NextStep {
  return preparation(overview) ?? unfinished(overview) ?? nextRound(overview);
}

function preparation({ project, n_annotators }: Overview): NextStep | null {
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
  if (n_annotators === 0)
    return {
      title: "Invite annotators",
      words: "Text and codebook are ready. Invite the people who label, each with a link of their own.",
      act: "Invite people",
      to: "members",
    };
  return null;
}

function unfinished(overview: Overview): NextStep | null {
  const round = overview.rounds.find(isUnfinished);
  if (!round) return null;
  if (round.state === "failed")
    return {
      title: `Round ${round.number} ${stateWords(round)}`,
      words: `${sentence(round.failure)}No label is lost. Remove the cause and restart it, or cancel it.`,
      act: "See and restart it",
      to: "rounds",
    };
  if (isMachine(round))
    return {
      title: `Round ${round.number} is at work`,
      words: `${stateWords(round)}, ${duration(round.seconds)} so far. Its batch opens by itself.`,
      act: "Watch it",
      to: "rounds",
    };
  return waiting(round, overview);
}

/** A reason as its own sentence, whether or not the worker ended it with a full stop. */
function sentence(reason: string): string {
  return reason && `${reason.trim().replace(/[.]?$/, ".")} `;
}

function waiting(round: RoundBrief, { batches, people }: Overview): NextStep {
  const batch = batches.find(({ kind, number }) => kind === "round" && number === round.number);
  const late = people.filter((person) => isAtIt(person, batch?.id));
  return {
    title: `${batchName({ kind: "round", number: round.number })} is open`,
    words: `${count(batch?.done ?? 0)} of ${count(batch?.total ?? 0)} assignments are done; ${counted(late.length, "annotator")} still working. The next round can start when all are done.`,
    act: "See the round",
    to: "rounds",
  };
}

function isAtIt({ state, batches }: Overview["people"][number], id: string | undefined): boolean {
  return state !== "left" && batches.some(({ batch, done, total }) => batch === id && done < total);
}

function nextRound({ project, rounds, next }: Overview): NextStep {
  if (!rounds.some(({ state }) => state === "complete"))
    return {
      title: "Start the first batch",
      words: "It is drawn at random, so that what later rounds choose has something to be compared with.",
      act: "Start the first random batch",
      to: "rounds",
    };
  const left = budgetLeft(project);
  if (left === 0 || project.pool_left === 0)
    return {
      title: left === 0 ? "The budget is spent" : "The pool is used up",
      words: `${counted(project.budget_spent, "item")} were labelled. Look at the agreement, then freeze the dataset with its card.`,
      act: "Make a release",
      to: "releases",
    };
  return {
    title: "The batch is complete",
    words: `Every assignment of it is done. The next round ${next.trains_model ? "learns from it and " : ""}picks what to label next.`,
    act: `Start round ${next.number}`,
    to: "rounds",
  };
}
