"""Where releases of tests lie."""

from pathlib import Path
from typing import Any

import pytest

from annotation_app.models import Project
from tests.conftest import People


@pytest.fixture(autouse=True)
def media(settings: Any, tmp_path: Path) -> Path:
    settings.MEDIA_ROOT = tmp_path / "media"
    settings.RUNS_DIR = tmp_path / "media" / "runs"
    return tmp_path / "media"


@pytest.fixture
def project(people: People) -> Project:
    return people.project
