"""A real S3 server in a process of its own, in which tests keep files."""

import subprocess
import sys
import time
import uuid
from collections.abc import Iterator
from contextlib import contextmanager
from typing import Any
from urllib.error import URLError
from urllib.request import Request, urlopen

from tests.language_model import free_port

REGION = "us-east-1"


@contextmanager
def s3_server() -> Iterator[str]:
    """Yields the address of a server that holds nothing yet."""
    port = free_port()
    command = [sys.executable, "-m", "moto.server", "-H", "127.0.0.1", "-p", str(port)]
    process = subprocess.Popen(command, stdout=subprocess.DEVNULL, stderr=subprocess.DEVNULL)
    try:
        until = time.monotonic() + 60
        while not answers(f"http://127.0.0.1:{port}/"):
            assert time.monotonic() < until and process.poll() is None, "The S3 server did not start."
            time.sleep(0.1)
        yield f"http://127.0.0.1:{port}"
    finally:
        process.terminate()
        process.wait(timeout=30)


def answers(url: str) -> bool:
    try:
        with urlopen(url, timeout=5):
            return True
    except URLError:
        return False


def bucket_make(server: str) -> dict[str, str]:
    """Makes a new bucket, and returns what QUORUM_S3_... says of it, in lower case."""
    name = f"quorum-{uuid.uuid4()}"
    with urlopen(Request(f"{server}/{name}", method="PUT"), timeout=30):
        pass
    return {
        "name": name,
        "endpoint": server,
        "region": REGION,
        "prefix": "labels",
        "access_key": "tests",
        "secret_key": "only-of-tests",
    }


def bucket_env(s3: dict[str, str]) -> dict[str, str]:
    """Returns the environment that names the bucket."""
    named = {"bucket" if name == "name" else name: value for name, value in s3.items()}
    return {f"QUORUM_S3_{name.upper()}": value for name, value in named.items()}


def bucket_use(settings: Any, s3: dict[str, str]) -> None:
    """Keeps the files of this test in the bucket."""
    from annotation_app.config.files import storage_of

    settings.S3 = s3
    settings.STORAGES = {"default": storage_of(s3)}
