"""The counts that agreement is computed from, brought up to date with the answers."""

from django.db import connection

from annotation_app.aggregation.planner import INDEXED, planned
from annotation_app.agreement.statements import fold_statement
from annotation_app.models import Project

# Items in one statement: some seconds at most, so that no reader waits long for another.
AT_ONCE = 5_000
# One at a time counts a project's items, so that none is taken away or added twice.
LOCK = "SELECT pg_advisory_xact_lock(hashtext('annotation_app agreement'), %s)"
WAITING = """
SELECT EXISTS (
    SELECT FROM annotation_app_foldqueue q JOIN annotation_app_batch b ON b.id = q.batch WHERE b.project_id = %s
)
"""


def patterns_refresh(*, project: Project) -> None:
    """Counts again the items whose answers changed. What was committed before the call is in the counts after it."""
    if patterns_waiting(project):
        # Fewer than could be had: all that was committed when it began. More may come in all the time.
        while patterns_count(project) == AT_ONCE:
            continue


def patterns_waiting(project: Project) -> bool:
    with connection.cursor() as cursor:
        cursor.execute(WAITING, [project.pk])
        return bool(cursor.fetchone()[0])


def patterns_count(project: Project) -> int:
    """Up to so many items at once; gives how many it was.

    The queue is read by a statement that starts after the lock was got, and so after what others counted.
    """
    with planned(INDEXED) as cursor:
        cursor.execute(LOCK, [project.pk])
        cursor.execute(fold_statement(), {"project": project.pk, "at_once": AT_ONCE})
        return int(cursor.fetchone()[0])
