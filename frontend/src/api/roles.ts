import type { Role } from "./types";

/** What each role means to people. What it may do stands in the server's table (models/roles.py). */
export const ROLE_MEANS: Record<Role, string> = {
  annotator: "An annotator labels what is assigned, and sees nothing of the others.",
  adjudicator:
    "An adjudicator sees the answers or marks of an item side by side, without names, and decides which stand. Adjudicators change no annotation and no agreement figure, and new rounds do not offer them as annotators.",
  admin:
    "An admin sees and changes everything in the project, other people's roles too, and may also annotate.",
};

export const ROLES = Object.keys(ROLE_MEANS) as Role[];

/** "an annotator". */
export function withArticle(role: Role): string {
  return `${/^[aeiou]/.test(role) ? "an" : "a"} ${role}`;
}
