"""A real gunicorn, as the launcher starts it, on the test database, and clients that speak to its socket."""

import contextlib
import json
import os
import socket
import subprocess
import time
from collections.abc import Iterator
from dataclasses import dataclass
from pathlib import Path
from typing import Any

from django.conf import settings
from django.db import connection
from django.test import Client

from annotation_app.config.web_worker import SPLITTER_LOADED
from annotation_app.embedded import web
from annotation_app.embedded.launcher import web_command
from annotation_app.models import User


@dataclass
class Answer:
    status: int
    headers: dict[str, str]
    body: bytes

    @property
    def detail(self) -> str:
        return str(json.loads(self.body)["detail"])


@dataclass
class Server:
    port: int
    media: Path
    process: "subprocess.Popen[bytes]"
    log: Path

    def files(self) -> list[Path]:
        return [path for path in self.media.rglob("*") if path.is_file()]

    def memory(self) -> int:
        """Return the resident bytes of the server's processes, once each has loaded the splitter."""
        until = time.monotonic() + 120
        while self.log.read_text().count(SPLITTER_LOADED) < len(children(self.process.pid)):
            assert time.monotonic() < until, "The splitter was not loaded."
            time.sleep(0.05)
        pids = [self.process.pid, *children(self.process.pid)]
        return sum(int(Path(f"/proc/{pid}/statm").read_text().split()[1]) * 4096 for pid in pids)

    def connect(self) -> socket.socket:
        return socket.create_connection(("127.0.0.1", self.port), timeout=90)


def children(pid: int) -> list[int]:
    return [int(child) for child in Path(f"/proc/{pid}/task/{pid}/children").read_text().split()]


@contextlib.contextmanager
def web_server(media: Path, **env: str) -> Iterator[Server]:
    """Runs the web server until the body ends."""
    database = settings.DATABASES["default"]
    name = connection.settings_dict["NAME"]
    url = f"postgres://{database['USER']}:{database['PASSWORD']}@{database['HOST']}:{database['PORT']}/{name}"
    log = media.parent / "web.log"
    with web.claim("127.0.0.1", 0) as listener:
        port = listener.getsockname()[1]
        process = subprocess.Popen(
            web_command(listener),
            env={**os.environ, "DATABASE_URL": url, "QUORUM_MEDIA_DIR": str(media), "TMPDIR": str(media), **env},
            pass_fds=[listener.fileno()],
            stderr=log.open("wb"),
        )
        try:
            until = time.monotonic() + 60
            while not web.is_healthy(listener):
                assert time.monotonic() < until and process.poll() is None, "The web server did not start."
                time.sleep(0.05)
            yield Server(port, media, process, log)
        finally:
            process.terminate()
            process.wait(timeout=20)


def session_headers(user: User) -> dict[str, str]:
    """Return the headers of a signed-in browser."""
    client = Client()
    client.force_login(user)
    session = client.cookies[settings.SESSION_COOKIE_NAME].value
    token = "a" * 32
    cookies = f"{settings.SESSION_COOKIE_NAME}={session}; {settings.CSRF_COOKIE_NAME}={token}"
    return {"Cookie": cookies, "X-CSRFToken": token}


def head(method: str, path: str, headers: dict[str, Any]) -> bytes:
    lines = [f"{method} {path} HTTP/1.1", "Host: localhost", *(f"{name}: {value}" for name, value in headers.items())]
    return "\r\n".join([*lines, "", ""]).encode()


def answer_read(sock: socket.socket) -> Answer:
    """Reads one answer to its end. Raises AssertionError where the connection ends before it."""
    file = sock.makefile("rb")
    first = file.readline()
    assert first, "The connection ended without an answer."
    headers = {}
    while (line := file.readline().strip()) != b"":
        name, _, value = line.decode().partition(":")
        headers[name.lower()] = value.strip()
    length = int(headers.get("content-length", 0))
    return Answer(int(first.split()[1]), headers, file.read(length))
