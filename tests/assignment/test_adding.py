"""A person is added to an open batch, batches have priorities, and slots are dealt out by shares."""

from collections.abc import Callable
from datetime import timedelta
from typing import Any

import pytest
from django.utils import timezone
from rest_framework.test import APIClient

from annotation_app.annotation.services import annotation_submit
from annotation_app.assignment.adding import batch_priority_set, person_add
from annotation_app.assignment.closing import items_hand_over
from annotation_app.assignment.selectors import batch_progress
from annotation_app.assignment.services import batch_open, next_window
from annotation_app.assignment.shares import dealt, quotas
from annotation_app.assignment.taking_off import person_put_back, person_take_off
from annotation_app.models import Assignment, Batch, Event, Membership
from tests.assignment.batches import at_once, open_batch
from tests.conftest import People
from tests.factories import make_items, make_member
from tests.labels import NO, submission
from tests.refusals import refusal

ClientOf = Callable[[Membership], APIClient]


def answer(member: Membership, most: int = 100) -> int:
    """Answer up to `most` of what the person is given; return how many that were."""
    for done in range(most):
        rows = next_window(membership=member, ahead=1).assignments
        if not rows:
            return done
        annotation_submit(membership=member, assignment_uuid=rows[0].uuid, body=submission(NO))
    return most


def test_a_person_who_is_added_answers_what_still_waits(people: People, client_of: ClientOf) -> None:
    """Add Charlie where one of two people's six items is complete: to five, and each keeps its two answers."""
    alice, bob, charlie = people.annotators
    batch = open_batch(people.project, [alice, bob], size=6)
    client = client_of(people.admin)
    held = next_window(membership=alice, ahead=6).assignments
    first = held[0]
    annotation_submit(membership=alice, assignment_uuid=first.uuid, body=submission(NO))
    own = Assignment.objects.get(annotator=bob, batch_item=first.batch_item_id)
    Assignment.objects.filter(pk=own.pk).update(position=0)
    answer(bob, 1)

    def post(member: Membership) -> Any:
        return client.post(f"/api/batches/{batch.uuid}/add-person/", {"person": str(member.uuid)}, "json")

    rest = client.get(f"/api/batches/{batch.uuid}/rest/").json()
    assert [(each["display_name"], each["items"]) for each in rest["joiners"] if each["display_name"] == "Charlie"] == [
        ("Charlie", 5)
    ]
    assert post(charlie).status_code == 200
    assert post(charlie).json()["code"] == "nothing_to_add"
    # Alice has five items in hand, and Bob three of them: Charlie takes the others, and nothing else is left for Bob.
    assert [answer(member) for member in (charlie, bob, alice)] == [2, 3, 5]
    progress = batch_progress(batch)
    assert (progress.done, progress.total, progress.surplus, progress.complete) == (12, 12, 0, True)
    event = Event.objects.get(verb="person_added")
    assert (event.subject, event.data["items"]) == (str(charlie.uuid), 5)


def test_everybody_and_whoever_is_added_meanwhile_give_each_item_its_answers_once(people: People) -> None:
    """Seats that were handed over and free slots do not add up to more than the batch asks for."""
    alice, bob, charlie = people.annotators
    dora = make_member(people.project, "dora", "annotator")
    erin = make_member(people.project, "erin", "annotator")
    batch = open_batch(people.project, [alice, bob, charlie], size=9)
    answer(alice, 2)
    next_window(membership=bob, ahead=5)
    assert items_hand_over(batch=batch, giver=alice.uuid, taker=dora.uuid, actor=people.admin.user) == 7
    answer(dora, 3)
    assert person_add(batch=batch, person=erin.uuid, actor=people.admin.user) == 9
    for member in (erin, dora, charlie, bob):
        answer(member, 2)
    assert person_take_off(batch=batch, person=erin.uuid, actor=people.admin.user) > 0
    answer(dora)
    assert person_put_back(batch=batch, person=erin.uuid, actor=people.admin.user) > 0
    for member in (erin, charlie, bob):
        answer(member)
    progress = batch_progress(batch)
    assert (progress.done, progress.total, progress.surplus, progress.complete) == (27, 27, 0, True)


def test_claims_live_no_longer_where_people_waited_for_them_before(people: People) -> None:
    alice, bob, charlie = people.annotators
    dora = make_member(people.project, "dora", "annotator")
    batch = open_batch(people.project, [alice, bob], size=9)
    next_window(membership=alice, ahead=3)
    claims = Assignment.objects.filter(state="claimed")
    long_ago = timezone.now() - timedelta(hours=1)
    claims.update(claimed_at=long_ago)
    person_add(batch=batch, person=charlie.uuid, actor=people.admin.user)
    assert not claims.filter(claimed_at=long_ago).exists()
    claims.update(claimed_at=long_ago)
    person_add(batch=batch, person=dora.uuid, actor=people.admin.user)
    assert claims.exists() and not claims.exclude(claimed_at=long_ago).exists()
    with refusal("nothing_to_add"):
        person_add(batch=batch, person=dora.uuid, actor=people.admin.user)


