import type {
  Choices,
  Estimate,
  Evaluation,
  EvaluationDetail,
  LanguageModel,
  Prediction,
  PredictionDetail,
  SystemProgress,
} from "../features/evaluation/api";
import type { Figures, StageFigures, SystemFigures } from "../features/evaluation/figures";

/** Made-up evaluations for the tests. */
export function languageModel(part: Partial<LanguageModel> = {}): LanguageModel {
  return {
    ...{
      name: "small",
      title: "Small model",
      kind: "openai",
      model: "small-1",
      destination: "api.example.org",
    },
    ...{ is_remote: true, price_in: 0.5, price_out: 2, currency: "USD", approved: null, problem: "" },
    ...part,
  };
}

export function choices(part: Partial<Choices> = {}): Choices {
  return {
    gold: [
      { kind: "labels", number: null, title: "Labels of this project" },
      { kind: "release", number: 1, title: "Release 1" },
    ],
    stages: [
      { key: "opinion", title: "Opinion", labels: ["yes", "no"], is_context: false },
      { key: "mp_context", title: "Context", labels: ["yes", "no"], is_context: true },
    ],
    systems: [
      {
        name: "majority",
        kind: "majority",
        title: "Majority class",
        available: true,
        note: "The commonest label.",
      },
      { name: "people", kind: "people", title: "Annotators", available: true, note: "" },
      { name: "bow-logreg", kind: "trained", title: "Bag of words", available: true, note: "" },
      { name: "small", kind: "language_model", title: "Small model", available: true, note: "" },
    ],
    language_models: [
      languageModel(),
      languageModel({
        name: "keyless",
        title: "Keyless",
        problem: "Its key is not set: set OPENAI_API_KEY.",
      }),
    ],
    prompts: [
      {
        ...{ stage: "opinion", number: 2, template: "Is {sentence} an opinion?" },
        default_template: "Default: {sentence}",
        versions: [
          { number: 2, created_by: "Admin", created_at: "2025-11-28T09:00:00Z" },
          { number: 1, created_by: "Admin", created_at: "2025-11-27T09:00:00Z" },
        ],
      },
      {
        ...{ stage: "mp_context", number: 0, template: "More? {sentence}" },
        ...{ default_template: "More? {sentence}", versions: [] },
      },
    ],
    variables: [
      { name: "sentence", help: "The item's text." },
      { name: "labels", help: "The labels to choose from." },
    ],
    language_models_problem: "",
    batches: [2],
    limits: {
      systems: 12,
      least_folds: 2,
      folds: 20,
      examples: 20,
      pool: 10_000,
      file_bytes: 1e6,
      unfinished: 3,
    },
    ...part,
  };
}

export const ESTIMATE: Estimate = {
  stages: [
    {
      ...{ key: "opinion", title: "Opinion", n: 120, labels: { yes: 70, no: 50 } },
      left_out: [{ reason: "no majority", n: 12 }],
    },
    { key: "mp_context", title: "Context", n: 40, labels: { yes: 10, no: 30 }, left_out: [] },
  ],
  systems: [
    { name: "majority", requests: 0, tokens_in: 0, tokens_out: 0, cost: 0, currency: "", note: "" },
    {
      name: "small",
      requests: 160,
      tokens_in: 32_000,
      tokens_out: 9_000,
      cost: 0.034,
      currency: "USD",
      note: "",
    },
  ],
  notices: [],
};

const PROGRESS: SystemProgress = {
  ...{
    name: "small",
    kind: "language_model",
    total: 160,
    answered: 40,
    refused: 1,
    not_compliant: 3,
    failed_requests: 2,
  },
  ...{ tokens_in: 8_000, tokens_out: 2_200, cost: 0.0084, currency: "USD", seconds_left: 90 },
};

function question(title: string, number: number) {
  const prompt = { number, template: "Is it? {sentence}", sha256: "0123456789abcdef" };
  return { title, labels: ["yes", "no"], is_context: title === "Context", prompt };
}

