"""Compose the statements of agreement on spans from the steps in `sql/spans`."""

from annotation_app.aggregation.statements import SUBMITTED
from annotation_app.agreement.statements import SQL
from annotation_app.db.statement import Step, statement

# These statistics come from SQL; `comment_rouge_l` is added in Python.
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

MATCHING: tuple[Step, ...] = (*SUBMITTED, SQL / "spans" / "matching.sql")
TABLE: tuple[Step, ...] = (
    *MATCHING,
    SQL / "spans" / "overlap.sql",
    SQL / "spans" / "tokens.sql",
    SQL / "spans" / "alpha_u.sql",
    SQL / "spans" / "figures.sql",
)


def span_texts_statement() -> str:
    """Return the statement of the texts to split into tokens.

    Parameters: project, batches, categories. Rows (unit, text) of the items that two people or more submitted.
    """
    return statement(MATCHING, SQL / "spans" / "texts.sql")


def span_rows_statement() -> str:
    """Return the statement of the table of agreement on spans.

    Parameters: project, batches (null: those of the rounds), categories (JSON), iou (0 to 1).
    token_units, token_starts and token_ends are arrays of one length, with the unit and the code points of each token.
    """
    return statement(TABLE, SQL / "spans" / "table.sql")


def comment_texts_statement() -> str:
    """Return the statement of comments on spans that match exactly.

    Parameters: project, batches, categories. Rows (category, round, a, b, comment of a, comment of b, n).
    """
    return statement(MATCHING, SQL / "spans" / "comment_texts.sql")


def named_statements() -> dict[str, str]:
    """Return every statement of this module by the name under which `print_sql` knows it."""
    return {
        "agreement.spans.texts": span_texts_statement(),
        "agreement.spans.table": span_rows_statement(),
        "agreement.spans.comment_texts": comment_texts_statement(),
    }
