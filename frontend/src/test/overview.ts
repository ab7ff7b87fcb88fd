import type { OpenBatch, Overview, Person, RoundBrief, TrendBatch } from "../features/overview/api";
import { PROJECT } from "./admin";

/** When the answer came. */
export const NOW = Date.parse("2025-11-28T12:00:00Z");

export const BATCH: OpenBatch = {
  id: "b1",
  kind: "round",
  number: 1,
  opened_at: "2025-11-25T09:00:00Z",
  size: 150,
  done: 170,
  total: 300,
  complete: false,
};

export function person(part: Partial<Person> & { done?: number; total?: number; skipped?: number }): Person {
  const { done = 0, total = 150, skipped = 0, ...more } = part;
  return {
    id: "m2",
    display_name: "Ann",
    number: 2,
    state: "working",
    idle: false,
    since: "2025-11-28T10:00:00Z",
    last_done_at: "2025-11-28T10:00:00Z",
    done,
    total,
    batches: [{ batch: "b1", done, skipped, total }],
    ...more,
  };
}

export function brief(part: Partial<RoundBrief> = {}): RoundBrief {
  return {
    id: "r1",
    number: 1,
    state: "complete",
    failed_step: "",
    failure: "",
    strategy: "Uniform random",
    asked: null,
    seconds: 12,
    ...part,
  };
}

export const SCORING: RoundBrief = brief({
  id: "r2",
  number: 2,
  state: "scoring",
  strategy: "Maximum entropy",
  seconds: 41,
});

export const LINE: TrendBatch = {
  kind: "round",
  number: 1,
  complete: true,
  agreement: { coefficient: "α (nominal)", alpha: 0.63, low: 0.55, high: 0.71, n_units: 150, reason: "" },
  positives: { count: 37, n: 146, share: 37 / 146, low: 0.19, high: 0.33 },
};

export const TREND: NonNullable<Overview["trend"]> = {
  stage: "opinion",
  title: "Opinion",
  positive: ["Yes"],
  baseline: {
    source: "first_random",
    batch: 1,
    positives: 37,
    n: 146,
    share: 37 / 146,
    low: 0.19,
    high: 0.33,
  },
  batches: [LINE],
};

/** A project with text, a codebook and two annotators, and no round. */
export function overview(part: Partial<Overview> = {}, project: Partial<Overview["project"]> = {}): Overview {
  return {
    project: { ...PROJECT, ...project },
    given_out: 0,
    n_annotators: 2,
    rounds: [],
    next: { number: 1, trains_model: false },
    batches: [],
    idle_after_hours: 24,
    people: [],
    waiting: { disagreements: 0, validations: null },
    workers: {
      broker: true,
      models: { alive: true, seen_at: null },
      light: { alive: true, seen_at: null },
    },
    disk: { low: false, reserve_bytes: 1024 ** 3 },
    jobs: [],
    trend: null,
    ...part,
  };
}
