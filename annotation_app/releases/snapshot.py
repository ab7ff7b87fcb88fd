"""The moment that a release shows: one state of the database, seen through two connections."""

from collections.abc import Iterator
from contextlib import closing, contextmanager

from django.db import connection, transaction

from annotation_app.agreement.services import patterns_refresh, patterns_waiting
from annotation_app.export.snapshot import Snapshot
from annotation_app.models import Project
from annotation_app.releases.errors import ReleaseFailed

# Between counting and the moment lie milliseconds: an answer that falls there is one of very many.
TRIES = 20


@contextmanager
def one_moment(project: Project) -> Iterator[Snapshot]:
    """Within it, the default connection and the snapshot see the same rows, and nothing can be written.

    Agreement is counted from patterns that follow the answers with a delay: they are brought up to date before, and a
    moment is taken in which none waits. Raises ReleaseFailed where answers come too fast for that. No transaction may
    be open.
    """
    for _ in range(TRIES):
        patterns_refresh(project=project)
        with transaction.atomic(durable=True):
            name = moment_name(project)
            if name is not None:
                with closing(Snapshot(name=name)) as snapshot:
                    yield snapshot
                return
    raise ReleaseFailed(
        "Answers came in faster than agreement could be counted, so that no moment was found at which it fits the "
        "labels: make the release again when fewer people label."
    )


def moment_name(project: Project) -> str | None:
    """The name under which another connection joins this transaction's snapshot; None where an answer still waits."""
    with connection.cursor() as cursor:
        cursor.execute("SET TRANSACTION ISOLATION LEVEL REPEATABLE READ, READ ONLY")
        if patterns_waiting(project):
            return None
        cursor.execute("SELECT pg_export_snapshot()")
        return str(cursor.fetchone()[0])
