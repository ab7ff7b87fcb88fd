"""The real inputs that lie beside the project."""

import os
from pathlib import Path

import pytest

SHARED = Path(__file__).resolve().parents[2] / "shared" / "data"


def shared_file(name: str) -> Path:
    """Real input, a file or a folder. Under CI a missing one is a failure, not a skip."""
    path = SHARED / name
    if not path.exists() and not os.environ.get("CI"):
        pytest.skip(f"{path} is not here")
    assert path.exists(), f"{path} is missing"
    return path
