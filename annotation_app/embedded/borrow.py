"""Commands of `manage.py` that only count in a database get a throw-away one where no server is running."""

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
    """To be asked after the environment of a running launcher was taken over."""
    return (
        arguments[1:2] in [[name] for name in COMMANDS] and not HELP & {*arguments} and "DATABASE_URL" not in os.environ
    )


def run_with_servers(arguments: Sequence[str]) -> int:
    """The exit status of the same command line, in a process of its own."""
    # Its own modules are started by name, from whatever folder this was called in.
    paths = [str(Path(__file__).resolve().parents[2]), os.environ.get("PYTHONPATH", "")]
    os.environ["PYTHONPATH"] = os.pathsep.join(filter(None, paths))
    print("No server is running: a throw-away database is started for this.", file=sys.stderr)
    try:
        return throwaway.run([sys.executable, *arguments], relaxed=True)
    except LaunchError as error:
        print(f"\n{error}", file=sys.stderr)
        return error.exit_status
