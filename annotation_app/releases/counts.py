"""Count what a release holds, in one statement."""

from django.db import connection

from annotation_app.db.statement import statement
from annotation_app.models import Assignment, Project
from annotation_app.releases.shape import RELEASED, SQL

COUNTED = ("items", "documents", "annotations", "annotators", "rounds", "second_looks", "spans")


def counts_of(project: Project) -> dict[str, int]:
    """Count items and documents of the rounds, their current annotations and annotators, and their spans."""
    with connection.cursor() as cursor:
        cursor.execute(statement([], SQL / "counts.sql"), {"project": project.pk})
        return dict(zip(COUNTED, map(int, cursor.fetchone()), strict=True))


def nothing_to_release(project: Project) -> str | None:
    """Return why a release would be empty, or None."""
    annotated = Assignment.objects.filter(
        batch_item__batch__project=project,
        batch_item__batch__kind__in=RELEASED,
        batch_item__is_check=False,
        current__isnull=False,
    )
    if annotated.exists():
        return None
    return "Nobody has annotated an item of a round, so there is nothing to release yet."
