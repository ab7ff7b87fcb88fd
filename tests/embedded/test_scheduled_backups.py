"""When a backup is due by the clock, and which settings are refused."""

import os
from pathlib import Path

import pytest

from annotation_app.embedded.backups import schedule_of
from annotation_app.embedded.errors import LaunchError

# By hand, or not at all, are those that the schedule does not name.
NAMED = (
    ("quorum-20260501T120000Z.backup", 1_000_000),
    ("quorum-20260501T130000Z.backup", 1_003_600),
    ("quorum-before-the-move.backup", 1_009_000),
)


def test_a_backup_is_due_so_many_hours_after_the_newest(tmp_path: Path) -> None:
    schedule = schedule_of({"QUORUM_BACKUP_FOLDER": str(tmp_path), "QUORUM_BACKUP_HOURS": "6"})
    assert schedule is not None
    assert schedule.due_in(1_000_000) == 0
    for name, seconds in NAMED:
        (tmp_path / name).touch()
        os.utime(tmp_path / name, (seconds, seconds))
    assert schedule.due_in(1_010_800) == 1_003_600 + 6 * 3600 - 1_010_800
    assert schedule.due_in(1_030_000) == 0
    # A link whose target is gone.
    (tmp_path / "quorum-20260501T140000Z.backup").symlink_to(tmp_path / "gone")
    assert schedule.due_in(1_030_000) == 0


def test_without_a_folder_there_is_no_schedule() -> None:
    assert schedule_of({"QUORUM_BACKUP_HOURS": "6"}) is None


@pytest.mark.parametrize(
    ("name", "value", "said"),
    [
        ("QUORUM_BACKUP_HOURS", "daily", "QUORUM_BACKUP_HOURS=daily is no number from 0.01 on"),
        ("QUORUM_BACKUP_HOURS", "nan", "QUORUM_BACKUP_HOURS=nan"),
        ("QUORUM_BACKUP_KEEP", "0", "QUORUM_BACKUP_KEEP=0 is no number from 1 on"),
        ("QUORUM_BACKUP_FOLDER", "/no/such/folder", "is no folder: make it"),
    ],
)
def test_wrong_settings_stop_the_start(tmp_path: Path, name: str, value: str, said: str) -> None:
    with pytest.raises(LaunchError, match=said):
        schedule_of({"QUORUM_BACKUP_FOLDER": str(tmp_path), name: value})
