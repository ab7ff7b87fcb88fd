/** figures.json of an interpretation: docs/methods/interpretation.md says what each figure is. */

export interface Interval {
  value: number;
  low: number | null;
  high: number | null;
}

/** A mean over texts with its limits. */
export interface Mean {
  mean: number;
  low: number;
  high: number;
  n: number;
}

export interface Figures {
  seed: number;
  device: string;
  data: { sources: SplitCounts; targets: SplitCounts };
  /** The encoder; empty where there is none. */
  bertscore: string;
  systems: SystemFigures[];
  references: ReferenceFigures | null;
  comparisons: Comparison[];
  tallies: Tally[];
  /** In the order in which the numbers of classes count. */
  evaluations: EvaluationAsked[];
}

export interface SplitCounts {
  train: number;
  valid: number;
  test: number;
}

export interface EvaluationAsked {
  annotation: string;
  evaluation: string;
  part: string;
  in_depth: boolean;
  classes: { name: string; members: string[] }[];
}

export interface SystemFigures {
  name: string;
  title: string;
  kind: string;
  model: string;
  filter: string;
  budget: number;
  parameters: number;
  filtering: {
    sentences_mean: number;
    tokens_mean: number;
    rouge2_recall: number | null;
    empty: number;
  };
  training: {
    examples: number;
    validation: number;
    epochs: number;
    best_epoch: number;
    stopped_early: boolean;
    seconds: number;
    settings: Record<string, unknown>;
  };
  generation: { n: number; seconds: number; settings: Record<string, unknown> };
  metrics: Metrics | null;
  equivalence: Equivalence | null;
}

export type RougeMeasure = "rouge1" | "rouge2" | "rougeLsum";
type Rouge = Record<RougeMeasure, Mean | null>;

export interface ReferenceFigures {
  n: number;
  distinct_bigrams: number;
  novel_bigrams: Mean | null;
  categories: Record<string, CategoryCount>;
  closed_correctly: Mean | null;
}

export interface Metrics extends ReferenceFigures {
  rouge: { with_markers: Rouge; without_markers: Rouge };
  references: ReferenceFigures;
  left_out: Record<string, string[]>;
  /** "BERTScore F1 (encoder, layer)": the encoder stands in the name. */
  [bertscore: `BERTScore${string}`]: Mean | null;
}

export interface CategoryCount {
  mean: number;
  population_sd: number;
  sample_sd: number | null;
}

export interface Equivalence {
  evaluations: Accuracy[];
  main_mean: number | null;
  in_depth_mean: number | null;
  confusion: { annotation: string; evaluation: string; cells: Cell[] }[];
}

export interface Accuracy {
  annotation: string;
  evaluation: string;
  in_depth: boolean;
  n: number;
  right: number;
  targets: number;
  ties: number;
  accuracy: Interval;
}

export interface Cell {
  positive_class: number;
  negative_class: number;
  n: number;
  mistakes: number;
}

export interface Paired {
  annotation: string;
  evaluation: string;
  first_alone: number;
  second_alone: number;
  p: number;
  p_holm: number;
}

export interface Comparison {
  first: string;
  second: string;
  evaluations: Paired[];
}

export interface Tally {
  annotation: string;
  evaluation: string;
  split: string;
  spans: number;
  without_part: number;
  no_member: number;
  repeated: number;
  alone: number;
  outside: number;
  positives: number;
  per_positive: number;
  instances: number;
  /** Positives with too few negatives. */
  short: [target: string, found: number][];
}
