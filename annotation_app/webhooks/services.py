"""Make and remove webhooks, and have something sent again or for a test."""

import secrets
from collections.abc import Sequence
from datetime import timedelta
from functools import partial
from uuid import uuid4

from django.db import transaction
from django.utils import timezone

from annotation_app.enqueue import enqueue
from annotation_app.models import Delivery, Project, User, Webhook, event_write
from annotation_app.refusals import Invalid, Refused
from annotation_app.webhooks.destinations import NoDestination, address_of, url_parse
from annotation_app.webhooks.finding import deliveries_add, happened

MOST_WEBHOOKS, MOST_TESTS = 10, 10
TEST = "test"


@transaction.atomic
def webhook_create(*, project: Project, actor: User, url: str, kinds: Sequence[str]) -> Webhook:
    """Make a webhook, which is told what happens from now on. Raises Invalid."""
    try:
        address_of(url_parse(url))
    except (NoDestination, OSError, UnicodeError) as error:
        words = str(error) if isinstance(error, NoDestination) else f"The host was not found: {error}."
        raise Invalid({"url": [words]}) from error
    # One at a time, so that they are counted.
    project = Project.objects.select_for_update(no_key=True).get(pk=project.pk)
    if Webhook.objects.filter(project=project).count() >= MOST_WEBHOOKS:
        raise Invalid({"url": [f"A project has {MOST_WEBHOOKS} webhooks at most. Remove one first."]})
    webhook = Webhook.objects.create(
        project=project, url=url, kinds=sorted(set(kinds)), secret=secrets.token_urlsafe(32), created_by=actor
    )
    deliveries_add(webhook, list(happened(project, webhook.kinds)), Delivery.State.PAST)
    event_write(verb="webhook_created", project=project, actor_id=actor.pk, subject=webhook.uuid, url=url)
    return webhook


@transaction.atomic
def webhook_remove(*, webhook: Webhook, actor: User) -> None:
    """Remove a webhook with what waits to be sent."""
    event_write(
        verb="webhook_removed", project=webhook.project, actor_id=actor.pk, subject=webhook.uuid, url=webhook.url
    )
    webhook.delete()


@transaction.atomic
def webhook_test(*, webhook: Webhook) -> Delivery:
    """Have a test sent at once. Raises Refused after so many in an hour."""
    Webhook.objects.select_for_update().get(pk=webhook.pk)
    since = timezone.now() - timedelta(hours=1)
    tests = webhook.deliveries.filter(key__startswith=f"{TEST} ", created_at__gte=since)
    if tests.count() >= MOST_TESTS:
        raise Refused("too_many_tests", f"{MOST_TESTS} tests were sent within an hour. Try again later.")
    body = {"project": str(webhook.project.uuid), "event": TEST}
    row = Delivery.objects.create(webhook=webhook, key=f"{TEST} {uuid4()}", body=body)
    transaction.on_commit(partial(enqueue, Delivery.TASK, row.pk, "light"))
    return row


@transaction.atomic
def delivery_again(*, delivery: Delivery) -> Delivery:
    """Have a delivery sent once more, with the same id. What waits is sent at once."""
    row = Delivery.objects.select_for_update().exclude(state=Delivery.State.PAST).get(pk=delivery.pk)
    row.state, row.due_at, row.attempts = Delivery.State.WAITING, timezone.now(), 0
    row.save(update_fields=["state", "due_at", "attempts"])
    transaction.on_commit(partial(enqueue, Delivery.TASK, row.pk, "light"))
    return row
