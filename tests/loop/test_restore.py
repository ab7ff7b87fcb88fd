"""The restore drill: label, back up under load, kill everything, restore elsewhere, and compare."""

import json
import os
import signal
import subprocess
import sys
import time
from collections.abc import Callable, Iterator
from contextlib import contextmanager, suppress
from hashlib import sha256
from pathlib import Path
from threading import Event, Thread
from typing import Any
from uuid import uuid4

import pytest

from annotation_app.demo.paths import CORPUS
from annotation_app.embedded.state import without_servers
from tests.loop.annotators import TASTES, answers, label_all
from tests.loop.client import Person
from tests.loop.run import import_corpus, join, people_sign_in, round_start, round_wait
from tests.s3 import bucket_env, bucket_make, s3_server
from tests.stack import PASSWORD, ROOT, Stack, descendants, passable_folder, running_stack

pytestmark = [pytest.mark.loop, pytest.mark.timeout(900)]


@pytest.fixture(params=["folder", "bucket"])
def storages(request: pytest.FixtureRequest) -> Iterator[tuple[dict[str, str], dict[str, str]]]:
    """The environments of two installations that keep their files in folders, or in buckets."""
    if request.param == "folder":
        yield {}, {}
        return
    with s3_server() as server:
        yield bucket_env(bucket_make(server)), bucket_env(bucket_make(server))


def test_a_backup_under_load_gives_everything_back_elsewhere(
    prepared: Path, storages: tuple[dict[str, str], dict[str, str]]
) -> None:
    here, there = storages
    with passable_folder() as folder:
        backup, key = folder / "quorum.backup", folder / "secret.key"
        with running_stack(prepared, **here) as stack:
            finished, busy, people = two_studies(stack)
            public = stack.manage("backup_key", str(key)).strip()
            with labelling(people[0], busy) as acknowledged:
                acknowledged.wait_for(3)
                before = dict(acknowledged.answers)
                said = stack.manage("backup", str(backup), "--public-key", public)
                assert "checked, encrypted" in said
                assert backup.stat().st_mode & 0o777 == 0o600
                acknowledged.wait_for(len(before) + 3)
            told = shown(stack, finished)
            every = {**acknowledged.answers}
            for pid in [stack.process.pid, *descendants(stack.process.pid)]:
                # Most end with the first of them.
                with suppress(ProcessLookupError):
                    os.kill(pid, signal.SIGKILL)
        assert 3 <= len(before) < len(every)
        state = folder / "elsewhere"
        restored = restore(state, backup, "--key", str(key), **there)
        assert restored.returncode == 0, restored.stdout + restored.stderr
        scheduled = folder / "scheduled"
        scheduled.mkdir()
        other = Stack(state, QUORUM_BACKUP_FOLDER=str(scheduled), **there)
        try:
            other.start()
            assert shown(other, finished) == told
            kept = answers_of(Person(other.url, "admin", PASSWORD), busy, people[0].me["username"])
            assert before.items() <= kept.items() <= every.items()
            # Work goes on where the backup was made.
            assert label_all(Person(other.url, TASTES[0].name, PASSWORD), busy, TASTES[0]) == 40 - len(kept)
            wait_for(lambda: any(scheduled.glob("quorum-*.backup")))
        finally:
            other.stop()
        again = restore(state, backup, "--key", str(key), **there)
        assert again.returncode == 1
        assert "The database is not empty" in again.stderr
        later_version_starts_nothing(state)


def later_version_starts_nothing(state: Path) -> None:
    """Data that a later version migrated are refused before anything is changed."""
    later = "COMMENT ON DATABASE quorum IS 'migrations of a later version'; "
    later += "INSERT INTO django_migrations (app, name, applied) VALUES ('annotation_app', '9999_later', now())"
    said = around(state, sys.executable, "manage.py", "shell", "-c", SQL.format(later))
    assert said.returncode == 0, said.stderr
    with pytest.raises(AssertionError, match="does not know 9999_later"):
        Stack(state).start()


