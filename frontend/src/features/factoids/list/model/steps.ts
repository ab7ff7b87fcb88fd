/** What a person does to a list: each is one step, which can be undone as a whole. Pure. */
import type {
  Factoid,
  FactoidChange,
  FactoidList,
  ItemAnswer,
  ListItem,
  ListStep,
  StepKind,
} from "../../../../api/factoids";
import { naturally } from "../../../../text/natural";

type Sides = [before: Factoid | null, after: Factoid | null][];

function step(kind: StepKind, sides: Sides, item: ListStep["item"] = null): ListStep {
  const changes = sides.flatMap(([before, after]): FactoidChange[] => {
    const key = (after ?? before)?.key;
    return key === undefined ? [] : [{ key, before, after }];
  });
  return { kind, changes, item };
}

export function newFactoid(
  list: FactoidList,
  key: string,
  sentences: string[],
  description: string,
): ListStep {
  const made = { key, id: nextId(list.factoids), description, sentences, absent: [] };
  return step("new", [[null, made]]);
}

/** null: it says that already. */
export function describeFactoid(factoid: Factoid, description: string): ListStep | null {
  const said = description.trim();
  return said === factoid.description
    ? null
    : step("describe", [[factoid, { ...factoid, description: said }]]);
}

/** Links a sentence, or takes its link away. A link says that the factoid is in the text, so it is not absent any more. */
export function toggleLink(factoid: Factoid, sentence: string, text: string): ListStep {
  if (factoid.sentences.includes(sentence))
    return step("unlink", [[factoid, { ...factoid, sentences: without(factoid.sentences, sentence) }]]);
  const linked = {
    ...factoid,
    sentences: [...factoid.sentences, sentence],
    absent: without(factoid.absent, text),
  };
  return step("link", [[factoid, linked]]);
}

/** "Not in this text" takes the links in it away; said again, it is taken back. */
export function toggleAbsent(factoid: Factoid, text: string, inText: ReadonlySet<string>): ListStep {
  const after = factoid.absent.includes(text)
    ? { ...factoid, absent: without(factoid.absent, text) }
    : notThere(factoid, text, inText);
  return step("absent", [[factoid, after]]);
}

function notThere(factoid: Factoid, text: string, inText: ReadonlySet<string>): Factoid {
  const sentences = factoid.sentences.filter((each) => !inText.has(each));
  return { ...factoid, sentences, absent: [...factoid.absent, text] };
}

/** All of these are not in the text. */
export function restAbsent(factoids: readonly Factoid[], text: string): ListStep {
  return step(
    "absent",
    factoids.map((each) => [each, { ...each, absent: [...each.absent, text] }]),
  );
}

export interface SplitInto {
  first: { description: string; sentences: string[] };
  second: { description: string; sentences: string[] };
}

/** The first half keeps the id; the second is a new factoid. */
export function splitFactoid(list: FactoidList, factoid: Factoid, key: string, into: SplitInto): ListStep {
  const second = { key, id: nextId(list.factoids), absent: factoid.absent, ...into.second };
  return step("split", [
    [factoid, { ...factoid, ...into.first }],
    [null, second],
  ]);
}

/** `kept` takes over the sentences of `gone`. */
export function mergeFactoids(kept: Factoid, gone: Factoid, description: string): ListStep {
  const sentences = [...new Set([...kept.sentences, ...gone.sentences])];
  return step("merge", [
    [kept, { ...kept, description: description.trim(), sentences }],
    [gone, null],
  ]);
}

export function deleteFactoid(factoid: Factoid): ListStep {
  return step("delete", [[factoid, null]]);
}

const MOST_OF_ID = 100;

/** Why a factoid cannot have this id; null where it can. */
export function idFault(list: FactoidList, factoid: Factoid, id: string): string | null {
  const wanted = id.trim();
  if (wanted === "") return "A factoid needs an id. Type one, or press Escape.";
  const { length } = [...wanted];
  if (length > MOST_OF_ID) return `This id has ${length} characters. Shorten it to ${MOST_OF_ID} or fewer.`;
  const holder = list.factoids.find((each) => each.id === wanted && each.key !== factoid.key);
  return holder ? `${wanted} is another factoid’s id. Choose one that is free.` : null;
}

export function renumberFactoid(factoid: Factoid, id: string): ListStep | null {
  return id.trim() === factoid.id ? null : step("renumber", [[factoid, { ...factoid, id: id.trim() }]]);
}

/** Numbers all from 1 in the order of the list, closing gaps; null where they are so numbered already. */
export function renumberAll(list: FactoidList, prefix: string): ListStep | null {
  const sides = list.factoids
    .map((each, place): [Factoid, Factoid] => [each, { ...each, id: `${prefix}${place + 1}` }])
    .filter(([before, after]) => before.id !== after.id);
  return sides.length === 0 ? null : step("renumber", sides);
}

/** Answers an item of a second look or a consensus. `sentences` are those of this text in which the factoid is. */
export function decideItem(
  list: FactoidList,
  item: ListItem,
  after: ItemAnswer,
  sentences: readonly string[],
): ListStep {
  const factoid = list.factoids.find(({ key }) => key === item.key);
  const inText = sentencesOf(list, item.text);
  const before: ItemAnswer = { is_there: item.is_there, note: item.note };
  const decided = { id: item.id, before, after };
  if (!factoid) return step("decide", [], decided);
  const others = factoid.sentences.filter((each) => !inText.has(each));
  // In a definition nobody says of a factoid that it is absent: it has no sentence then.
  const absent = without(factoid.absent, item.text);
  const changed = {
    ...factoid,
    sentences: [...others, ...sentences],
    absent: after.is_there === false && list.kind === "annotation" ? [...absent, item.text] : absent,
  };
  return step("decide", isSame(factoid, changed) ? [] : [[factoid, changed]], decided);
}

/** Ids of the sentences of a text. */
export function sentencesOf(list: Pick<FactoidList, "texts">, text: string): ReadonlySet<string> {
  return new Set(list.texts.find(({ id }) => id === text)?.sentences.map(({ id }) => id));
}

/** What takes a step back. */
export function inverse({ changes, item }: ListStep, kind: "undo" | "redo"): ListStep {
  return {
    kind,
    changes: changes.map(({ key, before, after }) => ({ key, before: after, after: before })),
    item: item && { id: item.id, before: item.after, after: item.before },
  };
}

/** "F1", or one more than the highest number of the ids that begin as the last one does. */
export function nextId(factoids: readonly Pick<Factoid, "id">[]): string {
  const numbered = factoids.flatMap(({ id }) => {
    const [, prefix, number] = /^(.*?)(\d+)$/.exec(id) ?? [];
    return prefix === undefined || number === undefined ? [] : [{ id, prefix, number: Number(number) }];
  });
  const prefix = numbered.sort(naturally).at(-1)?.prefix ?? "F";
  const highest = Math.max(
    0,
    ...numbered.filter((each) => each.prefix === prefix).map(({ number }) => number),
  );
  const taken = new Set(factoids.map(({ id }) => id));
  let number = highest + 1;
  while (taken.has(`${prefix}${number}`)) number += 1;
  return `${prefix}${number}`;
}

function without(all: readonly string[], one: string): string[] {
  return all.filter((each) => each !== one);
}

function isSame(a: Factoid, b: Factoid): boolean {
  const alike = (one: string[], other: string[]) =>
    one.length === other.length && new Set([...one, ...other]).size === one.length;
  return alike(a.sentences, b.sentences) && alike(a.absent, b.absent);
}
