"""People who leave and come back: no batch hangs, and what they answered keeps counting."""

from collections.abc import Callable
from typing import Any

import pytest
from rest_framework.test import APIClient

from annotation_app.annotation.services import annotation_submit
from annotation_app.assignment.members import member_activate, member_deactivate
from annotation_app.assignment.selectors import WindowState, annotator_progress, batch_progress
from annotation_app.assignment.services import next_window
from annotation_app.models import Assignment, Event, Membership
from annotation_app.refusals import NotYours
from tests.assignment.batches import open_batch
from tests.conftest import People
from tests.labels import NO, YES, label_batch, submission

ClientOf = Callable[[Membership], APIClient]


def label(member: Membership, count: int) -> None:
    for _ in range(count):
        row = next_window(membership=member, ahead=1).assignments[0]
        annotation_submit(membership=member, assignment_uuid=row.uuid, body=submission(NO))


def leave(people: People, member: Membership) -> None:
    member_deactivate(member=member, actor=people.admin.user)


def test_a_batch_is_complete_without_the_one_who_left(people: People) -> None:
    alice, bob, charlie = people.annotators
    batch = open_batch(people.project, people.annotators, size=4)
    label(alice, 4)
    label(bob, 4)
    label(charlie, 1)
    next_window(membership=charlie, ahead=2)
    before = batch_progress(batch)
    assert (before.done, before.total, before.complete) == (9, 12, False)
    leave(people, charlie)
    after = batch_progress(batch)
    assert (after.done, after.total, after.complete) == (9, 9, True)
    assert annotator_progress([batch])[batch.pk, charlie.pk] == (1, 1)
    assert next_window(membership=alice, ahead=3).progress.state == WindowState.FINISHED
    with pytest.raises(NotYours):
        next_window(membership=charlie, ahead=3)


def test_the_slots_of_one_who_left_go_to_others(people: People) -> None:
    alice, bob, charlie = people.annotators
    batch = open_batch(people.project, people.annotators, size=2, k=1)
    next_window(membership=alice, ahead=2)
    assert next_window(membership=bob, ahead=2).progress.state == WindowState.WAITING
    leave(people, alice)
    label(bob, 2)
    assert batch_progress(batch).complete
    assert next_window(membership=charlie, ahead=2).progress.state == WindowState.FINISHED


def test_one_who_comes_back_gets_their_items_again(people: People) -> None:
    alice = people.annotators[0]
    batch = open_batch(people.project, [alice], size=3)
    label(alice, 1)
    next_window(membership=alice, ahead=2)
    leave(people, alice)
    assert batch_progress(batch).complete
    member_activate(member=alice, actor=people.admin.user)
    assert not batch_progress(batch).complete
    assert [row.position for row in next_window(membership=alice, ahead=3).assignments] == [2, 3]


def test_leaving_twice_writes_one_event_each(people: People) -> None:
    open_batch(people.project, people.annotators, size=2)
    for _ in range(2):
        leave(people, people.annotators[0])
    verbs = list(Event.objects.filter(verb__contains="withdrawn").values_list("data", flat=True))
    assert verbs == [{"assignments": 2}]
    assert Event.objects.filter(verb="member_deactivated").count() == 1
    assert Assignment.objects.filter(state="withdrawn").count() == 2


def test_items_of_a_frozen_batch_stay_as_they_are(people: People) -> None:
    batch = open_batch(people.project, people.annotators, size=2, k=1)
    batch.frozen_at = batch.opened_at
    batch.save()
    leave(people, people.annotators[0])
    assert not Assignment.objects.filter(state="withdrawn").exists()


@pytest.mark.django_db(transaction=True)
def test_what_somebody_did_counts_as_before_once_they_left(people: People, client_of: ClientOf) -> None:
    """The agreement, the export and the report are the same to the letter, and name the person as before.

    An export reads over a connection of its own, and so what was committed.
    """
    batch = open_batch(people.project, people.annotators, size=2)
    label_batch(batch, lambda member, item: NO if member.number == 2 else YES)
    client, base = client_of(people.admin), f"/api/projects/{people.project.uuid}"

    def told() -> list[Any]:
        export = client.get(f"{base}/export/", {"kind": "annotations", "format": "jsonl"})
        agreement, report = (client.get(f"{base}/{page}/").json() for page in ("agreement", "report"))
        return [export.getvalue(), agreement["rows"], agreement["annotators"], report["sections"]]

    before = told()
    assert (before[0].count(b"\n"), len(before[2])) == (6, 3)
    leave(people, people.annotators[0])
    assert told() == before
