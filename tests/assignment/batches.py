"""Open batches for tests, through the service that rounds use."""

import uuid
from collections.abc import Callable, Sequence
from concurrent.futures import ThreadPoolExecutor
from typing import Any

from django.db import connection

from annotation_app.assignment.services import batch_open
from annotation_app.models import Batch, CodebookVersion, Membership, Project
from tests.factories import make_items, make_member


def open_batch(
    project: Project,
    annotators: Sequence[Membership],
    *,
    size: int = 6,
    k: int | None = None,
    number: int = 1,
    codebook: CodebookVersion | None = None,
) -> Batch:
    """A batch of new items; without `k` everybody labels every item."""
    items = make_items(project, [f"Sentence {n} of batch {number}." for n in range(size)], f"doc-{number}")
    return batch_open(
        project=project,
        codebook=codebook or project.codebooks.get(version=1),
        items=[(item.pk, None) for item in items],
        annotators=annotators,
        annotators_per_item=k or len(annotators),
        kind=Batch.Kind.ROUND,
        number=number,
    )


def more_people(project: Project, count: int) -> list[Membership]:
    return [make_member(project, f"person-{uuid.uuid4().hex[:8]}", "annotator") for _ in range(count)]


def at_once(calls: Sequence[Callable[[], Any]]) -> list[Any]:
    """Runs the calls in threads of their own, each with its own connection and real transactions."""

    def run(call: Callable[[], Any]) -> Any:
        try:
            return call()
        finally:
            connection.close()

    with ThreadPoolExecutor(len(calls)) as pool:
        return [done.result(timeout=60) for done in [pool.submit(run, call) for call in calls]]
