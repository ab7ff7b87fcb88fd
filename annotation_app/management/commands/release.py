"""manage.py release PROJECT: makes a numbered release of the dataset, and unpacks it where it is asked to."""

from argparse import ArgumentParser
from pathlib import Path
from typing import Any
from uuid import UUID
from zipfile import ZipFile

from django.core.files.storage import default_storage
from django.core.management.base import BaseCommand, CommandError

from al_worker.formats.plurals import several
from annotation_app.management.commands.export_dataset import project_find
from annotation_app.management.paths import folder_make
from annotation_app.models import Project, Release
from annotation_app.refusals import Invalid, Refused
from annotation_app.releases.artifact_paths import root_name
from annotation_app.releases.counts import nothing_to_release
from annotation_app.releases.services import notes_fault, release_here


class Command(BaseCommand):
    help = "Makes a release of a project's dataset: a frozen, numbered folder with its card, in the storage as a ZIP."

    def add_arguments(self, parser: ArgumentParser) -> None:
        parser.add_argument("project", help="the project's id, or its name")
        parser.add_argument("--notes", default="", metavar="TEXT", help="what is to be said of this release")
        parser.add_argument(
            "--evaluation",
            type=int,
            action="append",
            default=[],
            metavar="NUMBER",
            help="an evaluation whose files go into it; may be given several times",
        )
        parser.add_argument(
            "--text-set",
            action="append",
            default=[],
            metavar="NAME",
            help="a text set that goes into it with its factoids; may be given several times",
        )
        parser.add_argument("--to", type=Path, metavar="FOLDER", help="unpack it in this folder, which is new or empty")

    def handle(self, *args: Any, **given: Any) -> None:
        project = project_find(given["project"])
        to: Path | None = given["to"]
        # A release that is made stays: whatever can be wrong with the call is looked for before.
        if fault := notes_fault(given["notes"]):
            raise CommandError(f"--notes: {fault}")
        text_sets = [text_set_find(project, name) for name in given["text_set"]]
        if not text_sets and (nothing := nothing_to_release(project)):
            raise CommandError(nothing)
        if to is not None:
            folder_make(to)
        try:
            release = release_here(
                project=project, notes=given["notes"], evaluations=given["evaluation"], text_sets=text_sets
            )
        except (Invalid, Refused) as error:
            raise CommandError(str(error)) from error
        except KeyboardInterrupt:
            raise CommandError("Stopped: no release was made.", returncode=130) from None
        if release.state != Release.State.DONE:
            raise CommandError(f"Release {release.number} was not made: {release.failure}")
        self.stdout.write(f"Release {release.number} of {project.name}: {held(release)}.")
        self.stdout.write(f"Content hash {release.content_hash}")
        self.stdout.write(f"Stored as {release.path}, {release.size:,} bytes, SHA-256 {release.sha256}")
        if to is not None:
            self.stdout.write(f"Unpacked in {unpack(release, to)}")


def held(release: Release) -> str:
    """Say how much a release holds."""
    items = f"{release.counts['items']:,} items"
    return f"{items}, {several(release.counts['text_sets'], 'text set')}" if release.text_sets else items


def text_set_find(project: Project, name: str) -> UUID:
    """Return the id of the project's text set of this name."""
    found = project.text_sets.filter(name=name).first()
    if found is None:
        raise CommandError(f"--text-set: {project.name} has no text set “{name}”: name one that it has.")
    return found.uuid


def unpack(release: Release, to: Path) -> Path:
    """Unpack the release's folder into `to`."""
    try:
        with default_storage.open(release.path) as file, ZipFile(file) as packed:
            packed.extractall(to)
    except OSError as error:
        made = f"Release {release.number} is made and stored as {release.path}"
        failed = f"but could not be unpacked in {to} ({error.strerror}): unpack it elsewhere."
        raise CommandError(f"{made}, {failed}") from error
    return to / root_name(release)
