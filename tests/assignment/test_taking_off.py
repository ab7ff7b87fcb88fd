"""A person is taken off an open batch and put back: what they answered stays, and what is open waits for others."""

from collections.abc import Callable
from typing import Any

from rest_framework.test import APIClient

from annotation_app.annotation.services import annotation_submit
from annotation_app.assignment.members import member_activate, member_deactivate
from annotation_app.assignment.selectors import batch_progress
from annotation_app.assignment.services import next_window
from annotation_app.models import Assignment, Event, Membership
from tests.assignment.batches import open_batch
from tests.conftest import People
from tests.labels import NO, submission
from tests.refusals import refusal

ClientOf = Callable[[Membership], APIClient]


def answer_one(member: Membership) -> Assignment:
    row = next_window(membership=member, ahead=1).assignments[0]
    annotation_submit(membership=member, assignment_uuid=row.uuid, body=submission(NO))
    return row


def test_a_person_is_taken_off_and_put_back(people: People, client_of: ClientOf) -> None:
    alice, bob, _ = people.annotators
    batch = open_batch(people.project, [alice, bob], size=4)
    client = client_of(people.admin)

    def post(act: str, member: Membership) -> Any:
        return client.post(f"/api/batches/{batch.uuid}/{act}/", {"person": str(member.uuid)}, "json")

    answered = answer_one(alice)
    held = next_window(membership=alice, ahead=3).assignments
    assert len(held) == 3
    off = post("take-off", alice)
    assert off.status_code == 200
    told = {person["display_name"]: person for person in off.json()["people"]}
    assert (told["Alice"]["done"], told["Alice"]["open"], told["Alice"]["withdrawn"]) == (1, 0, 3)
    assert told["Bob"]["withdrawn"] == 0
    assert next_window(membership=alice, ahead=3).assignments == []
    with refusal("withdrawn"):
        annotation_submit(membership=alice, assignment_uuid=held[0].uuid, body=submission(NO))
    # Her own answer stays, and can still be changed; three items wait for Bob alone.
    annotation_submit(membership=alice, assignment_uuid=answered.uuid, body=submission(NO, 1))
    assert (batch_progress(batch).done, batch_progress(batch).total) == (1, 5)
    assert post("take-off", alice).json()["code"] == "nothing_open"
    assert post("take-off", bob).json()["code"] == "last_person"

    answer_one(bob)
    assert post("put-back", alice).status_code == 200
    assert len(next_window(membership=alice, ahead=1).assignments) == 1
    assert post("put-back", alice).json()["code"] == "nothing_withdrawn"
    verbs = list(Event.objects.filter(verb__startswith="person_").order_by("pk").values_list("verb", flat=True))
    assert verbs == ["person_taken_off", "person_put_back"]


def test_other_acts_put_nobody_back_who_was_taken_off(people: People, client_of: ClientOf) -> None:
    """Of four items one is left out before, and one after Alice is taken off; both come back, to Bob alone."""
    alice, bob, _ = people.annotators
    batch = open_batch(people.project, [alice, bob], size=4)
    client = client_of(people.admin)
    first, second = [f"/api/items/{row.item.uuid}" for row in batch.batch_items.order_by("rank")[:2]]

    def post(url: str, **body: str) -> None:
        assert client.post(url, body, "json").status_code == 200

    def waiting(member: Membership) -> int:
        return len(next_window(membership=member, ahead=10).assignments)

    post(f"{first}/leave-out/", reason="A test")
    post(f"/api/batches/{batch.uuid}/take-off/", person=str(alice.uuid))
    post(f"{second}/leave-out/", reason="A test")
    post(f"{first}/take-back/")
    post(f"{second}/take-back/")
    assert (waiting(alice), waiting(bob)) == (0, 4)
    member_activate(member=member_deactivate(member=alice, actor=people.admin.user), actor=people.admin.user)
    assert waiting(alice) == 0
    post(f"/api/batches/{batch.uuid}/put-back/", person=str(alice.uuid))
    assert waiting(alice) == 4
    # From here on she is on the batch as before.
    post(f"{first}/leave-out/", reason="A test")
    post(f"{first}/take-back/")
    assert waiting(alice) == 4


def test_opening_a_closed_batch_again_puts_back_whoever_was_taken_off(people: People, client_of: ClientOf) -> None:
    alice, bob, _ = people.annotators
    batch = open_batch(people.project, [alice, bob], size=2)
    client = client_of(people.admin)
    answer_one(bob)
    for act, body in (("take-off", {"person": str(alice.uuid)}), ("close", {}), ("reopen", {})):
        assert client.post(f"/api/batches/{batch.uuid}/{act}/", body, "json").status_code == 200
    assert len(next_window(membership=alice, ahead=10).assignments) == 2


def test_it_is_refused_where_the_batch_is_over_and_for_strangers(people: People, client_of: ClientOf) -> None:
    batch = open_batch(people.project, people.annotators, size=2)
    client = client_of(people.admin)
    url = f"/api/batches/{batch.uuid}/take-off/"
    stranger = client.post(url, {"person": str(people.outsider.uuid)}, "json")
    assert (stranger.status_code, stranger.json()["code"]) == (409, "wrong_people")
    type(batch).objects.filter(pk=batch.pk).update(frozen_at=batch.opened_at)
    frozen = client.post(url, {"person": str(people.annotators[0].uuid)}, "json")
    assert (frozen.status_code, frozen.json()["code"]) == (409, "closed")
