"""manage.py import_corpus PROJECT PATH: imports a file or folder in place and prints the report."""

import time
from argparse import ArgumentParser
from pathlib import Path
from typing import Any
from uuid import UUID

from django.core.management.base import BaseCommand, CommandError

from annotation_app.ingest.options import BLANK, FORMATS, UNITS, ImportOptions, OptionError
from annotation_app.ingest.selectors import report_of
from annotation_app.ingest.services import import_from_path
from annotation_app.models import Import, Project, User
from annotation_app.projects.services import ProjectError, project_create
from annotation_app.pulse import Told

PROGRESS_SECONDS = 2.0


class Command(BaseCommand):
    help = (
        "Imports a ConvoKit corpus (folder or zip), a JSONL or a CSV file (also .gz), all of it or nothing. "
        "Bad lines are listed with their numbers, and the exit code is then 1."
    )

    def add_arguments(self, parser: ArgumentParser) -> None:
        parser.add_argument("project", help="the project's id, or its name")
        parser.add_argument("path", type=Path)
        parser.add_argument("--format", choices=FORMATS, default="auto")
        parser.add_argument("--unit", choices=UNITS, default="sentence", help="what an item is")
        parser.add_argument(
            "--rows", choices=UNITS, help="what each row of the file is; the same as the unit if left out"
        )
        parser.add_argument("--min-tokens", type=int, help="rows with fewer whitespace tokens leave the pool")
        parser.add_argument("--max-tokens", type=int, help="rows with more leave the pool")
        parser.add_argument("--splitter", default=BLANK, help="an installed spaCy pipeline, or blank")
        parser.add_argument("--skip-bad-lines", action="store_true")
        parser.add_argument("--create", action="store_true", help="make the project if there is none of this name")
        parser.add_argument("--owner", metavar="USERNAME", help="the new project's admin")

    def handle(self, *args: Any, **given: Any) -> None:
        path: Path = given["path"]
        if not path.exists():
            raise CommandError(f"{path} does not exist.")
        names = ("format", "unit", "rows", "min_tokens", "max_tokens", "splitter", "skip_bad_lines")
        try:
            options = ImportOptions(**{name: given[name] for name in names})
            project = project_find(given["project"], create=given["create"], owner=given["owner"])
            imported = import_from_path(
                project=project, actor=None, path=path.resolve(), options=options, told=self.teller()
            )
        except (OptionError, ProjectError) as error:
            raise CommandError(str(error)) from error
        except KeyboardInterrupt:
            raise CommandError("Stopped: nothing was imported.", returncode=130) from None
        self.show(imported)

    def teller(self) -> Told:
        """Prints each new step, and within a step every two seconds."""
        last: tuple[str, float] = ("", 0.0)

        def told(step: str, fraction: float, rows: int) -> None:
            nonlocal last
            now = time.monotonic()
            if step != last[0] or now - last[1] >= PROGRESS_SECONDS:
                last = (step, now)
                self.stdout.write(f"  {fraction:4.0%}  {step}, {rows:,} rows")
                self.stdout.flush()

        return told

    def show(self, imported: Import) -> None:
        report = report_of(imported)
        if report["errors"]:
            self.stderr.write("\n".join(error_lines(report)))
        if imported.state != Import.State.DONE:
            raise CommandError(f"Nothing was imported: {report['n_errors']:,} errors. (Import {imported.uuid})")
        self.stdout.write("\n".join(report_lines(imported)))


def project_find(named: str, *, create: bool, owner: str | None) -> Project:
    found = list(Project.objects.filter(uuid=UUID(named)) if is_uuid(named) else Project.objects.filter(name=named))
    if len(found) > 1:
        listed = ", ".join(str(project.uuid) for project in found)
        raise CommandError(f"{len(found)} projects are called {named!r}: give the id, one of {listed}.")
    if found:
        return found[0]
    if not create:
        raise CommandError(f"There is no project {named!r}: make it, or add --create --owner USERNAME.")
    person = User.objects.filter(username=owner).first()
    if person is None:
        raise CommandError(f"--create needs --owner with the user name of a person; {owner!r} is none.")
    return project_create(owner=person, name=named)


def is_uuid(text: str) -> bool:
    try:
        UUID(text)
    except ValueError:
        return False
    return True


def error_lines(report: dict[str, Any]) -> list[str]:
    lines = [": ".join(filter(None, (place(error), error["field"], error["message"]))) for error in report["errors"]]
    more = report["n_errors"] - len(lines)
    return [*lines, f"... and {more:,} more."] if more > 0 else lines


def place(error: dict[str, Any]) -> str:
    return error["file"] if error["line"] is None else f"{error['file']}:{error['line']}"


def report_lines(imported: Import) -> list[str]:
    report = report_of(imported)
    short, long = report["left_out"]["too_short"], report["left_out"]["too_long"]
    turns = report["left_out_utterances"]
    splitter, limits = report["splitter"], report["limits"]
    lines = [
        f"{report['documents']:,} documents, {report['utterances']:,} utterances, {report['items']:,} items.",
        f"{report['kept']:,} in the pool, {short + long:,} left out: {short:,} from {turns['too_short']:,} utterances "
        f"that are too short, {long:,} from {turns['too_long']:,} that are too long.",
        f"{limits['min_tokens']} to {limits['max_tokens']:,} tokens stay." if limits else "Not filtered by length.",
        f"Split by {splitter['name']} {splitter['version']} (spaCy {splitter['spacy']})." if splitter else "Not split.",
    ]
    if report["sources"] or report["marks"]:
        lines.append(
            f"{report['sources']:,} source documents; {report['marks']:,} marks on {report['marked_items']:,} items."
        )
    if report["skipped_lines"]:
        lines.append(f"{report['skipped_lines']:,} bad lines were skipped.")
    return [*lines, f"{report['seconds']} seconds. Import {imported.uuid} ({imported.format})."]
