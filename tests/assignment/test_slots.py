"""k of n: slots are competed for, idle claims come free, late answers are kept."""

import random
from collections import Counter
from datetime import timedelta

import pytest
from django.db import IntegrityError, connection, transaction
from django.utils import timezone
from pytest_django.fixtures import Settings

from annotation_app.annotation.services import annotation_submit
from annotation_app.assignment.open_batch import batch_facts
from annotation_app.assignment.selectors import WindowState, annotator_progress, batch_progress, claimed_until
from annotation_app.assignment.services import claim_release, next_window
from annotation_app.models import Assignment, Batch, BatchItem, Event, Membership
from tests.assignment.batches import at_once, more_people, open_batch
from tests.conftest import People
from tests.labels import NO, submission


def submit(member: Membership, row: Assignment, base_revision: int = 0) -> str:
    annotation_submit(membership=member, assignment_uuid=row.uuid, body=submission(NO, base_revision))
    row.refresh_from_db()
    return row.state


def claim(member: Membership) -> Assignment:
    return next_window(membership=member, ahead=1).assignments[0]


def left_idle(row: Assignment) -> None:
    Assignment.objects.filter(pk=row.pk).update(claimed_at=timezone.now() - timedelta(hours=3))


def test_it_gives_the_lowest_free_slot_and_then_no_more(people: People) -> None:
    alice, bob, charlie = people.annotators
    open_batch(people.project, people.annotators, size=1, k=2)
    first, second = claim(bob), claim(alice)
    assert [(row.slot, row.state) for row in (first, second)] == [(1, "claimed"), (2, "claimed")]
    left = next_window(membership=charlie, ahead=3)
    assert (list(left.assignments), left.progress.state, left.progress.total) == ([], WindowState.WAITING, 0)
    claim_release(membership=bob, assignment_uuid=first.uuid)
    assert claim(charlie).slot == 1
    assert next_window(membership=bob, ahead=3).progress.state == WindowState.WAITING


def test_it_keeps_slots_unique_in_the_database(people: People) -> None:
    open_batch(people.project, people.annotators, size=1, k=2)
    claim(people.annotators[0])
    with pytest.raises(IntegrityError, match="assignment_slot_once"), transaction.atomic():
        Assignment.objects.filter(annotator=people.annotators[1]).update(slot=1)
    with pytest.raises(IntegrityError, match="assignment_once"), transaction.atomic():
        row = Assignment.objects.get(annotator=people.annotators[1])
        Assignment.objects.create(batch_item=row.batch_item, annotator=row.annotator, position=9)


def test_everyone_has_a_seat_where_everyone_labels_everything(people: People) -> None:
    batch = open_batch(people.project, people.annotators, size=1)
    rows = [claim(member) for member in reversed(people.annotators)]
    assert [row.slot for row in rows] == [3, 2, 1]
    assert all(claimed_until(row, k_of_n=batch_facts(batch.pk).k_of_n(0)) is None for row in rows)


def test_nobody_loads_more_than_their_share_of_what_people_compete_for(people: People) -> None:
    alice, bob, charlie = people.annotators
    open_batch(people.project, people.annotators, size=30, k=1)
    # A third of 30, then of the 20 that are left, then of 13 (but what is in hand stays).
    windows = [next_window(membership=member, ahead=40) for member in (alice, bob, charlie)]
    assert [len(window.assignments) for window in windows] == [10, 6, 4]
    assert [row.uuid for row in windows[0].assignments] == list(windows[0].held)
    assert len(next_window(membership=alice, ahead=40).held) == 10
    # A submit shows the first three, and names all that is in hand.
    refill = annotation_submit(membership=alice, assignment_uuid=windows[0].held[0], body=submission(NO)).window
    assert [row.uuid for row in refill.assignments] == list(windows[0].held[1:4])
    assert list(refill.held) == list(windows[0].held[1:])


def test_everyone_loads_all_they_ask_for_where_everyone_labels_everything(people: People) -> None:
    open_batch(people.project, people.annotators, size=30)
    assert len(next_window(membership=people.annotators[0], ahead=40).held) == 30


@pytest.mark.django_db(transaction=True)
def test_one_of_two_gets_the_last_slot(people: People) -> None:
    alice, bob, _ = people.annotators
    for number in range(1, 9):
        batch = open_batch(people.project, [alice, bob], size=1, k=1, number=number)
        windows = at_once([lambda who=who: next_window(membership=who, ahead=3) for who in (alice, bob)])
        assert sorted(str(window.progress.state) for window in windows) == ["ok", "waiting"]
        assert Assignment.objects.filter(batch_item__batch=batch, slot=1, state="claimed").count() == 1
        Batch.objects.filter(pk=batch.pk).update(frozen_at=timezone.now())


@pytest.mark.django_db(transaction=True)
def test_nobody_waits_for_an_item_that_somebody_else_is_taking(people: People) -> None:
    alice, bob, _ = people.annotators
    batch = open_batch(people.project, [alice, bob], size=3, k=1)
    bobs_first = Assignment.objects.get(batch_item__batch=batch, annotator=bob, position=1)

    def hurried() -> list[int]:
        with transaction.atomic():
            with connection.cursor() as cursor:
                cursor.execute("SET LOCAL lock_timeout = '2s'")
            return [row.position for row in next_window(membership=bob, ahead=2).assignments]

    with transaction.atomic():
        BatchItem.objects.select_for_update(no_key=True).get(pk=bobs_first.batch_item_id)
        assert at_once([hurried]) == [[2, 3]]
    assert [row.position for row in next_window(membership=bob, ahead=3).assignments] == [1, 2, 3]


