import type { Answers } from "../../../api/types";
import { KeptDrafts } from "../../../kept/drafts";

/** A decision that is not stored. `base` is the revision of the decision that it was made beside, 0 for none. */
export interface DecisionDraft {
  base: number;
  labels: Answers;
  reason: string;
}

/** Decisions of one person that are not stored, by item and phase. */
export class DecisionDrafts extends KeptDrafts<DecisionDraft> {
  constructor(userId: string) {
    super(userId, "adjudication");
  }
}
