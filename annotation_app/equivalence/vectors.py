"""Ask a worker which strings are alike by an encoder's vectors, and read what it found."""

from collections.abc import Collection, Mapping
from dataclasses import dataclass
from typing import Any

from django.db import transaction

from al_worker.formats.models import MINILM
from annotation_app.equivalence.strings import Reader, strings_read
from annotation_app.equivalence.suggestions import MOST_OF_ONE, Pair, most_alike
from annotation_app.models import Lease, Project, StringVectors, User, WorkerBeat, event_write
from annotation_app.projects.writable import writable_lock
from annotation_app.refusals import Refused

READY, NONE = "ready", "none"
STATES = (READY, StringVectors.State.WAITING, StringVectors.State.RUNNING, NONE, StringVectors.State.FAILED)
MOST_STRINGS = 20_000
# Cosines of short strings are large throughout; below this two of them seldom mean the same.
LEAST_COSINE = 0.6


@dataclass(frozen=True)
class Suggestions:
    """Hold suggestions and how far the job for them is. `n_new` strings came after it, and have none."""

    state: str
    pairs: list[Pair]
    failure: str = ""
    encoder: str = ""
    n_new: int = 0


def vectors_start(*, project: Project, actor: User, category: str, part: str) -> StringVectors:
    """Let the worker find the nearest strings, or return the job that does so already. Raises Refused."""
    if down := WorkerBeat.down_text(StringVectors.QUEUE, "ask for suggestions again"):
        raise Refused("worker_down", down)
    with transaction.atomic():
        project = writable_lock(project.pk)
        rows = project.string_vectors.filter(category=category, part=part)
        working = rows.filter(state__in=StringVectors.WORKING_STATES).first()
        if working is not None:
            return working
        strings = sorted(strings_read(Reader(project)).of(category, part).strings)
        if len(strings) < 2:
            raise Refused("no_strings", "There are fewer than two strings to compare.")
        if len(strings) > MOST_STRINGS:
            detail = f"There are {len(strings):,} strings, and at most {MOST_STRINGS:,} are compared by vectors."
            raise Refused("too_many", f"{detail} {StringVectors.REMEDY}")
        latest = rows.filter(state=StringVectors.State.DONE, encoder=MINILM).order_by("-pk").first()
        if latest is not None and latest.strings == strings:
            return latest
        row = StringVectors.objects.create(
            project=project, category=category, part=part, encoder=MINILM, strings=strings, created_by=actor
        )
        event_write(
            verb="equivalence_vectors_started",
            project=project,
            actor_id=actor.pk,
            subject=row.uuid,
            category=category,
            strings=len(strings),
        )
        row.enqueue()
    return row


def vectors_suggestions(
    project: Project, category: str, part: str, strings: Collection[str], class_of: Mapping[str, str]
) -> Suggestions:
    """Return pairs among `strings`, of which the first is in no class, by the latest job that is done.

    A later job that waits, runs or failed is told in the state.
    """
    rows = project.string_vectors.filter(category=category, part=part).order_by("-pk")
    latest = rows.first()
    done = rows.filter(state=StringVectors.State.DONE).first()
    pairs = [] if done is None else _pairs(done, frozenset(strings), class_of)
    known = frozenset(() if done is None else done.strings)
    n_new = 0 if done is None else len(frozenset(strings) - known)
    if latest is None:
        return Suggestions(NONE, [])
    state = {StringVectors.State.DONE: READY, StringVectors.State.CANCELLED: NONE if done is None else READY}
    return Suggestions(
        state.get(StringVectors.State(latest.state), latest.state), pairs, latest.failure, latest.encoder, n_new
    )


def _pairs(row: StringVectors, seen: frozenset[str], class_of: Mapping[str, str]) -> list[Pair]:
    found = []
    for text, nearest in zip(row.strings, row.nearest, strict=True):
        if text not in seen or text in class_of:
            continue
        near = [(row.strings[number], cosine) for number, cosine in nearest if cosine >= LEAST_COSINE]
        found += [
            Pair(text, other, round(cosine, 4), [], class_of.get(other)) for other, cosine in near if other in seen
        ][:MOST_OF_ONE]
    return most_alike(found)


@transaction.atomic
def vectors_accept(*, lease: Lease, nearest: list[Any]) -> None:
    """Store what the worker found. Raises LeaseLost."""
    row = lease.end(StringVectors.State.DONE, nearest=nearest, failure="")
    event_write(verb="equivalence_vectors_done", **about(row))


@transaction.atomic
def vectors_fail(*, lease: Lease, reason: str) -> None:
    """Store why the job failed. Raises LeaseLost."""
    row = lease.end(StringVectors.State.FAILED, failure=reason)
    event_write(verb="equivalence_vectors_failed", **about(row), reason=reason)


def about(row: StringVectors) -> dict[str, Any]:
    """Return what every line of the log about a job has, which the worker writes."""
    return {"project": row.project, "actor_id": None, "subject": row.uuid, "category": row.category}
