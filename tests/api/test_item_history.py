"""One item's history tells who did what and when, and hides answers as long as the reader's own can change."""

from collections.abc import Callable
from dataclasses import replace
from typing import Any

import pytest
from django.utils import timezone
from rest_framework.test import APIClient

from annotation_app.annotation.remarks import item_flag
from annotation_app.annotation.services import annotation_submit
from annotation_app.assignment.closing import items_hand_over
from annotation_app.assignment.services import next_window
from annotation_app.models import Assignment, Batch, Item, Membership
from tests.assignment.batches import open_batch
from tests.conftest import People
from tests.labels import NO, YES, submission

pytestmark = pytest.mark.django_db
ClientOf = Callable[[Membership], APIClient]


def history(client: APIClient, item: Item, **asked: str) -> Any:
    answer = client.get(f"/api/items/{item.uuid}/history/", asked)
    assert answer.status_code == 200, answer.json()
    return answer.json()


def said(found: Any) -> list[tuple[str, str]]:
    return [(line["who"], line["sentence"]) for line in found["lines"]]


def answered(member: Membership, labels: dict[str, str], **more: Any) -> Assignment:
    row: Assignment = next_window(membership=member, ahead=1).assignments[0]
    annotation_submit(membership=member, assignment_uuid=row.uuid, body=replace(submission(labels), **more))
    return row


def test_it_tells_everything_in_the_order_of_time(people: People, client_of: ClientOf) -> None:
    alice, bob, charlie = people.annotators
    batch = open_batch(people.project, [alice, bob], size=1)
    item = Item.objects.get(batch_items__batch=batch)
    item.document.meta = {"party": "left", "meta": {"tone": "dry"}}
    item.document.save()
    row = answered(alice, YES, comment="Not sure")
    annotation_submit(membership=alice, assignment_uuid=row.uuid, body=submission(NO, base_revision=1))
    item_flag(membership=alice, assignment_uuid=row.uuid, note="Whose opinion?")
    items_hand_over(batch=batch, giver=bob.uuid, taker=charlie.uuid, actor=people.admin.user)
    answered(charlie, {}, skip_reason="Not English")
    admin = client_of(people.admin)
    admin.post(f"/api/items/{item.uuid}/leave-out/", {"reason": "A heading"}, "json")
    admin.post(f"/api/items/{item.uuid}/take-back/")
    found = history(admin, item)
    assert said(found) == [
        ("", "Imported from test."),
        ("", "Given out in the batch of round 1, in place 1 of its order."),
        ("Alice", "Answered it in the batch of round 1."),
        ("Alice", "Answered it in the batch of round 1, revision 2."),
        ("Alice", "Flagged it."),
        ("Ada", "Handed over from Bob to Charlie."),
        ("Charlie", "Skipped it in the batch of round 1."),
        ("Ada", "Left item doc-1_0_1 out of the pool: A heading (0 open assignments withdrawn)"),
        ("Ada", "Took item doc-1_0_1 back into the pool."),
    ]
    first, again, flag = found["lines"][2:5]
    assert [each["answer"] for each in first["answers"]] != [each["answer"] for each in again["answers"]]
    assert (first["note"], flag["note"], found["lines"][6]["note"]) == ("Not sure", "Whose opinion?", "Not English")
    assert found["columns"] == [{"name": "tone", "value": "dry"}, {"name": "party", "value": "left"}]
    assert found["hidden"] is None
    assert found["listed"]["done"] == 2


def test_others_answers_are_hidden_until_ones_own_is_locked(people: People, client_of: ClientOf) -> None:
    alice = people.annotators[0]
    batch = open_batch(people.project, [alice, people.admin], size=1)
    item = Item.objects.get(batch_items__batch=batch)
    row = answered(alice, YES, comment="A telling comment")
    item_flag(membership=alice, assignment_uuid=row.uuid, note="A telling flag")
    admin = client_of(people.admin)
    for code in ("answer_first", "own_answer"):
        asked = {"own": "locked"} if code == "answer_first" else {}
        found = history(admin, item, **asked)
        assert found["hidden"]["code"] == code
        theirs = [line for line in found["lines"] if line["who"] == "Alice"]
        assert [(line["is_hidden"], line["answers"], line["note"]) for line in theirs] == [(True, None, "")] * 2
        assert "telling" not in str(found)
        if code == "answer_first":
            answered(people.admin, NO)
    mine = [line for line in history(admin, item)["lines"] if line["who"] == "Ada"]
    assert [line["is_hidden"] for line in mine] == [False]
    found = history(admin, item, own="locked")
    assert (found["hidden"], "A telling comment" in str(found), "A telling flag" in str(found)) == (None, True, True)
    assert Assignment.objects.get(annotator=people.admin).answers_revealed_at is not None
    revised = admin.post(
        f"/api/assignments/{Assignment.objects.get(annotator=people.admin).uuid}/annotations/",
        {**vars(submission(YES, base_revision=1)), "spans": []},
        "json",
    )
    assert revised.status_code == 409


def test_what_a_frozen_batch_shows_is_recorded(people: People, client_of: ClientOf) -> None:
    alice = people.annotators[0]
    batch = open_batch(people.project, [alice, people.admin], size=1)
    answered(alice, YES)
    Batch.objects.filter(pk=batch.pk).update(frozen_at=timezone.now())
    found = history(client_of(people.admin), Item.objects.get(batch_items__batch=batch))
    assert found["hidden"] is None
    assert Assignment.objects.get(annotator=people.admin).answers_revealed_at is not None


def test_another_projects_item_is_not_there(people: People, client_of: ClientOf) -> None:
    batch = open_batch(people.project, people.annotators, size=1)
    item = Item.objects.get(batch_items__batch=batch)
    assert client_of(people.outsider).get(f"/api/items/{item.uuid}/history/").status_code == 404
    assert client_of(people.annotators[0]).get(f"/api/items/{item.uuid}/history/").status_code == 403
