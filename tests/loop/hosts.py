"""Two web servers and two workers of each kind, as hosts of their own, around one database, broker and bucket."""

import json
import os
import signal
import subprocess
import sys
import time
from collections.abc import Iterator
from contextlib import ExitStack, contextmanager
from dataclasses import dataclass
from itertools import cycle
from pathlib import Path
from typing import Any

import requests

from annotation_app.embedded import web
from annotation_app.embedded.launcher import LIGHT_WORKER, MODEL_WORKER, web_command
from annotation_app.embedded.state import without_servers
from tests.loop.client import Person
from tests.s3 import bucket_env
from tests.stack import ROOT, passable_folder, state_copy

HOSTS = 2
# Tells its environment, and waits for its input to end.
TELL = "import json, os, sys; print(json.dumps(dict(os.environ)), flush=True); sys.stdin.read()"


@dataclass
class Hosts:
    urls: list[str]
    folders: list[Path]
    database: str

    def person(self, username: str = "", password: str = "") -> "Wandering":
        return Wandering(self.urls, username, password)


class Wandering(Person):
    """A person whose every request goes to another web server than the one before, as a proxy may send it."""

    def __init__(self, urls: list[str], username: str = "", password: str = "") -> None:
        self.urls = cycle(urls)
        super().__init__(urls[0], username, password)

    def send(self, method: str, path: str, **options: Any) -> requests.Response:
        self.url = next(self.urls)
        return super().send(method, path, **options)


@contextmanager
def running_hosts(prepared: Path, s3: dict[str, str]) -> Iterator[Hosts]:
    """Runs everything on a copy of `prepared`. Each process has folders of its own for files, scratch and the rest."""
    with passable_folder() as folder, ExitStack() as stack:
        state_copy(prepared, folder / "state")
        env = stack.enter_context(servers(folder / "state")) | bucket_env(s3) | {"QUORUM_LEASE_SECONDS": "30"}
        folders: list[Path] = []

        def start(command: list[str], name: str, fds: tuple[int, ...] = ()) -> None:
            place = folder / name
            (place / "tmp").mkdir(parents=True)
            folders.append(place)
            own = {
                "QUORUM_MEDIA_DIR": str(place / "media"),
                "QUORUM_RUNS_DIR": str(place / "runs"),
                "TMPDIR": str(place / "tmp"),
            }
            stack.enter_context(process(command, {**env, **own}, place / "log", fds))

        urls = []
        for number in range(1, HOSTS + 1):
            listener = stack.enter_context(web.claim("127.0.0.1", 0))
            urls.append(web.address(listener).rstrip("/"))
            start(web_command(listener), f"web{number}", (listener.fileno(),))
            for worker, name in ((LIGHT_WORKER, f"light{number}"), (MODEL_WORKER, f"models{number}")):
                command = list(worker)
                command[command.index("-n") + 1] = f"{name}@%h"
                start(command, name)
        wait_for_all(urls)
        yield Hosts(urls, folders, env["DATABASE_OWNER_URL"])


@contextmanager
def servers(state: Path) -> Iterator[dict[str, str]]:
    """Runs PostgreSQL and Valkey alone, and yields the environment that names them."""
    command = [sys.executable, "-m", "annotation_app.embedded", "run", "--state-dir", str(state), "--"]
    launcher = subprocess.Popen(
        [*command, sys.executable, "-c", TELL],
        cwd=ROOT,
        env=without_servers(os.environ),
        stdin=subprocess.PIPE,
        stdout=subprocess.PIPE,
        text=True,
    )
    assert launcher.stdin is not None and launcher.stdout is not None
    try:
        line = next(line for line in launcher.stdout if line.startswith("{"))
        yield dict(json.loads(line))
    finally:
        launcher.stdin.close()
        launcher.wait(timeout=120)


@contextmanager
def process(command: list[str], env: dict[str, str], log: Path, fds: tuple[int, ...]) -> Iterator[None]:
    with log.open("wb") as out:
        started = subprocess.Popen(command, cwd=ROOT, env=env, pass_fds=fds, stdout=out, stderr=out)
        try:
            yield
        finally:
            started.send_signal(signal.SIGTERM)
            started.wait(timeout=120)


def wait_for_all(urls: list[str]) -> None:
    """Waits until every web server answers and workers of both kinds live."""
    until = time.monotonic() + 180
    for url in urls:
        while not is_ready(url):
            assert time.monotonic() < until, f"{url} never became ready."
            time.sleep(0.3)


def is_ready(url: str) -> bool:
    try:
        found = requests.get(f"{url}/api/health/", timeout=10).json()
    except requests.RequestException:
        return False
    return bool(found["broker"]) and all(found["workers"].values())
