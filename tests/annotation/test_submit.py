"""One annotation: what is stored, what a retry gives back, and what is refused with nothing stored."""

import copy
import re
from collections.abc import Mapping
from dataclasses import replace
from typing import Any

import pytest
from django.utils import timezone

from annotation_app.annotation.revisions import Stale
from annotation_app.annotation.selectors import answers_of
from annotation_app.annotation.services import COLUMNS, Submitted, annotation_submit
from annotation_app.annotation.statements import SQL
from annotation_app.annotation.submission import DAY_MS, Submission
from annotation_app.assignment.members import member_deactivate
from annotation_app.assignment.selectors import batch_progress
from annotation_app.assignment.services import assignments_withdraw, next_window
from annotation_app.db.statement import output_in
from annotation_app.models import Annotation, Answer, Assignment, Batch, Event, Membership
from annotation_app.refusals import Invalid, NotYours
from tests.assignment.batches import open_batch
from tests.conftest import People
from tests.factories import publish
from tests.labels import NO, submission
from tests.refusals import refusal

ALL = {
    "opinion": "yes",
    "mp": "yes",
    "mp_context": "utterance",
    "stance_nli": "neutral",
    "stance_nli_context": "sentence",
}


@pytest.fixture
def alice(people: People) -> Membership:
    return people.annotators[0]


@pytest.fixture
def row(people: People, alice: Membership) -> Assignment:
    open_batch(people.project, people.annotators)
    return next_window(membership=alice, ahead=1).assignments[0]


def submit(row: Assignment, body: Submission) -> Submitted:
    return annotation_submit(membership=row.annotator, assignment_uuid=row.uuid, body=body)


def refused(row: Assignment, answers: Any = NO, **changes: Any) -> dict[str, list[str]]:
    """The errors by field; nothing may have been stored."""
    before = Annotation.objects.count(), Answer.objects.count(), Event.objects.count()
    with pytest.raises(Invalid) as invalid:
        submit(row, replace(submission(answers), **changes))
    assert (Annotation.objects.count(), Answer.objects.count(), Event.objects.count()) == before
    row.refresh_from_db()
    assert (row.state, row.current) == ("claimed", None)
    return invalid.value.errors


def stored(annotation: Annotation) -> Mapping[str, str]:
    return dict(annotation.answers.values_list("stage", "label"))


def test_a_comment_of_white_space_alone_is_none(row: Assignment) -> None:
    submit(row, replace(submission(ALL), comment=" \r\n\t"))
    assert Annotation.objects.get().comment == ""


def test_it_stores_a_revision_with_everything_that_was_sent(row: Assignment) -> None:
    body = replace(
        submission(ALL),
        comment=" two\r\nlines \u00e9\U0001f389 ",
        context_opened="minus_200_tokens",
        active_ms=4,
        wall_ms=9,
    )
    submitted = submit(row, body)
    row.refresh_from_db()
    annotation = Annotation.objects.get()
    assert submitted.created
    assert (row.state, row.slot, row.current) == ("submitted", 1, annotation)
    assert (annotation.revision, annotation.base_revision, annotation.client_id) == (1, 0, body.client_id)
    assert (annotation.comment, annotation.context_opened) == (body.comment, "minus_200_tokens")
    assert (annotation.active_ms, annotation.wall_ms, annotation.codebook.version) == (4, 9, 1)
    assert stored(annotation) == submitted.content.answers == ALL
    assert list(answers_of(annotation)) == list(ALL)
    event = Event.objects.get(verb="annotation_submitted")
    assert (event.actor, event.subject, event.data["revision"]) == (row.annotator.user, str(row.uuid), 1)


def test_a_retry_gets_the_first_answer_and_makes_no_second_row(row: Assignment) -> None:
    body = submission(ALL)
    first = submit(row, body)
    submit(row, submission(NO, base_revision=1))
    again = submit(row, body)
    assert not again.created
    assert (again.annotation.pk, again.annotation.revision, again.content.answers) == (first.annotation.pk, 1, ALL)
    assert Annotation.objects.count() == 2
    assert len(again.window.assignments) == 3


@pytest.mark.parametrize(
    "changes",
    [
        {"answers": {"opinion": "ambiguous"}},
        {"comment": "more"},
        {"active_ms": 999},
        {"base_revision": 1},
        {"answers": {}, "skip_reason": "broken"},
        {"context_opened": "utterance"},
    ],
)
def test_the_same_client_id_with_another_body_is_refused(row: Assignment, changes: dict[str, Any]) -> None:
    body = submission(NO)
    submit(row, body)
    with refusal("client_id_reused"):
        submit(row, replace(body, **changes))
    assert Annotation.objects.count() == 1


def test_the_same_client_id_may_stand_in_another_assignment(row: Assignment) -> None:
    body = submission(NO)
    following = submit(row, body).window.assignments[0]
    assert submit(following, body).created


def test_a_stale_base_gets_the_current_revision(row: Assignment) -> None:
    with pytest.raises(Stale) as none_yet:
        submit(row, submission(NO, base_revision=1))
    assert none_yet.value.latest is None
    submit(row, submission(ALL))
    second = submit(row, submission(NO, base_revision=1))
    for base in (0, 1, 3):
        with pytest.raises(Stale) as stale:
            submit(row, submission(ALL, base_revision=base))
        assert stale.value.latest == second.annotation
    assert Annotation.objects.count() == 2


def test_a_reversed_gate_keeps_the_history_and_counts_stage_one_only(row: Assignment) -> None:
    submit(row, submission(ALL))
    row.refresh_from_db()
    done_at = row.done_at
    submit(row, submission(NO, base_revision=1))
    row.refresh_from_db()
    assert stored(row.current) == {"opinion": "no"}
    assert (row.current.revision, row.current.base_revision, row.done_at) == (2, 1, done_at)
    assert stored(row.annotations.get(revision=1)) == ALL
    submit(row, submission(ALL, base_revision=2))
    row.refresh_from_db()
    assert stored(row.current) == ALL
    assert row.annotations.count() == 3


