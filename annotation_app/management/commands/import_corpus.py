"""manage.py import_corpus PROJECT PATH: imports a file or folder in place and prints the report."""

import time
from argparse import ArgumentParser
from collections.abc import Sequence
from dataclasses import fields
from pathlib import Path
from typing import Any
from uuid import UUID

from django.core.management.base import BaseCommand, CommandError

from annotation_app.ingest.encodings import AUTO
from annotation_app.ingest.mapping import FIELDS
from annotation_app.ingest.options import BLANK, DELIMITER_NAMES, FORMATS, UNITS, ImportOptions
from annotation_app.ingest.order import order_notes
from annotation_app.ingest.preview import import_preview
from annotation_app.ingest.selectors import report_of
from annotation_app.ingest.services import import_from_path
from annotation_app.ingest.source import source_opened
from annotation_app.lease_renewal import ProgressCallback
from annotation_app.models import Import, Project, User
from annotation_app.projects.services import project_create
from annotation_app.projects.writable import ProjectArchived
from annotation_app.refusals import Invalid

PROGRESS_SECONDS = 2.0


class Command(BaseCommand):
    help = (
        "Imports JSONL, JSON, CSV (also .gz), an Excel workbook, Parquet, or a folder or zip archive of a ConvoKit "
        "corpus, a Hugging Face dataset or .txt files: all of it or nothing. "
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
        parser.add_argument("--min-tokens", type=int, help="rows with fewer words leave the pool")
        parser.add_argument("--max-tokens", type=int, help="rows with more leave the pool")
        parser.add_argument(
            "--splitter",
            default=BLANK,
            help="blank, blank:de for another language, sentencizer, or an installed spaCy pipeline",
        )
        parser.add_argument("--skip-bad-lines", action="store_true")
        parser.add_argument("--encoding", default=AUTO, help="such as utf-8 or cp1252; told by the file if left out")
        parser.add_argument("--delimiter", choices=DELIMITER_NAMES, default=AUTO, help="told by the file if left out")
        parser.add_argument("--sheet", default="", help="of a workbook; the first one that is shown if left out")
        parser.add_argument("--number-rows", action="store_true", help="rows without an id get FILE-1, FILE-2, ...")
        parser.add_argument(
            "--category",
            action="append",
            default=[],
            metavar="LABEL=KEY",
            help="make a label of the file's spans a category of the codebook, as in PER=person; LABEL= leaves its "
            "spans out. Labels with the key, marker or name of a category need none",
        )
        parser.add_argument(
            "--column",
            action="append",
            default=[],
            metavar="FIELD=NAME",
            help=f"read a field from the column of this name, as in text=Sentence; FIELD= reads it from none. Fields: "
            f"{', '.join(FIELDS)}. The others are told by the file: by their own name, or a usual one",
        )
        parser.add_argument("--skip-existing", action="store_true", help="leave out rows whose ids the project has")
        parser.add_argument("--dry-run", action="store_true", help="say what would come in, and store nothing")
        parser.add_argument("--create", action="store_true", help="make the project if there is none of this name")
        parser.add_argument("--owner", metavar="USERNAME", help="the new project's admin")

    def handle(self, *args: Any, **given: Any) -> None:
        path: Path = given["path"]
        if not path.exists():
            raise CommandError(f"{path} does not exist.")
        try:
            given["columns"] = pairs_given(given["column"], "columns", "--column text=Sentence")
            given["categories"] = pairs_given(given["category"], "categories", "--category PER=person")
            options = ImportOptions(**{field.name: given[field.name] for field in fields(ImportOptions)})
            if given["dry_run"]:
                self.dry_run(project_find(given["project"], create=False, owner=None), path.resolve(), options)
                return
            project = project_find(given["project"], create=given["create"], owner=given["owner"])
            imported = import_from_path(
                project=project, actor=None, path=path.resolve(), options=options, on_progress=self.teller()
            )
        except (Invalid, ProjectArchived) as error:
            raise CommandError(str(error)) from error
        except KeyboardInterrupt:
            raise CommandError("Stopped: nothing was imported.", returncode=130) from None
        self.show(imported)

    def dry_run(self, project: Project, path: Path, options: ImportOptions) -> None:
        with source_opened(name=path.name, path=path, manner=options.manner) as source:
            preview = import_preview(project=project, source=source, options=options)
        if preview.report["errors"]:
            self.stderr.write("\n".join(error_lines(preview.report)))
        if not preview.imports:
            raise CommandError(f"Nothing would be imported: {preview.report['n_errors']:,} errors.")
        columns = ", ".join(f"{column['name']} ({column['becomes']})" for column in preview.columns)
        lines = [*read_lines(preview.report), f"Columns: {columns}."]
        self.stdout.write(
            "\n".join([*lines, f"A dry run of {preview.filename} ({preview.format}): nothing was stored."])
        )

    def teller(self) -> ProgressCallback:
        """Print each new step, and within a step every two seconds."""
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
    person = User.objects.named(owner or "").first()
    if person is None:
        raise CommandError(f"--create needs --owner with the user name of a person; {owner!r} is none.")
    return project_create(owner=person, name=named)


def is_uuid(text: str) -> bool:
    try:
        UUID(text)
    except ValueError:
        return False
    return True


def pairs_given(pairs: Sequence[str], option: str, example: str) -> dict[str, str]:
    """Read `NAME=VALUE`s of an option. Raises Invalid."""
    found: dict[str, str] = {}
    for pair in pairs:
        name, sign, value = pair.partition("=")
        if not sign or name.strip() in found:
            told = "was chosen twice" if sign else "has no ="
            raise Invalid({option: [f"{pair!r} {told}: give each name once, as in {example}."]})
        found[name.strip()] = value.strip()
    return found


def error_lines(report: dict[str, Any]) -> list[str]:
    lines = [": ".join(filter(None, (place(error), error["field"], error["message"]))) for error in report["errors"]]
    more = report["n_errors"] - len(lines)
    return [*lines, f"... and {more:,} more."] if more > 0 else lines


def place(error: dict[str, Any]) -> str:
    return error["file"] if error["line"] is None else f"{error['file']}:{error['line']}"


def report_lines(imported: Import) -> list[str]:
    report = report_of(imported)
    return [
        *read_lines(report),
        f"{report['seconds']} seconds. Import {imported.uuid} ({imported.format}).",
    ]


def read_lines(report: dict[str, Any]) -> list[str]:
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
    lines += order_notes(report["order"])
    if report["sources"] or report["marks"]:
        lines.append(
            f"{report['sources']:,} source documents; {report['marks']:,} marks on {report['marked_items']:,} items."
        )
    encoding = report["encoding"]
    if encoding and encoding["how"] == "guessed":
        lines.append(f"Read as {encoding['name']}, which is a guess: --encoding says another.")
    lines += [use_words(use) for use in report["mapping"] if use["how"] != "named"]
    if report["existing"]:
        lines.append(f"{report['existing']:,} rows were passed over: the project has their ids already.")
    if report["skipped_lines"]:
        lines.append(f"{report['skipped_lines']:,} bad lines were skipped.")
    return lines


def use_words(use: dict[str, str]) -> str:
    guess = f", which is a guess: --column {use['field']}=NAME says another" if use["how"] == "guessed" else ""
    return f"{use['field']} was read from the column {use['column']!r}{guess}."
