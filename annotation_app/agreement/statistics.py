"""The registry of the statistics of agreement. All that pages, files, reports and cards say of one stands here.

One on labels has a file `sql/statistics/KEY.sql`, whose last relation is called KEY. It computes rows
(slice, bag, n, value, reason) from `samples` and `slice_totals`.
One on spans comes from a file `sql/spans/FILE.sql`, whose last relation is called `spans_FILE`. It computes rows
(category, round, a, b, statistic, value, n, reason) of the pairs.
"""

from dataclasses import KW_ONLY, dataclass
from typing import Literal

from annotation_app.codebook.question_types.stage import Measure

# From this intersection over union on two spans count as close.
IOU = 0.5
# What counts the items that a statistic on labels stands on: those with two answers or more, those that everyone in
# the slice answered, or those with the usual number of answers.
Basis = Literal["n_units", "fleiss_items", "general_items"]
# Why a coefficient of one measure has no value at the stages of another.
NO_COEFFICIENT = "free text has no coefficient of agreement"
OF_ANOTHER: dict[Measure, str] = {
    "ordinal": "the labels of this stage have no order",
    "interval": "the answers of this stage are no numbers",
    "set": "the answers of this stage are no sets of labels",
}


@dataclass(frozen=True)
class Declared:
    """Hold what is said of a statistic.

    `help` explains it in full sentences. `paper` is its source, in the bibliography; a plain share may have none.
    `share_of` says what a share, from 0 to 1, is a share of; it is empty for a coefficient, which is 1 at most.
    `variant_of` is the key of another statistic; tables with little room leave variants out.
    """

    key: str
    title: str
    help: str
    _: KW_ONLY
    paper: str = ""
    share_of: str = ""
    variant_of: str = ""


@dataclass(frozen=True)
class Statistic(Declared):
    """Hold a statistic on labels. Coefficients run from -1 to 1, and intervals are cut there.

    `column` is its title in printed tables, `pair_title` its title for two people where that is another one.
    With `has_expected` its relation gives `observed` and `expected` agreement in place of `value`, which is
    (observed - expected) / (1 - expected).
    With `is_of_pairs` it is defined for two people. `measure` is the kind of answers that it is for. None: every kind,
    as answers are equal or not; but free text (the measure `none`) has only shares.
    """

    _: KW_ONLY
    column: str
    pair_title: str = ""
    basis: Basis = "n_units"
    has_expected: bool = False
    is_of_pairs: bool = False
    measure: Measure | None = None


@dataclass(frozen=True)
class SpanStatistic(Declared):
    """Hold a statistic on spans.

    `file` names its SQL file; it is empty for what is computed otherwise. `about` says what it compares.
    `unit` is the word for what its `n` counts. Over the pairs together their mean stands under the key `mean`,
    which is its own where it is left out; None: it has no mean.
    `beside` is the key of the statistic below which tables show it, and `short` its word there.
    """

    _: KW_ONLY
    file: str = ""
    about: Literal["spans", "comments"] = "spans"
    unit: str = "span"
    mean: str | None = ""
    beside: str = ""
    short: str = ""


# Tables show them in this order.
STATISTICS = (
    Statistic(
        "percent_agreement",
        "Percent agreement",
        "Share of pairs of answers to the same item that are equal, all pairs pooled: an item with more answers has"
        " more pairs and weighs more. Easy to read, but high by chance alone where one label is frequent.",
        column="Agreement, pairs pooled",
        share_of="pairs of answers pooled",
    ),
    Statistic(
        "item_agreement",
        "Percent agreement, mean over items",
        "The share of equal pairs of each item, averaged over the items: each counts once. It is the observed "
        "agreement in AC1.",
        column="Agreement, mean over items",
        paper="Gwet 2008",
        share_of="mean over items (observed agreement of AC1)",
        variant_of="percent_agreement",
    ),
    Statistic(
        "fleiss_kappa",
        "Fleiss’ κ",
        "Agreement beyond chance among a fixed number of people: 1 is perfect, 0 is chance. Counted over the items "
        "that everyone answered, whose number stands beside it. For two people it is Scott’s π.",
        column="Fleiss κ",
        pair_title="Scott’s π",
        paper="Fleiss 1971",
        basis="fleiss_items",
        has_expected=True,
    ),
    Statistic(
        "fleiss_kappa_general",
        "Fleiss’ κ, any annotators",
        "Fleiss’ general form: each item has the same number of answers, by whichever annotators. Counted over the "
        "items with the usual number of answers, such as three of five people.",
        column="Fleiss κ, any annotators",
        paper="Fleiss 1971",
        variant_of="fleiss_kappa",
        basis="general_items",
        has_expected=True,
    ),
    Statistic(
        "alpha_nominal",
        "Krippendorff’s α",
        "Agreement beyond chance for any number of people and missing answers; items with two answers or more "
        "count. From about 0.8 on labels are usually called reliable, below 0.67 hardly.",
        column="α (nominal)",
        paper="Krippendorff 2011",
    ),
    Statistic(
        "alpha_ordinal",
        "α, ordinal",
        "Krippendorff’s α where labels stand in an order: taking the next label for another one weighs less than "
        "taking a far one.",
        column="α (ordinal)",
        paper="Krippendorff 2011",
        measure="ordinal",
    ),
    Statistic(
        "alpha_interval",
        "α, interval",
        "Krippendorff’s α for numbers: a difference weighs by its square, so that a far number weighs more than a near "
        "one.",
        column="α (interval)",
        paper="Krippendorff 2011",
        measure="interval",
    ),
    Statistic(
        "alpha_masi",
        "α, MASI",
        "Krippendorff’s α for sets of labels: sets that share labels are nearer to each other than sets that share "
        "none, and nearest where one holds the other.",
        column="α (MASI)",
        paper="Passonneau 2006",
        measure="set",
    ),
    Statistic(
        "cohen_kappa",
        "Cohen’s κ",
        "For two people, with chance from what each of them says how often. Near zero where nearly everything gets "
        "one label, however often they agree.",
        column="Cohen κ",
        paper="Cohen 1960",
        has_expected=True,
        is_of_pairs=True,
    ),
    Statistic(
        "ac1",
        "Gwet’s AC1",
        "Agreement beyond chance that stays high where nearly everything gets one label and people agree.",
        column="Gwet AC1",
        paper="Gwet 2008",
        has_expected=True,
    ),
)
BY_KEY = {each.key: each for each in STATISTICS}
# The coefficient that fits each kind of answers; free text has none.
COEFFICIENT_OF: dict[Measure, str] = {each.measure: each.key for each in STATISTICS if each.measure is not None}
COEFFICIENT_OF["nominal"] = "alpha_nominal"

