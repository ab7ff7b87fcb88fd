import { KeptDrafts } from "../../../kept/drafts";

/** A text that the server does not have yet, with the revision that it was written from. */
export interface Draft {
  text: string;
  revision: number;
}

/** Unsaved texts of one person and project, by question. */
export class Drafts extends KeptDrafts<Draft> {
  constructor(userId: string, projectId: string) {
    super(userId, `datasheet.${projectId}`);
  }
}