@pytest.mark.django_db(transaction=True)
def test_people_who_claim_while_one_is_added_never_meet_at_a_slot(people: People) -> None:
    alice, bob, charlie = people.annotators
    dora = make_member(people.project, "dora", "annotator")
    batch = open_batch(people.project, [alice, bob, charlie], size=8)
    added = at_once(
        [
            lambda: answer(alice),
            lambda: answer(bob),
            lambda: person_add(batch=batch, person=dora.uuid, actor=people.admin.user),
            lambda: answer(charlie),
        ]
    )[2]
    assert added > 0
    for member in (dora, alice, bob, charlie):
        answer(member)
    progress = batch_progress(batch)
    assert (progress.done, progress.surplus, progress.complete) == (24, 0, True)


def test_nobody_is_added_who_may_not_answer(people: People) -> None:
    alice, bob, charlie = people.annotators
    judge = make_member(people.project, "judge", "adjudicator")
    batch = open_batch(people.project, [alice, bob], size=2)
    with refusal("wrong_people"):
        person_add(batch=batch, person=judge.uuid, actor=people.admin.user)
    item = batch.batch_items.order_by("rank")[0].item
    Event.objects.create(
        project=people.project, verb="answers_shown", subject=str(item.uuid), actor=charlie.user, data={}
    )
    assert person_add(batch=batch, person=charlie.uuid, actor=people.admin.user) == 1


def test_of_open_batches_the_first_priority_is_handed_out_first(people: People, client_of: ClientOf) -> None:
    alice, bob, _ = people.annotators
    one, two = [open_batch(people.project, [alice, bob], size=1, number=number) for number in (1, 2)]
    client = client_of(people.admin)

    def now() -> int | None:
        return next_window(membership=alice, ahead=1).progress.batch_number

    assert now() == 1
    answered = client.post(f"/api/batches/{two.uuid}/priority/", {"priority": 1}, "json")
    assert (answered.status_code, answered.json()["priority"]) == (200, 1)
    assert now() == 2
    answer(alice, 1)
    assert now() == 1
    batch_priority_set(batch=two, priority=1, actor=people.admin.user)
    assert client.post(f"/api/batches/{two.uuid}/priority/", {"priority": 10}, "json").status_code == 400
    [event] = Event.objects.filter(verb="batch_priority_set")
    assert (event.data["old"], event.data["new"]) == (5, 1)
    Batch.objects.filter(pk=one.pk).update(frozen_at=one.opened_at)
    with refusal("closed"):
        batch_priority_set(batch=one, priority=2, actor=people.admin.user)


@pytest.mark.parametrize(
    ("shares", "n", "k", "expected"),
    [
        ({1: 50, 2: 30, 3: 20}, 10, 1, {1: 5, 2: 3, 3: 2}),
        ({1: 1, 2: 1, 3: 1}, 10, 1, {1: 4, 2: 3, 3: 3}),
        ({1: 50, 2: 30, 3: 20}, 10, 2, {1: 10, 2: 6, 3: 4}),
        # Who is left has more than every item once: the others take the rest.
        ({1: 80, 2: 10, 3: 10}, 10, 2, {1: 10, 2: 5, 3: 5}),
        ({1: 90, 2: 9, 3: 1}, 10, 2, {1: 10, 2: 9, 3: 1}),
        ({1: 5, 2: 1}, 10, 2, {1: 10, 2: 10}),
    ],
)
def test_a_share_is_a_part_of_all_slots(shares: dict[int, int], n: int, k: int, expected: dict[int, int]) -> None:
    assert quotas(shares, n, k) == expected
    names = {item: f"item {item}" for item in range(n)}
    theirs = dealt(names, shares, k, "key")
    assert {person: len(items) for person, items in theirs.items()} == expected
    assert all(len(set(items)) == len(items) for items in theirs.values())
    assert all(sum(item in items for items in theirs.values()) == k for item in names)
    assert (
        theirs == dealt(names, shares, k, "key") != dealt(names, shares, k, "other")
        or n * k == sum(len(items) == n for items in theirs.values()) * n
    )


def test_people_of_equal_shares_meet_each_other_on_items() -> None:
    theirs = dealt({item: str(item) for item in range(400)}, {1: 1, 2: 1, 3: 1, 4: 1}, 2, "key")
    meetings = [len(set(theirs[a]) & set(theirs[b])) for a in theirs for b in theirs if a < b]
    assert len(meetings) == 6
    assert min(meetings) > 40


def test_a_batch_that_was_dealt_gives_everybody_their_own_items(people: People) -> None:
    alice, bob, charlie = people.annotators
    items = make_items(people.project, [f"Sentence {n}." for n in range(10)])
    batch = batch_open(
        project=people.project,
        codebook=people.project.codebooks.get(version=1),
        items=[(item.pk, None) for item in items],
        annotators=people.annotators,
        annotators_per_item=2,
        kind=Batch.Kind.CHOSEN,
        number=1,
        shares={alice.uuid: 50, bob.uuid: 30, charlie.uuid: 20},
    )
    assert [len(next_window(membership=member, ahead=20).held) for member in people.annotators] == [10, 6, 4]
    assert Event.objects.get(verb="batch_opened").data["shares"] == {
        str(alice.uuid): 10,
        str(bob.uuid): 6,
        str(charlie.uuid): 4,
    }
    # What Bob does not do, Charlie can be added for: whoever asks first of both then gets it.
    assert person_add(batch=batch, person=charlie.uuid, actor=people.admin.user) == 6
    assert [answer(member) for member in people.annotators] == [10, 6, 4]
    assert batch_progress(batch).complete
