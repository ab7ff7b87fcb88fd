"""Agreement on spans as statements of named parts: what was marked, each statistic, their means over the pairs."""

from pathlib import Path

from annotation_app.aggregation.statements import SUBMITTED, statement
from annotation_app.agreement.statements import SQL, parts

# Statistics that come out of SQL; `comment_rouge_l` is added in Python.
STATISTICS = (
    "exact_f1",
    "overlap_any_f1",
    "overlap_any_precision",
    "overlap_any_recall",
    "overlap_iou_f1",
    "overlap_iou_precision",
    "overlap_iou_recall",
    "token_kappa",
    "token_agreement",
    "token_share",
    "alpha_u",
    "alpha_u_pair_mean",
    "comment_equal",
)

MARKED: dict[str, Path] = SUBMITTED | parts("spans_known", "spans_compared", "spans_pairs", "spans_ranges")
MATCHED = MARKED | parts("spans_matched", "spans_comments")
OVERLAP = parts("spans_sides", "spans_partners", "spans_overlap")
TOKENS = parts("spans_tokens", "spans_touched", "spans_token_counts", "spans_token_kappa")
ALPHA_U = parts(
    "spans_merged",
    "spans_islands",
    "spans_differences",
    "spans_groups",
    "spans_continua",
    "spans_sizes",
    "spans_sections",
    "spans_expected",
    "spans_observed",
    "spans_joined",
    "spans_alpha_u",
)
COUNTED = parts("spans_marked", "spans_views", "spans_items")
TOGETHER = parts("spans_exact_f1", "spans_comment_equal", "spans_figures", "spans_margins")


def span_texts_statement() -> str:
    """Parameters: project, batches, categories. Rows (unit, text) of the items that two people or more submitted."""
    return statement(MARKED, SQL / "spans_texts.sql")


def span_rows_statement() -> str:
    """Parameters: project, batches (null: those of the rounds), categories (JSON), iou (0 to 1).

    token_units, token_starts and token_ends are arrays of one length: of each token its unit and its code points.
    """
    return statement(MATCHED | COUNTED | OVERLAP | TOKENS | ALPHA_U | TOGETHER, SQL / "spans_rows.sql")


def comment_texts_statement() -> str:
    """Parameters: project, batches, categories. Rows (category, round, a, b, comment of a, comment of b, n)."""
    return statement(MATCHED, SQL / "spans_comment_texts.sql")
