"""Commands that only count in a database get a throw-away one where no server runs."""

import json
import os
import subprocess
import sys
from pathlib import Path

import pytest

from annotation_app.embedded import borrow
from annotation_app.embedded.state import without_servers

ROOT = Path(__file__).resolve().parents[2]
FILE = "item,annotator,stage,label\ni1,A,s,Y\ni1,B,s,Y\ni2,A,s,N\ni2,B,s,Y\n"


def test_only_a_command_without_a_server_needs_one(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setenv("DATABASE_URL", "postgres://somewhere")
    assert not borrow.is_needed(["manage.py", "agreement", "a.csv"])
    monkeypatch.delenv("DATABASE_URL")
    assert borrow.is_needed(["manage.py", "agreement", "a.csv"])
    assert not borrow.is_needed(["manage.py", "agreement", "--help"])
    assert not borrow.is_needed(["manage.py", "migrate"])
    assert not borrow.is_needed(["manage.py"])


def test_a_file_is_counted_from_any_folder_without_a_server(tmp_path: Path) -> None:
    (tmp_path / "a.csv").write_text(FILE)
    env = {**without_servers(os.environ), "QUORUM_STATE_DIR": str(tmp_path / "none")}
    command = [sys.executable, str(ROOT / "manage.py"), "agreement", "a.csv"]
    done = subprocess.run(command, cwd=tmp_path, env=env, capture_output=True, text=True, check=False, timeout=120)
    assert done.returncode == 0, done.stderr
    assert [row["percent_agreement"] for row in json.loads(done.stdout)["rows"]] == [0.5, 0.5]
    assert "a throw-away database is started" in done.stderr
    (tmp_path / "a.csv").write_text(FILE + "i3,,s,x\n")
    failed = subprocess.run(command, cwd=tmp_path, env=env, capture_output=True, text=True, check=False, timeout=120)
    assert failed.returncode == 1
    assert "a.csv:6: the cell annotator is empty." in failed.stderr
    assert "Traceback" not in failed.stderr
