"""Open a second look without discussion (factoid paper, Phase 2): people get their disagreeing items again.

The round's batch is frozen first, so that the independent answers (phase 1) stay. The new answers are a batch of their
own, which replaces the first answers where phase 2 is chosen.
"""

from collections.abc import Sequence
from dataclasses import dataclass

from django.db import transaction
from django.utils import timezone

from annotation_app.aggregation.disagreeing_items import disagreeing_counts, disagreeing_items
from annotation_app.assignment.selectors import BatchProgress, annotator_progress, batches_progress
from annotation_app.assignment.services import PRACTISED, second_batch_open
from annotation_app.codebook.definition import pinned_codebook
from annotation_app.models import Assignment, Batch, Membership, Project, Round, User, event_write
from annotation_app.projects.writable import writable_lock
from annotation_app.refusals import Refused
from annotation_app.rounds.selectors import AnnotatorView


@dataclass(frozen=True)
class LookView:
    """Hold a second look with its progress; `closed` once nothing of it can change."""

    row: Batch
    progress: BatchProgress
    annotators: list[AnnotatorView]
    closed: bool


@dataclass(frozen=True)
class LookPlace:
    """Hold a round's batch: its disagreeing items, its second look, or why none may be opened."""

    row: Round
    size: int
    n_differing: int
    look: LookView | None
    reason: tuple[str, str] | None


def second_looks(project: Project) -> list[LookPlace]:
    """Return the second looks by round, oldest first, in a constant number of queries."""
    rounds = list(project.rounds.filter(batch__isnull=False).select_related("batch__second_look").order_by("number"))
    batches = [row.batch for row in rounds]
    looks = [look for batch in batches if (look := look_of(batch))]
    progress = batches_progress([*batches, *looks])
    people = annotator_progress(looks)
    members = members_of(people)
    counts = disagreeing_counts(project, batches)
    return [
        LookPlace(
            row,
            progress[row.batch.pk].size,
            counts.get(row.batch.pk, 0),
            look_view(look, progress[look.pk], people, members) if look else None,
            look_refusal(row.batch, progress[row.batch.pk], counts.get(row.batch.pk, 0)),
        )
        for row in rounds
        for look in [look_of(row.batch)]
    ]


def look_of(batch: Batch) -> Batch | None:
    return getattr(batch, "second_look", None)


def members_of(people: dict[tuple[int, int], tuple[int, int]]) -> Sequence[Membership]:
    rows = Membership.objects.filter(pk__in={member for _, member in people})
    return list(rows.select_related("user").order_by("number"))


def look_view(
    look: Batch,
    progress: BatchProgress,
    people: dict[tuple[int, int], tuple[int, int]],
    members: Sequence[Membership],
) -> LookView:
    annotators = [
        AnnotatorView(member.uuid, member.user.shown_name, *people[look.pk, member.pk])
        for member in members
        if (look.pk, member.pk) in people
    ]
    return LookView(look, progress, annotators, look.frozen_at is not None)


def look_refusal(batch: Batch, progress: BatchProgress, n_differing: int) -> tuple[str, str] | None:
    """Return (code, reason) why no second look at the batch may be opened now."""
    if look_of(batch) is not None:
        return "second_look_exists", f"Batch {batch.number} has had its second look."
    if not progress.complete:
        done = f"{progress.done} of {progress.total} assignments are done"
        return "batch_open", f"Batch {batch.number} is not complete: {done}."
    if pinned_codebook(batch.codebook_id).parsed.span_layer is not None:
        return (
            "spans",
            "A second look compares labels of stages. This codebook also has spans, for which there is no second look.",
        )
    if not n_differing:
        return "nothing_differs", f"In batch {batch.number} nobody's answers differ."
    return None


@transaction.atomic
def second_look_open(*, row: Round, actor: User) -> Batch:
    """Freeze the round's batch and open the second look at it. Raises Refused."""
    writable_lock(row.project_id)
    batch = Batch.objects.select_related("second_look", "project").filter(round=row).first()
    if batch is None:
        raise Refused("wrong_state", f"Round {row.number} has no batch yet: wait until it is answered.")
    # Waits for the submits under way; what comes later finds the batch closed. A refusal takes this back.
    Batch.objects.filter(pk=batch.pk, frozen_at__isnull=True).update(frozen_at=timezone.now())
    differing = disagreeing_items(batch)
    if refusal := look_refusal(batch, batches_progress([batch])[batch.pk], len(differing)):
        raise Refused(*refusal)
    active = {member.number: member for member in row.project.memberships.filter(is_active=True)}
    seen, practised = seen_by(batch), practised_items(batch)
    items = [
        (item, [active[number] for number in raters if number in active and (item, number) not in seen])
        for item, raters in differing
        if item not in practised
    ]
    items = [(item, people) for item, people in items if people]
    if not items:
        raise Refused(
            "nobody_left",
            "No item is left: people were deactivated or have seen the others' answers, or a practice shows the key. "
            "Decide the items.",
        )
    return second_batch_open(first=batch, items=items, actor_id=actor.pk)


def seen_by(batch: Batch) -> set[tuple[int, int]]:
    """Return (item id, member's number) of people to whom others' answers were revealed; they get no second look."""
    rows = Assignment.objects.filter(batch_item__batch=batch, answers_revealed_at__isnull=False)
    return set(rows.values_list("batch_item__item", "annotator__number"))


def practised_items(batch: Batch) -> set[int]:
    """Return the items of the batch whose key an opened practice shows; who may see it gives no answer of their own."""
    return set(batch.batch_items.filter(item__in=PRACTISED).values_list("item", flat=True))


@transaction.atomic
def second_look_close(*, row: Round, actor: User) -> Batch:
    """End a second look, complete or not: who answered nothing keeps their first answer. Raises Refused."""
    Project.objects.select_for_update(no_key=True).get(pk=row.project_id)
    look = Batch.objects.filter(second_look_of__round=row).first()
    if look is None or look.frozen_at is not None:
        raise Refused("wrong_state", f"Round {row.number} has no second look that is open.")
    look.frozen_at = timezone.now()
    look.save(update_fields=["frozen_at"])
    event_write(verb="second_look_closed", project=row.project, actor_id=actor.pk, subject=look.uuid)
    return look
