"""Read what an admin's page shows of rounds."""

from dataclasses import dataclass
from datetime import datetime
from typing import Any
from uuid import UUID

from django.db.models import Exists, F, Func, IntegerField, OuterRef
from django.utils import timezone

from al_worker.formats.strategies import STRATEGIES, strategy_describe
from annotation_app.assignment.selectors import BatchProgress, annotator_progress, batches_progress
from annotation_app.models import (
    Adjudication,
    Batch,
    Capability,
    Project,
    Round,
    WorkerBeat,
    usual_raters,
)
from annotation_app.projects.services import published_codebook

# The steps as people see them; the state of the row is the one that runs now.
STEPS = (Round.State.TRAINING, Round.State.SCORING, Round.State.SELECTING)


@dataclass(frozen=True)
class BatchView:
    id: UUID
    closed_at: datetime | None
    number: int
    size: int
    done: int
    total: int
    complete: bool
    n_checks: int


@dataclass(frozen=True)
class AnnotatorView:
    id: UUID
    display_name: str
    done: int
    total: int


@dataclass(frozen=True)
class RoundView:
    """Hold a round with its batch's progress, from which its completeness is derived."""

    row: Round
    state: str
    progress: dict[str, Any]
    annotators: list[AnnotatorView]
    batch: BatchView | None


def round_views(project: Project) -> list[RoundView]:
    """Return all rounds of the project, newest first, in a constant number of queries."""
    rows = list(
        project.rounds.order_by("-number")
        .annotate(n_training=Func(F("training_set"), function="jsonb_array_length", output_field=IntegerField()))
        .defer("record", "training_set")
        .select_related("batch")
        .prefetch_related("annotators__user")
    )
    batches = [row.batch for row in rows if hasattr(row, "batch")]
    progress = batches_progress(batches)
    people = annotator_progress(batches)
    return [view(row, progress, people) for row in rows]


def round_view(row: Round) -> RoundView:
    return next(view for view in round_views(row.project) if view.row.pk == row.pk)


def view(row: Round, progress: dict[int, BatchProgress], people: dict[tuple[int, int], tuple[int, int]]) -> RoundView:
    batch: Batch | None = getattr(row, "batch", None)
    shown = batch_view(batch, progress[batch.pk]) if batch else None
    complete = row.state == Round.State.ANNOTATING and shown is not None and shown.complete
    annotators = [
        AnnotatorView(
            member.uuid, member.user.shown_name, *(people.get((batch.pk, member.pk), (0, 0)) if batch else (0, 0))
        )
        for member in sorted(row.annotators.all(), key=lambda member: member.number)
    ]
    return RoundView(row, Round.State.COMPLETE if complete else row.state, progress_view(row), annotators, shown)


def batch_view(batch: Batch, progress: BatchProgress) -> BatchView:
    return BatchView(
        batch.uuid,
        batch.closed_at,
        batch.number,
        progress.size,
        progress.done,
        progress.total,
        progress.complete,
        progress.checks,
    )


def progress_view(row: Round) -> dict[str, Any]:
    """Return the running step with its progress, and every step with its seconds."""
    now = row.progress or {}
    seconds = now.get("seconds", {})
    order = [str(step) for step in STEPS]
    position = order.index(row.state) if row.state in order else (len(order) if row.state in DONE_STATES else -1)
    steps = [
        {
            "name": name,
            "state": "done" if index < position else "running" if index == position else "waiting",
            "seconds": seconds.get(name),
        }
        for index, name in enumerate(order)
    ]
    return {
        "step": row.state,
        "fraction": now.get("fraction", 0.0),
        "detail": now.get("detail", ""),
        "seconds": elapsed(row),
        "steps": steps,
    }


DONE_STATES = (Round.State.ANNOTATING, Round.State.COMPLETE)


def elapsed(row: Round) -> float:
    """Return the seconds from the start until the machine was done."""
    if row.state in Round.WORKING_STATES:
        return (timezone.now() - row.created_at).total_seconds()
    return float(sum(value for value in (row.progress or {}).get("seconds", {}).values() if value))


def workers_view() -> dict[str, Any]:
    ages = {queue: WorkerBeat.seen_seconds_ago(queue) for queue in ("models", "light")}
    return {queue: {"alive": WorkerBeat.alive(queue), "seen_seconds_ago": age} for queue, age in ages.items()}


def next_round_view(project: Project, views: list[RoundView]) -> dict[str, Any]:
    """Return whether a round may start now, with the reasons that a start would be refused for."""
    reasons = [reason for reason in (worker_reason(), unfinished_reason(views), material_reason(project)) if reason]
    return {
        "number": max((view.row.number for view in views), default=0) + 1,
        "may_start": not reasons,
        "reasons": reasons,
        "suggested_strategy": suggested_strategy(
            project, first=not any(is_by_strategy(view.row, view.batch) for view in views)
        ),
        "n_adjudicated": n_adjudicated(project),
        "second_looks": project.batches.filter(kind=Batch.Kind.SECOND_LOOK).count(),
    }


def is_by_strategy(row: Round | None, batch: object) -> bool:
    """Tell whether the round has opened a batch, and no admin chose its items."""
    return row is not None and batch is not None and row.strategy_used != Round.CHOSEN


def suggested_strategy(project: Project, *, first: bool) -> str:
    """Return the suggested strategy; without a stage to learn it needs no model."""
    if first:
        return "random"
    codebook = published_codebook(project)
    return "entropy" if codebook is None or codebook.definition["stages"] else "ngram_density"


def n_adjudicated(project: Project) -> int:
    """Count the items of the rounds whose latest decision was not taken back."""
    later = Adjudication.objects.filter(batch_item=OuterRef("batch_item"), revision__gt=OuterRef("revision"))
    rows = Adjudication.objects.filter(batch_item__batch__project=project, withdraws=False)
    return rows.filter(~Exists(later)).count()


def worker_reason() -> str:
    return "" if WorkerBeat.alive("models") else "The model worker does not run."


def unfinished_reason(views: list[RoundView]) -> str:
    active = next((view for view in views if view.state in Round.ACTIVE_STATES), None)
    if active is None:
        return ""
    if active.state == Round.State.FAILED:
        return f"Round {active.row.number} has failed: restart it or cancel it."
    if active.batch is None:
        return f"Round {active.row.number} is at work."
    return f"The batch of round {active.row.number} is not complete: {active.batch.done} of {active.batch.total} done."


def material_reason(project: Project) -> str:
    if not project.codebooks.filter(state="published").exists():
        return "No codebook is published."
    if not project.items.filter(left_out="", batch_items__isnull=True).exists():
        return "The pool is empty. Import texts first."
    return ""


def strategy_views() -> list[dict[str, Any]]:
    return [strategy_describe(declared) for declared in STRATEGIES.values()]


def possible_annotators(project: Project) -> list[dict[str, Any]]:
    members = project.memberships.active_with(Capability.RATE).select_related("user")
    return [
        {
            "id": member.uuid,
            "display_name": member.user.shown_name,
            "role": member.role,
            "is_usual": member.role in usual_raters(),
        }
        for member in members.order_by("number")
    ]
