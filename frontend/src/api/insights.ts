import { queryOptions } from "@tanstack/react-query";
import { request } from "./http";

export interface Baseline {
  source: "prototype" | "first_random";
  batch: number;
  positives: number;
  n: number;
  share: number;
  low: number;
  high: number;
}

export interface Positives {
  count: number;
  /** Items with a majority at the codebook's first stage that wait for no answer at this one. */
  n: number;
  share: number | null;
  low: number | null;
  high: number | null;
  /** Share over the baseline's share. */
  lift: number | null;
  lift_low: number | null;
  lift_high: number | null;
  n_annotations: number;
  per_100_annotations: number | null;
}

/** Krippendorff's α (nominal) over the items of a batch with two answers or more, with its 95 % interval. */
export interface AlphaOf {
  alpha_nominal: number | null;
  low: number | null;
  high: number | null;
  n_units: number;
  /** Why α has no value. */
  reason: string;
}

export interface ClassifierFigures {
  n: number;
  macro_f1: number;
  accuracy: number;
  per_label: Record<string, { n: number; precision: number; recall: number; f1: number }>;
}

export interface PoolFigures {
  n: number;
  predicted_share: Record<string, number>;
  predicted_positive_share: number | null;
  entropy_over_ln_c: Record<"min" | "q05" | "q25" | "median" | "q75" | "q95" | "max" | "mean", number>;
  /** 20 equal bins from 0 to 1. */
  entropy_histogram?: number[] | null;
  positive_histogram?: number[] | null;
}

/** One batch; what is said of a model is said of the one that chose the batch. */
export interface BatchInsight {
  kind: "round" | "prototype";
  number: number;
  round_id: string | null;
  strategy_used: string;
  model: string;
  size: number;
  n_labeled: number;
  complete: boolean;
  class_counts: Record<string, number>;
  class_shares: Record<string, number>;
  positives: Positives;
  agreement: AlphaOf & { percent_agreement: number | null };
  n_training: number;
  training: ClassifierFigures | null;
  held_out: ClassifierFigures | null;
  pool: PoolFigures | null;
  /** false: what the model chose is as good as random; `doubts` say why. */
  informative: boolean | null;
  doubts: { kind: string; words: string }[];
  notices: string[];
}

export interface Signal {
  key: string;
  title: string;
  definition: string;
  threshold: number | null;
  status: "reached" | "not_reached" | "unknown";
  reason: string;
  values: { round: number; value: number | null }[];
}

export interface Insights {
  stage: string;
  positive: string[];
  stages: { key: string; title: string }[];
  budget: { total: number | null; spent: number; left: number | null };
  baseline: Baseline | null;
  batches: BatchInsight[];
  signals: Signal[];
}

const key = (projectId: string) => ["insights", projectId];

/** `stage` left out: what the newest round learns. */
export const insightsQuery = (projectId: string, stage?: string) =>
  queryOptions({
    queryKey: [...key(projectId), stage ?? ""],
    queryFn: ({ signal }) =>
      request<Insights>("GET", `/api/projects/${projectId}/insights/`, { query: { stage }, signal }),
    staleTime: 10_000,
  });

/** Of every stage. */
export const insightsKey = key;
