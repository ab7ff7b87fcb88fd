"""A bucket of a real S3 server."""

from collections.abc import Iterator
from typing import Any

import pytest

from tests.s3 import bucket_make, bucket_use, s3_server


@pytest.fixture(scope="session")
def server() -> Iterator[str]:
    with s3_server() as url:
        yield url


@pytest.fixture
def bucket(server: str, settings: Any, tmp_path: Any) -> dict[str, str]:
    """A new bucket, in which this test keeps its files. What it leaves in folders of its own is no file of anybody."""
    s3 = bucket_make(server)
    bucket_use(settings, s3)
    settings.MEDIA_ROOT, settings.RUNS_DIR = tmp_path / "media", tmp_path / "runs"
    return s3
