/** What a person does to an evaluation, as data: it can be made anew on top of what somebody else did meanwhile. */
import { counted, listed } from "../../../text/format";
import { shortQuote } from "../../../text/quote";
import type { Part } from "../types";

export interface ClassContent {
  key: string;
  name: string;
  members: readonly string[];
}

export interface Settings {
  name: string;
  part: Part;
  in_depth: boolean;
}

export interface Content extends Settings {
  classes: readonly ClassContent[];
}

/** A string, and the key of the class that it was in before; null: in none. */
export interface Moved {
  text: string;
  from: string | null;
}

export type Edit =
  | { kind: "put"; moved: readonly Moved[]; to: string }
  | { kind: "create" | "split"; moved: readonly Moved[]; key: string; name: string }
  | { kind: "take-out"; moved: readonly Moved[] }
  | { kind: "rename"; key: string; from: string; to: string }
  | { kind: "merge"; into: string; other: string }
  | { kind: "delete"; key: string; members: readonly string[] }
  | { kind: "settings"; from: Settings; to: Settings };

export interface Applied {
  content: Content;
  /** Strings that somebody else put elsewhere meanwhile. They stay there. */
  missed: readonly string[];
  /** False: nothing of the edit can be made, or nothing is left to be made. */
  isMade: boolean;
}

/** The key of the class of each member. */
export function classesOf({ classes }: Pick<Content, "classes">): Map<string, string> {
  return new Map(classes.flatMap(({ key, members }) => members.map((text) => [text, key] as const)));
}

export function movedFrom(content: Content, texts: readonly string[]): Moved[] {
  const places = classesOf(content);
  return texts.map((text) => ({ text, from: places.get(text) ?? null }));
}

/** Makes an edit. A string that is not where the edit found it stays where it is. */
export function applied(content: Content, edit: Edit): Applied {
  const none: Applied = { content, missed: [], isMade: false };
  const { classes } = content;
  const has = (key: string) => classes.some((each) => each.key === key);
  const change = (key: string, to: Partial<ClassContent>) =>
    made(classes.map((each) => (each.key === key ? { ...each, ...to } : each)));
  const made = (next: readonly ClassContent[]): Applied => ({
    ...none,
    content: { ...content, classes: next },
    isMade: true,
  });
  switch (edit.kind) {
    case "put":
      return has(edit.to) ? moving(content, edit.moved, edit.to) : none;
    case "take-out":
      return moving(content, edit.moved, null);
    case "create":
    case "split": {
      if (has(edit.key)) return none;
      const empty = { key: edit.key, name: edit.name, members: [] };
      const found = moving({ ...content, classes: [...classes, empty] }, edit.moved, edit.key);
      if (edit.moved.length === 0) return { ...found, isMade: true };
      return found.isMade ? found : { ...none, missed: found.missed };
    }
    case "rename":
      return edit.from !== edit.to && classes.find(({ key }) => key === edit.key)?.name === edit.from
        ? change(edit.key, { name: edit.to })
        : none;
    case "merge": {
      const [into, other] = [edit.into, edit.other].map((key) => classes.find((each) => each.key === key));
      if (!into || !other) return none;
      const joined = { ...into, name: into.name || other.name, members: [...into.members, ...other.members] };
      return made(
        classes.filter(({ key }) => key !== other.key).map((each) => (each.key === into.key ? joined : each)),
      );
    }
    case "delete": {
      const members = classes.find(({ key }) => key === edit.key)?.members;
      const isSame =
        members?.length === edit.members.length && edit.members.every((each) => members.includes(each));
      return isSame ? made(classes.filter(({ key }) => key !== edit.key)) : none;
    }
    case "settings": {
      const { name, part, in_depth } = content;
      const isSame = JSON.stringify({ name, part, in_depth }) === JSON.stringify(settingsOf(edit.from));
      return isSame ? { ...none, content: { ...content, ...settingsOf(edit.to) }, isMade: true } : none;
    }
  }
}

export function settingsOf({ name, part, in_depth }: Settings): Settings {
  return { name, part, in_depth };
}

function moving(content: Content, moved: readonly Moved[], to: string | null): Applied {
  const places = classesOf(content);
  const now = (text: string) => places.get(text) ?? null;
  const still = moved.filter(({ text, from }) => now(text) === from && from !== to).map(({ text }) => text);
  const missed = moved
    .filter(({ text, from }) => now(text) !== from && now(text) !== to)
    .map(({ text }) => text);
  if (still.length === 0) return { content, missed, isMade: false };
  const leaving = new Set(still);
  const classes = content.classes.map((each) => {
    const left = each.members.filter((text) => !leaving.has(text));
    if (each.key === to) return { ...each, members: [...left, ...still] };
    return left.length === each.members.length ? each : { ...each, members: left };
  });
  return { content: { ...content, classes }, missed, isMade: true };
}

/** How a class is called: its name, or the number of its place and its first members. */
export function classTitle({ classes }: Pick<Content, "classes">, key: string): string {
  const place = classes.findIndex((each) => each.key === key);
  return classes[place]?.name || `class ${place + 1}`;
}

/** How a class is called within a sentence: its name in quotation marks, shortened, or its number. */
export function classWords({ classes }: Pick<Content, "classes">, key: string, longest = 60): string {
  const isNamed = classes.some((each) => each.key === key && each.name);
  const title = shortQuote(classTitle({ classes }, key), longest);
  return isNamed ? `“${title}”` : title;
}

export function stringsWords(texts: readonly string[]): string {
  return texts.length === 1 ? `“${shortQuote(texts[0] ?? "", 60)}”` : counted(texts.length, "string");
}

const LONGEST = 200;

/** An edit in words, for the log and the history, with the words before it; `content` is what it is made on. */
export function editWords(content: Content, edit: Edit, before = ""): string {
  const words = before + wordsOf(content, edit);
  return words.length > LONGEST ? `${words.slice(0, LONGEST - 1)}…` : words;
}

function wordsOf(content: Content, edit: Edit): string {
  const title = (key: string) => classWords(content, key);
  switch (edit.kind) {
    case "put":
      return `Put ${textsOf(edit.moved)} into ${title(edit.to)}`;
    case "create": {
      const named = edit.name ? `class “${edit.name}”` : "class";
      return edit.moved.length === 0 ? `New empty ${named}` : `New ${named} from ${textsOf(edit.moved)}`;
    }
    case "split":
      return `Split ${textsOf(edit.moved)} off ${listed([...new Set(edit.moved.flatMap(({ from }) => (from ? [title(from)] : [])))])}`;
    case "take-out":
      return `Take ${textsOf(edit.moved)} out of ${edit.moved.length === 1 ? "its class" : "their classes"}`;
    case "rename":
      return edit.to
        ? `Name ${title(edit.key)} “${shortQuote(edit.to, 80)}”`
        : `Take the name of ${title(edit.key)} away`;
    case "merge":
      return `Merge ${title(edit.other)} into ${title(edit.into)}`;
    case "delete":
      return `Delete ${title(edit.key)} with ${counted(edit.members.length, "string")}`;
    case "settings":
      return "Change name, part or depth of the evaluation";
  }
}

function textsOf(moved: readonly Moved[]): string {
  return stringsWords(moved.map(({ text }) => text));
}
