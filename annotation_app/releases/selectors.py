"""What an admin's page shows of releases: those there are, what is open, and the card as it would be now."""

from dataclasses import dataclass
from typing import Any, Literal, get_args

from django.db.models import Max, QuerySet

from annotation_app.assignment.selectors import batches_progress
from annotation_app.dashboards.undecided import to_decide
from annotation_app.models import Batch, Project, Release
from annotation_app.releases.card import About, card_markdown
from annotation_app.releases.counts import counts_of
from annotation_app.releases.data import kinds_of
from annotation_app.releases.datasheet import datasheet_read, questions_open
from annotation_app.releases.head import card_head
from annotation_app.releases.places import root_name
from annotation_app.releases.shape import RELEASED, released_codebooks, shape_of
from annotation_app.validation.standing import state_counts

KINDS = {Batch.Kind.ROUND: "The batch of round", Batch.Kind.SECOND_LOOK: "The second look at batch"}
# Where a page has what is to be finished.
Where = Literal["rounds", "disagreements", "validation", "datasheet"]
WHERE: tuple[Where, ...] = get_args(Where)


@dataclass(frozen=True)
class Unfinished:
    """A sentence, and where it can be mended."""

    text: str
    where: Where


def releases_of(project: Project) -> QuerySet[Release]:
    """Newest first, without what only one release's own page shows."""
    return project.releases.select_related("created_by", "project").defer("card", "files").order_by("-number")


def filename(release: Release) -> str:
    """Of the ZIP."""
    return f"{root_name(release)}.zip"


def unfinished(project: Project) -> list[Unfinished]:
    """What a release made now would leave open: nothing of it keeps one from being made."""
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
    n = to_decide(project)
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
    """The card of a release made now, without what only its files tell."""
    sheet, counts = datasheet_read(project=project), counts_of(project)
    shape = shape_of(project, released_codebooks(project))
    about: dict[str, Any] = {
        "project_name": project.name,
        "description": project.description,
        "number": (project.releases.aggregate(last=Max("number"))["last"] or 0) + 1,
        "notes": "",
        "content_hash": None,
        "created_on": None,
        "counts": counts,
        "files": [],
    }
    kinds = kinds_of(shape) if counts["annotations"] else []
    head = card_head(name=project.name, sheet=sheet, shape=shape, kinds=kinds, items=counts["items"])
    return card_markdown(about=About(**about), sheet=sheet, head=head)
