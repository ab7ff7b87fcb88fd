"""Report whether the workers live, and which jobs of a project they work on or have not begun."""

from collections.abc import Iterator
from dataclasses import dataclass
from datetime import datetime, timedelta
from typing import Any, Literal

from django.db.models import Max
from django.utils import timezone

from annotation_app.models import Project, WorkerBeat
from annotation_app.models.workers import ALIVE_SECONDS

QUEUES = ("models", "light")
Kind = Literal["import", "round", "simulation", "evaluation", "interpretation", "release", "suggestions"]


@dataclass(frozen=True)
class WorkerState:
    """Hold a worker's state. `seen_at` is set only for a stopped one: a running one's would change at every reading."""

    alive: bool
    seen_at: datetime | None


@dataclass(frozen=True)
class Job:
    """Hold a job of a worker; `at_work` is true where one holds its lease."""

    kind: Kind
    name: str
    at_work: bool
    created_at: datetime


def worker_states() -> dict[str, WorkerState]:
    """Return the workers' states by queue, in one query."""
    seen = dict(WorkerBeat.objects.values_list("queue").annotate(last=Max("seen_at")))
    now = timezone.now()
    return {queue: worker_state(seen.get(queue), now) for queue in QUEUES}


def worker_state(seen_at: datetime | None, now: datetime) -> WorkerState:
    alive = seen_at is not None and now - seen_at <= timedelta(seconds=ALIVE_SECONDS)
    return WorkerState(alive, None if alive else seen_at)


def jobs_of(project: Project) -> list[Job]:
    """Return the project's jobs, oldest first, in one query a kind."""
    return sorted(unfinished(project), key=lambda job: job.created_at)


def unfinished(project: Project) -> Iterator[Job]:
    now = timezone.now()

    def job(kind: Kind, name: str, row: Any) -> Job:
        return Job(kind, name, row.lease_until is not None and row.lease_until > now, row.created_at)

    lease = ("lease_until", "created_at")
    for imported in working(project.imports).only("filename", *lease):
        yield job("import", imported.filename, imported)
    for round in working(project.rounds).only("number", *lease):
        yield job("round", f"Round {round.number}", round)
    for simulation in working(project.simulations).only("name", *lease):
        yield job("simulation", simulation.name, simulation)
    for evaluation in working(project.evaluations).only("name", *lease):
        yield job("evaluation", evaluation.name, evaluation)
    for vectors in working(project.string_vectors).only("category", *lease):
        yield job("suggestions", vectors.category, vectors)
    for interpretation in working(project.interpretations).only("name", *lease):
        yield job("interpretation", interpretation.name, interpretation)
    for release in working(project.releases).only("number", *lease):
        yield job("release", f"Release {release.number}", release)


def working(rows: Any) -> Any:
    return rows.filter(state__in=rows.model.WORKING_STATES)
