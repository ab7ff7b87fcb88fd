"""Open the snapshot that a release is made from: one state of the database, seen through two connections."""

from collections.abc import Iterator
from contextlib import closing, contextmanager

from django.db import connection, transaction

from annotation_app.agreement.services import patterns_refresh, patterns_waiting
from annotation_app.export.snapshot import Snapshot
from annotation_app.models import Project
from annotation_app.releases.errors import ReleaseFailed

# Between the recount and the snapshot lie milliseconds, so that an answer rarely falls between them.
TRIES = 20


@contextmanager
def release_snapshot(project: Project) -> Iterator[Snapshot]:
    """Yield a snapshot; within it the default connection sees the same rows, and nothing can be written.

    Agreement is computed from patterns that are recounted with a delay. They are recounted first, and a snapshot is
    taken in which no answer waits for that. Raises ReleaseFailed where answers come too fast. No transaction may be
    open.
    """
    for _ in range(TRIES):
        patterns_refresh(project=project)
        with transaction.atomic(durable=True):
            name = snapshot_name(project)
            if name is not None:
                with closing(Snapshot(name=name)) as snapshot:
                    yield snapshot
                return
    raise ReleaseFailed(
        "Answers came in faster than agreement could be counted, so that no moment was found at which it fits the "
        "labels: make the release again when fewer people label."
    )


def snapshot_name(project: Project) -> str | None:
    """Export this transaction's snapshot and return its name; None where an answer still waits for the recount."""
    with connection.cursor() as cursor:
        cursor.execute("SET TRANSACTION ISOLATION LEVEL REPEATABLE READ, READ ONLY")
        if patterns_waiting(project):
            return None
        cursor.execute("SELECT pg_export_snapshot()")
        return str(cursor.fetchone()[0])
