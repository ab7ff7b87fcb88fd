"""Let `manage.py` in another terminal work on the servers that `make up` started."""

import json
import os
from collections.abc import Mapping
from pathlib import Path

from annotation_app.embedded.state import State, default_folder, write_private

FILE = "environment.json"
NAMES = ("DATABASE_URL", "DATABASE_OWNER_URL", "DATABASE_APP_ROLE", "REDIS_URL", "SECRET_KEY")


def offer(state: State, env: Mapping[str, str]) -> None:
    """Write the servers' part of the children's environment to a file that only this user can read."""
    kept = {name: value for name, value in env.items() if name in NAMES or name.startswith("QUORUM_")}
    write_private(state.folder / "secrets" / FILE, json.dumps(kept, indent=1))


def withdraw(state: State) -> None:
    """Delete that file, so that nobody adopts servers that have stopped."""
    (state.folder / "secrets" / FILE).unlink(missing_ok=True)


def adopt() -> None:
    """Adopt that environment where DATABASE_URL is not set. A variable that is already set keeps its value."""
    if "DATABASE_URL" in os.environ:
        return
    folder = Path(os.environ["QUORUM_STATE_DIR"]) if "QUORUM_STATE_DIR" in os.environ else default_folder()
    try:
        offered = json.loads((folder / "secrets" / FILE).read_text())
    except (FileNotFoundError, PermissionError):
        return
    for name, value in offered.items():
        os.environ.setdefault(name, value)
