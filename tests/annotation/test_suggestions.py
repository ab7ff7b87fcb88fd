"""Show what a model predicts beside an item: who sees it, when, and that each annotation says so."""

import hashlib
import json
import uuid
from dataclasses import replace
from typing import Any

import pytest
from django.utils import timezone

from annotation_app.annotation.services import annotation_submit
from annotation_app.annotation.suggestions import (
    settings_cache,
    suggestions_of,
    suggestions_reveal,
    suggestions_set,
    systems_offered,
    to_compare,
)
from annotation_app.assignment.services import next_window
from annotation_app.dashboards.report.facts import report_facts
from annotation_app.dashboards.report.suggestions import suggestions_table
from annotation_app.models import Annotation, Assignment, Batch, Evaluation, Membership, SuggestionSetting
from annotation_app.refusals import Invalid, Refused
from tests.assignment.batches import open_batch
from tests.conftest import People
from tests.labels import NO, submission
from tests.suggestions import SYSTEM, predicted_all

YES = {"opinion": "yes", "mp": "no"}


@pytest.fixture(autouse=True)
def forget() -> None:
    settings_cache.clear()


@pytest.fixture
def batch(people: People) -> Batch:
    return open_batch(people.project, people.annotators)


@pytest.fixture
def alice(people: People) -> Membership:
    return people.annotators[0]


@pytest.fixture
def evaluation(batch: Batch) -> Evaluation:
    return predicted_all(batch)


def turn_on(batch: Batch, evaluation: Evaluation, mode: str) -> SuggestionSetting:
    return suggestions_set(batch=batch, mode=mode, evaluation=evaluation, system=SYSTEM, actor=batch.project.created_by)


def shown(batch: Batch, row: Assignment) -> Any:
    batch.refresh_from_db()
    row.refresh_from_db()
    return suggestions_of(batch.suggestions_id, [row], batch.codebook_id).get(row.batch_item.item_id)


def submit(row: Assignment, answers: Any = NO, **changes: Any) -> Annotation:
    body = replace(submission(answers), **changes)
    return annotation_submit(membership=row.annotator, assignment_uuid=row.uuid, body=body).annotation


def first(alice: Membership) -> Assignment:
    return next_window(membership=alice, ahead=1).assignments[0]


def test_nobody_sees_a_prediction_of_a_batch_that_has_no_suggestions(
    batch: Batch, evaluation: Evaluation, alice: Membership
) -> None:
    row = first(alice)
    assert shown(batch, row) is None
    annotation = submit(row)
    assert (annotation.suggestions_id, annotation.suggestions_shown) == (None, False)


def test_before_the_answer_the_labels_of_the_codebook_are_shown(
    batch: Batch, evaluation: Evaluation, alice: Membership
) -> None:
    setting = turn_on(batch, evaluation, "before")
    window = next_window(membership=alice, ahead=1)
    assert window.suggestions_id == setting.pk
    suggestion = shown(batch, window.assignments[0])
    # "yes" is no label of mp_context: the system was asked whether context is needed.
    assert {stage: each.label for stage, each in suggestion.stages.items()} == {"opinion": "yes"}
    annotation = submit(window.assignments[0], suggestions=setting.uuid)
    assert (annotation.suggestions_id, annotation.suggestions_shown) == (setting.pk, True)


def test_an_answer_from_a_page_that_showed_none_names_the_setting_all_the_same(
    batch: Batch, evaluation: Evaluation, alice: Membership
) -> None:
    setting = turn_on(batch, evaluation, "before")
    annotation = submit(first(alice))
    assert (annotation.suggestions_id, annotation.suggestions_shown) == (setting.pk, False)


def test_after_the_answer_they_come_only_with_a_stored_answer(
    batch: Batch, evaluation: Evaluation, alice: Membership
) -> None:
    setting = turn_on(batch, evaluation, "after")
    row = first(alice)
    assert shown(batch, row).stages is None
    with pytest.raises(Invalid, match="come after the first answer"):
        submit(row, suggestions=setting.uuid)
    assert not Annotation.objects.exists()
    submit(row)
    assert shown(batch, row).stages["opinion"].explanation == "It says so."
    again = submit(row, YES, base_revision=1, suggestions=setting.uuid)
    assert again.suggestions_shown


def test_a_skip_is_no_answer_that_opens_them(batch: Batch, evaluation: Evaluation, alice: Membership) -> None:
    turn_on(batch, evaluation, "after")
    row = first(alice)
    submit(row, {}, skip_reason="Not a sentence.")
    assert shown(batch, row).stages is None
    suggestions_reveal(Assignment.objects.select_related("batch_item__batch").get(pk=row.pk), alice)
    assert Assignment.objects.get(pk=row.pk).suggestions_shown_at is None


