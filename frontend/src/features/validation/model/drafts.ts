import type { Mark } from "../../../api/marks";
import { KeptDrafts } from "../../../kept/drafts";

/** An edit in the making. `annotation` is what it was made from, null for nothing. */
export interface EditDraft {
  annotation: string | null;
  marks: readonly Mark[];
  /** Something would be lost with it. */
  isChanged: boolean;
}

/** Edits of one person, by item. */
export class EditDrafts extends KeptDrafts<EditDraft> {
  constructor(userId: string) {
    super(userId, "validation");
  }
}
