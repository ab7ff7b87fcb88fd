import { counted, listed } from "../../../text/format";
import type { Decided, ItemPage, Listing, State, Which } from "../api";

export const WHICH: Record<Which, string> = {
  open: "Ready",
  waiting: "Waiting",
  resolved: "Decided",
  all: "All",
};

export const STATE_WORDS: Record<State, string> = {
  waiting: "waiting for annotations",
  open: "ready to validate",
  accepted: "accepted",
  edited: "edited",
  rejected: "rejected",
};

export function stateTag(state: State): string {
  const tone: Record<State, string> = {
    waiting: "",
    open: "warn",
    accepted: "ok",
    edited: "ok",
    rejected: "bad",
  };
  return `tag ${tone[state]}`.trim();
}

export function countOf({ counts }: Listing, which: Which): number {
  const resolved = counts.accepted + counts.edited + counts.rejected;
  return {
    open: counts.open,
    waiting: counts.waiting,
    resolved,
    all: counts.open + counts.waiting + resolved,
  }[which];
}

/** "12 ready to validate, 3 waiting for annotations, 40 decided: 31 accepted, 7 edited, 2 rejected." */
export function countWords(listing: Listing): string {
  const { accepted, edited, rejected } = listing.counts;
  const resolved = countOf(listing, "resolved");
  const parts = resolved > 0 ? `: ${accepted} accepted, ${edited} edited, ${rejected} rejected` : "";
  return `${listing.counts.open} ready to validate, ${listing.counts.waiting} waiting for annotations, ${resolved} decided${parts}.`;
}

export const EMPTY_WORDS: Record<Which, string> = {
  open: "Nothing is ready to validate at the moment. An item is ready once all its annotations are in.",
  waiting: "No item waits for annotations.",
  resolved: "Nothing is decided yet.",
  all: "No spans are being marked yet: an admin opens a batch under a codebook with a span layer.",
};

export function inWords({ n_submitted, n_needed }: Pick<ItemPage, "n_submitted" | "n_needed">): string {
  return n_submitted < n_needed ? `${n_submitted} of ${n_needed} are in` : counted(n_submitted, "annotation");
}

/** "Accepted: B." or "Edited, from B." */
export function decidedWords({ decision, letter, annotation, reason }: Decided): string {
  const gone = "an annotation that no longer counts";
  switch (decision) {
    case "accepted":
      return `Accepted: ${letter ?? gone}.`;
    case "edited":
      return annotation === null ? "Edited, from nothing." : `Edited, from ${letter ?? gone}.`;
    case "rejected":
      return `Rejected: ${reason}`;
  }
}

/** null where nothing was changed since. */
export function revisedWords({ annotations, decision }: ItemPage): string | null {
  if (!decision?.revised_since) return null;
  const letters = annotations.filter(({ revised_since }) => revised_since).map(({ letter }) => letter);
  const those = `${listed(letters)} ${letters.length === 1 ? "was" : "were"}`;
  return `${those} revised since this decision, which was left as it is. Look again, and decide anew if necessary.`;
}
