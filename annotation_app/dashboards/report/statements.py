"""Run the report's own statements, over the rounds' batches."""

from collections.abc import Mapping
from pathlib import Path
from typing import Any

from annotation_app.aggregation.planner import planned
from annotation_app.aggregation.statements import DECISIONS, VOTES
from annotation_app.agreement.statements import OTHERS_MAJORITY, SELECTED_PATTERNS
from annotation_app.db.statement import Step, statement
from annotation_app.models import Project

SQL = Path(__file__).parent / "sql"
# What each file of `sql` is composed with.
STEPS: dict[str, tuple[Step, ...]] = {
    "answers_and_majorities": SELECTED_PATTERNS[1],
    "answers_and_others": (*SELECTED_PATTERNS[1], OTHERS_MAJORITY),
    "context_answers": (VOTES[1],),
    "example_items": (*SELECTED_PATTERNS[1], *DECISIONS),
    "minutes": (),
    "suggestions": (),
    "positions": SELECTED_PATTERNS[1],
}
Rows = list[tuple[Any, ...]]


def rows_of(name: str, project: Project, parameters: Mapping[str, Any] | None = None) -> Rows:
    """Return all rows of sql/NAME.sql."""
    bound = {"project": project.pk, "batches": None, "stage": None, **(parameters or {})}
    with planned() as cursor:
        cursor.execute(report_statement(name), bound)
        return cursor.fetchall()


def report_statement(name: str) -> str:
    return statement(STEPS[name], SQL / f"{name}.sql")


def named_statements() -> dict[str, str]:
    """Return every statement of this package by the name under which `print_sql` knows it."""
    return {f"report.{name}": report_statement(name) for name in STEPS}