export function evaluation(part: Partial<Evaluation> = {}): Evaluation {
  return {
    ...{ id: "e1", number: 1, name: "Small model", state: "running", failure: "", is_dry_run: false },
    spec: {
      gold: { kind: "labels", phase: 1, adjudicated: true, number: null, is_random_sample: false },
      ...{
        stages: ["opinion", "mp_context"],
        systems: ["majority", "small"],
        folds: 4,
        examples: 0,
        seed: 0,
      },
      ...{
        kinds: { majority: "majority", small: "language_model" },
        epsilon: 0.15,
        limit: null,
        pool: 0,
        batch: null,
      },
      questions: { opinion: question("Opinion", 2), mp_context: question("Context", 0) },
      language_models: {},
    },
    stages: [
      { key: "opinion", title: "Opinion", n: 120, left_out: [{ reason: "no majority", n: 12 }] },
      { key: "mp_context", title: "Context", n: 40, left_out: [] },
    ],
    notices: [],
    headline: [],
    n_unanswered: 0,
    progress: { detail: "small: 40 of 160 answers.", systems: [PROGRESS] },
    ...{
      shown_to_adjudicators: [],
      created_by: "Admin",
      created_at: "2025-11-28T10:00:00Z",
      finished_at: null,
    },
    ...part,
  } as Evaluation;
}

export function detail(part: Partial<EvaluationDetail> = {}): EvaluationDetail {
  return { ...evaluation(), figures: null, files: [], ...part } as EvaluationDetail;
}

/** 10 items, 7 of them yes; the system is right about 6 of these and 2 of the others, and one answer is no label. */
export function systemFigures(part: Partial<SystemFigures> = {}): SystemFigures {
  return {
    ...{ name: "small", n: 10, accuracy: 0.8, accuracy_low: 0.49, accuracy_high: 0.94 },
    ...{ macro_f1: 0.73, macro_f1_low: 0.4, macro_f1_high: 1, weighted_f1: 0.81 },
    ...{ weighted_f1_low: 0.5, weighted_f1_high: 1, micro_f1: 0.84, ece: 0.35, brier: 0.2 },
    ...{ n_not_compliant: 1, n_without_answer: 0, accuracy_of_compliant: 8 / 9 },
    problems: { not_json: 1 },
    confusion: { yes: { yes: 6, no: 1 }, no: { no: 2 } },
    per_label: [
      {
        label: "yes",
        n: 7,
        n_predicted: 6,
        precision: 1,
        recall: 6 / 7,
        f1: 12 / 13,
        f1_low: 0.7,
        f1_high: 1,
      },
      {
        label: "no",
        n: 3,
        n_predicted: 3,
        precision: 2 / 3,
        recall: 2 / 3,
        f1: 2 / 3,
        f1_low: 0.2,
        f1_high: 1,
      },
    ],
    by_agreement: { unanimous: { n: 6, accuracy: 1, low: 0.61, high: 1 }, majority: null },
    calibration: {
      ...{ n: 4, ece: 0.35, ece_low: 0.2, ece_high: 0.5, adaptive_ece: 0.3, brier: 0.2 },
      bins: Array.from({ length: 20 }, (_, bin) => ({
        ...{ low: bin / 20, high: (bin + 1) / 20, n: 0, confidence: null, accuracy: null },
        ...(bin === 17 && { n: 2, confidence: 0.9, accuracy: 0.5 }),
        ...(bin === 15 && { n: 1, confidence: 0.8, accuracy: 1 }),
        ...(bin === 11 && { n: 1, confidence: 0.6, accuracy: 1 }),
      })),
      risk_coverage: [
        { coverage: 0.5, risk: 0.5 },
        { coverage: 1, risk: 0.25 },
      ],
      recalibrated: { reason: "It takes 20 answers." },
    },
    stand_in: {
      ...{ epsilon: 0.15, passes: true, winning_rate: 2 / 3, advantage: 0.81 },
      comparisons: [
        { annotator: "1", n: 40, model_wins: 0.9, annotator_wins: 0.8, p: 0.0004, is_beaten: true },
        { annotator: "2", n: 40, model_wins: 0.7, annotator_wins: 0.9, p: 0.21, is_beaten: false },
      ],
    },
    shares: { reason: "The labelled items are no random sample." },
    as_rater: { statistics: [{ key: "alpha", title: "Krippendorff's α", people: 0.71, with_model: 0.66 }] },
    ...part,
  };
}

