import type { Assignment, StageDefinition } from "../../api/types";
import { answerName } from "../copy";

type Suggestions = Assignment["suggestions"];

/** The id of the suggestions that are on the screen; null where none are. */
export function shownSuggestions(suggestions: Suggestions): string | null {
  return suggestions?.stages && Object.keys(suggestions.stages).length > 0 ? suggestions.id : null;
}

/** What the model says of one stage, in words; empty where it says nothing. */
export function suggestedWords(suggestions: Suggestions, stage: StageDefinition): string {
  const said = suggestions?.stages?.[stage.key];
  if (!suggestions || !said) return "";
  const sure = said.confidence === null ? "" : `, ${Math.round(100 * said.confidence)} % sure`;
  const why = said.explanation ? `: ${said.explanation}` : "";
  return `The model ${suggestions.system} says “${answerName(stage, said.label)}”${sure}${why}`;
}
