/** What a list shows of itself: where its factoids stand, how much of each text is covered. Pure. */
import type { Factoid, FactoidList, SetText } from "../../../../api/factoids";

/** What never changes with a step: computed once for the texts of a list. */
export interface Texts {
  all: readonly SetText[];
  byId: ReadonlyMap<string, SetText>;
  /** Sentence -> the place of its text. */
  textOf: ReadonlyMap<string, number>;
  /** Sentence -> its words. */
  words: ReadonlyMap<string, string>;
  /** All sentences in reading order. */
  order: readonly string[];
  placeOf: ReadonlyMap<string, number>;
}

export function textsOf(all: readonly SetText[]): Texts {
  const order = all.flatMap(({ sentences }) => sentences.map(({ id }) => id));
  return {
    all,
    byId: new Map(all.map((text) => [text.id, text])),
    textOf: new Map(all.flatMap((text, place) => text.sentences.map(({ id }) => [id, place] as const))),
    words: new Map(all.flatMap(({ sentences }) => sentences.map(({ id, text }) => [id, text] as const))),
    order,
    placeOf: new Map(order.map((id, place) => [id, place])),
  };
}

/** Where one factoid stands: a text has it when one of its sentences has it. */
export interface Standing {
  /** By the place of the text. */
  isIn: readonly boolean[];
  count: number;
  /** The same for factoids of the same texts. */
  signature: string;
}

const standings = new WeakMap<Factoid, { texts: Texts; standing: Standing }>();

/** Kept by factoid: a step changes one or two of hundreds. */
export function standingOf(texts: Texts, factoid: Factoid): Standing {
  const known = standings.get(factoid);
  if (known?.texts === texts) return known.standing;
  const isIn = texts.all.map(() => false);
  for (const sentence of factoid.sentences) {
    const place = texts.textOf.get(sentence);
    if (place !== undefined) isIn[place] = true;
  }
  const signature = isIn.map((is) => (is ? "1" : "0")).join("");
  const standing = { isIn, count: isIn.filter(Boolean).length, signature };
  standings.set(factoid, { texts, standing });
  return standing;
}

export interface Marks {
  /** Sentence -> the factoids that it is linked to, in the order of the list. */
  linked: ReadonlyMap<string, readonly Factoid[]>;
  /** By the place of the text: how many of its sentences have a link. */
  covered: readonly number[];
}

export function marksOf(texts: Texts, factoids: readonly Factoid[]): Marks {
  const linked = new Map<string, Factoid[]>();
  for (const factoid of factoids)
    for (const sentence of factoid.sentences) {
      const known = linked.get(sentence);
      if (known) known.push(factoid);
      else linked.set(sentence, [factoid]);
    }
  const covered = texts.all.map(({ sentences }) => sentences.filter(({ id }) => linked.has(id)).length);
  return { linked, covered };
}

/** What distinguishes nothing: everywhere, nowhere, or in the same texts as other ones. */
export interface Atomicity {
  /** Factoid key -> the ids of those in the same texts, where these are some and not all. */
  alike: ReadonlyMap<string, readonly string[]>;
  inAll: ReadonlySet<string>;
  inNone: ReadonlySet<string>;
}

export function atomicityOf(texts: Texts, factoids: readonly Factoid[]): Atomicity {
  const groups = new Map<string, Factoid[]>();
  for (const factoid of factoids) {
    const { signature } = standingOf(texts, factoid);
    const group = groups.get(signature);
    if (group) group.push(factoid);
    else groups.set(signature, [factoid]);
  }
  const keys = (signature: string) => new Set(groups.get(signature)?.map(({ key }) => key));
  const alike = new Map<string, string[]>();
  for (const group of groups.values())
    for (const factoid of group)
      if (group.length > 1)
        alike.set(
          factoid.key,
          group.filter((other) => other !== factoid).map(({ id }) => id),
        );
  return { alike, inAll: keys("1".repeat(texts.all.length)), inNone: keys("0".repeat(texts.all.length)) };
}

export type Answered = "here" | "absent" | "undecided";

export function answerIn(texts: Texts, factoid: Factoid, place: number): Answered {
  if (standingOf(texts, factoid).isIn[place]) return "here";
  return factoid.absent.includes(texts.all[place]?.id ?? "") ? "absent" : "undecided";
}

/** By the place of the text: how many factoids are answered there. */
export function answeredOf(texts: Texts, factoids: readonly Factoid[]): number[] {
  const places = new Map(texts.all.map(({ id }, place) => [id, place]));
  const answered = texts.all.map(() => 0);
  for (const factoid of factoids) {
    const { isIn } = standingOf(texts, factoid);
    isIn.forEach((is, place) => {
      if (is) answered[place] = (answered[place] ?? 0) + 1;
    });
    for (const text of factoid.absent) {
      const place = places.get(text);
      if (place !== undefined && !isIn[place]) answered[place] = (answered[place] ?? 0) + 1;
    }
  }
  return answered;
}

export type Filter = "all" | "alike" | "in-all" | "in-none" | "here" | "absent" | "undecided";

/** Factoids that pass the filter, in the order of the list. `sought`: in id or description, whatever its case. */
export function filtered(
  texts: Texts,
  factoids: readonly Factoid[],
  filter: Filter,
  sought: string,
  place: number,
  atomicity: Atomicity,
): Factoid[] {
  const words = sought.toLowerCase().split(/\s+/).filter(Boolean);
  const passes: Record<Filter, (factoid: Factoid) => boolean> = {
    all: () => true,
    alike: ({ key }) => atomicity.alike.has(key) && !atomicity.inAll.has(key) && !atomicity.inNone.has(key),
    "in-all": ({ key }) => atomicity.inAll.has(key),
    "in-none": ({ key }) => atomicity.inNone.has(key),
    here: (factoid) => answerIn(texts, factoid, place) === "here",
    absent: (factoid) => answerIn(texts, factoid, place) === "absent",
    undecided: (factoid) => answerIn(texts, factoid, place) === "undecided",
  };
  return factoids.filter((factoid) => {
    const text = `${factoid.id} ${factoid.description}`.toLowerCase();
    return words.every((word) => text.includes(word)) && passes[filter](factoid);
  });
}

export type Mode = "define" | "annotate" | "items";

export function modeOf({ kind, step, phase }: FactoidList): Mode {
  if (phase && step !== "independent") return "items";
  return kind === "annotation" ? "annotate" : "define";
}
