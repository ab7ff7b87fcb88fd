import type {
  Choices,
  Estimate,
  Generation,
  Instance,
  Interpretation,
  InterpretationDetail,
} from "../features/interpretations/api";
import type { Figures, Mean, Metrics, SystemFigures } from "../features/interpretations/figures";

/** Made-up interpretations for the tests. */
const COUNTS = {
  sources: { train: 80, valid: 10, test: 10 },
  targets: { train: 160, valid: 20, test: 21 },
};

export function choices(part: Partial<Choices> = {}): Choices {
  return {
    data: [
      { key: "current", title: "Settled annotations", ...COUNTS, usable: true, reason: "" },
      { key: "release:1", title: "Release 1", ...COUNTS, usable: false, reason: "It has no test target." },
    ],
    kinds: [
      {
        ...{ name: "transformer", title: "Transformer", needs: "An encoder's shape.", epochs: 10 },
        ...{ available: true, reason: "" },
      },
      { name: "bert", title: "BERT", needs: "An encoder.", epochs: 10, available: true, reason: "" },
      {
        ...{ name: "bart", title: "BART", needs: "An encoder-decoder.", epochs: 20 },
        ...{ available: false, reason: "No model of this kind is here." },
      },
    ],
    models: [
      {
        ...{ name: "minilm", title: "MiniLM", kinds: ["transformer", "bert", "filterbert"] },
        ...{ available: true, note: "Small." },
      },
      { name: "bart-base", title: "BART base", kinds: ["bart"], available: false, note: "not downloaded" },
    ],
    filters: [
      { name: "lead", title: "Lead", needs_targets: false, note: "The first sentences." },
      { name: "oracle", title: "Oracle", needs_targets: true, note: "It looks at the targets." },
      { name: "filterbert", title: "FilterBERT", needs_targets: false, note: "It learns." },
    ],
    evaluations: [
      {
        ...{ id: "v1", title: "Act", category: "act", part: "words", in_depth: false, revision: 3 },
        ...{ usable: true, reason: "", warnings: ["1 of 2 classes is not validated."] },
      },
      {
        ...{ id: "v2", title: "Motive", category: "motive", part: "words", in_depth: false, revision: 1 },
        ...{ usable: false, reason: "It has one class: add a second.", warnings: [] },
      },
    ],
    encoders: [{ name: "minilm", title: "MiniLM", kinds: ["bert"], available: true, note: "Small." }],
    limits: {
      ...{ systems: 3, evaluations: 200, least_budget: 16, budget: 4096, augment: 10, max_epochs: 100 },
      ...{ beams: 10, max_tokens: 1000, limit: 100_000, batch_size: 64, unfinished: 4 },
    },
    defaults: { budget: 512, beams: 5, min_tokens: 50, max_tokens: 500, limit: 0 },
    worker: "",
    ...part,
  };
}

export const TALLY = {
  ...{ annotation: "act", evaluation: "act", split: "test", spans: 30, without_part: 0, no_member: 8 },
  ...{ repeated: 2, alone: 0, outside: 1, positives: 20, per_positive: 5, instances: 97 },
};

export const ESTIMATE: Estimate = {
  data: {
    ...COUNTS,
    left_out: [{ reason: "targets without a source document", n: 2, examples: ["t8", "t9"] }],
  },
  systems: [
    {
      ...{
        name: "bert",
        title: "BERT: MiniLM, Lead",
        examples: 160,
        epochs: 10,
        budget: 512,
        source_tokens_max: 900,
      },
      ...{ cut: 12, seconds: 240, note: "" },
    },
  ],
  instances: { total: 97, tallies: [{ ...TALLY, n_short: 1 }] },
  notices: ["Few test sources."],
};

export function interpretation(part: Partial<Interpretation> = {}): Interpretation {
  return {
    ...{ id: "i1", number: 1, name: "Lead against Oracle", state: "running", failure: "" },
    data_title: "Settled annotations",
    systems: [
      { name: "lead", title: "Lead" },
      { name: "oracle", title: "Oracle" },
    ],
    ...{ created_by: "Admin", created_at: "2025-11-29T09:00:00Z", finished_at: null },
    progress: {
      ...{ detail: "Epoch 2 of 10", system: "lead", stage: "train", done: 40, total: 400 },
      ...{ seconds_left: 90, fraction: 0.12 },
    },
    headline: [],
    ...part,
  };
}

export function detail(part: Partial<InterpretationDetail> = {}): InterpretationDetail {
  const system = { kind: "bert" as const, model: "minilm", filter_model: "", budget: 512, augment: 0 };
  return {
    ...interpretation(),
    spec: {
      ...{ data: "current", counts: COUNTS, style: "spaces", outer: ["SENTENCE"], seed: 0, split: "test" },
      evaluations: [
        {
          ...{ id: "v1", annotation: "act", evaluation: "act", part: "words", in_depth: false, revision: 3 },
          n_validated: 1,
          classes: [
            { name: "Cuts", members: ["cut rates", "lowered rates"] },
            { name: "", members: ["held rates"] },
          ],
        },
      ],
      systems: [
        { ...system, name: "lead", title: "Lead", filter: "lead", max_epochs: 10 },
        { ...system, name: "oracle", title: "Oracle", filter: "oracle", max_epochs: 10 },
      ],
      ...{ prefix: "sentence", bertscore: "minilm", rules: "paper", replace_positive: false },
      training: { learning_rate: null, schedule: "paper", patience: 1, batch_size: 4 },
      generation: { beams: 5, min_tokens: 50, max_tokens: 500, limit: 0 },
    },
    left_out: [{ reason: "targets without a source document", n: 2, examples: ["t8", "t9"] }],
    curves: {
      lead: [
        { epoch: 1, train_loss: 4.2, valid_loss: 4.4, learning_rate: 0.00001 },
        { epoch: 2, train_loss: 3.1, valid_loss: 3.25, learning_rate: 0.0001 },
      ],
    },
    notices: [],
    files: [],
    ...part,
  };
}

