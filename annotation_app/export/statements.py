"""The statements of exports. All but one are a single file of `sql`."""

from pathlib import Path

from annotation_app.aggregation.statements import ANSWERS, PHASES, RESULTS, Phase
from annotation_app.db.statement import statement, whole_statements

SQL = Path(__file__).parent / "sql"


def aggregated_statement(phase: Phase) -> str:
    """Parameters: project, batches (null: those of the rounds), phase."""
    return statement(RESULTS[phase], SQL / "aggregated.sql")


def named_statements() -> dict[str, str]:
    """Return every statement of this package by the name under which `print_sql` knows it."""
    aggregated = {f"export.aggregated.{ANSWERS[phase]}": aggregated_statement(phase) for phase in PHASES}
    return whole_statements("export", SQL, but=["aggregated"]) | aggregated
