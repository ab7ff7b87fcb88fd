/** What became of an evaluation elsewhere, in words. */
import { type Content, classesOf, classWords, stringsWords } from "./edits";

export function changeWords(before: Content, after: Content): string[] {
  return [...settingsChanges(before, after), ...classChanges(before, after), ...moves(before, after)];
}

function settingsChanges(before: Content, after: Content): string[] {
  return [
    ...(before.name === after.name ? [] : [`The evaluation is called “${after.name}”.`]),
    ...(before.part === after.part ? [] : [`The part is ${after.part}.`]),
    ...(before.in_depth === after.in_depth
      ? []
      : [after.in_depth ? "It is in depth." : "It is not in depth."]),
  ];
}

function classChanges(before: Content, after: Content): string[] {
  const [old, now] = [before, after].map(({ classes }) => new Map(classes.map((each) => [each.key, each])));
  const renamed = after.classes.filter(({ key, name }) => (old?.get(key)?.name ?? name) !== name);
  return [
    ...after.classes.filter(({ key }) => !old?.has(key)).map(({ key }) => `New: ${classWords(after, key)}.`),
    ...before.classes
      .filter(({ key }) => !now?.has(key))
      .map(({ key }) => `Gone: ${classWords(before, key)}.`),
    ...renamed.map(({ key }) => `${classWords(before, key)} is called ${classWords(after, key)}.`),
  ];
}

function moves(before: Content, after: Content): string[] {
  const [was, is] = [classesOf(before), classesOf(after)];
  const byWay = new Map<string, string[]>();
  for (const text of new Set([...was.keys(), ...is.keys()])) {
    const [from, to] = [was.get(text), is.get(text)];
    if (from === to) continue;
    const way = to ? `into ${classWords(after, to)}` : `out of ${classWords(before, from ?? "")}`;
    byWay.set(way, [...(byWay.get(way) ?? []), text]);
  }
  return [...byWay].map(([way, texts]) => `${stringsWords(texts)} went ${way}.`);
}
