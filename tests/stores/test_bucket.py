"""Files in a bucket of a real S3 server: what a folder promises, a bucket promises too."""

import hashlib
import io
from collections.abc import Callable
from datetime import timedelta
from pathlib import Path
from typing import Any
from zipfile import ZipFile

import pytest
from django.core.checks import run_checks
from django.core.files import File
from django.core.files.base import ContentFile
from django.core.files.storage import default_storage
from django.core.files.uploadedfile import SimpleUploadedFile
from django.utils import timezone
from rest_framework.test import APIClient

from annotation_app.backups.archive import Member
from annotation_app.backups.faults import BackupFault
from annotation_app.backups.services import file_restore
from annotation_app.ingest.options import ImportOptions
from annotation_app.ingest.run import ImportRun
from annotation_app.ingest.services import import_create
from annotation_app.management.examination import storage_writes_and_reads
from annotation_app.models import Import, Item, Membership, WorkerBeat
from annotation_app.projects.orphans import AFTER_SECONDS, files_tidy
from annotation_app.storage import file_store, store, stored_copy
from annotation_app.stores.bucket import MOST_IN_MEMORY
from tests.conftest import People
from tests.export.rows import labelled
from tests.releases.made import made
from tests.s3 import bucket_use


def test_a_file_comes_back_as_it_was_with_its_hash(bucket: dict[str, str], tmp_path: Path) -> None:
    content = bytes(range(256)) * (MOST_IN_MEMORY // 64)
    (source := tmp_path / "large.bin").write_bytes(content)
    stored = file_store(source, "releases/x/1.zip")
    assert (stored.path, stored.size) == ("releases/x/1.zip", len(content))
    assert stored.sha256 == hashlib.sha256(content).hexdigest()
    with default_storage.open(stored.path) as file:
        assert file.size == len(content)
        assert file.read(10) == content[:10]
        file.seek(-3, io.SEEK_END)
        assert file.read() == content[-3:]
    with stored_copy(stored.path) as copy:
        assert copy.read_bytes() == content
    assert not copy.exists()
    assert not (tmp_path / "media").exists()


def test_a_taken_name_is_overwritten_by_nobody(bucket: dict[str, str]) -> None:
    first = default_storage.save("imports/a", ContentFile(b"first"))
    second = default_storage.save("imports/a", ContentFile(b"second"))
    assert first == "imports/a" != second
    for name, content in ((first, b"first"), (second, b"second")):
        with default_storage.open(name) as file:
            assert file.read() == content


def test_a_stream_that_cannot_go_back_is_stored_and_one_that_breaks_leaves_nothing(bucket: dict[str, str]) -> None:
    class Stream(io.RawIOBase):
        def __init__(self, left: int, breaks: bool) -> None:
            self.left, self.breaks = left, breaks

        def readable(self) -> bool:
            return True

        def read(self, size: int = -1) -> bytes:
            if self.breaks and self.left < 10_000_000:
                raise OSError("the disk is gone")
            count = min(self.left, size if size >= 0 else self.left)
            self.left -= count
            return b"x" * count

    name = default_storage.save("rounds/whole", File(Stream(20_000_000, breaks=False), name="whole"))  # type: ignore[arg-type]
    assert default_storage.size(name) == 20_000_000
    with pytest.raises(OSError, match="the disk is gone"):
        default_storage.save("rounds/half", File(Stream(20_000_000, breaks=True), name="half"))  # type: ignore[arg-type]
    assert not default_storage.exists("rounds/half")


def test_a_backup_restores_its_files_there(bucket: dict[str, str]) -> None:
    content = b"one thousand bytes. " * 1_000_000
    restored: list[str] = []
    file_restore("releases/x/1.zip", Member("files/releases/x/1.zip", io.BytesIO(content), len(content)), restored)
    assert restored == ["releases/x/1.zip"]
    with default_storage.open("releases/x/1.zip") as file:
        assert file.read() == content
    with pytest.raises(BackupFault, match="The storage has a file"):
        file_restore("releases/x/1.zip", Member("files/releases/x/1.zip", io.BytesIO(content), len(content)), restored)


def test_what_is_not_there_is_missing_as_in_a_folder(bucket: dict[str, str]) -> None:
    assert not default_storage.exists("imports/none")
    default_storage.delete("imports/none")
    with pytest.raises(FileNotFoundError, match="imports/none"):
        default_storage.open("imports/none")
    with pytest.raises(FileNotFoundError, match="imports/none"):
        store.opened_once("imports/none")


def test_two_installations_share_a_bucket_under_prefixes(bucket: dict[str, str], settings: Any) -> None:
    default_storage.save("imports/a", ContentFile(b"ours"))
    bucket_use(settings, {**bucket, "prefix": "labels-of-others"})
    assert not default_storage.exists("imports/a")
    assert list(store.left_alone("imports", -60)) == []
    bucket_use(settings, bucket)
    assert list(store.left_alone("imports", -60)) == ["imports/a"]


@pytest.mark.django_db
def test_old_files_that_no_row_names_are_deleted(
    bucket: dict[str, str], people: People, monkeypatch: pytest.MonkeyPatch
) -> None:
    gone, named = (default_storage.save(f"imports/{name}", ContentFile(b"x")) for name in ("gone", "named"))
    Import.objects.create(project=people.project, filename="a.csv", format="csv", file=named)
    assert files_tidy() == []
    later = timezone.now() + timedelta(seconds=AFTER_SECONDS + 60)
    monkeypatch.setattr("annotation_app.stores.bucket.timezone.now", lambda: later)
    assert files_tidy() == [gone]
    assert default_storage.exists(named)


def test_doctor_writes_and_reads(bucket: dict[str, str]) -> None:
    (finding,) = storage_writes_and_reads()
    assert (finding.verdict, finding.found) == ("ok", "a file was written, read and deleted")
    assert list(store.left_alone("uploads", -60)) == []


@pytest.mark.parametrize(
    ("change", "words"),
    [({"name": "no-such-bucket-of-ours"}, "NoSuchBucket"), ({"endpoint": "http://127.0.0.1:9"}, "could not be used")],
)
def test_doctor_names_the_fault_and_the_settings(
    bucket: dict[str, str], settings: Any, change: dict[str, str], words: str
) -> None:
    bucket_use(settings, {**bucket, **change})
    (finding,) = storage_writes_and_reads()
    assert finding.verdict == "fault"
    assert words in finding.found
    assert "QUORUM_S3_BUCKET" in finding.remedy


def test_settings_that_are_not_whole_stop_the_start(bucket: dict[str, str], settings: Any) -> None:
    settings.S3 = {**bucket, "name": "", "secret_key": "", "endpoint": "s3.example.org"}
    assert {"quorum.E007", "quorum.E008", "quorum.E009"} <= {message.id for message in run_checks()}
    settings.S3 = bucket
    assert not {message.id for message in run_checks()} & {"quorum.E007", "quorum.E008", "quorum.E009"}


@pytest.mark.django_db(transaction=True)
def test_an_import_reads_its_upload_there_and_takes_it_away(bucket: dict[str, str], people: People) -> None:
    WorkerBeat.objects.create(name="light", queue="light", seen_at=timezone.now(), started_at=timezone.now())
    upload = SimpleUploadedFile("texts.csv", b"id,text\na,One sentence.\nb,Another one.\n")
    row = import_create(project=people.project, actor=people.admin.user, upload=upload, options=ImportOptions())
    assert default_storage.exists(row.file)
    ImportRun.run(row.pk)
    row.refresh_from_db()
    assert row.state == Import.State.DONE, row.report
    assert Item.objects.filter(project=people.project).count() >= 2
    assert not default_storage.exists(row.file)


@pytest.mark.django_db(transaction=True)
def test_a_release_is_downloaded_from_there(
    bucket: dict[str, str], people: People, client_of: Callable[[Membership], APIClient]
) -> None:
    release = made(labelled(people).project)
    response: Any = client_of(people.admin).get(f"/api/releases/{release.uuid}/file/")
    content = b"".join(response.streaming_content)
    assert response.status_code == 200
    assert int(response["Content-Length"]) == len(content) == release.size
    assert hashlib.sha256(content).hexdigest() == release.sha256
    with ZipFile(io.BytesIO(content)) as packed:
        assert packed.testzip() is None