function mean(value: number, n = 10): Mean {
  return { mean: value, low: value - 0.05, high: value + 0.05, n };
}

const TEXTS = {
  ...{ n: 10, distinct_bigrams: 214, novel_bigrams: mean(0.62) },
  categories: { ACT: { mean: 1.6, population_sd: 0.93, sample_sd: 0.98 } },
  closed_correctly: mean(0.9, 9),
};
export const BERTSCORE = "BERTScore F1 (minilm, layer 6 of 6, no idf, no baseline)";

function metrics(rouge2: number): Metrics {
  const rouge = { rouge1: mean(0.41), rouge2: mean(rouge2), rougeLsum: mean(0.3) };
  return {
    ...TEXTS,
    rouge: { with_markers: rouge, without_markers: { ...rouge, rouge2: mean(rouge2 - 0.05) } },
    references: { ...TEXTS, n: 21 },
    left_out: {},
    [BERTSCORE]: mean(0.71),
  };
}

function system(name: string, title: string, right: number): SystemFigures {
  const accuracy = { value: right / 97, low: 0.5, high: 0.9 };
  const of = { annotation: "act", evaluation: "act" };
  return {
    ...{ name, title, kind: "bert", model: "minilm", filter: name, budget: 512, parameters: 33_000_000 },
    filtering: { sentences_mean: 12.4, tokens_mean: 480.2, rouge2_recall: 0.31, empty: 0 },
    training: {
      ...{ examples: 160, validation: 20, epochs: 7, best_epoch: 4, stopped_early: true, seconds: 200 },
      settings: {},
    },
    generation: { n: 10, seconds: 31, settings: {} },
    metrics: metrics(name === "lead" ? 0.18 : 0.22),
    equivalence: {
      evaluations: [{ ...of, in_depth: false, n: 97, right, targets: 20, ties: 0, accuracy }],
      ...{ main_mean: right / 97, in_depth_mean: null },
      confusion: [
        {
          ...of,
          cells: [
            { positive_class: 0, negative_class: 1, n: 60, mistakes: 12 },
            { positive_class: 1, negative_class: 0, n: 37, mistakes: 0 },
          ],
        },
      ],
    },
  };
}

export const FIGURES: Figures = {
  ...{ seed: 0, device: "cpu", bertscore: "minilm" },
  data: COUNTS,
  systems: [system("lead", "Lead", 70), system("oracle", "Oracle", 85)],
  references: { ...TEXTS, n: 21, distinct_bigrams: 996 },
  comparisons: [
    {
      ...{ first: "lead", second: "oracle" },
      evaluations: [
        { annotation: "act", evaluation: "act", first_alone: 3, second_alone: 18, p: 0.01, p_holm: 0.02 },
      ],
    },
  ],
  tallies: [{ ...TALLY, short: [["t4", 2]] }],
  evaluations: [
    {
      ...{ annotation: "act", evaluation: "act", part: "words", in_depth: false },
      classes: [
        { name: "Cuts", members: ["cut rates", "lowered rates"] },
        { name: "", members: ["held rates"] },
      ],
    },
  ],
};

export const DONE = detail({
  state: "done",
  files: [
    { name: "accuracy.csv", size: 300, sha256: "a" },
    { name: "accuracy.tex", size: 400, sha256: "b" },
    { name: "generations.jsonl", size: 9_000, sha256: "c" },
  ],
});

export function generation(part: Partial<Generation> = {}): Generation {
  return {
    ...{ number: 0, source: "release-1", source_title: "Press release", n_sentences: 5 },
    filtered: ["The board met.", "It cut rates."],
    references: [
      {
        ...{ id: "t1", linear: "", text: "The board cut rates." },
        spans: [{ start: 10, end: 19, category: "ACT", comment: "lowers" }],
      },
    ],
    generated: {
      ...{
        linear: "The board [ACT START] cut rates [ACT END] [MOTIVE START] now",
        text: "The board cut rates now",
      },
      spans: [{ start: 10, end: 19, category: "ACT", comment: null }],
      faults: [{ kind: "unclosed", category: "MOTIVE", at: 42 }],
    },
    ...part,
  };
}

export function instance(part: Partial<Instance> = {}): Instance {
  return {
    ...{
      number: 4,
      annotation: "act",
      evaluation: "act",
      target: "t1",
      source: "release-1",
      source_title: "Press release",
    },
    ...{ item: "item-1", item_id: "news-1", prefix: "[SENTENCE START] The board [ACT START]" },
    ...{ positive: "cut rates", negative: "held rates", positive_class: 0, negative_class: 1 },
    ...{ log_p_positive: -9.5, log_p_negative: -8.25, right: false },
    ...part,
  };
}
