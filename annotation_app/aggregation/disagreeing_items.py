"""Find items on which people's independent answers differ, for a second look."""

from collections.abc import Iterable
from typing import Any

from annotation_app.aggregation.planner import planned
from annotation_app.aggregation.statements import differing_counts_statement, differing_items_statement
from annotation_app.models import Batch, Project


def disagreeing_items(batch: Batch) -> list[tuple[int, list[int]]]:
    """Return (item id, numbers of the members whose answers differ from somebody's), in the order of the ranks."""
    return _rows(differing_items_statement(), batch.project, [batch])


def disagreeing_counts(project: Project, batches: Iterable[Batch]) -> dict[int, int]:
    """Count the disagreeing items by batch id; batches without one are missing."""
    return dict(_rows(differing_counts_statement(), project, batches))


def _rows(sql: str, project: Project, batches: Iterable[Batch]) -> list[tuple[Any, ...]]:
    with planned() as cursor:
        cursor.execute(sql, {"project": project.pk, "batches": [batch.pk for batch in batches]})
        return list(cursor.fetchall())
