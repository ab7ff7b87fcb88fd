"""Write what the worker finds: predictions as they arrive, and an evaluation's end."""

from collections.abc import Iterable
from typing import Any

from django.db import transaction

from annotation_app.evaluation.predictions import predictions_counted
from annotation_app.models import Evaluation, EvaluationFile, Lease, Prediction, event_write
from annotation_app.storage import StoredFile

WRITE_AT_ONCE = 2_000


def predictions_store(rows: Iterable[Prediction]) -> None:
    """Store predictions. One that is there already stays as it is.

    It needs no lease: an answer that was paid for is kept, also by a worker that has just lost its lease.
    """
    Prediction.objects.bulk_create(rows, batch_size=WRITE_AT_ONCE, ignore_conflicts=True)


@transaction.atomic
def evaluation_accept(
    *, lease: Lease, files: Iterable[StoredFile], progress: dict[str, Any], notices: list[str]
) -> None:
    """Record the end, the stored files and the counts of predictions. Raises LeaseLost without writing anything."""
    # Pages that are asked for every few seconds must not count 100,000 predictions each time.
    counts = predictions_counted([lease.row_id])[lease.row_id]
    row = lease.end(Evaluation.State.DONE, progress={**progress, "counts": counts}, notices=notices)
    EvaluationFile.objects.bulk_create(EvaluationFile(evaluation=row, **vars(file)) for file in files)
    event_write(verb="evaluation_done", project=row.project, actor_id=None, subject=row.uuid)


@transaction.atomic
def evaluation_fail(*, lease: Lease, reason: str) -> None:
    """Record the reason. Answers that came before are kept. Raises LeaseLost."""
    row = lease.end(Evaluation.State.FAILED, failure=reason)
    event_write(verb="evaluation_failed", project=row.project, actor_id=None, subject=row.uuid, reason=reason)
