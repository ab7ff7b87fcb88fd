"""Run the launcher, which starts before Django and needs only the standard library.

python -m annotation_app.embedded up  [--port N] [--no-demo] [--state-dir FOLDER]
python -m annotation_app.embedded run [--relaxed] [--state-dir FOLDER] -- COMMAND...
"""

import argparse
import sys
from collections.abc import Sequence
from pathlib import Path

from annotation_app.embedded.errors import LaunchError


def main(arguments: Sequence[str]) -> int:
    """Run the command that the arguments name and return its exit status. A LaunchError is printed, not raised."""
    options = parse(arguments)
    try:
        return up(options) if options.action == "up" else run(options)
    except LaunchError as error:
        print(f"\n{error}", file=sys.stderr)
        return error.exit_status


def parse(arguments: Sequence[str]) -> argparse.Namespace:
    parser = argparse.ArgumentParser(prog="python -m annotation_app.embedded")
    actions = parser.add_subparsers(dest="action", required=True)
    start = actions.add_parser("up", help="start everything and keep it running until Ctrl-C")
    start.add_argument("--port", type=int, help="the web server's port (default: PORT, else 8000 or the next free one)")
    start.add_argument("--no-demo", action="store_true", help="do not make the demo project")
    start.add_argument("--state-dir", type=Path, help="where data, secrets and logs lie")
    start.add_argument("--parent", type=int, help="stop when this process, which must be the parent, ends")
    around = actions.add_parser("run", help="run one command with throw-away servers")
    around.add_argument("--relaxed", action="store_true", help="no fsync: for unit tests, never where a kill is tested")
    around.add_argument("--state-dir", type=Path, help="use the servers of this state folder, and keep it")
    around.add_argument("command", nargs="+")
    options = parser.parse_args(arguments)
    if options.action == "run" and options.relaxed and options.state_dir:
        parser.error("--relaxed is for throw-away servers: it could lose data of a state that is kept")
    return options


def up(options: argparse.Namespace) -> int:
    from annotation_app.embedded.launcher import Options, launch

    state = options.state_dir.resolve() if options.state_dir else None
    return launch(Options(port=options.port, demo=not options.no_demo, state_folder=state, parent=options.parent))


def run(options: argparse.Namespace) -> int:
    from annotation_app.embedded.throwaway import run as run_command

    state = options.state_dir.resolve() if options.state_dir else None
    return run_command(options.command, relaxed=options.relaxed, state_folder=state)


if __name__ == "__main__":
    sys.exit(main(sys.argv[1:]))
