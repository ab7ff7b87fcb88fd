"""Give commands of `manage.py` that only compute in a database a throw-away one where no server is running."""

import os
import sys
from collections.abc import Sequence
from pathlib import Path

from annotation_app.embedded import throwaway
from annotation_app.embedded.errors import LaunchError

# They read and write none of the product's tables.
COMMANDS = ("agreement",)
HELP = {"-h", "--help"}


def is_needed(arguments: Sequence[str]) -> bool:
    """Return whether the command needs a throw-away database.

    Call this after the environment of a running launcher was adopted.
    """
    return (
        arguments[1:2] in [[name] for name in COMMANDS] and not HELP & {*arguments} and "DATABASE_URL" not in os.environ
    )


def run_with_servers(arguments: Sequence[str]) -> int:
    """Run the same command line in a process of its own, with throw-away servers, and return its exit status."""
    # The launcher starts its own modules by name, from whatever folder this was called in.
    paths = [str(Path(__file__).resolve().parents[2]), os.environ.get("PYTHONPATH", "")]
    os.environ["PYTHONPATH"] = os.pathsep.join(filter(None, paths))
    print("No server is running: a throw-away database is started for this.", file=sys.stderr)
    try:
        return throwaway.run([sys.executable, *arguments], relaxed=True)
    except LaunchError as error:
        print(f"\n{error}", file=sys.stderr)
        return error.exit_status
