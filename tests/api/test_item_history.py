"""One item's history tells who did what and when, and hides answers as long as the reader's own can change."""

from collections.abc import Callable
from dataclasses import replace
from typing import Any

import pytest
from django.utils import timezone
from rest_framework.test import APIClient

from annotation_app.annotation.remarks import item_flag
from annotation_app.annotation.services import annotation_submit
from annotation_app.assignment.closing import batch_open_items, items_hand_over
from annotation_app.assignment.services import next_window
from annotation_app.models import Annotation, Assignment, Batch, Event, Item, Membership
from tests.api.decisions import body as decision
from tests.assignment.batches import open_batch
from tests.conftest import People
from tests.factories import make_member
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
        ("Ada", "Was shown others' answers to item doc-1_0_1."),
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


def hidden_code(found: Any) -> str | None:
    return found["hidden"] and found["hidden"]["code"]


def test_leaving_out_asks_before_it_shows_and_taking_back_gives_back(people: People, client_of: ClientOf) -> None:
    alice = people.annotators[0]
    batch = open_batch(people.project, [alice, people.admin], size=1)
    item = Item.objects.get(batch_items__batch=batch)
    answered(alice, YES, comment="A telling comment")
    admin = client_of(people.admin)
    admin.post(f"/api/items/{item.uuid}/leave-out/", {"reason": "A heading"}, "json")
    found = history(admin, item)
    assert hidden_code(found) == "own_answer"
    assert found["hidden"]["detail"].startswith("This item is or was yours to answer.")
    assert "telling" not in str(found)
    admin.post(f"/api/items/{item.uuid}/take-back/")
    mine = Assignment.objects.get(annotator=people.admin)
    assert (mine.state, mine.answers_revealed_at) == ("open", None)
    answered(people.admin, NO)
    assert "telling" in str(history(admin, item, own="locked"))


def test_an_item_that_others_have_in_hand_is_not_locked_by_a_look(people: People, client_of: ClientOf) -> None:
    alice = people.annotators[0]
    batch = open_batch(people.project, [alice, people.admin], size=1, k=1)
    next_window(membership=alice, ahead=1)
    found = history(client_of(people.admin), Item.objects.get(batch_items__batch=batch))
    assert hidden_code(found) == "own_answer"
    assert Assignment.objects.get(annotator=people.admin).answers_revealed_at is None


def test_who_has_looked_is_recorded_once_and_cannot_take_the_item_over(people: People, client_of: ClientOf) -> None:
    alice, bob, _ = people.annotators
    batch = open_batch(people.project, [alice, bob], size=2)
    seen, other = [place.item for place in batch.batch_items.order_by("rank")]
    admin = client_of(people.admin)
    # Nobody has answered: there is nothing to see.
    assert hidden_code(history(admin, other)) is None
    for _ in range(2):
        answered(alice, YES)
    for _ in range(2):
        assert hidden_code(history(admin, seen)) is None
    event = Event.objects.get(verb="answers_shown")
    assert (event.actor, event.subject, event.data) == (people.admin.user, str(seen.uuid), {"assignments": []})
    [left] = [left for left in batch_open_items(batch).people if left.member == bob]
    assert {taker.member: taker.items for taker in left.takers}[people.admin] == 1
    actor = people.admin.user
    assert items_hand_over(batch=batch, giver=bob.uuid, taker=people.admin.uuid, actor=actor) == 1
    assert Assignment.objects.get(annotator=people.admin).batch_item.item == other


def test_what_tells_of_hidden_answers_is_left_out(people: People, client_of: ClientOf) -> None:
    alice, bob, _ = people.annotators
    batch = open_batch(people.project, [alice, bob, people.admin], size=1)
    item = Item.objects.get(batch_items__batch=batch)
    row = answered(alice, YES, comment="A telling comment")
    answered(bob, NO)
    answered(people.admin, NO)
    judge = make_member(people.project, "judith", "admin")
    remark = Annotation.objects.get(assignment=row)
    client = client_of(judge)
    url = f"/api/projects/{people.project.uuid}"
    assert client.post(f"{url}/remarks/{remark.uuid}/", {"resolved": True}, "json").status_code == 204
    decided = client.post(f"{url}/adjudication/{item.uuid}/", decision({"opinion": "no"}), format="json")
    assert decided.status_code == 201, decided.json()
    admin = client_of(people.admin)
    hidden, shown = said(history(admin, item)), said(history(admin, item, own="locked"))
    told = [line for line in shown if line not in hidden and "Was shown" not in line[1]]
    assert [words.split(" ")[0] for _, words in told] == ["Marked", "Decided."]


def test_a_hand_over_is_told_of_its_own_items_only(people: People, client_of: ClientOf) -> None:
    """Two items go over and come back; one is answered, and the other goes over again."""
    alice, bob, charlie = people.annotators
    batch = open_batch(people.project, [alice, bob], size=2)
    actor = people.admin.user
    assert items_hand_over(batch=batch, giver=bob.uuid, taker=charlie.uuid, actor=actor) == 2
    assert items_hand_over(batch=batch, giver=charlie.uuid, taker=bob.uuid, actor=actor) == 2
    kept = answered(bob, NO).batch_item.item
    assert items_hand_over(batch=batch, giver=bob.uuid, taker=charlie.uuid, actor=actor) == 1
    gone = batch.batch_items.exclude(item=kept).get().item
    there, back = "Handed over from Bob to Charlie.", "Handed over from Charlie to Bob."
    admin = client_of(people.admin)
    for item, expected in ((kept, [there, back]), (gone, [there, back, there])):
        assert [words for _, words in said(history(admin, item)) if "Handed" in words] == expected


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
