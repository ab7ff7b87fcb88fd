"""Write how an interpretation ended: its figures and files, or the reason of its failure."""

from collections.abc import Iterable
from typing import Any

from django.db import transaction

from annotation_app.models import Interpretation, InterpretationFile, Lease, event_write
from annotation_app.storage import StoredFile


@transaction.atomic
def interpretation_accept(*, lease: Lease, files: Iterable[StoredFile], changes: dict[str, Any]) -> None:
    """Record the end and the stored files. Raises LeaseLost without writing anything."""
    row = lease.end(Interpretation.State.DONE, **changes)
    InterpretationFile.objects.bulk_create(InterpretationFile(interpretation=row, **vars(file)) for file in files)
    event_write(verb="interpretation_done", project=row.project, actor_id=None, subject=row.uuid)


@transaction.atomic
def interpretation_fail(*, lease: Lease, reason: str) -> None:
    """Record the reason. Checkpoints that came before are kept. Raises LeaseLost."""
    row = lease.end(Interpretation.State.FAILED, failure=reason)
    event_write(verb="interpretation_failed", project=row.project, actor_id=None, subject=row.uuid, reason=reason)
