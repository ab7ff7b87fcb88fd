"""manage.py export_dataset PROJECT KIND: the dataset as lines, the same as a download gives."""

import os
from argparse import ArgumentParser
from collections.abc import Iterable
from pathlib import Path
from typing import Any

from django.core.management.base import BaseCommand, CommandError

from annotation_app.aggregation.statements import PHASES
from annotation_app.export.kinds import (
    FORMATS,
    KINDS,
    OPTIONS,
    TABLES,
    formats_of,
    formats_words,
    ignored_option_text,
    takers_words,
)
from annotation_app.export.options import OF, REVISIONS, STYLES, ExportOptions
from annotation_app.export.stream import Export, export_open
from annotation_app.management.commands.import_corpus import is_uuid
from annotation_app.management.paths import file_check
from annotation_app.models import Project
from annotation_app.refusals import Invalid


class Command(BaseCommand):
    help = "Writes a project's dataset to a file or to standard output."

    def add_arguments(self, parser: ArgumentParser) -> None:
        parser.add_argument("project", help="the project's id, or its name")
        parser.add_argument("kind", choices=list(KINDS))
        parser.add_argument("--out", type=Path, metavar="FILE", help="only a whole export gets this name")
        parser.add_argument("--format", choices=FORMATS, help=f"the first of these, unless given: {formats_words()}")
        parser.add_argument("--bom", action="store_true", help="of csv: a mark by which Excel knows UTF-8")
        parser.add_argument("--names", action="store_true", help="user names in place of pseudonyms")
        # Without a default: what was not given is not refused.
        parser.add_argument("--revisions", choices=REVISIONS, help=f"of {takers_words('revisions')} (current)")
        parser.add_argument(
            "--phase", type=int, choices=PHASES, help=f"of {takers_words('phase')} (1); 2: after second looks"
        )
        parser.add_argument("--of", choices=OF, help=f"of {takers_words('of')}: whose (all)")
        parser.add_argument("--style", choices=STYLES, help=f"of {takers_words('style')}: of markers (spaces)")
        parser.add_argument(
            "--random-state", type=int, metavar="SEED", help=f"of {takers_words('random_state')}: of the split (0)"
        )

    def handle(self, *args: Any, **given: Any) -> None:
        chosen = {name: given[name] for name in OPTIONS if given[name] is not None}
        ignored_options_refuse(given["kind"], chosen)
        written_as = format_checked(given)
        project = project_find(given["project"])
        options = ExportOptions(project=project, names=given["names"], bom=given["bom"], **chosen)
        out: Path | None = given["out"]
        if out is not None:
            file_check(out)
        try:
            export = export_open(kind=given["kind"], options=options, written_as=written_as)
        except Invalid as error:
            raise CommandError(f"--{error}") from error
        if out is None and written_as in TABLES and not TABLES[written_as].is_text:
            export.close()
            raise CommandError(f"{TABLES[written_as].title} is no text: name a file with --out.")
        if out is None:
            for chunk in export:
                self.stdout.write(chunk.decode(), ending="")
        else:
            write(export, out)
            self.stderr.write(f"{export.total:,} lines in {out}.")


def format_checked(given: dict[str, Any]) -> str | None:
    written_as, known = given["format"], formats_of(given["kind"])
    if written_as is not None and written_as not in known:
        raise CommandError(f"--format: kind {given['kind']} is written as {' or '.join(known)}.")
    if given["bom"] and written_as != "csv":
        raise CommandError("--bom: only --format csv takes it.")
    return written_as


def ignored_options_refuse(kind: str, options: Iterable[str]) -> None:
    said = [
        f"--{name.replace('_', '-')}: {ignored_option_text(kind, name)}"
        for name in options
        if name not in KINDS[kind].takes
    ]
    if said:
        raise CommandError("\n".join(said))


def write(export: Export, out: Path) -> None:
    """Write under another name until the file is whole."""
    part = out.with_name(f"{out.name}.part")
    with part.open("wb") as file:
        file.writelines(export)
    os.replace(part, out)


def project_find(named: str) -> Project:
    found = list(Project.objects.filter(uuid=named) if is_uuid(named) else Project.objects.filter(name=named))
    if not found:
        raise CommandError(f"There is no project {named!r}: give its id or its exact name.")
    if len(found) > 1:
        listed = ", ".join(str(project.uuid) for project in found)
        raise CommandError(f"{len(found)} projects are called {named!r}: give the id, one of {listed}.")
    return found[0]
