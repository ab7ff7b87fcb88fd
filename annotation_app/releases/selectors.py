"""Read what an admin's page shows of releases: finished ones, open work, and a preview of the card."""

from collections.abc import Sequence
from dataclasses import dataclass
from typing import Literal, get_args

from django.db.models import Max, QuerySet

from annotation_app.assignment.selectors import batches_progress
from annotation_app.dashboards.open_disagreements import open_disagreements_total
from annotation_app.models import Batch, CodebookVersion, Project, Release
from annotation_app.releases.artifact_paths import root_name
from annotation_app.releases.card import About, File, card_with_head
from annotation_app.releases.counts import counts_of
from annotation_app.releases.data import lines_to_come
from annotation_app.releases.datasheet import datasheet_read, questions_open
from annotation_app.releases.folder import DOCUMENTS, NOTES
from annotation_app.releases.shape import RELEASED, Shape, released_codebooks, released_notes, shape_of
from annotation_app.releases.tables import codebook_path
from annotation_app.validation.review_state import state_counts

KINDS = {Batch.Kind.ROUND: "The batch of round", Batch.Kind.SECOND_LOOK: "The second look at batch"}
# Where a page has what is to be finished.
Where = Literal["rounds", "disagreements", "validation", "datasheet"]
WHERE: tuple[Where, ...] = get_args(Where)


@dataclass(frozen=True)
class Unfinished:
    """Hold a sentence about open work, and where it can be finished."""

    text: str
    where: Where


def releases_of(project: Project) -> QuerySet[Release]:
    """Return the releases, newest first, without what only one release's own page shows."""
    return project.releases.select_related("created_by", "project").defer("card", "files").order_by("-number")


def filename(release: Release) -> str:
    """Return the ZIP's name."""
    return f"{root_name(release)}.zip"


def unfinished(project: Project) -> list[Unfinished]:
    """Return the work that a release made now would leave open; none of it prevents one."""
    return [*open_batches(project), *undecided(project), *unvalidated(project), *unanswered(project)]


def open_batches(project: Project) -> list[Unfinished]:
    batches = list(project.batches.filter(kind__in=RELEASED).order_by("kind", "number"))
    progress = batches_progress(batches)
    return [
        Unfinished(
            f"{KINDS[Batch.Kind(batch.kind)]} {batch.number} is not complete: "
            f"{progress[batch.pk].done:,} of {progress[batch.pk].total:,} done.",
            "rounds",
        )
        for batch in batches
        if not progress[batch.pk].complete
    ]


def undecided(project: Project) -> list[Unfinished]:
    n = open_disagreements_total(project)
    have = "item has" if n == 1 else "items have"
    return [Unfinished(f"{n:,} {have} a stage without a majority or decision.", "disagreements")] if n else []


def unvalidated(project: Project) -> list[Unfinished]:
    n = state_counts(project, kinds=RELEASED)["open"]
    wait = "item of the rounds waits" if n == 1 else "items of the rounds wait"
    return [Unfinished(f"{n:,} {wait} to be validated.", "validation")] if n else []


def unanswered(project: Project) -> list[Unfinished]:
    n = questions_open(project)
    questions, are = ("question", "is") if n == 1 else ("questions", "are")
    words = f"{n} {questions} of the datasheet that only people can answer {are} open."
    return [Unfinished(words, "datasheet")] if n else []


def card_preview(project: Project) -> str:
    """Return the card of a release made now, without what only its files tell."""
    sheet, counts, versions = datasheet_read(project=project), counts_of(project), released_codebooks(project)
    shape = shape_of(project, versions)
    about = About(
        project_name=project.name,
        description=project.description,
        number=(project.releases.aggregate(last=Max("number"))["last"] or 0) + 1,
        notes="",
        content_hash=None,
        created_on=None,
        counts=counts,
        files=files_to_come(project, shape, versions) if counts["annotations"] else [],
    )
    return card_with_head(about=about, sheet=sheet, shape=shape)


def files_to_come(project: Project, shape: Shape, versions: Sequence[CodebookVersion]) -> list[File]:
    records = [File(path, lines) for path, lines in lines_to_come(project, shape).items()]
    codebooks = [codebook_path(version) for version in reversed(versions)]
    if released_notes(project).exists():
        codebooks.append(NOTES)
    return [*records, *map(File, [*codebooks, *DOCUMENTS])]
