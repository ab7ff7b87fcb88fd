"""Django's own checks for a server that people reach, under the settings of docs/operate/serving.md."""

import os
import subprocess
import sys
from pathlib import Path

ROOT = Path(__file__).resolve().parent.parent.parent


def checked(**env: str) -> subprocess.CompletedProcess[str]:
    return subprocess.run(
        [sys.executable, "manage.py", "check", "--deploy", "--fail-level", "WARNING"],
        cwd=ROOT,
        env={**os.environ, **env},
        capture_output=True,
        text=True,
        check=False,
    )


def test_the_documented_settings_pass_every_check() -> None:
    done = checked(QUORUM_URL="https://example.org/quorum/", SECRET_KEY="0123456789abcdef" * 4)
    assert done.returncode == 0, done.stderr


def test_plain_http_does_not_pass() -> None:
    done = checked(QUORUM_URL="http://example.org/", SECRET_KEY="0123456789abcdef" * 4)
    assert done.returncode != 0
    for check in ("security.W004", "security.W008", "security.W012", "security.W016"):
        assert check in done.stderr