@pytest.mark.parametrize(
    ("answers", "fields"),
    [
        ({"opinion": "yes", "mp_context": "sentence"}, {"answers.mp", "answers.mp_context"}),
        ({"opinion": "no", "mp": "yes"}, {"answers.mp"}),
        ({"opinion": "yes"}, {"answers.mp"}),
        ({}, {"answers.opinion"}),
        ({"opinion": "perhaps"}, {"answers.opinion"}),
        ({"opinion": 1}, {"answers.opinion"}),
        ({"opinion": "no", "mood": "good"}, {"answers.mood"}),
        (["no"], {"answers"}),
        (None, {"answers"}),
    ],
)
def test_it_names_the_stage_of_a_wrong_answer_and_stores_nothing(
    row: Assignment, answers: Any, fields: set[str]
) -> None:
    assert set(refused(row, answers)) == fields


def test_it_accepts_a_closed_required_stage_left_out(row: Assignment) -> None:
    assert submit(row, submission({"opinion": "ambiguous"})).created


def test_it_refuses_spans_where_the_codebook_has_no_span_layer(row: Assignment) -> None:
    errors = refused(row, spans=[{"start": 0, "end": 3, "quote": "Sen"}])
    assert errors == {"spans": ["The codebook of this batch has no span layer: send an empty list."]}


@pytest.mark.parametrize(
    ("text", "message"),
    [
        ("a\x00b", "Character 2 (U+0000) cannot be stored: take it out."),
        ("\ud83d", "Character 1 (U+D83D) cannot be stored: take it out."),
        ("x" * 10_001, "Has 10,001 characters; at most 10,000 are kept."),
    ],
)
def test_it_refuses_a_comment_that_cannot_be_kept(row: Assignment, text: str, message: str) -> None:
    assert refused(row, comment=text) == {"comment": [message]}


def test_it_caps_durations_and_refuses_impossible_ones(row: Assignment) -> None:
    assert set(refused(row, active_ms=3_001, wall_ms=2_000)) == {"active_ms"}
    assert set(refused(row, active_ms=-1, wall_ms=-2)) == {"active_ms", "wall_ms"}
    weekend = submit(row, replace(submission(NO), active_ms=3 * DAY_MS, wall_ms=4 * DAY_MS)).annotation
    weekend.refresh_from_db()
    assert (weekend.active_ms, weekend.wall_ms) == (DAY_MS, DAY_MS)
    assert submit(row, replace(submission(NO, 1), active_ms=3_000, wall_ms=2_000)).created


def test_a_skip_needs_a_reason_and_counts_as_done(row: Assignment) -> None:
    assert set(refused(row, NO, skip_reason="not a sentence")) == {"answers"}
    assert set(refused(row, {}, skip_reason="  ")) == {"skip_reason"}
    assert set(refused(row, {}, skip_reason="x" * 1_001)) == {"skip_reason"}
    window = submit(row, replace(submission({}), skip_reason="not a sentence")).window
    row.refresh_from_db()
    assert (row.state, row.current.skip_reason, row.current.answers.count()) == ("skipped", "not a sentence", 0)
    assert window.progress.done == 1
    assert batch_progress(row.batch_item.batch).done == 1
    submit(row, submission(NO, base_revision=1))
    row.refresh_from_db()
    assert row.state == "submitted"


def test_it_takes_revisions_until_the_batch_is_frozen_and_replays_after_that(row: Assignment) -> None:
    body = submission(ALL)
    first = submit(row, body)
    submit(row, submission(NO, base_revision=1))
    Batch.objects.update(frozen_at=timezone.now())
    with refusal("closed"):
        submit(row, submission(ALL, base_revision=2))
    # What was stored was stored: the browser that lost the answer must not be told otherwise.
    assert submit(row, body).annotation == first.annotation


def test_it_refuses_what_was_withdrawn_and_who_was_deactivated(people: People, row: Assignment) -> None:
    assignments_withdraw(membership=row.annotator, actor_id=None)
    with refusal("withdrawn"):
        submit(row, submission(NO))
    member_deactivate(member=row.annotator, actor=people.admin.user)
    with pytest.raises(NotYours):
        submit(row, submission(NO))
    assert not Annotation.objects.exists()


def test_nobody_submits_for_another(people: People, row: Assignment) -> None:
    for other in (people.annotators[1], people.admin, people.outsider):
        with pytest.raises(NotYours):
            annotation_submit(membership=other, assignment_uuid=row.uuid, body=submission(NO))


def test_it_holds_answers_against_the_codebook_that_the_batch_pinned(people: People, row: Assignment) -> None:
    pinned = people.project.codebooks.get()
    changed = copy.deepcopy(pinned.definition)
    changed["stages"][0]["labels"].append({"key": "unsure", "name": "Unsure"})
    publish(people.project, changed)
    assert set(refused(row, {"opinion": "unsure"})) == {"answers.opinion"}
    newer = open_batch(people.project, [row.annotator], number=2)
    assert newer.codebook == pinned
    Batch.objects.filter(pk=newer.pk).update(codebook=people.project.codebooks.get(version=2))
    submitted = submit(Assignment.objects.filter(batch_item__batch=newer).first(), submission({"opinion": "unsure"}))
    assert submitted.annotation.codebook.version == 2


def test_the_statement_that_stores_an_annotation_fills_every_column() -> None:
    given = set(re.findall(r"%\((\w+)\)s", output_in(SQL / "store.sql").relations[0].text))

    assert given == set(COLUMNS)
