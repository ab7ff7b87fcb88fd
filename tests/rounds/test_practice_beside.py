"""A practice beside what else is done with people, items and batches."""

import json
import uuid
from collections.abc import Callable

from annotation_app.annotation.services import annotation_submit
from annotation_app.assignment.closing import batch_close, batch_reopen
from annotation_app.assignment.services import next_window
from annotation_app.models import Assignment, Batch, PracticeAttempt, WorkerBeat
from annotation_app.rounds.services import round_cancel
from annotation_app.rounds.spec import RoundSpec
from tests.aggregation.decided import decide
from tests.conftest import People
from tests.factories import publish
from tests.labels import NO, YES, label_batch, submission
from tests.rounds.practices import Admin, ClientOf, answer, go_through, mine, window
from tests.rounds.starting import opened

Spec = Callable[..., RoundSpec]


def test_an_attempt_is_not_closed_as_a_batch_and_says_so(people: People, admin: Admin, client_of: ClientOf) -> None:
    practice, alice = admin.opened(), people.annotators[0]
    client_of(alice).post(f"/api/practices/{practice}/attempts/")
    batch = PracticeAttempt.objects.get().batch
    for act, body in (("close", {}), ("take-off", {"person": str(alice.uuid)})):
        refused = admin.client.post(f"/api/batches/{batch.uuid}/{act}/", body, "json")
        assert (refused.status_code, refused.json()["code"]) == (409, "wrong_kind")
        assert refused.json()["detail"].startswith("This is practice: ")


def test_as_many_adjudicated_items_come_as_were_asked_for_and_the_answer_counts_them(
    people: People, admin: Admin, worker: WorkerBeat, spec: Spec
) -> None:
    """Under the second version one of the two decided items has no valid key: its label of mp is another one there."""
    batch = opened(people, spec()).batch
    label_batch(batch, lambda member, item: NO if member == people.annotators[2] else YES)
    fit, unfit = [row.item for row in batch.batch_items.order_by("rank")[:2]]
    decide(people.admin, fit, NO)
    decide(people.admin, unfit, YES)
    second = json.loads(json.dumps(batch.codebook.definition))
    mp = next(stage for stage in second["stages"] if stage["key"] == "mp")
    next(label for label in mp["labels"] if label["key"] == "no")["key"] = "never"
    publish(people.project, second)
    opened(people, spec())
    for seed in range(4):
        practice = admin.make(title=f"Seed {seed}").json()["practice"]["id"]
        one = admin.add(practice, source="adjudicated", size=1, random_state=seed).json()
        assert (one["added"], [each["item"]["external_id"] for each in one["items"]]) == (1, [fit.external_id])
    more = admin.make(title="More").json()["practice"]["id"]
    assert admin.add(more, source="adjudicated", size=5).json()["added"] == 1
    assert admin.add(more, source="adjudicated", size=5).status_code == 400


def test_a_practice_that_rounds_require_stays_open(people: People, admin: Admin) -> None:
    practice = admin.opened(is_required=True)
    body = {"title": "Stance", "pass_mark": 75, "attempts": 2}
    refused = admin.client.post(f"/api/practices/{practice}/close/")
    assert (refused.status_code, refused.json()["code"]) == (409, "required")
    free = admin.client.put(f"/api/practices/{practice}/", body | {"is_required": False}, "json")
    assert free.json()["practice"]["is_required"] is False
    assert admin.client.post(f"/api/practices/{practice}/close/").status_code == 200
    late = admin.client.put(f"/api/practices/{practice}/", body | {"is_required": True}, "json")
    assert (late.status_code, late.json()["code"]) == (409, "practice_closed")


def test_a_passed_practice_stays_passed_when_an_item_is_left_out_and_taken_back(
    people: People, admin: Admin, client_of: ClientOf
) -> None:
    """Three of four are right, and the fourth is left out before it is answered."""
    practice, client = admin.opened(), client_of(people.annotators[0])
    assert go_through(client, people, practice, [NO] * 3)["standing"] == "working"
    (last,) = window(client, people)["assignments"]
    item = f"/api/items/{last['item']['id']}"
    assert admin.client.post(f"{item}/leave-out/", {"reason": "A test"}, "json").status_code == 200
    assert mine(client, people)[0]["standing"] == "passed"
    assert admin.client.post(f"{item}/take-back/").status_code == 200
    (passed,) = mine(client, people)
    assert (passed["standing"], passed["attempts"][0]["total"]) == ("passed", 3)
    assert window(client, people)["state"] == "none"


