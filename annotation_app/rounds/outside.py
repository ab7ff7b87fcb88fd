"""Read batches outside the rounds with their progress and their people."""

from collections.abc import Sequence
from dataclasses import dataclass

from annotation_app.assignment.selectors import BatchProgress, annotator_progress, batches_progress
from annotation_app.models import Batch, Membership, Project
from annotation_app.rounds.selectors import AnnotatorView


@dataclass(frozen=True)
class OutsideBatch:
    """Hold a batch outside the rounds with its progress."""

    row: Batch
    progress: BatchProgress
    annotators: list[AnnotatorView]


def outside_batches(rows: Sequence[Batch]) -> list[OutsideBatch]:
    """Return the batches in their order, in a constant number of queries."""
    progress, people = batches_progress(rows), annotator_progress(rows)
    members = Membership.objects.filter(pk__in={member for _, member in people}).select_related("user")
    ordered = list(members.order_by("number"))
    return [
        OutsideBatch(
            row,
            progress[row.pk],
            [
                AnnotatorView(member.uuid, member.user.shown_name, *people[row.pk, member.pk])
                for member in ordered
                if (row.pk, member.pk) in people
            ],
        )
        for row in rows
    ]


def chosen_batches(project: Project) -> list[OutsideBatch]:
    """Return the batches of chosen items that are not frozen yet, the newest first."""
    rows = project.batches.filter(kind=Batch.Kind.CHOSEN, frozen_at__isnull=True)
    return outside_batches(list(rows.order_by("-number")))
