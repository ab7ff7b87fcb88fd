"""Test what exports say of annotations that were made with a model's suggestions on the screen."""

import json
from dataclasses import replace
from typing import Any
from uuid import UUID

import pytest

from annotation_app.annotation.services import annotation_submit
from annotation_app.annotation.suggestions import settings_cache, suggestions_set
from annotation_app.assignment.services import next_window
from annotation_app.export.options import ExportOptions
from annotation_app.export.stream import export_open
from annotation_app.models import Batch
from tests.assignment.batches import open_batch
from tests.conftest import People
from tests.labels import NO, submission
from tests.suggestions import SYSTEM, predicted_all

pytestmark = pytest.mark.django_db(transaction=True)


@pytest.fixture
def batch(people: People) -> Batch:
    settings_cache.clear()
    return open_batch(people.project, people.annotators)


def submit(people: People, shown: UUID | None = None) -> None:
    alice = people.annotators[0]
    [row] = next_window(membership=alice, ahead=1).assignments
    annotation_submit(membership=alice, assignment_uuid=row.uuid, body=replace(submission(NO), suggestions=shown))


def exported(batch: Batch, written_as: str = "jsonl") -> str:
    options = ExportOptions(project=batch.project)
    return b"".join(export_open(kind="annotations", options=options, written_as=written_as)).decode()


def lines(batch: Batch) -> list[dict[str, Any]]:
    return [json.loads(line) for line in exported(batch).splitlines()]


def test_each_annotation_says_what_was_on_the_screen(people: People, batch: Batch) -> None:
    submit(people)
    assert "suggestion_mode" not in lines(batch)[0]
    setting = suggestions_set(
        batch=batch, mode="before", evaluation=predicted_all(batch), system=SYSTEM, actor=people.admin.user
    )
    submit(people, setting.uuid)
    submit(people)
    keys = ("suggestion_mode", "suggestion_system", "suggestion_evaluation", "suggestion_shown")
    found = {tuple(line[key] for key in keys) for line in lines(batch)}
    assert found == {(None, None, None, False), ("before", "small", 1, True), ("before", "small", 1, False)}
    head = exported(batch, "csv").splitlines()[0].split(",")
    assert tuple(head[head.index("suggestion_mode") :][:4]) == keys
