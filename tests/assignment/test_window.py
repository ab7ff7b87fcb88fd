"""What is handed out: the person's own order, the same again on a reload, and a word for every kind of nothing."""

import pytest
from django.db import connection
from django.test.utils import CaptureQueriesContext
from django.utils import timezone

from annotation_app.annotation.services import annotation_submit
from annotation_app.assignment.selectors import WindowState, assignments_done, members_progress
from annotation_app.assignment.services import Window, claim_release, next_window
from annotation_app.models import Assignment, Event, Membership
from annotation_app.refusals import NotYours
from tests.assignment.batches import at_once, open_batch
from tests.conftest import People
from tests.labels import NO, label_batch, submission
from tests.refusals import refusal


def positions(window: Window) -> list[int]:
    return [row.position for row in window.assignments]


def answer(member: Membership, row: Assignment) -> Window:
    return annotation_submit(membership=member, assignment_uuid=row.uuid, body=submission(NO)).window


def test_it_hands_out_in_the_persons_order_and_the_same_again(people: People) -> None:
    open_batch(people.project, people.annotators)
    alice = people.annotators[0]
    first = next_window(membership=alice, ahead=3)
    assert positions(first) == [1, 2, 3]
    assert first.progress.state == WindowState.OK
    assert (first.progress.done, first.progress.total, first.progress.batch_number) == (0, 6, 1)
    again = next_window(membership=alice, ahead=3)
    assert [row.pk for row in again.assignments] == [row.pk for row in first.assignments]
    assert again.claimed == 0
    assert positions(next_window(membership=alice, ahead=5)) == [1, 2, 3, 4, 5]
    assert positions(next_window(membership=alice, ahead=2)) == [1, 2]
    assert Event.objects.filter(verb="items_claimed").count() == 2


def test_it_tops_up_with_the_answer_to_a_submit(people: People) -> None:
    open_batch(people.project, people.annotators)
    alice = people.annotators[0]
    _, second, _ = next_window(membership=alice, ahead=3).assignments
    refill = answer(alice, second)
    assert positions(refill) == [1, 3, 4]
    assert (refill.progress.done, refill.progress.total) == (1, 6)


def test_it_says_finished_waiting_or_none(people: People) -> None:
    alice, bob, _ = people.annotators
    assert next_window(membership=alice, ahead=3).progress.state == WindowState.NONE
    batch = open_batch(people.project, [alice, bob], size=2)
    window = next_window(membership=alice, ahead=3)
    assert answer(alice, window.assignments[0]).progress.state == WindowState.OK
    assert answer(alice, window.assignments[1]).progress.state == WindowState.WAITING
    assert members_progress([alice])[alice.pk].state == WindowState.WAITING
    label_batch(batch, lambda member, item: NO)
    last = next_window(membership=alice, ahead=3)
    assert (last.progress.state, last.progress.done, last.progress.total) == (WindowState.FINISHED, 2, 2)
    assert members_progress([people.annotators[2]])[people.annotators[2].pk].state == WindowState.NONE
    batch.frozen_at = timezone.now()
    batch.save()
    assert next_window(membership=alice, ahead=3).progress.state == WindowState.NONE


def test_it_gives_the_oldest_open_batch_with_work(people: People) -> None:
    alice = people.annotators[0]
    older = open_batch(people.project, [alice], size=1, number=1)
    newer = open_batch(people.project, [alice], size=1, number=2)
    assert next_window(membership=alice, ahead=3).progress.batch_number == 1
    refill = answer(alice, Assignment.objects.get(batch_item__batch=older))
    assert (refill.progress.batch_number, refill.progress.state) == (2, WindowState.OK)
    assert answer(alice, Assignment.objects.get(batch_item__batch=newer)).progress.batch_number == 2
    assert [row.batch_item.batch_id for row in assignments_done(alice)] == [newer.pk]


def test_it_gives_members_progress_in_two_queries_and_claims_nothing(people: People) -> None:
    batch = open_batch(people.project, people.annotators, size=4)
    label_batch(batch, lambda member, item: NO)
    with CaptureQueriesContext(connection) as queries:
        progress = members_progress([*people.annotators, people.admin, people.outsider])
    assert len(queries) == 2
    assert [progress[member.pk].state for member in people.annotators] == [WindowState.FINISHED] * 3
    assert progress[people.admin.pk].state == progress[people.outsider.pk].state == WindowState.NONE
    other = open_batch(people.project, people.annotators, size=4, number=2)
    assert members_progress([people.annotators[0]])[people.annotators[0].pk].state == WindowState.OK
    assert not Assignment.objects.filter(batch_item__batch=other).exclude(state="open").exists()


def test_it_gives_a_released_item_back_after_all_others(people: People) -> None:
    open_batch(people.project, people.annotators, size=4)
    alice = people.annotators[0]
    first, second = next_window(membership=alice, ahead=2).assignments
    for _ in range(2):
        claim_release(membership=alice, assignment_uuid=first.uuid)
    first.refresh_from_db()
    assert (first.state, first.slot) == ("open", None)
    assert Event.objects.filter(verb="item_released").count() == 1
    assert positions(next_window(membership=alice, ahead=3)) == [2, 3, 4]
    assert positions(next_window(membership=alice, ahead=4)) == [1, 2, 3, 4]
    answer(alice, second)
    with refusal("answered"):
        claim_release(membership=alice, assignment_uuid=second.uuid)
    with pytest.raises(NotYours):
        claim_release(membership=people.annotators[1], assignment_uuid=first.uuid)


def test_it_takes_nothing_back_once_the_batch_is_frozen(people: People) -> None:
    batch = open_batch(people.project, people.annotators)
    alice = people.annotators[0]
    (row,) = next_window(membership=alice, ahead=1).assignments
    batch.frozen_at = timezone.now()
    batch.save()
    with refusal("closed"):
        claim_release(membership=alice, assignment_uuid=row.uuid)


@pytest.mark.django_db(transaction=True)
def test_it_gives_two_tabs_of_one_person_the_same_items(people: People) -> None:
    open_batch(people.project, people.annotators, size=10)
    alice = people.annotators[0]
    windows = at_once([lambda: next_window(membership=alice, ahead=3)] * 6)
    assert [positions(window) for window in windows] == [[1, 2, 3]] * 6
    assert sum(window.claimed for window in windows) == 3
    assert Assignment.objects.filter(state="claimed").count() == 3
