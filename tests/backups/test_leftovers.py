"""What a killed backup leaves behind is deleted by a later one."""

import os
import time
from pathlib import Path

from annotation_app.backups.services import backups_prune, leftovers_delete


def test_what_a_killed_backup_left_is_deleted_and_one_under_way_is_spared(tmp_path: Path) -> None:
    killed, running, other = (tmp_path / name for name in (".quorum-backup-a", ".quorum-backup-b", "notes"))
    for folder in (killed, running, other):
        folder.mkdir()
        (folder / "database.dump").write_text("what people answered")
        long_ago = time.time() - 7200
        for path in (folder / "database.dump", folder):
            os.utime(path, (long_ago, long_ago))
    (running / "backup").write_text("it is being written")
    leftovers_delete(tmp_path)
    assert sorted(tmp_path.iterdir()) == [running, other]


def test_only_scheduled_backups_are_pruned_the_oldest_first(tmp_path: Path) -> None:
    names = ["quorum-20260501T120000Z.backup", "quorum-20260502T120000Z.backup", "quorum-20260503T120000Z.backup"]
    for name in [*names, "quorum-before-the-move.backup"]:
        (tmp_path / name).touch()
    assert [path.name for path in backups_prune(tmp_path, keep=2)] == names[:1]
    assert backups_prune(tmp_path, keep=2) == []
    assert len(list(tmp_path.iterdir())) == 3
