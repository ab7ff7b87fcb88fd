"""A full disk, for real: `python -m tests.loop.full_disk`, as root, after `make frontend`.

Mounts a small memory file system and runs everything on it, PostgreSQL too. It is filled to its last byte while people
answer. Every refusal must name the full disk; once there is room, the refused answer is taken as it was, and no
acknowledged one is missing. Not part of `make test`: it needs the right to mount.
"""

import subprocess
import tempfile
import uuid
from collections.abc import Iterator
from contextlib import contextmanager
from pathlib import Path
from typing import Any

from requests import Response

from annotation_app.demo.paths import CORPUS
from tests.loop.client import Person
from tests.loop.run import import_corpus, import_file, join, people_create, people_sign_in, round_start, round_wait
from tests.stack import Stack

SIZE = "1200m"
RESERVE = 20 * 1024**2
FULL = "The server's disk is full"
ITEMS = 30


def main() -> None:
    with small_disk() as disk:
        stack = Stack(disk / "state", QUORUM_DISK_RESERVE_BYTES=str(RESERVE))
        stack.start()
        try:
            play(stack, disk / "ballast")
        finally:
            stack.stop()


@contextmanager
def small_disk() -> Iterator[Path]:
    with tempfile.TemporaryDirectory() as folder:
        subprocess.run(["mount", "-t", "tmpfs", "-o", f"size={SIZE}", "tmpfs", folder], check=True)
        try:
            # The unprivileged database user must pass through.
            Path(folder).chmod(0o711)
            yield Path(folder)
        finally:
            subprocess.run(["umount", folder], check=True)


def play(stack: Stack, ballast: Path) -> None:
    people_create(stack)
    admin, people = people_sign_in(stack)
    project = admin.post("projects/", {"name": "Full disk"})["id"]
    join(admin, people, project)
    import_corpus(admin, project, CORPUS, print)
    round_wait(admin, round_start(admin, project, "random", ITEMS)["id"])

    windows = [(person, person.get(f"projects/{project}/next/?ahead=40")) for person in people]
    first, *work = [(person, each) for person, window in windows for each in window["assignments"]]
    assert submit(*first)[1].status_code == 201
    fill(ballast)
    assert admin.get("health/")["disk"] is False
    upload = {"files": {"file": ("x.csv", b"id,text\n1,One two three\n")}, "data": {"format": "auto"}}
    refused(admin, "POST", f"projects/{project}/imports/", 507, **upload)
    n_taken, who, request = submit_until_refused(work)
    print(f"{n_taken} answers were taken before the database had no room.")
    refused(admin, "POST", f"projects/{project}/releases/", 503, json={})
    refused(admin, "POST", "projects/", 503, json={"name": "Another"})

    ballast.unlink()
    assert who.post(*request)["annotation"]["revision"] == 1
    found = len(admin.lines(f"projects/{project}/export/?kind=annotations"))
    # One before, and the refused one when there was room.
    print(f"{n_taken + 2} answers were acknowledged, {found} are there.")
    assert found == n_taken + 2
    import_file(admin, project, "y.csv", b"id,text\n1,One two three four five\n", unit="document")


def fill(ballast: Path) -> None:
    with ballast.open("wb", buffering=0) as file:
        try:
            while True:
                file.write(bytes(65_536))
        except OSError as error:
            print(f"Filled: {error}")


Request = tuple[str, dict[str, Any]]


def submit(person: Person, assignment: dict[str, Any]) -> tuple[Request, Response]:
    body = {
        "client_id": str(uuid.uuid4()),
        "base_revision": 0,
        "answers": {"opinion": "no"},
        "spans": [],
        "comment": "",
        "context_opened": "sentence",
        "active_ms": 1,
        "wall_ms": 1,
    }
    path = f"assignments/{assignment['id']}/annotations/"
    return (path, body), person.send("POST", path, json=body)


def submit_until_refused(work: list[tuple[Person, dict[str, Any]]]) -> tuple[int, Person, Request]:
    """Submits one item after another; gives how many answers were taken, who was refused, and what they sent."""
    for n_taken, (person, assignment) in enumerate(work):
        request, answer = submit(person, assignment)
        if answer.status_code != 201:
            assert (answer.status_code, FULL in answer.text) == (503, True), answer.text
            return n_taken, person, request
    raise AssertionError("Everything was taken: the disk is larger than the test thinks.")


def refused(person: Person, method: str, path: str, status: int, **options: Any) -> None:
    answer = person.send(method, path, **options)
    assert (answer.status_code, FULL in answer.text) == (status, True), answer.text


if __name__ == "__main__":
    main()
