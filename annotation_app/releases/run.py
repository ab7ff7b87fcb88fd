"""Make one release, from the rows to the ZIP in the storage: all of it, or nothing and a reason."""

import shutil
from collections.abc import Sequence
from dataclasses import dataclass
from typing import Any

from django.conf import settings
from django.core.files.storage import default_storage
from django.db import transaction

from annotation_app.agreement.selectors import agreement_table
from annotation_app.agreement.statements import SCOPES
from annotation_app.export.snapshot import Snapshot
from annotation_app.export.stream import ExportIncomplete
from annotation_app.lease_renewal import LeaseRenewal, ProgressCallback
from annotation_app.leased_jobs import LeasedJob
from annotation_app.models import EvaluationFile, Lease, LeaseLost, Release, event_write
from annotation_app.releases.artifact_paths import (
    artifact_store,
    attempt_remove,
    earlier_attempts_remove,
    root_name,
    scratch_folder,
)
from annotation_app.releases.card import About, File, card_with_head
from annotation_app.releases.counts import counts_of
from annotation_app.releases.data import data_write
from annotation_app.releases.datasheet import Datasheet, datasheet_read
from annotation_app.releases.errors import ReleaseFailed
from annotation_app.releases.folder import ABOUT, CARD, NOTES, SUMS, Folder, Written, folder_zip, listed
from annotation_app.releases.released_sets import ReleasedSet, text_sets_write
from annotation_app.releases.shape import Shape, released_codebooks, released_notes, shape_of
from annotation_app.releases.snapshot import release_snapshot
from annotation_app.releases.tables import (
    agreement_file,
    codebook_file,
    codebook_path,
    datasheet_file,
    document,
    notes_file,
    rounds_file,
)

# Fields that hold only dates, by path of the file.
Dates = dict[str, list[str]]

FORMAT = "quorum-release/1"
# Left out of the content hash: the card quotes it, and both files name the release's number and time.
UNHASHED = (CARD, ABOUT)
# Where each step begins on the progress bar, from 0 to 1.
STEPS = {"counting": 0.0, "data": 0.05, "agreement": 0.7, "card": 0.85, "packing": 0.9, "storing": 0.97}


@dataclass(frozen=True)
class ReleasedFiles:
    """Hold what the row keeps of a folder."""

    files: list[Written]
    counts: dict[str, int]
    content_hash: str
    card: str


class ReleaseRun(LeasedJob):
    """Hold one attempt at a release."""

    model = Release
    reasons = (ReleaseFailed, ExportIncomplete)

    def __init__(self, row: Release, lease: Lease, on_progress: ProgressCallback | None = None) -> None:
        super().__init__(row, lease)
        self.renewal = LeaseRenewal(lease, on_progress)

    def execute(self) -> None:
        """Make the release. Raises LeaseLost after removing the files of the attempt."""
        earlier_attempts_remove(self.row, self.lease)
        try:
            with self.renewal:
                self.make()
        except LeaseLost:
            attempt_remove(self.row, self.lease.attempt)
            raise

    def show(self, step: str, share: float = 0.0) -> None:
        """Report that `share` of the step is done. Raises LeaseLost once another worker has the release."""
        starts = [*STEPS.values(), 1.0]
        at = list(STEPS).index(step)
        self.renewal.show(step, starts[at] + share * (starts[at + 1] - starts[at]), 0)

    def make(self) -> None:
        place = scratch_folder(self.row, self.lease.attempt)
        folder = Folder(place / "folder")
        self.show("counting")
        # Warm the agreement cache first. Nothing can be cached inside the read-only snapshot, so this keeps it short.
        for scope in SCOPES:
            agreement_table(project=self.row.project, scope=scope)
        with release_snapshot(self.row.project) as snapshot:
            made = self.write(folder, snapshot)
        self.show("packing")
        packed = place / "release.zip"
        folder_zip(folder, packed, root=root_name(self.row))
        self.show("storing")
        stored = artifact_store(self.row, self.lease.attempt, packed)
        shutil.rmtree(place)
        self.close(
            Release.State.DONE,
            {"content_hash": made.content_hash},
            content_hash=made.content_hash,
            files=listed(made.files),
            counts=made.counts,
            card=made.card,
            path=stored.path,
            size=stored.size,
            sha256=stored.sha256,
            progress={"step": "done", "fraction": 1.0},
        )

    def write(self, folder: Folder, snapshot: Snapshot) -> ReleasedFiles:
        """Write every file from the snapshot."""
        project = self.row.project
        versions, counts = released_codebooks(project), counts_of(project)
        shape, sheet = shape_of(project, versions), datasheet_read(project=project)
        dates = data_write(
            folder=folder, snapshot=snapshot, project=project, shape=shape, show=lambda share: self.show("data", share)
        )
        for version in sorted(versions, key=lambda version: version.version):
            folder.write(codebook_path(version), [codebook_file(version)])
        if notes := list(released_notes(project)):
            folder.write(NOTES, [notes_file(notes)])
        folder.write("rounds.json", rounds_file(project))
        evaluations_write(folder, self.row)
        text_sets = list(text_sets_write(folder, self.row))
        if text_sets:
            counts |= {"text_sets": len(text_sets), "factoids": sum(each.n_factoids for each in text_sets)}
        for each in text_sets:
            dates |= each.dates
        self.show("agreement")
        folder.write("agreement.json", agreement_file(project, has_spans=shape.has_spans))
        folder.write("datasheet.json", [datasheet_file(sheet)])
        self.show("card")
        content_hash = folder.sums(UNHASHED).sha256
        card = card_of(self.row, folder, counts, shape, sheet, content_hash, dates, text_sets)
        folder.write(CARD, [card.encode()])
        folder.write(ABOUT, [document(about(self.row, folder.files, counts, content_hash, dates, text_sets))])
        return ReleasedFiles(list(folder.files), counts, content_hash, card)

    def fail(self, reason: str) -> None:
        """Mark the release as failed, and remove its files; it keeps its number. Raises LeaseLost."""
        earlier_attempts_remove(self.row, self.lease)
        attempt_remove(self.row, self.lease.attempt)
        self.close(Release.State.FAILED, {"reason": reason}, failure=reason)

    @transaction.atomic
    def close(self, state: str, event: dict[str, Any], **changes: Any) -> None:
        """Mark the release as done or failed. Once done, the database refuses any change. Raises LeaseLost."""
        row = self.lease.end(state, **changes)
        event_write(
            verb="release_done" if state == Release.State.DONE else "release_failed",
            project=row.project,
            actor_id=row.created_by_id,
            subject=row.uuid,
            number=row.number,
            **event,
        )


