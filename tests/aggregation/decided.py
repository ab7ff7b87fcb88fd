"""Decisions and second looks for tests."""

from collections.abc import Mapping
from typing import Any
from uuid import uuid4

from annotation_app.aggregation.decision import AdjudicationBody
from annotation_app.aggregation.services import StoredAdjudication, adjudication_submit
from annotation_app.assignment.services import second_batch_open
from annotation_app.models import Adjudication, Assignment, Batch, Item, Membership
from tests.agreement.tables import revise


def decision(labels: Mapping[str, Any], base: int = 0, **changes: Any) -> AdjudicationBody:
    given = {"client_id": uuid4(), "base_revision": base, "labels": labels, "reason": "As the guidelines say."}
    return AdjudicationBody(**{**given, **changes})


def latest_revision(item: Item) -> int:
    row = Adjudication.objects.filter(batch_item__item=item).order_by("-revision").first()
    return row.revision if row else 0


def decide(member: Membership, item: Item, labels: Mapping[str, Any], **changes: Any) -> StoredAdjudication:
    """From whatever was decided last, through the service that the page calls."""
    body = decision(labels, latest_revision(item), **changes)
    return adjudication_submit(membership=member, item_uuid=item.uuid, body=body)


def withdraw(member: Membership, item: Item) -> StoredAdjudication:
    return decide(member, item, {}, reason="", withdraw=True)


def second_look(first: Batch, said: Mapping[Item, Mapping[Membership, Mapping[str, str] | None]]) -> Batch:
    """A second look at these items by these people; None is an item that was not answered again."""
    items = [(item.pk, list(people)) for item, people in said.items()]
    batch = second_batch_open(first=first, items=items, actor_id=None)
    for item, people in said.items():
        for member, answers in people.items():
            row = Assignment.objects.get(batch_item__batch=batch, batch_item__item=item, annotator=member)
            if answers is not None:
                row.state, row.slot = Assignment.State.SUBMITTED, list(people).index(member) + 1
                row.save()
                revise(batch, [(row, dict(answers))], revision=1)
    return batch
