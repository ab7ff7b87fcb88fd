"""Compose the statements of agreement on spans from the steps in `sql/spans`."""

from annotation_app.aggregation.statements import SUBMITTED
from annotation_app.agreement.statements import SQL
from annotation_app.agreement.statistics import SPAN_STATISTICS
from annotation_app.db.statement import Generated, Step, statement

MATCHING: tuple[Step, ...] = (SUBMITTED, SQL / "spans" / "matching.sql")


def figures() -> tuple[Step, ...]:
    """Return the steps of every statistic, and of the two relations that follow from the registry.

    `spans_figures` holds the rows of all of them, and `spans_means` the key under which each one's mean stands.
    """
    computed = [each for each in SPAN_STATISTICS if each.file]
    files = list(dict.fromkeys(each.file for each in computed))
    union = "\n  UNION ALL ".join(
        f"SELECT category, round, a, b, statistic, value, n, reason FROM spans_{file}" for file in files
    )
    means = ", ".join(f"('{each.key}', '{each.mean or each.key}')" for each in computed if each.mean is not None)
    text = (
        f"-- Every statistic of the registry, one a row.\nspans_figures AS (\n  {union}\n),\n\n"
        "-- The statistics that have a mean over the pairs, and the key under which it stands.\n"
        f"spans_means AS (\n  SELECT * FROM (VALUES {means}) AS m(statistic, mean)\n)"
    )
    return (*(SQL / "spans" / f"{file}.sql" for file in files), Generated("the registry of statistics on spans", text))


TABLE: tuple[Step, ...] = (*MATCHING, *figures())


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
