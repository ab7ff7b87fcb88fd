/** The strings of an evaluation as the list shows them. */
import type { ReviewState, Strings } from "../types";
import { type Content, classesOf } from "./edits";

export type Which = "all" | "free" | "class";

export interface Shown {
  text: string;
  n: number;
  /** Key of its class; null: in none. */
  in: string | null;
}

/** All strings found, with the class that each is in now. */
export function foundStrings({ strings }: Pick<Strings, "strings">, content: Content): Shown[] {
  const places = classesOf(content);
  return strings.map(({ text, n }) => ({ text, n, in: places.get(text) ?? null }));
}

export function filtered(
  all: readonly Shown[],
  { which, sought, classKey }: { which: Which; sought: string; classKey: string | null },
): Shown[] {
  const words = sought.toLowerCase().split(/\s+/).filter(Boolean);
  return all.filter(
    (each) =>
      (which === "all" || (which === "free" ? each.in === null : each.in === classKey)) &&
      words.every((word) => each.text.toLowerCase().includes(word)),
  );
}

/** The string that comes next once these are dealt with. */
export function nextAfter(shown: readonly Shown[], done: ReadonlySet<string>): string | null {
  const last = shown.findLastIndex(({ text }) => done.has(text));
  if (last === -1) return null;
  const rest = (each: Shown) => !done.has(each.text);
  return (shown.slice(last).find(rest) ?? shown.slice(0, last).findLast(rest))?.text ?? null;
}

/** All strings between two, both included. */
export function between(shown: readonly Shown[], from: string, to: string): string[] {
  const [a, b] = [from, to].map((text) => shown.findIndex((each) => each.text === text));
  if (a === undefined || b === undefined || a === -1 || b === -1) return [to];
  return shown.slice(Math.min(a, b), Math.max(a, b) + 1).map(({ text }) => text);
}

export type ClassFilter = "all" | "unused" | ReviewState;

export interface ShownClass {
  key: string;
  name: string;
  members: readonly string[];
  /** From 1, its key on the keyboard. */
  number: number;
}

/** The classes to show; a class keeps its number whatever is shown. */
export function shownClasses(
  content: Content,
  filter: ClassFilter,
  { stateOf, isFound }: { stateOf: (key: string) => ReviewState; isFound: (text: string) => boolean },
): ShownClass[] {
  return content.classes
    .map(({ key, name, members }, place) => ({ key, name, members, number: place + 1 }))
    .filter(({ key, members }) => {
      if (filter === "all") return true;
      return filter === "unused" ? members.some((each) => !isFound(each)) : stateOf(key) === filter;
    });
}
