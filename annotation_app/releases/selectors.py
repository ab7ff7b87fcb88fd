"""What an admin's page shows of releases: those there are, what is open, and the card as it would be now."""

from typing import Any

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

KINDS = {Batch.Kind.ROUND: "The batch of round", Batch.Kind.SECOND_LOOK: "The second look at batch"}


def releases_of(project: Project) -> QuerySet[Release]:
    """Newest first, without what only one release's own page shows."""
    return project.releases.select_related("created_by", "project").defer("card", "files").order_by("-number")


def filename(release: Release) -> str:
    """Of the ZIP."""
    return f"{root_name(release)}.zip"


def unfinished(project: Project) -> list[str]:
    """What a release made now would leave open, in sentences: nothing of it keeps one from being made."""
    return [*open_batches(project), *undecided(project), *unanswered(project)]


def open_batches(project: Project) -> list[str]:
    batches = list(project.batches.filter(kind__in=RELEASED).order_by("kind", "number"))
    progress = batches_progress(batches)
    return [
        f"{KINDS[Batch.Kind(batch.kind)]} {batch.number} is not complete: "
        f"{progress[batch.pk].done:,} of {progress[batch.pk].total:,} done."
        for batch in batches
        if not progress[batch.pk].complete
    ]


def undecided(project: Project) -> list[str]:
    items = to_decide(project)
    if not items:
        return []
    return [f"{items:,} {'item has' if items == 1 else 'items have'} a stage without a majority or decision."]


def unanswered(project: Project) -> list[str]:
    n = questions_open(project)
    if not n:
        return []
    questions, are = ("question", "is") if n == 1 else ("questions", "are")
    return [f"{n} {questions} of the datasheet that only people can answer {are} open."]


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
