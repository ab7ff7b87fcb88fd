import type { BatchInsight, ClassifierFigures, Insights, Signal } from "../api/insights";

/** Made-up insights for the tests. */
function classifier(macro_f1: number, n: number): ClassifierFigures {
  return { n, macro_f1, accuracy: 0.9, per_label: { yes: { n: 40, precision: 0.8, recall: 0.7, f1: 0.75 } } };
}

/** The first random batch of 150, three people an item, 37 positives of 146 with a majority. */
export const RANDOM: BatchInsight = {
  kind: "round",
  number: 1,
  round_id: "r1",
  strategy_used: "random",
  model: "none",
  size: 150,
  n_labeled: 150,
  complete: true,
  class_counts: { yes: 37, no: 107, ambiguous: 2, no_majority: 4 },
  class_shares: { yes: 37 / 150, no: 107 / 150, ambiguous: 2 / 150, no_majority: 4 / 150 },
  positives: {
    count: 37,
    n: 146,
    share: 37 / 146,
    low: 0.19,
    high: 0.33,
    lift: null,
    lift_low: null,
    lift_high: null,
    n_annotations: 450,
    per_100_annotations: 3700 / 450,
  },
  agreement: {
    coefficient: "α (nominal)",
    alpha: 0.63,
    low: 0.55,
    high: 0.71,
    percent_agreement: 0.82,
    n_units: 150,
    reason: "",
  },
  n_training: 0,
  training: null,
  held_out: null,
  pool: null,
  informative: null,
  doubts: [],
  notices: [],
};

export const ENTROPY: BatchInsight = {
  ...RANDOM,
  number: 2,
  round_id: "r2",
  strategy_used: "entropy",
  model: "all-MiniLM-L6-v2",
  class_counts: { yes: 73, no: 72, no_majority: 5 },
  class_shares: { yes: 73 / 150, no: 72 / 150, no_majority: 5 / 150 },
  positives: {
    ...RANDOM.positives,
    count: 73,
    n: 145,
    share: 73 / 145,
    low: 0.42,
    high: 0.58,
    lift: 1.99,
    lift_low: 1.45,
    lift_high: 2.72,
    per_100_annotations: 7300 / 450,
  },
  agreement: {
    coefficient: "α (nominal)",
    alpha: null,
    low: null,
    high: null,
    percent_agreement: 1,
    n_units: 150,
    reason: "Everyone gave the same label.",
  },
  n_training: 144,
  training: classifier(0.97, 144),
  held_out: classifier(0.714, 500),
  pool: {
    n: 176118,
    predicted_share: { yes: 0.31, no: 0.69 },
    predicted_positive_share: 0.31,
    entropy_over_ln_c: { min: 0, q05: 0.02, q25: 0.1, median: 0.34, q75: 0.6, q95: 0.9, max: 1, mean: 0.38 },
    entropy_histogram: [...Array(19).fill(9000), 5118],
    positive_histogram: [...Array(19).fill(9000), 5118],
  },
  informative: true,
  doubts: [],
};

/** Trained on one class only, and measured before histograms were kept. */
export const BLIND: BatchInsight = {
  ...ENTROPY,
  number: 3,
  round_id: "r3",
  complete: false,
  n_labeled: 0,
  class_counts: {},
  class_shares: {},
  positives: {
    ...RANDOM.positives,
    count: 0,
    n: 0,
    share: null,
    low: null,
    high: null,
    n_annotations: 0,
    per_100_annotations: null,
  },
  agreement: {
    coefficient: "α (nominal)",
    alpha: null,
    low: null,
    high: null,
    percent_agreement: null,
    n_units: 0,
    reason: "No item has two answers.",
  },
  n_training: 289,
  held_out: null,
  pool: {
    ...(ENTROPY.pool as NonNullable<BatchInsight["pool"]>),
    predicted_positive_share: null,
    entropy_histogram: null,
    positive_histogram: null,
  },
  informative: false,
  doubts: [{ kind: "one_class", words: 'every training item is labelled "yes"' }],
};

export const PROTOTYPE: BatchInsight = {
  ...RANDOM,
  kind: "prototype",
  number: 1,
  round_id: null,
  size: 200,
  n_labeled: 200,
};

const SIGNALS: Signal[] = [
  {
    key: "overall_uncertainty",
    title: "Overall uncertainty",
    definition: "Mean over the whole pool of the entropy.",
    threshold: 0.05,
    status: "not_reached",
    reason: "0.380 in round 2.",
    values: [
      { round: 1, value: null },
      { round: 2, value: 0.38 },
    ],
  },
  {
    key: "budget",
    title: "Budget",
    definition: "Items of the annotation budget left.",
    threshold: 0,
    status: "reached",
    reason: "0 of 300 items left.",
    values: [
      { round: 1, value: 150 },
      { round: 2, value: 0 },
    ],
  },
  {
    key: "kappa_average",
    title: "Stabilising predictions",
    definition: "Cohen's kappa.",
    threshold: null,
    status: "unknown",
    reason: "Needs 3 comparisons of successive models; there are 0.",
    values: [{ round: 1, value: null }],
  },
];

export function makeInsights(part: Partial<Insights> = {}): Insights {
  return {
    stage: "opinion",
    positive: ["yes"],
    stages: [
      { key: "opinion", title: "Opinion" },
      { key: "mp", title: "Monetary policy" },
    ],
    budget: { total: 1050, spent: 300, left: 750 },
    baseline: {
      source: "first_random",
      batch: 1,
      positives: 37,
      n: 146,
      share: 37 / 146,
      low: 0.19,
      high: 0.33,
    },
    batches: [],
    signals: SIGNALS,
    ...part,
  };
}

export const EMPTY = makeInsights({ baseline: null, budget: { total: null, spent: 0, left: null } });
