"""`manage.py doctor` says what is wrong, and how to mend it."""

from io import StringIO
from pathlib import Path

import pytest
from django.core.management import CommandError, call_command
from django.utils import timezone
from pytest_django.fixtures import Settings

from annotation_app.models import WorkerBeat


def said() -> tuple[dict[str, str], str]:
    """What was found of each part, as verdict and words, and the error at the end."""
    out, error = StringIO(), ""
    try:
        call_command("doctor", stdout=out)
    except CommandError as fault:
        error = str(fault)
    lines = [line for line in out.getvalue().splitlines() if line[:1] not in (" ", "N")]
    return {line[9:23].strip(): f"{line[:8].strip()} {line[24:]}" for line in lines}, error


@pytest.fixture
def working(db: None, settings: Settings, tmp_path: Path) -> Path:
    """Workers that live, and a storage of the test's own."""
    for queue in ("light", "models"):
        WorkerBeat.objects.create(name=queue, queue=queue, seen_at=timezone.now(), started_at=timezone.now())
    settings.MEDIA_ROOT = tmp_path / "media"
    settings.SECRET_KEY = "a key of this test alone, which is long enough to be one"
    return tmp_path


def test_a_sound_installation_has_no_fault(working: Path) -> None:
    found, error = said()
    assert error == ""
    assert found["storage"] == "ok a file was written, read and deleted"
    assert found["migrations"] == "ok all are applied"
    # Tests connect as the owner of the tables.
    assert found["rights"].startswith("warning quorum_owner could change")
    assert not any((working / "media" / "uploads").iterdir())


def test_each_fault_is_told_with_its_part(working: Path, settings: Settings) -> None:
    WorkerBeat.objects.filter(queue="models").delete()
    (working / "file").touch()
    settings.MEDIA_ROOT = working / "file"
    settings.REDIS_URL = "redis://127.0.0.1:1/0"
    settings.EMAIL_URL = "smtp://127.0.0.1:1"
    settings.EMAIL_BACKEND = "django.core.mail.backends.smtp.EmailBackend"
    settings.EMAIL_HOST, settings.EMAIL_PORT = "127.0.0.1", 1
    settings.DISK_RESERVE_BYTES = 2**60
    settings.FRONTEND_DIST = working
    found, error = said()
    faulty = {part for part, words in found.items() if words.startswith("fault")}
    assert faulty == {"worker models", "broker", "storage", "mail", "disk", "pages", "settings"}
    assert error == f"{len(faulty)} faults found."