def evaluations_write(folder: Folder, release: Release) -> None:
    """Write the files of the evaluations that were chosen, each evaluation's in a folder of its own."""
    chosen = EvaluationFile.objects.filter(
        evaluation__project=release.project_id, evaluation__number__in=release.evaluations
    )
    for file in chosen.select_related("evaluation").order_by("evaluation__number", "name"):
        with default_storage.open(file.path) as source:
            folder.write(f"evaluation-{file.evaluation.number}/{file.name}", source.chunks())


def card_of(
    release: Release,
    folder: Folder,
    counts: dict[str, int],
    shape: Shape,
    sheet: Datasheet,
    content_hash: str,
    dates: Dates,
    text_sets: Sequence[ReleasedSet],
) -> str:
    about = About(
        project_name=release.project.name,
        description=release.project.description,
        number=release.number,
        notes=release.notes,
        content_hash=content_hash,
        created_on=release.created_at.date(),
        counts=counts,
        files=[*(File(file.path, file.lines) for file in folder.files), File(CARD), File(ABOUT)],
        notices=[dates_notice(path, fields) for path, fields in dates.items()],
        text_sets=text_sets,
    )
    return card_with_head(about=about, sheet=sheet, shape=shape)


def dates_notice(path: str, fields: list[str]) -> str:
    """Warn that `load_dataset` turns text dates into times, whatever type the card's head names."""
    named = ", ".join(f"`{field}`" for field in fields)
    return (
        f"In `{path}` nothing but dates stands in {named}: `datasets` reads them as times and gives back, say, "
        "`1993-07-07 00:00:00` for `1993-07-07`. Python's `json` reads the file as it is."
    )


def about(
    release: Release,
    files: list[Written],
    counts: dict[str, int],
    content_hash: str,
    dates: Dates,
    text_sets: Sequence[ReleasedSet],
) -> dict[str, Any]:
    return {
        "format": FORMAT,
        "project": release.project.name,
        "number": release.number,
        "created_at": release.created_at.isoformat(),
        "notes": release.notes,
        **({"evaluations": release.evaluations} if release.evaluations else {}),
        **({"text_sets": [{"name": each.name, "folder": each.folder} for each in text_sets]} if text_sets else {}),
        "content_hash": content_hash,
        "content_hash_is": f"the SHA-256 of {SUMS}",
        "counts": counts,
        "software": {"name": "Quorum", "version": settings.VERSION},
        "only_dates": dates,
        "files": listed(files),
    }
