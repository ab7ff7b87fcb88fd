"""The statements about predictions, put together from the steps in `sql`."""

from pathlib import Path

from annotation_app.aggregation.statements import ANSWERS, PHASES, VOTES, Phase
from annotation_app.db.statement import statement, whole_statements

SQL = Path(__file__).parent / "sql"
FILTERED = ("predictions", "predictions_total", "confident_errors")


def filtered_statement(output: str) -> str:
    """Return a statement of FILTERED. Parameters: those of `predictions.ALL`, and of the statement's own file."""
    return statement([SQL / "filtered.sql"], SQL / f"{output}.sql")


def people_answers_statement(phase: Phase) -> str:
    """Parameters: project, batches, evaluation. Rows (item, stage, number of the annotator, label)."""
    return statement([VOTES[phase]], SQL / "people_answers.sql")


def whole_statement(name: str) -> str:
    return statement([], SQL / f"{name}.sql")


def named_statements() -> dict[str, str]:
    """Return every statement of this package by the name under which `print_sql` knows it."""
    return {
        **{f"evaluation.{name}": filtered_statement(name) for name in FILTERED},
        **{f"evaluation.people_answers.{ANSWERS[phase]}": people_answers_statement(phase) for phase in PHASES},
        **whole_statements("evaluation", SQL, but=(*FILTERED, "filtered", "people_answers")),
    }