SQL = """
from django.db import connection
connection.cursor().execute({!r})
"""


def wait_for(true: Callable[[], bool]) -> None:
    until = time.monotonic() + 120
    while not true():
        assert time.monotonic() < until
        time.sleep(0.1)


def restore(state: Path, backup: Path, *options: str, **env: str) -> "subprocess.CompletedProcess[str]":
    return around(state, sys.executable, "manage.py", "restore", str(backup), *options, **env)


def around(state: Path, *command: str, **given: str) -> "subprocess.CompletedProcess[str]":
    """Run a command with the servers of a state folder."""
    servers = [sys.executable, "-m", "annotation_app.embedded", "run", "--state-dir", str(state), "--"]
    env = {**without_servers(os.environ), **given}
    return subprocess.run([*servers, *command], cwd=ROOT, env=env, capture_output=True, text=True, check=False)


def two_studies(stack: Stack) -> tuple[str, str, list[Person]]:
    """A finished study with a release, and one with an open batch of 40 items."""
    admin, annotators = people_sign_in(stack)
    projects = []
    for name, size in (("Finished", 8), ("Busy", 40)):
        project = admin.post("projects/", {"name": name})["id"]
        join(admin, annotators, project)
        import_corpus(admin, project, CORPUS, say=lambda line: None)
        round_wait(admin, round_start(admin, project, "random", query_size=size)["id"])
        projects.append(project)
    for person, taste in zip(annotators, TASTES, strict=True):
        label_all(person, projects[0], taste)
    stack.manage("release", projects[0])
    return projects[0], projects[1], annotators


def shown(stack: Stack, project: str) -> dict[str, Any]:
    """What the project's results are: agreement, releases with the bytes of their files, and the export."""
    admin = Person(stack.url, "admin", PASSWORD)
    releases = admin.get(f"projects/{project}/releases/")["releases"]
    return {
        "agreement": admin.get(f"projects/{project}/agreement/")["rows"],
        "releases": releases,
        "files": [sha256(admin.send("GET", f"releases/{each['id']}/file/").content).hexdigest() for each in releases],
        "export": admin.lines(f"projects/{project}/export/?kind=annotations&names=true"),
    }


def answers_of(admin: Person, project: str, username: str) -> dict[str, dict[str, str]]:
    lines = [json.loads(line) for line in admin.lines(f"projects/{project}/export/?kind=annotations&names=true")]
    return {line["item_id"]: line["answers"] for line in lines if line["annotator"] == username}


class Acknowledged:
    """The answers that the server has confirmed so far, by the item's id."""

    def __init__(self) -> None:
        self.answers: dict[str, dict[str, str]] = {}
        self.more = Event()

    def add(self, item: str, said: dict[str, str]) -> None:
        self.answers[item] = said
        self.more.set()

    def wait_for(self, n: int) -> None:
        while len(self.answers) < n:
            self.more.clear()
            assert self.more.wait(120), "nobody labels any more"


@contextmanager
def labelling(person: Person, project: str) -> Iterator[Acknowledged]:
    """Label in a thread for as long as the body runs."""
    found, stop = Acknowledged(), Event()

    def work() -> None:
        window = person.get(f"projects/{project}/next/?ahead=3")
        while window["assignments"] and not stop.wait(0.2):
            assignment = window["assignments"][0]
            said = answers(TASTES[0], assignment["item"])
            body = {"client_id": str(uuid4()), "base_revision": 0, "answers": said, "context_opened": "sentence"}
            window = person.post(
                f"assignments/{assignment['id']}/annotations/", {**body, "active_ms": 1, "wall_ms": 1}
            )["refill"]
            found.add(assignment["item"]["external_id"], said)

    thread = Thread(target=work)
    thread.start()
    try:
        yield found
    finally:
        stop.set()
        thread.join()
