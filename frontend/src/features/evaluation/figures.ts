/** figures.json of an evaluation: docs/methods/evaluation.md says what each figure is. */

/** Why there is no value. */
export interface Reason {
  reason: string;
}

export interface Figures {
  seed: number;
  folds: number;
  examples: number;
  epsilon: number;
  limit: number | null;
  pool: number;
  is_random_sample: boolean;
  notices: string[];
  systems: AskedSystem[];
  stages: StageFigures[];
}

export interface AskedSystem {
  name: string;
  kind: "majority" | "trained" | "language_model" | "given";
  answered_by: { model: string; fingerprint: string; n: number }[];
  parameters: Record<string, unknown>;
  tokens_in: number;
  tokens_out: number;
  n_failed: number;
}

export interface StageFigures {
  key: string;
  n: number;
  labels: string[];
  gold: Record<string, number>;
  n_unanimous: number | null;
  systems: SystemFigures[];
  pairs: Pair[];
  humans: Humans | Reason | null;
}

export interface SystemFigures {
  name: string;
  n: number;
  accuracy: number;
  accuracy_low: number;
  accuracy_high: number;
  macro_f1: number;
  macro_f1_low: number | null;
  macro_f1_high: number | null;
  weighted_f1: number;
  weighted_f1_low: number | null;
  weighted_f1_high: number | null;
  micro_f1: number;
  ece: number | null;
  brier: number | null;
  n_not_compliant: number;
  n_without_answer: number;
  accuracy_of_compliant: number | null;
  problems: Record<string, number>;
  confusion: Record<string, Record<string, number>>;
  per_label: LabelFigures[];
  by_agreement: { unanimous: Share | null; majority: Share | null } | null;
  calibration: Calibration | null;
  stand_in: StandIn | Reason;
  shares: LabelShare[] | Reason;
  as_rater: { statistics: RaterStatistic[] } | Reason | null;
}

export interface LabelFigures {
  label: string;
  n: number;
  n_predicted: number;
  precision: number | null;
  recall: number | null;
  f1: number | null;
  f1_low: number | null;
  f1_high: number | null;
}

export interface Share {
  n: number;
  accuracy: number;
  low: number;
  high: number;
}

export interface Bin {
  low: number;
  high: number;
  n: number;
  confidence: number | null;
  accuracy: number | null;
}

export interface Calibration {
  n: number;
  ece: number;
  ece_low: number | null;
  ece_high: number | null;
  adaptive_ece: number;
  brier: number;
  bins: Bin[];
  risk_coverage: { coverage: number; risk: number }[];
  recalibrated: { ece: number; brier: number; bins: Bin[] } | Reason;
}

export interface StandIn {
  epsilon: number;
  passes: boolean;
  winning_rate: number;
  advantage: number;
  comparisons: {
    annotator: string;
    n: number;
    model_wins: number;
    annotator_wins: number;
    p: number;
    is_beaten: boolean;
  }[];
}

interface Estimated {
  share: number;
  low: number;
  high: number;
}

export interface LabelShare {
  label: string;
  n: number;
  n_pool: number;
  prediction_powered: Estimated;
  classical: Estimated;
}

export interface RaterStatistic {
  key: string;
  title: string;
  people: number | null;
  with_model: number | null;
}

export interface Pair {
  first: string;
  second: string;
  n: number;
  first_alone: number;
  second_alone: number;
  p: number;
  p_holm: number;
}

interface Annotators {
  lowest: number | null;
  highest: number | null;
  annotators: {
    annotator: number;
    n: number;
    accuracy: number | null;
    low: number | null;
    high: number | null;
  }[];
}

export interface Humans {
  /** Each person's own vote is one of the votes. */
  own: Annotators;
  others: Annotators;
}

export function isReason(value: object | null): value is Reason {
  return value !== null && "reason" in value;
}
