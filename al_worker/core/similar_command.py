"""Answer `python -m al_worker.core similar ...` on a file of strings (docs/methods/interpretation.md)."""

import argparse
import json
from dataclasses import asdict
from pathlib import Path

from al_worker.core.answer import Answer, from_one, json_line
from al_worker.core.run.lifetime import die_with_parent
from al_worker.core.run.progress import Progress
from al_worker.formats.json_files import read_json_file
from al_worker.formats.models import MINILM
from al_worker.formats.run_directory import RunDirectoryError, write_atomic

HELP = "find the strings that are nearest to each other by an encoder's vectors; prints one JSON object"


def add_similar(commands: "argparse._SubParsersAction[argparse.ArgumentParser]") -> None:
    """Add the command `similar`."""
    command = commands.add_parser("similar", help=HELP, description=HELP)
    command.add_argument("strings", type=Path, metavar="STRINGS.json", help="a JSON list of texts")
    command.add_argument(
        "--encoder", default=MINILM, metavar="NAME", help=f"a folder or the name of a model ({MINILM})"
    )
    command.add_argument("--most", type=from_one, default=10, help="others of each string, at most (10)")
    command.add_argument("--out", type=Path, metavar="FILE", help="write the object there, and print progress instead")
    command.add_argument("--progress", choices=("text", "json"), default="text", help="form of the lines of progress")
    command.add_argument("--die-with-parent", action="store_true", help="end when the process that started this ends")
    command.set_defaults(answer=_similar)


def _similar(arguments: argparse.Namespace) -> Answer:
    if arguments.die_with_parent:
        die_with_parent()
    strings = read_json_file(arguments.strings, _refusal)
    if not isinstance(strings, list) or not all(isinstance(each, str) and each.strip() for each in strings):
        raise RunDirectoryError(str(arguments.strings), "must be a JSON list of texts, none of them empty")
    # This loads torch and transformers, which takes seconds.
    from al_worker.core.interpretation.similar import nearest_strings

    if arguments.out is None:
        return Answer([json_line(asdict(nearest_strings(strings, arguments.encoder, arguments.most)))])
    progress = Progress("similar", arguments.progress)
    found = nearest_strings(strings, arguments.encoder, arguments.most, progress.report)
    write_atomic(arguments.out, json.dumps(asdict(found)).encode())
    return Answer([])


def _refusal(file: str, place: str, message: str) -> RunDirectoryError:
    return RunDirectoryError(file, f"{place}: {message}" if place else message)
