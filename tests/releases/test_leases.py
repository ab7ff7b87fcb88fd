"""A release has one worker at a time, and outlives it: a real worker process, killed."""

import signal
from datetime import timedelta
from pathlib import Path

import pytest
from django.core.files.base import ContentFile
from django.core.files.storage import default_storage
from django.db import connection, transaction
from django.utils import timezone

from annotation_app.agreement.services import LOCK
from annotation_app.models import Lease, LeaseLost, Project, Release
from annotation_app.releases.artifact_paths import scratch_folder, stored_name
from annotation_app.releases.run import ReleaseRun
from tests.conftest import People
from tests.export.rows import labelled
from tests.light_worker import light_worker, wait_until, waiting_for_locks
from tests.releases.made import files_of, made

pytestmark = pytest.mark.django_db(transaction=True)


@pytest.fixture
def queued(people: People) -> Release:
    labelled(people)
    return Release.objects.create(project=people.project, number=1)


def take(release: Release) -> Lease:
    lease = Release.take(release.pk)
    assert lease is not None
    return lease


def lapse(release: Release) -> None:
    Release.objects.filter(pk=release.pk).update(lease_until=timezone.now() - timedelta(seconds=1))


def left(media: Path) -> list[Path]:
    return [path for path in media.rglob("*") if path.is_file()]


def test_the_next_attempt_clears_away_what_a_dead_one_left(queued: Release, media: Path) -> None:
    dead = take(queued)
    place = scratch_folder(queued, dead.attempt)
    place.mkdir(parents=True)
    (place / "release.zip").write_text("half")
    default_storage.save(stored_name(queued, dead.attempt), ContentFile(b"half"))
    lapse(queued)
    assert ReleaseRun.waiting() == [(queued.pk, 1)]
    ReleaseRun.run(queued.pk)
    queued.refresh_from_db()
    assert (queued.state, queued.attempt, queued.path) == ("done", 2, stored_name(queued, 2))
    assert left(media) == [media / queued.path]
    assert ReleaseRun.waiting() == []


def test_it_leaves_nothing_after_its_lease_was_taken_over(queued: Release, media: Path) -> None:
    late = take(queued)
    lapse(queued)
    ReleaseRun.run(queued.pk)
    queued.refresh_from_db()
    with pytest.raises(LeaseLost):
        ReleaseRun(queued, late).execute()
    assert left(media) == [media / queued.path]
    assert files_of(queued)["release.json"]


def test_it_gives_up_after_three_workers(queued: Release, media: Path) -> None:
    for attempt in (1, 2, 3):
        take(queued)
        default_storage.save(stored_name(queued, attempt), ContentFile(b"half"))
        lapse(queued)
    ReleaseRun.run(queued.pk)
    queued.refresh_from_db()
    assert (queued.state, "stopped 3 times" in queued.failure) == ("failed", True)
    assert left(media) == []
    assert ReleaseRun.waiting() == []


def test_what_is_done_is_never_taken_out_of_the_storage(queued: Release, media: Path) -> None:
    """Where the connection breaks in the last commit, its worker takes the release for failed."""
    lease = take(queued)
    ReleaseRun(queued, lease).execute()
    queued.refresh_from_db()
    with pytest.raises(LeaseLost):
        ReleaseRun(queued, lease).fail("The connection broke.")
    assert left(media) == [media / queued.path]


def test_it_is_made_by_the_next_worker_after_a_kill(queued: Release, project: Project, media: Path) -> None:
    with light_worker(media) as worker:
        with transaction.atomic(), connection.cursor() as cursor:
            # The worker has its folder, and waits for this lock to count answers; there it dies.
            cursor.execute(LOCK, [project.pk])
            wait_until(lambda: waiting_for_locks() == 1, "the worker at the lock")
            assert scratch_folder(queued, 1).is_dir()
            worker.send_signal(signal.SIGKILL)
            worker.wait()
        wait_until(lambda: waiting_for_locks() == 0, "the killed worker's statement gone")
        queued.refresh_from_db()
        assert (queued.state, queued.attempt) == ("running", 1)
    with light_worker(media):
        wait_until(lambda: Release.objects.get(pk=queued.pk).state == "done", "the release made by the second worker")
    queued.refresh_from_db()
    assert queued.attempt == 2
    assert left(media) == [media / queued.path]
    assert queued.content_hash == made(project).content_hash
