"""Logs are put aside while somebody writes them, and old ones are not kept for ever."""

from pathlib import Path

import pytest

from annotation_app.embedded.errors import LaunchError
from annotation_app.embedded.logs import Logs, logs_of


def test_a_long_log_is_put_aside_and_its_writer_goes_on(tmp_path: Path) -> None:
    logs, log = Logs(tmp_path, most_bytes=10, n_old=2), tmp_path / "web.log"
    with log.open("ab", buffering=0) as writer:
        for line in (b"short", b" and now longer"):
            writer.write(line)
            logs.put_aside(log)
        assert log.read_bytes() == b""
        writer.write(b"goes on")
        logs.put_aside(log)
    assert log.read_bytes() == b"goes on"
    assert (tmp_path / "web.log.1").read_bytes() == b"short and now longer"


def test_only_so_many_old_ones_are_kept(tmp_path: Path) -> None:
    logs, log = Logs(tmp_path, most_bytes=3, n_old=2), tmp_path / "web.log"
    for line in ("first", "second", "third"):
        log.write_text(line)
        logs.looked_at = float("-inf")
        logs.tend()
    assert {path.name: path.read_text() for path in tmp_path.iterdir()} == {
        "web.log": "",
        "web.log.1": "third",
        "web.log.2": "second",
    }


def test_none_is_kept_where_none_is_asked_for(tmp_path: Path) -> None:
    (tmp_path / "web.log").write_text("longer than three")
    Logs(tmp_path, most_bytes=3, n_old=0).tend()
    assert [(path.name, path.read_text()) for path in tmp_path.iterdir()] == [("web.log", "")]


@pytest.mark.parametrize("env", [{"QUORUM_LOG_BYTES": "8 MB"}, {"QUORUM_LOG_BYTES": "10"}, {"QUORUM_LOG_FILES": "-1"}])
def test_a_wrong_limit_is_told_with_its_name(tmp_path: Path, env: dict[str, str]) -> None:
    with pytest.raises(LaunchError, match=next(iter(env))):
        logs_of(tmp_path, env)