def test_a_second_look_has_no_item_of_an_opened_practice(
    people: People, admin: Admin, client_of: ClientOf, worker: WorkerBeat, spec: Spec
) -> None:
    """All eight items differ, and one is practised: Alice goes on with that practice, then has the second look."""
    first = opened(people, spec())
    label_batch(first.batch, lambda member, item: YES if member == people.annotators[0] else NO)
    item = first.batch.batch_items.order_by("rank")[0].item
    decide(people.admin, item, NO)
    second = opened(people, spec()).batch
    practice = admin.make().json()["practice"]["id"]
    assert admin.add(practice, source="adjudicated", size=1).json()["items"][0]["answers"] == NO
    admin.open(practice)
    client = client_of(people.annotators[0])
    client.post(f"/api/practices/{practice}/attempts/")
    assert admin.client.post(f"/api/rounds/{first.uuid}/second-look/").status_code == 201
    look = Batch.objects.get(second_look_of=first.batch)
    assert set(look.batch_items.values_list("item", flat=True)) == set(
        first.batch.batch_items.exclude(item=item).values_list("item", flat=True)
    )
    (practised,) = window(client, people)["assignments"]
    assert practised["item"]["id"] == str(item.uuid) and practised["batch"]["is_practice"]
    assert answer(client, practised["id"], NO).status_code == 201
    held = {uuid.UUID(each["id"]) for each in window(client, people)["assignments"]}
    batches = Batch.objects.filter(batch_items__assignments__uuid__in=held).distinct()
    assert held and set(batches) <= {look, second}


def test_an_attempt_of_which_nothing_is_left_counts_as_none(people: People, admin: Admin, client_of: ClientOf) -> None:
    """Its items are left out before any is answered; with two of them back, another attempt asks for those."""
    practice, client = admin.opened(), client_of(people.annotators[0])
    assert go_through(client, people, practice, [])["standing"] == "working"
    items = [f"/api/items/{each['item']['id']}" for each in window(client, people)["assignments"]]
    for item in items:
        assert admin.client.post(f"{item}/leave-out/", {"reason": "A test"}, "json").status_code == 200
    (void,) = mine(client, people)
    assert (void["standing"], void["attempts_left"], void["attempts"]) == ("not_begun", 2, [])
    assert client.post(f"/api/practices/{practice}/attempts/").json()["code"] == "no_items"
    for item in items[:2]:
        assert admin.client.post(f"{item}/take-back/").status_code == 200
    # What comes back does not take the first attempt up again.
    assert window(client, people)["assignments"] == []
    passed = go_through(client, people, practice, [NO, NO])
    assert (passed["standing"], [each["total"] for each in passed["attempts"]]) == ("passed", [2])


def test_nothing_comes_back_of_an_item_that_a_practice_shows_by_now(
    people: People, admin: Admin, worker: WorkerBeat, spec: Spec
) -> None:
    """A batch is closed with what is there, and the next round, which freezes it, is cancelled after the practice."""
    first = opened(people, spec())
    alice, bob, _ = people.annotators
    rows = Assignment.objects.filter(batch_item__batch=first.batch)
    shown = next_window(membership=alice, ahead=1).assignments[0].batch_item_id
    annotation_submit(
        membership=alice, assignment_uuid=rows.get(annotator=alice, batch_item=shown).uuid, body=submission(NO)
    )
    batch_close(batch=first.batch, actor=people.admin.user)
    second = opened(people, spec())
    item = first.batch.batch_items.get(pk=shown).item
    practice = admin.make().json()["practice"]["id"]
    admin.add(practice, source="ids", ids=[item.external_id])
    assert admin.write(practice, str(item.uuid), NO).status_code == 200
    assert admin.open(practice).status_code == 200
    round_cancel(row=second, actor=people.admin.user)
    batch_reopen(batch=first.batch, actor=people.admin.user)
    back = rows.filter(state="open")
    assert back.exists() and not back.filter(batch_item=shown).exists()
    assert rows.filter(annotator=bob, batch_item=shown, state="withdrawn").exists()
    rest = admin.client.get(f"/api/batches/{first.batch.uuid}/rest/").json()
    assert {each["items"] for each in rest["joiners"]} == {first.batch.batch_items.count() - 1}
