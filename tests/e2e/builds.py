"""A copy of the built front end."""

import shutil
from pathlib import Path

from tests.stack import ROOT

# Those would hold the names of before.
PACKED = shutil.ignore_patterns("*.gz", "*.br")


def build_copied(folder: Path) -> Path:
    """Return the folder of a copy, as one version of the front end."""
    dist = folder / "dist"
    shutil.copytree(ROOT / "frontend" / "dist", dist, ignore=PACKED)
    return dist