# Precision and recall have no mean, as they swap with the order of the two people.
SPAN_STATISTICS = (
    SpanStatistic(
        "exact_f1",
        "Exact F1",
        "Twice the spans that both marked with the same start, end and category, over all spans of both. Each span "
        "is matched once. 1 is perfect; it is not corrected for chance, which hardly ever hits a range.",
        file="exact_f1",
        paper="Hripcsak and Rothschild 2005",
    ),
    SpanStatistic(
        "overlap_any_f1",
        "Overlap F1, any",
        "The harmonic mean of precision (P) and recall (R): the shares of each one’s spans that share a character "
        "with a span of the same category by the other. Several spans may share one partner.",
        file="overlap",
        paper="Hripcsak and Rothschild 2005",
    ),
    SpanStatistic(
        "overlap_any_precision",
        "Overlap precision, any",
        "Share of the first one’s spans that have a partner.",
        file="overlap",
        mean=None,
        beside="overlap_any_f1",
        short="P",
    ),
    SpanStatistic(
        "overlap_any_recall",
        "Overlap recall, any",
        "Share of the second one’s spans that have a partner.",
        file="overlap",
        mean=None,
        beside="overlap_any_f1",
        short="R",
    ),
    SpanStatistic(
        "overlap_iou_f1",
        f"Overlap F1, IoU ≥ {IOU}",
        f"The same, where a partner shares at least {IOU} of what the two spans cover together.",
        file="overlap",
        paper="Hripcsak and Rothschild 2005",
        variant_of="overlap_any_f1",
    ),
    SpanStatistic(
        "overlap_iou_precision",
        f"Overlap precision, IoU ≥ {IOU}",
        "Share of the first one’s spans that have such a partner.",
        file="overlap",
        mean=None,
        beside="overlap_iou_f1",
        short="P",
    ),
    SpanStatistic(
        "overlap_iou_recall",
        f"Overlap recall, IoU ≥ {IOU}",
        "Share of the second one’s spans that have such a partner.",
        file="overlap",
        mean=None,
        beside="overlap_iou_f1",
        short="R",
    ),
    SpanStatistic(
        "token_kappa",
        "Token κ",
        "Cohen’s κ over words and punctuation marks: is it touched by a span of the category or not? Corrected for "
        "chance: 1 is perfect, 0 is chance. It falls where hardly anything, or nearly everything, is marked, so "
        "that the share of equal words and of marked words stand beside it.",
        file="token_kappa",
        paper="Cohen 1960",
        unit="token",
    ),
    SpanStatistic(
        "token_agreement",
        "Equal tokens",
        "Share of tokens on which both say the same.",
        file="token_kappa",
        share_of="tokens",
        unit="token",
        beside="token_kappa",
        short="equal",
    ),
    SpanStatistic(
        "token_share",
        "Marked tokens",
        "Share of tokens that are marked, averaged over the two.",
        file="token_kappa",
        share_of="tokens",
        unit="token",
        beside="token_kappa",
        short="marked",
    ),
    SpanStatistic(
        "alpha_u",
        "αᵤ",
        "Krippendorff’s α for unitizing, in the form of 1995 and 2004: how far starts and ends lie apart, against "
        "all places that the spans could have had. The texts are laid end to end, in the order of the batches. What"
        " lies between two spans may reach over the end of a text, so that another order of the texts gives a "
        "somewhat other value. Overlapping spans of one category by one person are merged first, and counted. With "
        "more than two people it compares everyone at once over the items that all of them submitted; the mean of "
        "the pairs stands beside it.",
        file="alpha_u",
        paper="Krippendorff 1995",
        unit="unit",
        mean="alpha_u_pair_mean",
    ),
    SpanStatistic(
        "alpha_u_pair_mean",
        "αᵤ, mean of the pairs",
        "The mean of the pairs’ αᵤ; not given for a pair.",
        paper="Krippendorff 1995",
        unit="unit",
        beside="alpha_u",
        short="mean",
    ),
    SpanStatistic(
        "comment_equal",
        "Equal comments",
        "Over spans that match exactly: the same comment, of those where at least one commented. Matches without "
        "any comment are counted apart.",
        file="comment_equal",
        about="comments",
        share_of="matched spans with a comment",
        unit="matched span",
    ),
    SpanStatistic(
        "comment_rouge_l",
        "ROUGE-L",
        "Over spans that match exactly and that both commented: the longest run of words in common order, over the "
        "words of both.",
        about="comments",
        paper="Lin 2004",
        unit="matched span",
    ),
)
