"""What a process that was killed left in the storage goes after a day; what a row names, or is new, stays."""

import os
import time
from datetime import timedelta
from pathlib import Path
from typing import Any

import pytest
from django.core.files.base import ContentFile
from django.core.files.storage import default_storage
from django.utils import timezone

from annotation_app import jobs
from annotation_app.enqueue import TIDY_FILES
from annotation_app.heartbeat import HOUR_SECONDS, Heartbeat
from annotation_app.models import Import, Interpretation
from annotation_app.projects.orphans import AFTER_SECONDS, STOPPED_SECONDS
from tests.conftest import People

pytestmark = pytest.mark.django_db


@pytest.fixture
def media(settings: Any, tmp_path: Path) -> Path:
    settings.MEDIA_ROOT, settings.RUNS_DIR = tmp_path, tmp_path / "runs"
    return tmp_path


def stored(media: Path, name: str, *, hours: float) -> str:
    kept = default_storage.save(name, ContentFile(b"x"))
    written = time.time() - hours * 3600
    os.utime(media / kept, (written, written))
    return kept


def test_old_files_that_no_row_names_are_deleted(media: Path, people: People) -> None:
    day = AFTER_SECONDS / 3600
    gone = [
        stored(media, name, hours=day + 1)
        for name in (
            "imports/abc",
            "uploads/tmp1.upload",
            "simulations/x/train.jsonl",
            "evaluations/x/1/figures.json",
            "releases/y/1.zip",
        )
    ]
    named = stored(media, "imports/named", hours=100 * day)
    Import.objects.create(project=people.project, filename="a.csv", format="csv", file=named)
    new = stored(media, "uploads/tmp2.upload", hours=day - 1)
    scratch = stored(media, "runs/1/labeled.jsonl", hours=100 * day)
    jobs.files_tidy(0)
    assert not any(default_storage.exists(name) for name in gone)
    assert all(default_storage.exists(name) for name in (named, new, scratch))


def test_the_scratch_of_interpretations_that_will_not_go_on_is_deleted(media: Path, people: People) -> None:
    long_ago = timezone.now() - timedelta(seconds=STOPPED_SECONDS + 60)
    folders = {}
    for number, (state, finished_at) in enumerate(
        [
            ("cancelled", long_ago),
            ("done", long_ago),
            ("cancelled", timezone.now()),
            ("failed", long_ago),
            ("paused", None),
            ("running", None),
        ]
    ):
        row = Interpretation.objects.create(
            project=people.project,
            number=number,
            name="A study",
            state=state,
            finished_at=finished_at,
            created_by=people.admin.user,
        )
        folders[number] = media / "runs" / "interpretations" / str(row.uuid)
        (folders[number] / "results").mkdir(parents=True)
    removed = media / "runs" / "interpretations" / "0b5b1d0e-1c4f-4f9e-8f0a-2f4f7f1f0a11"
    removed.mkdir()
    jobs.files_tidy(0)
    assert [number for number, folder in folders.items() if folder.exists()] == [2, 3, 4, 5]
    assert not removed.exists()


def test_a_worker_asks_for_it_when_it_begins_and_every_hour(
    db: None, settings: Any, monkeypatch: pytest.MonkeyPatch
) -> None:
    asked: list[str] = []
    clock = [1000.0]
    monkeypatch.setattr("annotation_app.heartbeat.enqueue", lambda task, job, queue, **_: asked.append(task))
    monkeypatch.setattr("annotation_app.heartbeat.time.monotonic", lambda: clock[0])
    heartbeat = Heartbeat("light", {}, regular={TIDY_FILES: HOUR_SECONDS})
    for clock[0], times in ((1000.0, 1), (4599.0, 1), (4600.0, 2)):
        heartbeat.enqueue_waiting()
        assert asked == [TIDY_FILES] * times
