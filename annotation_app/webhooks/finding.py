"""Find what webhooks have not been told yet, from how things stand: nothing that is lost on the way is forgotten."""

import logging
from collections.abc import Iterator
from typing import Any

from django.db import transaction

from annotation_app.assignment.selectors import batches_progress
from annotation_app.models import Batch, Delivery, Project, Release, Round, Webhook
from annotation_app.one_by_one import logged_failure

logger = logging.getLogger(__name__)

Found = tuple[str, dict[str, Any]]
KINDS = Webhook.Kind


def happened(project: Project, kinds: list[str]) -> Iterator[Found]:
    """Yield (key, body) of all events of these kinds in a project. A body holds ids and counts, no text or label."""
    if KINDS.BATCH_COMPLETE in kinds:
        yield from batches_complete(project)
    if KINDS.ROUND_DONE in kinds:
        for row in project.rounds.filter(state__in=ENDED).order_by("pk"):
            state = "failed" if row.state == Round.State.FAILED else "open"
            # A round that failed can be restarted, and then is another event.
            key = f"{KINDS.ROUND_DONE} {row.uuid} {row.attempt if state == 'failed' else 'open'}"
            about = {"id": str(row.uuid), "number": row.number, "state": state}
            yield key, {"event": KINDS.ROUND_DONE, "round": about}
    if KINDS.RELEASE_MADE in kinds:
        for release in project.releases.filter(state=Release.State.DONE).order_by("pk"):
            told = {"id": str(release.uuid), "number": release.number, "content_hash": release.content_hash}
            yield f"{KINDS.RELEASE_MADE} {release.uuid}", {"event": KINDS.RELEASE_MADE, "release": told}


# Its batch is open, or was.
ENDED = (Round.State.ANNOTATING, Round.State.COMPLETE, Round.State.FAILED)


def batches_complete(project: Project) -> Iterator[Found]:
    batches = list(project.batches.exclude(kind=Batch.Kind.PRACTICE).order_by("pk"))
    progress = batches_progress(batches)
    for batch in batches:
        if batch.pk in progress and progress[batch.pk].complete:
            about = {"id": str(batch.uuid), "kind": batch.kind, "number": batch.number}
            told = {**about, "n_items": progress[batch.pk].size, "n_done": progress[batch.pk].done}
            yield f"{KINDS.BATCH_COMPLETE} {batch.uuid}", {"event": KINDS.BATCH_COMPLETE, "batch": told}


@transaction.atomic
def deliveries_add(webhook: Webhook, found: list[Found], state: str = Delivery.State.WAITING) -> None:
    """Store what the webhook has not been told. Two workers at once store each event once."""
    known = set(webhook.deliveries.values_list("key", flat=True))
    Delivery.objects.bulk_create(
        [
            Delivery(webhook=webhook, key=key, body={"project": str(webhook.project.uuid), **body}, state=state)
            for key, body in found
            if key not in known
        ],
        ignore_conflicts=True,
    )


def deliveries_find() -> None:
    """Store what is to be sent, for all webhooks of projects that are not archived.

    A webhook that fails keeps no other one waiting.
    """
    for webhook in Webhook.objects.filter(project__archived_at=None).select_related("project").order_by("pk"):
        with logged_failure(logger, "What happened for webhook %s", webhook.pk):
            deliveries_add(webhook, list(happened(webhook.project, webhook.kinds)))
