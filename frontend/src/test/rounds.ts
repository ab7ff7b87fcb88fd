import type { CodebookVersion } from "../api/codebooks";
import type { Round, RoundsPage } from "../api/rounds";

/** Made-up rounds for the tests. */
export const CODEBOOK: CodebookVersion = {
  id: "c1",
  version: 1,
  state: "published",
  compatible: null,
  changes: null,
  faults: [],
  created_at: "2025-11-20T09:00:00Z",
  published_at: "2025-11-20T09:00:00Z",
  definition: {
    name: "Stance",
    stages: [
      {
        key: "opinion",
        title: "Opinion",
        prompt: "Does the sentence express an opinion?",
        labels: [
          { key: "yes", name: "Yes", help: "A judgement.", shortcut: "y" },
          { key: "no", name: "No" },
          { key: "ambiguous", name: "Ambiguous" },
        ],
        positive: ["yes"],
      },
      {
        key: "mp",
        title: "Monetary policy",
        prompt: "Is it about monetary policy?",
        open_when: { stage: "opinion", in: ["yes"] },
        labels: [
          { key: "yes", name: "Yes" },
          { key: "no", name: "No" },
        ],
      },
    ],
    learning: { stage: "opinion", exclude: ["ambiguous"] },
  },
};

/** A codebook that marks spans and asks nothing: a model has nothing to learn. */
export const SPANS_ONLY = {
  ...CODEBOOK,
  definition: { name: "Marks", stages: [], span_layer: { target: null, categories: [] } },
};

export function round(part: Partial<Round> = {}): Round {
  return {
    id: "r1",
    number: 1,
    state: "complete",
    failed_step: "",
    failure: "",
    strategy_asked: "random",
    strategy_used: "random",
    options: {},
    query_size: 150,
    random_state: 20251127,
    model: "none",
    learning_stages: ["opinion"],
    combine: "sum",
    random_share: 0,
    no_duplicate_texts: false,
    learning_rate: null,
    label_phase: 1,
    use_adjudicated: false,
    annotators_per_item: 3,
    annotators: [
      { id: "m2", display_name: "Ann", done: 150, total: 150 },
      { id: "m3", display_name: "Ben", done: 150, total: 150 },
      { id: "m4", display_name: "Cleo", done: 150, total: 150 },
    ],
    attempt: 1,
    n_training: 0,
    progress: {
      step: "complete",
      fraction: 1,
      detail: "",
      seconds: 0.4,
      steps: steps("done", "done", "done"),
    },
    notices: [],
    metrics: {},
    timings: {},
    started_at: "2025-11-27T09:00:00Z",
    finished_at: null,
    batch: {
      id: "b1",
      closed_at: null,
      number: 1,
      size: 150,
      done: 450,
      total: 450,
      complete: true,
      n_checks: 0,
    },
    ...part,
  };
}

type StepState = "waiting" | "running" | "done";

function steps(...states: [StepState, StepState, StepState]): Round["progress"]["steps"] {
  const names = ["training", "scoring", "selecting"];
  return states.map((state, place) => ({
    name: names[place] ?? "",
    state,
    seconds: state === "done" ? 27 : null,
  }));
}

/** Round 2 while it scores: 108,900 of 176,118. */
export const SCORING: Round = round({
  id: "r2",
  number: 2,
  state: "scoring",
  strategy_asked: "entropy",
  strategy_used: "entropy",
  model: "all-MiniLM-L6-v2",
  n_training: 144,
  annotators: round().annotators.map((person) => ({ ...person, done: 0, total: 0 })),
  progress: {
    step: "scoring",
    fraction: 0.62,
    detail: "scoring 108,900 of 176,118",
    seconds: 41,
    steps: steps("done", "running", "waiting"),
  },
  batch: null,
});

const NOTHING_DECIDED = { n_adjudicated: 0, second_looks: 0 };

export function page(part: Partial<RoundsPage> = {}): RoundsPage {
  return {
    rounds: [],
    workers: {
      broker: true,
      models: { alive: true, seen_seconds_ago: 1 },
      light: { alive: true, seen_seconds_ago: 1 },
    },
    strategies: [
      {
        name: "random",
        title: "Uniform random",
        summary: "No model.",
        needs_model: false,
        options: [],
        presets: {},
      },
      {
        name: "entropy",
        title: "Maximum entropy",
        summary: "Least sure.",
        needs_model: true,
        options: [],
        presets: {},
      },
      {
        name: "cal",
        title: "Contrastive (CAL)",
        summary: "Differs from its neighbours.",
        needs_model: true,
        options: [
          {
            name: "preset",
            type: "choice",
            default: "paper",
            help: "Settings to start from.",
            minimum: null,
            maximum: null,
            choices: ["paper", "cal_authors"],
          },
          {
            name: "k",
            type: "int",
            default: 100,
            help: "Labelled neighbours.",
            minimum: 1,
            maximum: 10000,
            choices: [],
          },
          {
            name: "metric",
            type: "choice",
            default: "cosine",
            help: "Distance that finds the neighbours.",
            minimum: null,
            maximum: null,
            choices: ["cosine", "euclidean", "euclidean_unit"],
          },
        ],
        presets: { cal_authors: { k: 10, metric: "euclidean_unit" } },
      },
    ],
    models: [
      {
        name: "all-MiniLM-L6-v2",
        title: "MiniLM L6 v2",
        available: true,
        note: "Works without a GPU.",
        learning_rate: 0.0003,
        rate_reason: "declared for MiniLM",
      },
      {
        name: "answerdotai/ModernBERT-base",
        title: "ModernBERT base",
        available: false,
        note: "Wants a GPU. Not on this machine yet.",
        learning_rate: 0.00003,
        rate_reason: "the paper's Table 11",
      },
    ],
    annotators: [
      { id: "m1", display_name: "Admin", role: "admin", is_usual: false },
      { id: "m2", display_name: "Ann", role: "annotator", is_usual: true },
      { id: "m3", display_name: "Ben", role: "annotator", is_usual: true },
      { id: "m4", display_name: "Cleo", role: "annotator", is_usual: true },
      { id: "m5", display_name: "Dag", role: "annotator", is_usual: true },
    ],
    next: { ...NOTHING_DECIDED, number: 1, may_start: true, reasons: [], suggested_strategy: "random" },
    ...part,
  };
}

export const AFTER_ONE = {
  ...NOTHING_DECIDED,
  number: 2,
  may_start: true,
  reasons: [],
  suggested_strategy: "entropy",
};