@pytest.mark.django_db(transaction=True)
def test_every_item_gets_exactly_k_slots_whoever_asks_at_once(people: People) -> None:
    members = [*people.annotators, *more_people(people.project, 2)]
    batch = open_batch(people.project, members, size=12, k=3)

    def label_everything(member: Membership) -> tuple[int, str]:
        done, draw = 0, random.Random(member.number)
        window = next_window(membership=member, ahead=2)
        while window.assignments:
            row = draw.choice(window.assignments)
            window = annotation_submit(membership=member, assignment_uuid=row.uuid, body=submission(NO)).window
            done += 1
        return done, str(window.progress.state)

    outcomes = at_once([lambda member=member: label_everything(member) for member in members])
    slots = Counter(
        Assignment.objects.filter(batch_item__batch=batch, state="submitted").values_list("batch_item", flat=True)
    )
    assert list(slots.values()) == [3] * 12
    assert sum(done for done, _ in outcomes) == 36
    assert not Assignment.objects.filter(state__in=("claimed", "surplus")).exists()
    assert set(Assignment.objects.filter(slot__isnull=False).values_list("slot", flat=True)) == {1, 2, 3}
    progress = batch_progress(batch)
    assert (progress.size, progress.done, progress.total, progress.complete) == (12, 36, 36, True)
    assert sum(done for done, _ in annotator_progress([batch]).values()) == 36


def test_an_idle_claim_goes_to_somebody_else_and_the_late_answer_is_surplus(people: People) -> None:
    alice, bob, _ = people.annotators
    batch = open_batch(people.project, [alice, bob], size=1, k=1)
    row = claim(alice)
    assert claimed_until(row, k_of_n=batch_facts(batch.pk).k_of_n(0)) == row.claimed_at + timedelta(hours=1)
    assert next_window(membership=bob, ahead=1).progress.state == WindowState.WAITING
    left_idle(row)
    taken = claim(bob)
    row.refresh_from_db()
    assert (row.state, row.slot, taken.slot) == ("open", None, 1)
    assert Event.objects.get(verb="claims_expired").data == {"assignments": [str(row.uuid)]}
    assert submit(alice, row) == "surplus"
    assert (row.slot, row.current.revision) == (None, 1)
    progress = batch_progress(batch)
    assert (progress.done, progress.total, progress.surplus, progress.complete) == (0, 1, 1, False)
    assert submit(bob, taken) == "submitted"
    assert batch_progress(batch).complete
    assert submit(alice, row, base_revision=1) == "surplus"
    assert annotator_progress([batch]) == {(batch.pk, alice.pk): (1, 1), (batch.pk, bob.pk): (1, 1)}


def test_a_late_answer_takes_a_slot_that_is_still_free(people: People) -> None:
    alice, bob, _ = people.annotators
    open_batch(people.project, [alice, bob], size=1, k=1)
    row = claim(alice)
    left_idle(row)
    claim_release(membership=bob, assignment_uuid=claim(bob).uuid)
    assert submit(alice, row) == "submitted"
    assert row.slot == 1
    assert next_window(membership=bob, ahead=1).progress.state == WindowState.FINISHED


def test_asking_keeps_ones_own_idle_claims(people: People, settings: Settings) -> None:
    alice, bob, _ = people.annotators
    open_batch(people.project, [alice, bob], size=1, k=1)
    row = claim(alice)
    left_idle(row)
    assert claim(alice).pk == row.pk
    row.refresh_from_db()
    assert row.claimed_at > timezone.now() - timedelta(minutes=1)
    assert next_window(membership=bob, ahead=1).progress.state == WindowState.WAITING
    before = row.claimed_at
    claim(alice)
    row.refresh_from_db()
    assert row.claimed_at == before
    settings.CLAIM_IDLE_SECONDS = 0
    assert claim(bob).pk != row.pk


def test_claims_stay_where_everybody_labels_everything(people: People) -> None:
    alice, bob, _ = people.annotators
    open_batch(people.project, [alice, bob], size=2)
    row = claim(alice)
    left_idle(row)
    next_window(membership=bob, ahead=2)
    row.refresh_from_db()
    assert row.state == "claimed"


def test_a_slot_that_comes_free_goes_to_the_surplus_answer(people: People) -> None:
    alice, bob, _ = people.annotators
    batch = open_batch(people.project, [alice, bob], size=1, k=1)
    late = claim(alice)
    left_idle(late)
    taken = claim(bob)
    assert submit(alice, late) == "surplus"
    claim_release(membership=bob, assignment_uuid=taken.uuid)
    late.refresh_from_db()
    assert (late.state, late.slot) == ("submitted", 1)
    assert batch_progress(batch).complete
    assert next_window(membership=bob, ahead=1).progress.state == WindowState.FINISHED