def test_answers_that_differ_wait_to_be_compared_until_they_were_looked_at(
    batch: Batch, evaluation: Evaluation, alice: Membership
) -> None:
    setting = turn_on(batch, evaluation, "after")
    differs = first(alice)
    submit(differs, NO)
    agrees = first(alice)
    submit(agrees, YES)
    assert to_compare(setting.pk, alice.pk) == [(differs.uuid, differs.position)]
    looked_at = Assignment.objects.select_related("batch_item__batch").get(pk=differs.pk)
    suggestions_reveal(looked_at, alice)
    assert to_compare(setting.pk, alice.pk) == []
    when = Assignment.objects.get(pk=differs.pk).suggestions_shown_at
    suggestions_reveal(looked_at, alice)
    assert Assignment.objects.get(pk=differs.pk).suggestions_shown_at == when is not None


def test_turned_off_they_are_gone_and_earlier_annotations_keep_their_setting(
    batch: Batch, evaluation: Evaluation, alice: Membership
) -> None:
    setting = turn_on(batch, evaluation, "before")
    row = first(alice)
    annotation = submit(row, suggestions=setting.uuid)
    off = suggestions_set(batch=batch, mode="off", actor=batch.project.created_by)
    assert shown(batch, row) is None
    annotation.refresh_from_db()
    assert annotation.suggestions_id == setting.pk
    assert submit(first(alice)).suggestions_id == off.pk


def test_a_setting_of_another_batch_is_refused(batch: Batch, evaluation: Evaluation, alice: Membership) -> None:
    turn_on(batch, evaluation, "before")
    with pytest.raises(Invalid, match="no such suggestions"):
        submit(first(alice), suggestions=uuid.uuid4())


def test_a_retry_of_a_body_without_suggestions_has_the_hash_it_always_had() -> None:
    sent = {
        "active_ms": 1000,
        "answers": {"opinion": "no"},
        "base_revision": 0,
        "client_id": "00000000-0000-0000-0000-000000000001",
        "comment": "",
        "context_opened": "sentence",
        "skip_reason": "",
        "spans": [],
        "wall_ms": 1500,
    }
    body = replace(submission(NO), client_id=uuid.UUID(int=1))
    assert body.body_hash == hashlib.sha256(json.dumps(sent).encode()).hexdigest()
    assert replace(body, suggestions=uuid.uuid4()).body_hash != body.body_hash


def test_only_systems_that_predicted_the_batch_are_offered(batch: Batch, evaluation: Evaluation) -> None:
    size = batch.batch_items.count()
    assert [(each.evaluation, each.system, each.n) for each in systems_offered(batch)] == [(evaluation, SYSTEM, size)]
    with pytest.raises(Invalid, match="has predicted items"):
        suggestions_set(
            batch=batch, mode="before", evaluation=evaluation, system="other", actor=batch.project.created_by
        )


def test_a_frozen_batch_keeps_its_setting(batch: Batch, evaluation: Evaluation) -> None:
    batch.frozen_at = timezone.now()
    batch.save()
    with pytest.raises(Refused):
        turn_on(batch, evaluation, "before")
    assert not SuggestionSetting.objects.exists()


def table_rows(batch: Batch) -> list[list[Any]]:
    table = suggestions_table(report_facts(batch.project))
    return [[cell.value for cell in row] for row in table.rows]


def test_the_report_counts_agreement_before_and_changes_after(
    batch: Batch, evaluation: Evaluation, alice: Membership
) -> None:
    """The model says yes of every item. Before: two answers, one of them yes. After: no, no, yes; both no saw it.

    One of these was changed to yes.
    """
    before = turn_on(batch, evaluation, "before")
    for answers in (NO, YES):
        submit(first(alice), answers, suggestions=before.uuid)
    after = turn_on(batch, evaluation, "after")
    for changes in (True, False):
        row = first(alice)
        submit(row, NO)
        suggestions_reveal(Assignment.objects.select_related("batch_item__batch").get(pk=row.pk), alice)
        if changes:
            submit(row, YES, base_revision=1, suggestions=after.uuid)
    # An answer that was not compared with the model's agrees with it or not, and could not change for it.
    last = first(alice)
    submit(last, YES)
    named = ["small, evaluation 1"]
    # Nothing can be changed any more after the batch was frozen: a look that comes then changes nothing.
    Batch.objects.filter(pk=batch.pk).update(frozen_at=timezone.now())
    suggestions_reveal(Assignment.objects.select_related("batch_item__batch").get(pk=last.pk), alice)
    assert table_rows(batch) == [
        ["Opinion", *named, "after the own answer", 3, 1 / 3, 2, 0.5, 0.5],
        ["Opinion", *named, "before the answer", 2, 0.5, None, None, None],
    ]
