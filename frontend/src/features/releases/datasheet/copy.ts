import type { Tone } from "../../../outbox/copy";
import { counted, moment } from "../../../text/format";
import type { Question } from "./api";
import type { AutosaveState } from "./autosave";
import type { Unsaved } from "./sheetAutosave";

/** Where the texts of the page are, in words. */
export function savedWords({ all, stale, refused, retrying }: Unsaved): { words: string; tone: Tone } {
  if (stale > 0) return { words: `${stale} not saved: your decision`, tone: "bad" };
  if (refused > 0) return { words: `${refused} not saved: not accepted`, tone: "bad" };
  if (retrying > 0) return { words: `${retrying} not saved, trying again`, tone: "warn" };
  return all > 0 ? { words: `${all} being saved`, tone: "mute" } : { words: "All saved", tone: "ok" };
}

/** Where one text is. */
export function writingWords(state: AutosaveState, timeZone: string): { words: string; tone: Tone } {
  const { status, stored, reason, isKept, wasSaved } = state;
  const kept = isKept ? "Your text is kept in this browser meanwhile." : "Do not close this page.";
  if (status === "typed") return { words: "Not saved yet", tone: "mute" };
  if (status === "saving") return { words: "Saving", tone: "mute" };
  if (status === "retrying") return { words: `Not saved, trying again. ${reason} ${kept}`, tone: "warn" };
  if (status === "refused") return { words: `Not saved. ${reason}`, tone: "bad" };
  if (status === "stale") return { words: "Not saved: choose which answer to keep.", tone: "bad" };
  return { words: storedWords(stored, wasSaved, timeZone), tone: wasSaved ? "ok" : "mute" };
}

function storedWords(
  { revision, answer, answered_by, answered_at }: Question,
  wasSaved: boolean,
  zone: string,
) {
  if (wasSaved) return "Saved";
  if (revision === 0 || answered_at === null) return "";
  const act = answer.trim() ? "Saved" : "Emptied";
  return `${act} by ${answered_by ?? "nobody known"}, ${moment(answered_at, zone)}`;
}

/** What happens to unsaved texts when the page is left. */
export function leaveWords({ all, loose }: Unsaved): string {
  const kept = all - loose;
  const parts = [
    kept > 0 &&
      `${counted(kept, "answer")} not yet with the server: kept in this browser, and saved when you open this page again.`,
    loose > 0 && `${counted(loose, "answer")} would be lost: this browser has no room to keep it.`,
  ];
  return parts.filter(Boolean).join(" ");
}
