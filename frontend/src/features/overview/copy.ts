import { count, counted } from "../../text/format";
import type { OpenBatch, Person, RoundBrief } from "./api";

/** "12 min", "26 h", "3 days": how long ago something was, as people say it. */
export function roughly(milliseconds: number): string {
  const minutes = Math.max(0, Math.floor(milliseconds / 60_000));
  if (minutes < 1) return "less than 1 min";
  if (minutes < 120) return `${minutes} min`;
  const hours = Math.floor(minutes / 60);
  return hours < 48 ? `${hours} h` : `${Math.floor(hours / 24)} days`;
}

export function sinceWords(iso: string | null, now: number): string {
  return iso === null ? "" : roughly(now - Date.parse(iso));
}

export function batchName({ kind, number }: Pick<OpenBatch, "kind" | "number">): string {
  switch (kind) {
    case "prototype":
      return `Prototype ${number}`;
    case "second_look":
      return `Second look at batch ${number}`;
    case "chosen":
      return `Chosen ${number}`;
    case "practice":
      return `Practice ${number}`;
    default:
      return `Batch ${number}`;
  }
}

/** What a person does, in words that need no colour. */
export function personWords(person: Person, now: number): string {
  const ago = sinceWords(person.since, now);
  switch (person.state) {
    case "not_begun":
      return person.idle ? `not begun for ${ago}` : `not begun, open for ${ago}`;
    case "working":
      return person.idle ? `idle for ${ago}` : `last item ${ago} ago`;
    case "finished":
      return "finished";
    case "left":
      return "deactivated";
  }
}

export function strategyOf({ strategy, asked }: Pick<RoundBrief, "strategy" | "asked">): string {
  return asked ? `${strategy} (asked: ${asked})` : strategy;
}

/** So many names fit into the line; the table begins with all of them. */
const NAMED = 3;

/** "2 idle: Ann, Ben": who needs a word, said before the table. */
export function idleWords(people: readonly Person[], hours: number): string {
  const idle = people.filter((person) => person.idle);
  if (idle.length === 0) return `Idle (open work, nothing finished for ${hours} h): nobody.`;
  const names = idle.slice(0, NAMED).map((person) => person.display_name);
  const more = idle.length > NAMED ? ` and ${counted(idle.length - NAMED, "other")}` : "";
  return `Idle (open work, nothing finished for ${hours} h): ${names.join(", ")}${more}.`;
}

export function partWords({
  done,
  total,
  skipped,
}: {
  done: number;
  total: number;
  skipped: number;
}): string {
  return `${count(done)} of ${count(total)}${skipped > 0 ? `, ${count(skipped)} skipped` : ""}`;
}
