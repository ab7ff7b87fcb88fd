"""Submits that meet: two tabs, a retry on its way twice, a freeze, and a write beside the locks."""

import threading
import uuid
from collections.abc import Callable
from typing import Any

import pytest
from django.db import OperationalError, connection, transaction
from django.utils import timezone

from annotation_app.annotation.revisions import Stale
from annotation_app.annotation.services import annotation_submit
from annotation_app.annotation.submission import Submission
from annotation_app.assignment.blinding import reveal_answers
from annotation_app.assignment.members import member_deactivate
from annotation_app.assignment.services import next_window
from annotation_app.models import Annotation, Assignment, Batch, Event
from annotation_app.refusals import Invalid, NotYours, Refused
from tests.assignment.batches import at_once, open_batch
from tests.conftest import People
from tests.labels import NO, YES, submission

pytestmark = pytest.mark.django_db(transaction=True)


@pytest.fixture
def row(people: People) -> Assignment:
    open_batch(people.project, people.annotators)
    return next_window(membership=people.annotators[0], ahead=1).assignments[0]


def outcome(row: Assignment, body: Submission) -> str:
    try:
        submitted = annotation_submit(membership=row.annotator, assignment_uuid=row.uuid, body=body)
    except Refused as refusal:
        return refusal.code
    except (Stale, Invalid) as refusal:
        return type(refusal).__name__
    return "created" if submitted.created else "replayed"


def test_a_retry_that_overtakes_the_first_try_makes_one_row(row: Assignment) -> None:
    body = submission(YES)
    assert sorted(at_once([lambda: outcome(row, body)] * 5)) == ["created"] + ["replayed"] * 4
    assert Annotation.objects.count() == 1


def test_two_tabs_that_answer_the_same_item_make_one_first_revision(row: Assignment) -> None:
    tabs = [lambda answers=answers: outcome(row, submission(answers)) for answers in (NO, YES, NO, YES)]
    assert sorted(at_once(tabs)) == ["Stale"] * 3 + ["created"]
    row.refresh_from_db()
    assert (Annotation.objects.count(), row.current.revision) == (1, 1)


def test_asking_and_submitting_at_once_neither_hangs_nor_hands_out_twice(people: People, row: Assignment) -> None:
    alice = row.annotator
    calls: list[Callable[[], Any]] = [lambda: next_window(membership=alice, ahead=3)] * 3
    at_once([*calls, lambda: outcome(row, submission(NO)), *calls])
    claimed = Assignment.objects.filter(annotator=alice, state="claimed").order_by("position")
    assert list(claimed.values_list("position", flat=True)) == [2, 3, 4]


def test_a_freeze_waits_for_a_submit_on_its_way(row: Assignment) -> None:
    with transaction.atomic():
        assert outcome(row, submission(NO)) == "created"
        (frozen,) = at_once([freeze])
        assert frozen == "waits"
    assert at_once([freeze]) == ["frozen"]
    assert outcome(row, submission(YES, base_revision=1)) == "closed"


def freeze() -> str:
    try:
        with transaction.atomic():
            with connection.cursor() as cursor:
                cursor.execute("SET LOCAL lock_timeout = '200ms'")
            Batch.objects.update(frozen_at=timezone.now())
    except OperationalError:
        return "waits"
    return "frozen"


def test_a_submit_waits_for_a_freeze_on_its_way(row: Assignment) -> None:
    started, results = threading.Event(), []

    def submit() -> None:
        started.set()
        results.append(outcome(row, submission(NO)))
        connection.close()

    thread = threading.Thread(target=submit)
    with transaction.atomic():
        Batch.objects.update(frozen_at=timezone.now())
        thread.start()
        started.wait()
        thread.join(timeout=0.3)
        assert thread.is_alive()
    thread.join()
    assert results == ["closed"]


def test_what_was_written_beside_the_locks_is_found_by_the_constraints(row: Assignment) -> None:
    """The same row is slipped in from another connection after the look-up and before the insert."""
    body = submission(NO)
    assert slipped_in(row, body, client_id=body.client_id, body_hash=body.body_hash) == "replayed"
    assert Annotation.objects.count() == 1


def test_another_body_or_revision_written_beside_the_locks_is_refused(row: Assignment) -> None:
    body = submission(NO)
    assert slipped_in(row, body, client_id=body.client_id, body_hash="other") == "client_id_reused"
    other = Assignment.objects.get(annotator=row.annotator, position=2)
    assert slipped_in(other, submission(NO), client_id=uuid.uuid4(), body_hash="other") == "Stale"


def slipped_in(row: Assignment, body: Submission, **identity: Any) -> str:
    def write() -> None:
        codebook = row.batch_item.batch.codebook
        Annotation.objects.create(
            assignment=row, revision=1, base_revision=0, codebook=codebook, active_ms=1, wall_ms=1, **identity
        )

    slipped = []

    def wrapper(execute: Callable[..., Any], sql: str, params: Any, many: bool, context: Any) -> Any:
        if "INSERT INTO annotation_app_annotation" in sql and not slipped:
            slipped.append(True)
            at_once([write])
        return execute(sql, params, many, context)

    with connection.execute_wrapper(wrapper):
        return outcome(row, body)


def test_somebody_deactivated_while_submitting_loses_nothing_and_hangs_nothing(people: People) -> None:
    open_batch(people.project, people.annotators, size=8)
    alice = people.annotators[0]
    row = next_window(membership=alice, ahead=1).assignments[0]
    outcomes = at_once(
        [
            lambda: outcome_or_gone(row, submission(NO)),
            lambda: member_deactivate(member=alice, actor=people.admin.user),
        ]
    )
    states = set(Assignment.objects.filter(annotator=alice).values_list("state", flat=True))
    assert states == ({"submitted", "withdrawn"} if outcomes[0] == "created" else {"withdrawn"})
    assert not Assignment.objects.filter(annotator=alice, state="withdrawn", slot__isnull=False).exists()


def outcome_or_gone(row: Assignment, body: Submission) -> str:
    try:
        return outcome(row, body)
    except NotYours:
        return "gone"


def test_a_revision_on_its_way_is_seen_or_refused(people: People, row: Assignment) -> None:
    """Whoever comes first: no revision is stored after others' answers were shown to its author."""
    alice, others = row.annotator, people.annotators[1:]
    item = row.batch_item
    for member in others:
        theirs = Assignment.objects.get(batch_item=item, annotator=member)
        while theirs.state != Assignment.State.SUBMITTED:
            for each in next_window(membership=member, ahead=3).assignments:
                annotation_submit(membership=member, assignment_uuid=each.uuid, body=submission(NO))
            theirs.refresh_from_db()
    assert outcome(row, submission(NO)) == "created"

    def look() -> str:
        reveal_answers(reader=alice, batch_items=[item.pk], subject="item", lock_own=True)
        return "shown"

    revision = submission(YES, base_revision=1)
    results = at_once([look, lambda: outcome(row, revision), look, look])
    row.refresh_from_db()
    assert row.answers_revealed_at is not None
    newest = Annotation.objects.filter(assignment=row).latest("revision")
    assert (newest.revision, newest.created_at < row.answers_revealed_at) == ((2 if "created" in results else 1), True)
    assert ("seen" in results) == (newest.revision == 1)
    assert Event.objects.filter(verb="answers_shown").count() == 1
    assert outcome(row, submission(YES, base_revision=newest.revision)) == "seen"
