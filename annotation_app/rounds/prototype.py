"""Open a prototype batch (OP-FED 3.3): a uniform random draw outside rounds, training and release.

It estimates the base rate of each label, which a strategy's choices cannot, and costs no budget.
"""

from uuid import UUID

from django.db import transaction
from django.db.models import Max
from pydantic import BaseModel, ConfigDict, Field

from annotation_app.assignment.selectors import batch_progress
from annotation_app.assignment.services import batch_open
from annotation_app.faults import bare_schema
from annotation_app.ingest.pool import choosing_reason
from annotation_app.models import (
    Batch,
    Capability,
    CodebookVersion,
    Membership,
    Project,
    User,
)
from annotation_app.projects.services import published_codebook
from annotation_app.projects.writable import writable_lock
from annotation_app.refusals import Invalid, Refused
from annotation_app.rounds.check_items import CheckItemsSpec, checks_drawn, checks_faults
from annotation_app.rounds.draw import eligible_items, uniform_draw
from annotation_app.rounds.outside import OutsideBatch, outside_batches
from annotation_app.rounds.spec import MAX_QUERY_SIZE, Seed, annotators_check


class PrototypeSpec(BaseModel):
    """Hold the admin's request. `annotators` are memberships' UUIDs, `shares` parts of the slots by annotator."""

    model_config = ConfigDict(frozen=True, json_schema_extra=bare_schema)

    size: int
    random_state: Seed
    annotators: tuple[UUID, ...] = Field(max_length=1_000)
    annotators_per_item: int
    shares: dict[UUID, int] = {}
    check_items: CheckItemsSpec | None = None


def prototype_view(project: Project) -> OutsideBatch | None:
    row = latest_prototype(project)
    return outside_batches([row])[0] if row else None


def latest_prototype(project: Project) -> Batch | None:
    return project.batches.filter(kind=Batch.Kind.PROTOTYPE).order_by("-number").first()


def prototype_reasons(project: Project) -> list[tuple[str, str]]:
    """Return (code, reason) for each thing that keeps a prototype batch from being opened now."""
    reasons = []
    if published_codebook(project) is None:
        reasons.append(("no_codebook", "This project has no published codebook: publish one first."))
    row = latest_prototype(project)
    progress = batch_progress(row) if row else None
    if progress and not progress.complete:
        reasons.append(
            (
                "prototype_open",
                f"The prototype batch is not complete: {progress.done} of {progress.total} assignments are done.",
            )
        )
    if reason := choosing_reason(project):
        reasons.append(("round_at_work", reason))
    if not eligible_items(project).exists():
        reasons.append(("pool_empty", "The pool has no items left. Import texts first."))
    return reasons


@transaction.atomic
def prototype_open(*, project: Project, spec: PrototypeSpec, actor: User) -> Batch:
    """Draw and open the batch, without a worker. Raises Invalid for bad input, Refused where it may not."""
    # The lock that a round's start takes: neither reads a pool from which the other draws.
    writable_lock(project.pk)
    if reasons := prototype_reasons(project):
        raise Refused(*reasons[0])
    annotators = prototype_check(project, spec)
    codebook: CodebookVersion | None = published_codebook(project)
    assert codebook is not None
    items = uniform_draw(project=project, key=f"{spec.random_state}:prototype", size=spec.size)
    number = (project.batches.filter(kind=Batch.Kind.PROTOTYPE).aggregate(last=Max("number"))["last"] or 0) + 1
    return batch_open(
        project=project,
        codebook=codebook,
        items=[(pk, None) for pk in items],
        annotators=annotators,
        annotators_per_item=spec.annotators_per_item,
        kind=Batch.Kind.PROTOTYPE,
        number=number,
        random_state=spec.random_state,
        shares=spec.shares,
        checks=checks_drawn(project, spec.check_items, annotators, len(items)),
        actor_id=actor.pk,
    )


def prototype_check(project: Project, spec: PrototypeSpec) -> list[Membership]:
    """Check the spec and return the annotators. Every fault is reported at once."""
    errors: dict[str, list[str]] = {}
    in_pool = eligible_items(project).count()
    if not 1 <= spec.size <= min(MAX_QUERY_SIZE, in_pool):
        most = min(MAX_QUERY_SIZE, in_pool)
        errors["size"] = [f"Choose 1 to {most:,} items: the pool has {in_pool:,} that nobody was given yet."]
    members = project.memberships.filter(uuid__in=spec.annotators).active_with(Capability.RATE)
    annotators = list(members.select_related("user"))
    errors |= annotators_check(spec.annotators, annotators, spec.annotators_per_item, spec.shares)
    errors |= checks_faults(project, spec.check_items, annotators, spec.size)
    if errors:
        raise Invalid(errors)
    return annotators
