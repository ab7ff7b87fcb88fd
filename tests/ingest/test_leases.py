"""An import has one worker at a time, and outlives it: real worker processes, killed."""

import json
import signal
from datetime import timedelta
from pathlib import Path
from typing import Any

import pytest
from django.core.files.base import ContentFile
from django.core.files.storage import default_storage
from django.db import OperationalError, connection, transaction
from django.utils import timezone

from annotation_app.ingest.checks import project_lock
from annotation_app.ingest.options import ImportOptions
from annotation_app.ingest.run import ImportRun
from annotation_app.ingest.selectors import report_of
from annotation_app.lease_renewal import LeaseRenewal
from annotation_app.models import Document, Import, Item, LeaseLost, Project
from tests.light_worker import light_worker, wait_until, waiting_for_locks

pytestmark = pytest.mark.django_db(transaction=True)


@pytest.fixture(autouse=True)
def media(settings: Any, tmp_path: Path) -> Path:
    settings.MEDIA_ROOT = tmp_path / "media"
    return tmp_path / "media"


def queued(project: Project, rows: int = 3) -> Import:
    lines = "".join(json.dumps({"id": f"r{number}", "text": "A row."}) + "\n" for number in range(rows))
    stored = default_storage.save("imports/rows", ContentFile(lines.encode()))
    return Import.objects.create(
        project=project, file=stored, filename="rows.jsonl", format="auto", options=ImportOptions().as_dict()
    )


def lapse(imported: Import) -> None:
    Import.objects.filter(pk=imported.pk).update(lease_until=timezone.now() - timedelta(seconds=1))


def test_it_is_taken_by_one_worker_only(project: Project) -> None:
    imported = queued(project)
    first = Import.take(imported.pk)
    assert first is not None and first.attempt == 1
    assert Import.take(imported.pk) is None
    lapse(imported)
    second = Import.take(imported.pk)
    assert second is not None and second.attempt == 2
    assert list(first.held()) == [] and [row.pk for row in second.held()] == [imported.pk]


def test_it_writes_nothing_after_its_lease_was_taken_over(project: Project) -> None:
    imported = queued(project)
    first = Import.take(imported.pk)
    lapse(imported)
    second = Import.take(imported.pk)
    assert first is not None and second is not None
    with pytest.raises(LeaseLost):
        ImportRun(imported, first).execute()
    assert not Item.objects.exists()
    ImportRun(imported, second).execute()
    imported.refresh_from_db()
    assert (imported.state, imported.attempt, Item.objects.count()) == ("done", 2, 3)


def test_it_stops_early_once_its_pulse_finds_the_lease_lost(project: Project) -> None:
    lease = Import.take(queued(project).pk)
    assert lease is not None
    renewal = LeaseRenewal(lease)
    Import.objects.update(attempt=7)
    renewal.once()
    with pytest.raises(LeaseLost):
        renewal.show("reading", 0.5, 1)


def test_it_shows_progress_and_renews_while_its_transaction_runs(project: Project, settings: Any) -> None:
    settings.WORKER_BEAT_SECONDS = 0.05
    lease = Import.take(queued(project).pk)
    assert lease is not None
    before = Import.objects.get().lease_until
    with LeaseRenewal(lease) as renewal, transaction.atomic():
        Document.objects.create(project=project, source_id=lease.row_id, external_id="d", position=0)
        renewal.show("writing items", 0.88, 3)
        wait_until(lambda: renewal.progress == committed_progress(), "progress outside the transaction")
    after = Import.objects.get().lease_until
    assert before is not None and after is not None and after > before


def committed_progress() -> dict[str, Any]:
    """As another connection sees it."""
    other = connection.copy()
    try:
        with other.cursor() as cursor:
            cursor.execute("SELECT progress FROM annotation_app_import")
            return dict(json.loads(cursor.fetchone()[0]))
    finally:
        other.close()


def test_it_gives_up_after_three_workers(project: Project) -> None:
    imported = queued(project)
    for _ in range(3):
        assert Import.take(imported.pk) is not None
        lapse(imported)
    ImportRun.run(imported.pk)
    imported.refresh_from_db()
    assert imported.state == "failed"
    assert "stopped 3 times" in report_of(imported)["errors"][0]["message"]
    assert ImportRun.waiting() == []


def test_it_goes_on_after_the_database_was_lost(project: Project) -> None:
    imported = queued(project)
    lease = Import.take(imported.pk)
    assert lease is not None
    with connection.cursor() as cursor:
        cursor.execute("SELECT pg_backend_pid()")
        (session,) = cursor.fetchone()

    def end_session(step: str, fraction: float, rows: int) -> None:
        other = connection.copy()
        with other.cursor() as cursor:
            cursor.execute("SELECT pg_terminate_backend(%s)", [session])
        other.close()

    with pytest.raises(OperationalError):
        ImportRun(imported, lease, on_progress=end_session).attempt()
    connection.close()
    assert (state_of(imported).state, Item.objects.count()) == ("running", 0)
    lapse(imported)
    ImportRun.run(imported.pk)
    assert (state_of(imported).state, imported.attempt, Item.objects.count()) == ("done", 2, 3)


def test_it_sweeps_what_waits_and_fails_a_command_that_is_gone(project: Project) -> None:
    waiting, lapsed, running = (queued(project) for _ in range(3))
    command = Import.objects.create(
        project=project, filename="corpus", format="auto", options=ImportOptions().as_dict()
    )
    for row in (lapsed, running, command):
        Import.take(row.pk)
    lapse(lapsed)
    lapse(command)
    assert ImportRun.waiting() == [(waiting.pk, 0), (lapsed.pk, 1)]
    command.refresh_from_db()
    assert (command.state, report_of(command)["n_errors"]) == ("failed", 1)


def test_it_reports_an_upload_that_is_gone(project: Project) -> None:
    imported = queued(project)
    default_storage.delete(imported.file)
    ImportRun.run(imported.pk)
    imported.refresh_from_db()
    assert imported.state == "failed"
    assert "could not finish" in report_of(imported)["errors"][0]["message"]


def state_of(imported: Import) -> Import:
    imported.refresh_from_db()
    return imported


def test_it_is_resumed_by_the_next_worker_after_a_kill_in_its_transaction(project: Project, media: Path) -> None:
    imported = queued(project, rows=2500)
    with light_worker(media) as worker:
        with transaction.atomic():
            # The worker reads everything, then waits for this lock inside its transaction, and dies there.
            project_lock(project.pk)
            wait_until(lambda: waiting_for_locks() == 1, "the worker in its transaction")
            worker.send_signal(signal.SIGKILL)
            worker.wait()
        wait_until(lambda: waiting_for_locks() == 0, "the killed worker's transaction gone")
        assert state_of(imported).state == "running"
        assert not Document.objects.exists()
    with light_worker(media):
        wait_until(lambda: state_of(imported).state == "done", "the import done by the second worker")
    assert (imported.attempt, Item.objects.count(), report_of(imported)["items"]) == (2, 2500, 2500)
