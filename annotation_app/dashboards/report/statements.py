"""Run the report's own statements, over the rounds' batches."""

from collections.abc import Mapping
from pathlib import Path
from typing import Any

from annotation_app.aggregation.planner import planned
from annotation_app.aggregation.statements import BY_UNIT, statement
from annotation_app.models import Project

SQL = Path(__file__).parent / "sql"
Rows = list[tuple[Any, ...]]


def rows_of(
    name: str,
    project: Project,
    parameters: Mapping[str, Any] | None = None,
    *,
    parts: Mapping[str, Path] = BY_UNIT,
) -> Rows:
    """Return all rows of sql/NAME.sql, which may use the relations votes and by_unit, or those of `parts`."""
    bound = {"project": project.pk, "batches": None, "stage": None, **(parameters or {})}
    with planned() as cursor:
        cursor.execute(statement(parts, SQL / f"{name}.sql"), bound)
        return cursor.fetchall()
