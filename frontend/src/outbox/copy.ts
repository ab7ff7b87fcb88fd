import { isFlag, isStep, ofAssignment } from "./order";
import type { OutboxEntry, OutboxState, SubmitEntry } from "./types";

export type Tone = "ok" | "mute" | "warn" | "bad";

interface SaveWords {
  words: string;
  tone: Tone;
}

/** Where the person's answers are, in words. */
export function saveWords(state: OutboxState): SaveWords {
  const undecided = refusedEntries(state.entries).length;
  const waiting = state.entries.length;
  if (undecided > 0) {
    const verb = undecided === 1 ? "needs" : "need";
    return { words: `Not sent: ${undecided} ${verb} your decision`, tone: "bad" };
  }
  if (waiting === 0 && state.committing > 0) return { words: "Saving on this device", tone: "mute" };
  if (waiting === 0) return { words: "All saved", tone: "ok" };
  if (state.connection === "signed-out")
    return { words: `${waiting} saved on this device, sent once you sign in`, tone: "bad" };
  if (state.connection === "retrying")
    return { words: `${waiting} saved on this device, sent when the server answers`, tone: "warn" };
  return { words: `${waiting} saved on this device, being sent`, tone: "mute" };
}

/** One entry for each assignment and list of which the server refused something: what waits behind it is not sent. */
export function refusedEntries(entries: readonly OutboxEntry[]): OutboxEntry[] {
  return entries.filter((entry) => entry.refusal !== null);
}

/** The answers given last on a refused assignment: later submits wait behind the refused one. */
export function latestOf(entries: readonly OutboxEntry[], refused: SubmitEntry): SubmitEntry {
  return ofAssignment(entries, refused.assignment.id).at(-1) ?? refused;
}

/** What happened to a refused answer and what can be done, for the person. */
export function refusalWords(entry: OutboxEntry): string {
  const refusal = entry.refusal;
  if (!refusal) return "";
  if (refusal.code === "stale")
    return isStep(entry)
      ? "This list was changed in another tab or on another machine meanwhile."
      : "This item was answered again in another tab or on another machine meanwhile.";
  // The server says why: which of the things that end a batch, or that the others' answers were seen.
  if (refusal.code === "closed" || refusal.code === "seen") return refusal.words;
  if (refusal.code === "withdrawn")
    return "This item was taken back from you: its batch was closed, or it went to somebody else. Your answer is kept here; if an admin opens the batch again, send it then.";
  if (refusal.status === 403 || refusal.status === 404)
    return `The server no longer knows this ${isStep(entry) ? "list" : "item"} as yours: you may have been deactivated in this project. Ask its admin, then send it again; it is kept here until then.`;
  if (refusal.code === "client_id_reused")
    return isFlag(entry)
      ? "The server has another note under this flag's number."
      : "The server has another answer under this submit's number.";
  const fields = Object.entries(refusal.fields).map(([field, messages]) => `${field}: ${messages.join(" ")}`);
  return [`The server refused it: ${refusal.words}`, ...fields].join(" ");
}

/** Sending again can only help where the server's answer may be another one next time. */
export function maySendAgain(entry: OutboxEntry): boolean {
  const { status, code } = entry.refusal ?? {};
  return status === 403 || status === 404 || ["stale", "client_id_reused", "withdrawn"].includes(code ?? "");
}

/** The server takes it only once somebody else has done something: until then sending again changes nothing. */
export function waitsForOthers(entry: OutboxEntry): boolean {
  const { status, code } = entry.refusal ?? {};
  return status === 403 || status === 404 || code === "withdrawn";
}

/** An answer that the server found faulty can be corrected on the labelling screen. */
export function mayCorrect(entry: OutboxEntry): boolean {
  return entry.refusal?.status === 400;
}
