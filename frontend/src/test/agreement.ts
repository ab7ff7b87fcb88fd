/** Rows of agreement, and the statistics that the server declares of them. */
import type { AgreementRow, Statistic } from "../api/agreement";
import type { SpanAgreementRow, SpanFigure, SpanStatistic } from "../features/agreement/spanApi";

/** A key that no server has yet may stand in place of a known one. */
export function statistic(key: string, title: string, part: Partial<Statistic> = {}): Statistic {
  return {
    key: key as Statistic["key"],
    title,
    help: `What ${title} says.`,
    paper: "",
    share_of: "",
    variant_of: "",
    pair_title: "",
    basis: "n_units",
    is_of_pairs: false,
    measure: null,
    ...part,
  };
}

export const STATISTICS: Statistic[] = [
  statistic("percent_agreement", "Percent agreement", { share_of: "pairs of answers pooled" }),
  statistic("item_agreement", "Percent agreement, mean over items", {
    share_of: "mean over items (observed agreement of AC1)",
    variant_of: "percent_agreement",
  }),
  statistic("fleiss_kappa", "Fleiss’ κ", { pair_title: "Scott’s π", basis: "fleiss_items" }),
  statistic("fleiss_kappa_general", "Fleiss’ κ, any annotators", {
    variant_of: "fleiss_kappa",
    basis: "general_items",
  }),
  statistic("alpha_nominal", "Krippendorff’s α", { paper: "Krippendorff 2011" }),
  statistic("alpha_ordinal", "α, ordinal", { measure: "ordinal" }),
  statistic("cohen_kappa", "Cohen’s κ", { is_of_pairs: true }),
  statistic("ac1", "Gwet’s AC1"),
];

/** A server may have further statistics than these: they would be further fields. */
export function agreementRow(part: Partial<AgreementRow>): AgreementRow {
  return {
    stage: "opinion",
    round: 1,
    pair: null,
    n_items: 5,
    n_units: 4,
    percent_agreement: 0.8333,
    item_agreement: 0.8333,
    fleiss_kappa: 0.55,
    fleiss_items: 3,
    fleiss_kappa_general: 0.55,
    general_items: 3,
    general_answers: 3,
    n_circular: 0,
    alpha_nominal: 9 / 14,
    alpha_ordinal: null,
    alpha_interval: null,
    alpha_masi: null,
    cohen_kappa: part.pair ? 0.5 : null,
    ac1: 0.7,
    ci: { alpha_nominal: [0.1, 0.9] },
    reason: {},
    ...part,
  } as AgreementRow;
}

function spanStatistic(key: string, title: string, part: Partial<SpanStatistic> = {}): SpanStatistic {
  return {
    key: key as SpanStatistic["key"],
    title,
    help: `What ${title} says.`,
    paper: "",
    share_of: "",
    variant_of: "",
    about: "spans",
    unit: "span",
    beside: "",
    short: "",
    ...part,
  };
}

const ON_COMMENTS = { about: "comments", unit: "matched span" } as const;

export const SPAN_STATISTICS: SpanStatistic[] = [
  spanStatistic("exact_f1", "Exact F1"),
  spanStatistic("overlap_any_f1", "Overlap F1, any"),
  spanStatistic("overlap_any_precision", "Precision", { beside: "overlap_any_f1", short: "P" }),
  spanStatistic("overlap_any_recall", "Recall", { beside: "overlap_any_f1", short: "R" }),
  spanStatistic("overlap_iou_f1", "Overlap F1, IoU ≥ 0.5"),
  spanStatistic("overlap_iou_precision", "Precision", { beside: "overlap_iou_f1", short: "P" }),
  spanStatistic("overlap_iou_recall", "Recall", { beside: "overlap_iou_f1", short: "R" }),
  spanStatistic("token_kappa", "Token κ", { unit: "token" }),
  ...(["equal", "marked"] as const).map((short) =>
    spanStatistic(short === "equal" ? "token_agreement" : "token_share", short, {
      ...{ share_of: "tokens", unit: "token", beside: "token_kappa", short },
    }),
  ),
  spanStatistic("alpha_u", "αᵤ", { unit: "unit" }),
  spanStatistic("alpha_u_pair_mean", "Mean", { unit: "unit", beside: "alpha_u", short: "mean of the pairs" }),
  spanStatistic("comment_equal", "Equal comments", { ...ON_COMMENTS, share_of: "matched spans" }),
  spanStatistic("comment_rouge_l", "ROUGE-L", ON_COMMENTS),
];

export type SpanFigures = SpanAgreementRow["figures"];

export function spanFigure(value: number, n: number, pairs: number | null = null): SpanFigure {
  return { value, n, pairs, reason: null };
}
