"""The real inputs that lie beside the project."""

import os
from pathlib import Path

import pytest

SHARED = Path(__file__).resolve().parents[2] / "shared" / "data"


def shared_found(name: str) -> Path | None:
    """Gives a real input, or None where the clone lies alone. Under CI a missing one is a failure."""
    path = SHARED / name
    assert path.exists() or not os.environ.get("CI"), f"{path} is missing"
    return path if path.exists() else None


def shared_file(name: str) -> Path:
    """Gives a real input; skips the test, with the reason, where the clone lies alone."""
    path = shared_found(name)
    if path is None:
        pytest.skip(f"left out: the shared corpora are not beside this clone ({name})")
    return path