const STAGE: StageFigures = {
  ...{ key: "opinion", n: 10, labels: ["yes", "no"], gold: { yes: 7, no: 3 }, n_unanimous: 6 },
  systems: [
    systemFigures({
      ...{ name: "majority", accuracy: 0.7, accuracy_low: 0.4, accuracy_high: 0.89, ece: null },
      ...{ n_not_compliant: 0, problems: {}, accuracy_of_compliant: 0.7, calibration: null },
      confusion: { yes: { yes: 7 }, no: { yes: 3 } },
    }),
    systemFigures(),
  ],
  pairs: [{ first: "majority", second: "small", n: 10, first_alone: 1, second_alone: 2, p: 1, p_holm: 1 }],
  humans: {
    own: {
      ...{ lowest: 0.8, highest: 0.95 },
      annotators: [{ annotator: 1, n: 10, accuracy: 0.8, low: 0.49, high: 0.94 }],
    },
    others: {
      ...{ lowest: 0.7, highest: 0.9 },
      annotators: [{ annotator: 1, n: 8, accuracy: 0.7, low: 0.4, high: 0.9 }],
    },
  },
};

export const FIGURES: Figures = {
  ...{
    seed: 0,
    folds: 4,
    examples: 0,
    epsilon: 0.15,
    limit: null,
    pool: 0,
    is_random_sample: false,
    notices: [],
    n_unanswered: 0,
  },
  systems: [
    {
      name: "majority",
      kind: "majority",
      answered_by: [],
      parameters: {},
      tokens_in: 0,
      tokens_out: 0,
      n_failed: 0,
    },
    {
      ...{
        name: "small",
        kind: "language_model",
        parameters: {},
        tokens_in: 900,
        tokens_out: 300,
        n_failed: 0,
      },
      answered_by: [{ model: "small-1-2025", fingerprint: "f1", n: 10 }],
    },
  ],
  stages: [
    STAGE,
    { ...STAGE, key: "mp_context", systems: STAGE.systems.slice(0, 1), pairs: [], humans: null },
  ],
};

export const DONE = detail({
  state: "done",
  finished_at: "2025-11-28T10:10:00Z",
  headline: [
    { stage: "opinion", system: "small", accuracy: 0.8, n: 120 },
    { stage: "mp_context", system: "majority", accuracy: 0.7, n: 30 },
  ],
  figures: FIGURES,
  files: [
    { name: "predictions.jsonl", size: 5_000 },
    { name: "accuracy.csv", size: 900 },
    { name: "accuracy.tex", size: 1_100 },
  ],
});

export function prediction(id: string, part: Partial<Prediction> = {}): Prediction {
  return {
    ...{ id, item: { id: `item-${id}`, external_id: `ext-${id}`, text: `I would wait, said ${id}.` } },
    ...{ system: "small", stage: "opinion", gold: "yes", is_unanimous: true, label: "no", confidence: 0.95 },
    ...{
      problem: "",
      explanation: "It states a fact.",
      prompt: "Is it?",
      raw: '{"label": "no"}',
      model: "small-1",
    },
    ...{ tokens_in: 50, tokens_out: 12, seconds: 0.4, cause: null },
    ...part,
  };
}

export function predictionDetail(row: Prediction): PredictionDetail {
  return {
    ...row,
    context: {
      ...{
        utterance: `Thank you. ${row.item.text} Then we see.`,
        before: [{ speaker: "CHAIR", text: "Ms. Okafor." }],
      },
      ...{ speaker: "MS. OKAFOR", document: "Meeting of 4 March" },
    },
    votes: [
      { label: "yes", n: 3 },
      { label: "no", n: 0 },
    ],
  };
}
