import { count, counted, listed } from "../../text/format";
import type { OwnList, PairingHead, Phase, PhasePerson, Relation, Step, TextSet } from "./types";

export const KIND_WORDS = { definition: "definition", annotation: "annotation" } as const;

export const STEP_WORDS: Record<Step, string> = {
  independent: "independent",
  second_look: "second look",
  consensus: "consensus",
};

/** "Phase 2: annotation, second look". */
export function phaseTitle({ number, kind, step }: Pick<Phase, "number" | "kind" | "step">): string {
  return `Phase ${number}: ${kind}, ${STEP_WORDS[step]}`;
}

/** What one does on an own list. */
export function workWords({ kind, step }: Pick<OwnList, "kind" | "step">): string {
  if (step === "consensus") return "Decide the open items";
  if (step === "second_look") return "Take a second look";
  return kind === "definition" ? "Define factoids" : "Mark the given factoids";
}

export function ownProgress({ kind, step, n_items, n_items_open, ...list }: OwnList): string {
  if (step === "independent" && kind === "annotation")
    return `${count(list.n_answers)} of ${counted(list.n_factoids * list.n_texts, "answer")}`;
  if (step === "independent") return counted(list.n_factoids, "factoid");
  return n_items === 0
    ? "nothing differs"
    : `${count(n_items - n_items_open)} of ${counted(n_items, "item")} decided`;
}

/** How far a person is, in the words of what they do. */
export function personProgress(person: PhasePerson, { kind, step, n_texts }: Phase): string {
  if (step !== "independent") {
    const done = person.n_items - person.n_items_open;
    return person.n_items === 0 ? "nothing differs" : `${count(done)} of ${counted(person.n_items, "item")}`;
  }
  if (kind === "annotation") return `${count(person.n_texts_done)} of ${counted(n_texts, "text")}`;
  return `${counted(person.n_factoids, "factoid")} in ${counted(person.n_texts_done, "text")}`;
}

export const RELATIONS: readonly Relation[] = ["equal", "subsumes", "subsumed", "related", "unrelated"];

/** What A's factoid is to B's. */
export const RELATION_WORDS: Record<Relation, string> = {
  equal: "Equal",
  subsumes: "A subsumes B",
  subsumed: "B subsumes A",
  related: "Related",
  unrelated: "Unrelated",
};

export const RELATION_HELP: Record<Relation, string> = {
  equal: "both say the same",
  subsumes: "A says what B says, and more",
  subsumed: "B says what A says, and more",
  related: "they differ, and are about the same",
  unrelated: "they have nothing to do with each other",
};

export function sizeOfSet({ n_texts, n_sentences }: TextSet): string {
  return `${counted(n_texts, "text")}, ${counted(n_sentences, "sentence")}`;
}

/** What an admin does next with a set. */
export function nextStep({ phases, consensus, drafts }: TextSet, pairings: readonly PairingHead[]): string {
  const open = phases.find(({ closed_at }) => closed_at === null);
  if (open) return waitingWords(open);
  const last = phases.at(-1);
  if (!last) return "Open a definition phase for two people or more: each breaks the texts into factoids.";
  if (drafts.length > 0) return "Edit the draft of the consensus list, then publish it.";
  if (last.kind === "definition" && consensus.length === 0) return definitionNext(last, pairings);
  if (last.kind === "definition")
    return "Open an annotation phase: people mark the published list in every text.";
  if (last.step === "consensus") return "See the scores, and export the set.";
  return last.step === "independent"
    ? "See the agreement, then open the second look: each person checks their own items that differ."
    : "See the agreement, then open the consensus: what still differs is decided with a note.";
}

function waitingWords({ number, people, step }: Phase): string {
  const left = people.filter(({ done_at }) => done_at === null);
  if (step === "consensus") return `Decide the open items of phase ${number}, then close it.`;
  if (left.length === 0) return `Everyone is done: close phase ${number}.`;
  return `Wait for ${listed(left.flatMap(({ name }) => name ?? []))}, then close phase ${number}.`;
}

function definitionNext({ step, number }: Phase, pairings: readonly PairingHead[]): string {
  if (!pairings.some(({ first }) => first.phase_number === number))
    return `Pair two lists of phase ${number}, and judge which factoids correspond.`;
  return step === "independent"
    ? "Judge the pairs, then open a second look, or propose a consensus list from the pairing."
    : "Judge the pairs, then propose a consensus list from the pairing.";
}

const REASONS_FOR_CLOSING =
  "Nobody can change these lists afterwards. Admins and adjudicators can read them then, with names.";

export function closingWords({ people, step, number }: Phase): string[] {
  const left = people.filter(({ done_at, n_items_open }) => done_at === null || n_items_open > 0);
  return [
    ...(left.length > 0 && step !== "consensus"
      ? [
          `Not done yet: ${listed(left.flatMap(({ name }) => name ?? []))}. Their lists are frozen as they are.`,
        ]
      : []),
    REASONS_FOR_CLOSING,
    `You can reopen phase ${number} until something follows it: a next phase, a judged pairing, or a draft of the consensus list.`,
  ];
}
