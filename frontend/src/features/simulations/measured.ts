import type { Reference } from "../../components/charts/model";
import { count } from "../../text/format";
import type { Difference, Measures, Study, Summary } from "./api";

/** A study on all test items, or on one part of them. */
export interface Measured {
  /** The part's name; "" for all test items. */
  part: string;
  /** "all test items" or "real (n = 496)". */
  where: string;
  strategies: Record<string, Measures>;
  differences: Difference[];
  /** Full supervision, and what needs no learning. */
  references: Reference[];
}

export function whereWords(part: string, summary: Summary): string {
  const n = part ? summary.parts?.[part] : summary.n_test;
  const of = n === undefined ? "" : ` (n = ${count(n)})`;
  return `${part || "all test items"}${of}`;
}

/** All test items first, then the parts as they were asked for. */
export function measuredOn(study: Study, summary: Summary): Measured[] {
  const parts = Object.entries(study.parts ?? {});
  return [["", study] as const, ...parts].map(([part, own]) => ({
    part,
    where: whereWords(part, summary),
    strategies: own.strategies,
    differences: own.differences.filter(({ strategy }) => !(strategy in (study.same_curves ?? {}))),
    references: levels(part, own.full_supervision_macro_f1, summary),
  }));
}

function levels(part: string, full: number | null, summary: Summary): Reference[] {
  const without = Object.entries(summary.references ?? {}).flatMap(([name, scores]) => {
    const y = scores[part];
    return y === undefined ? [] : [{ label: referenceWords(name), y }];
  });
  return full === null ? without : [{ label: "full supervision", y: full }, ...without];
}

export function referenceWords(name: string): string {
  return name === "majority" ? "the pool's most frequent label" : name;
}

/** The comparison that was named before the run, with where it was measured. */
export function primaryOf(study: Study, summary: Summary): (Difference & { where: string }) | null {
  for (const { where, differences } of measuredOn(study, summary)) {
    const named = differences.find(({ primary }) => primary);
    if (named) return { ...named, where };
  }
  return null;
}
