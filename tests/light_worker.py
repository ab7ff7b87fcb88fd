"""A light worker's process on the test database, to be killed in the middle of its job."""

import os
import signal
import subprocess
import sys
import time
from collections.abc import Iterator
from contextlib import contextmanager
from pathlib import Path
from typing import Any

from django.db import connection

from tests.ingest.database import database_url
from tests.stack import ROOT

WORKER = (sys.executable, "-m", "celery", "-A", "annotation_app.config.celery", "worker", "-Q", "light", "-c", "1")


@contextmanager
def light_worker(media: Path) -> Iterator[subprocess.Popen[bytes]]:
    env = {
        **os.environ,
        "DATABASE_URL": database_url(),
        "REDIS_URL": own_broker(),
        "QUORUM_MEDIA_DIR": str(media),
        "QUORUM_LEASE_SECONDS": "3",
        "LOG_LEVEL": "WARNING",
    }
    process = subprocess.Popen(WORKER, cwd=ROOT, env=env, start_new_session=True)
    try:
        yield process
    finally:
        if process.poll() is None:
            process.send_signal(signal.SIGTERM)
        process.wait(timeout=30)


def own_broker() -> str:
    """A database of the broker for this test process: a worker of another one would take the messages of its jobs."""
    server, _, _ = os.environ["REDIS_URL"].rpartition("/")
    number = int(os.environ.get("PYTEST_XDIST_WORKER", "gw0").removeprefix("gw"))
    return f"{server}/{number % 15 + 1}"


def wait_until(true: Any, what: str, seconds: float = 60) -> None:
    until = time.monotonic() + seconds
    while not true():
        assert time.monotonic() < until, f"never: {what}"
        time.sleep(0.05)


def waiting_for_locks() -> int:
    with connection.cursor() as cursor:
        # Of this database: other test runs wait for locks on the same server.
        cursor.execute(
            "SELECT count(DISTINCT l.pid) FROM pg_locks l JOIN pg_stat_activity a ON a.pid = l.pid "
            "WHERE NOT l.granted AND a.datname = current_database()"
        )
        return int(cursor.fetchone()[0])
