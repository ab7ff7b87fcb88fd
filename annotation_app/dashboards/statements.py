"""The statements of pages. All but two are a single file of `sql`; the report has statements of its own."""

from pathlib import Path

from annotation_app.aggregation.statements import DECISIONS, RESULTS
from annotation_app.db.statement import statement, whole_statements

SQL = Path(__file__).parent / "sql"


def batch_outcomes_statement() -> str:
    """Parameters: batches. Rows (batch id, codebook id, majorities, finished, begun, items, answered)."""
    return statement([], SQL / "batch_outcomes.sql")


def check_results_statement() -> str:
    """Parameters: batches. Rows (membership id, answered, right, skipped) of their check items."""
    return statement([], SQL / "check_results.sql")


def decided_statement() -> str:
    """Parameters: project. Rows (codebook id, majorities, decided labels, number of items)."""
    return statement(DECISIONS, SQL / "decided.sql")


def item_outcomes_statement() -> str:
    """Parameters: project, batches, phase. Rows (batch, codebook, majorities, votes, decided labels, finished, items).

    `batches` are of any kind; ids of items are an array.
    """
    return statement(RESULTS[1], SQL / "item_outcomes.sql")


def named_statements() -> dict[str, str]:
    """Return every statement of pages by the name under which `print_sql` knows it."""
    return whole_statements("dashboards", SQL, but=["decided", "item_outcomes"]) | {
        "dashboards.decided": decided_statement(),
        "dashboards.item_outcomes": item_outcomes_statement(),
    }
