import type { Choices, Curve, SimulationDetail, Spread, Study } from "../features/simulations/api";
import { page } from "./rounds";

/** Made-up simulations for the tests. */
function offered(name: string, title: string) {
  return { name, title, available: true, note: "", learning_rate: null, rate_reason: "" };
}

export function choices(part: Partial<Choices> = {}): Choices {
  return {
    strategies: page().strategies,
    models: [
      { ...offered("bow-logreg", "Bag of words"), seconds_per_batch: 0.5 },
      { ...offered("all-MiniLM-L6-v2", "MiniLM"), seconds_per_batch: null },
    ],
    seconds_per_cell: 4,
    stages: [
      {
        key: "opinion",
        title: "Opinion",
        n: 1000,
        class_counts: { no: 700, yes: 300 },
        positive: ["yes"],
        reasons: [],
      },
      {
        key: "mp",
        title: "Monetary policy",
        n: 20,
        class_counts: { yes: 20 },
        positive: [],
        reasons: ["20 items have a usable majority label; 50 are needed: label more rounds."],
      },
    ],
    processes: 2,
    missing_marks: "NA,",
    limits: {
      file_bytes: 50 * 1024 ** 2,
      strategies: 16,
      models: 4,
      seeds: 20,
      batch_sizes: 4,
      batches: 200,
      trainings: 10_000,
      key_length: 40,
      parts: 6,
      phrases: 200,
      stage_items: 50,
      items_per_label: 10,
      holdout_shares: [0.1, 0.5],
    },
    ...part,
  };
}

function spread(...by_seed: number[]): Spread {
  const mean = by_seed.reduce((sum, value) => sum + value, 0) / by_seed.length;
  return { mean, sd: by_seed.length === 1 ? null : 0.01, by_seed };
}

/** Two strategies, two seeds, two batches of 50. */
export const STUDY: Study = {
  model: "bow-logreg",
  batch_size: 50,
  seeds: [1, 2],
  full_supervision_macro_f1: 0.8,
  baseline: "random",
  strategies: {
    random: {
      n_labeled: [50, 100],
      macro_f1: [spread(0.6, 0.62), spread(0.7, 0.72)],
      class_shares: { no: [spread(0.7, 0.7), spread(0.7, 0.7)], yes: [spread(0.3, 0.3), spread(0.3, 0.3)] },
      training_macro_f1: [spread(0.9, 0.9), spread(0.95, 0.97)],
      n_not_informative: [1, 0],
      area_under_curve: spread(0.65, 0.67),
      last_macro_f1: spread(0.7, 0.72),
      labels_to_reach: {
        "90": { macro_f1: 0.72, mean_curve: null, by_seed: [null, 100], utilisation: null },
      },
    },
    entropy: {
      n_labeled: [50, 100],
      macro_f1: [spread(0.6, 0.62), spread(0.74, 0.76)],
      class_shares: { no: [spread(0.7, 0.7), spread(0.5, 0.5)], yes: [spread(0.3, 0.3), spread(0.5, 0.5)] },
      training_macro_f1: [spread(0.9, 0.9), spread(0.94, 0.96)],
      n_not_informative: [0, 0],
      area_under_curve: spread(0.67, 0.69),
      last_macro_f1: spread(0.74, 0.76),
      labels_to_reach: { "90": { macro_f1: 0.72, mean_curve: 100, by_seed: [100, 100], utilisation: 0.5 } },
    },
  },
  differences: (["area_under_curve", "last_macro_f1"] as const).map((measure) => ({
    ...spread(0.02, 0.02),
    ...{
      strategy: "entropy",
      against: "random",
      measure,
      interval_95: [0.02, 0.02],
      n_higher: 2,
      n_equal: 0,
    },
  })),
};

export const CURVES: Curve[] = [
  {
    strategy: "random",
    model: "bow-logreg",
    batch_size: 50,
    seed: 1,
    n_labeled: [50, 100],
    macro_f1: [0.6, 0.7],
  },
  { strategy: "entropy", model: "bow-logreg", batch_size: 50, seed: 1, n_labeled: [50], macro_f1: [0.6] },
];

export function simulation(part: Partial<SimulationDetail> = {}): SimulationDetail {
  return {
    id: "s1",
    name: "Entropy or chance",
    state: "running",
    failure: "",
    config: {
      strategies: [
        { key: "random", name: "random", options: {} },
        { key: "entropy", name: "entropy", options: {} },
      ],
      models: ["bow-logreg"],
      seeds: [1, 2],
      batch_sizes: [50],
      batches: 2,
      full_supervision_seeds: [1],
      baseline: "random",
      positive_labels: ["yes"],
      missing: [],
      parts: [],
      string_test: null,
      primary: "",
      primary_part: "",
      first_batch_in_area: true,
    },
    texts: {
      source: "upload",
      files: { train: "mine.jsonl", test: "held.jsonl" },
      train: { n: 1000, class_counts: { no: 700, yes: 300 } },
      test: { n: 200, class_counts: { no: 140, yes: 60 } },
    },
    notices: [],
    progress: {
      fraction: 0.3,
      detail: "3 of 9 batches; entropy__bow-logreg__b50__s1 running",
      seconds: 30,
      batches: 3,
      trainings: 9,
    },
    attempt: 1,
    created_by: "Admin",
    created_at: "2025-11-27T09:00:00Z",
    finished_at: null,
    curves: CURVES,
    summary: null,
    plots: [],
    same_order: [],
    ...part,
  };
}

export const DONE = simulation({
  state: "done",
  progress: { fraction: 1, detail: "", seconds: 100, batches: 9, trainings: 9 },
  curves: [],
  summary: {
    full_supervision: {
      "bow-logreg": {
        n_labeled: 1000,
        seeds: [1],
        macro_f1: spread(0.8),
        training_macro_f1: spread(0.9),
        accuracy: spread(0.85),
      },
    },
    studies: [STUDY],
  },
  plots: ["bow-logreg-b50-macro-f1.svg"],
  same_order: [],
});

const PART = STUDY.differences.map((difference, place) => ({
  ...difference,
  ...spread(0.03, 0.03),
  interval_95: [0.01, 0.05] as [number, number],
  interval_95_seeds_and_items: [-0.01, 0.07] as [number, number],
  primary: place === 0,
}));

/** The same with a string test, and 90 of 200 test items that hold the task. */
export const WITH_PARTS: SimulationDetail = {
  ...DONE,
  config: {
    ...DONE.config,
    parts: [{ key: "real", field: "silver", value: false }],
    string_test: { phrases: ["bank rate"], label: "yes", otherwise: "no" },
    primary: "entropy",
    primary_part: "real",
  },
  summary: {
    n_test: 200,
    parts: { real: 90 },
    references: { majority: { "": 0.429, real: 0.331 }, "string test": { "": 0.739, real: 0.336 } },
    full_supervision: {
      "bow-logreg": {
        n_labeled: 1000,
        seeds: [1],
        macro_f1: spread(0.8),
        training_macro_f1: spread(0.9),
        accuracy: spread(0.85),
        parts: { real: spread(0.65) },
      },
    },
    studies: [
      {
        ...STUDY,
        same_curves: {},
        parts: {
          real: {
            n: 90,
            full_supervision_macro_f1: 0.65,
            strategies: STUDY.strategies,
            differences: PART,
          },
        },
      },
    ],
  },
};
