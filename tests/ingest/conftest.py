"""Imports of small made-up files and of the shared real ones, through the product's own path."""

from collections.abc import Callable
from pathlib import Path
from typing import Any

import pytest

from annotation_app.ingest.options import ImportOptions
from annotation_app.ingest.services import import_from_path
from annotation_app.models import Import, Project
from tests.conftest import People
from tests.factories import make_beat

ImportText = Callable[..., Import]


@pytest.fixture
def project(people: People) -> Project:
    return people.project


@pytest.fixture
def import_bytes(project: Project, tmp_path: Path) -> ImportText:
    """Writes the bytes to a file of this name and imports it."""

    def run(data: bytes | str, name: str = "rows.jsonl", into: Project | None = None, **options: Any) -> Import:
        path = tmp_path / name
        path.write_bytes(data.encode() if isinstance(data, str) else data)
        return import_from_path(project=into or project, actor=None, path=path, options=ImportOptions(**options))

    return run


@pytest.fixture
def light_worker(db: None) -> None:
    make_beat("light")
