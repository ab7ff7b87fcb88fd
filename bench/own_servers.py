"""Run a measurement with servers of its own, which have the product's durability."""

import subprocess
import sys
from pathlib import Path
from typing import NoReturn

ROOT = Path(__file__).resolve().parent.parent


def run_inside(module: str) -> NoReturn:
    """Run `python -m bench.MODULE --inside` with this call's arguments and servers of its own, and exit as it does."""
    command = [sys.executable, "-m", "annotation_app.embedded", "run", "--"]
    command += [sys.executable, "-m", f"bench.{module}", "--inside", *sys.argv[1:]]
    raise SystemExit(subprocess.run(command, cwd=ROOT, check=False).returncode)
