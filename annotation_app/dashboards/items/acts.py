"""Act on many items at once: leave them out of the pool, put them back, or open a batch of them.

An act is one transaction. It is refused where other items match than its preview told, and a retry of the same sending
does nothing twice.
"""

from collections.abc import Sequence
from dataclasses import dataclass
from typing import Any, Literal
from uuid import UUID

from django.db import transaction
from django.db.models import Max, Q, QuerySet

from annotation_app.assignment.left_out import items_leave_out, items_lock, items_take_back
from annotation_app.assignment.services import batch_open
from annotation_app.dashboards.items.filters import ItemFilters, items_matching
from annotation_app.models import Batch, Capability, Item, ItemAct, Membership, event_write
from annotation_app.projects.services import published_codebook
from annotation_app.projects.writable import writable_lock
from annotation_app.refusals import Invalid, Refused
from annotation_app.rounds.check_items import CheckItemsSpec, checks_drawn, checks_faults
from annotation_app.rounds.chosen import chosen_round_open
from annotation_app.rounds.draw import ELIGIBLE
from annotation_app.rounds.spec import MAX_QUERY_SIZE, annotators_check
from annotation_app.starts import StartSpec, started_before

Act = Literal["leave_out", "take_back", "open_batch"]
# Which of the chosen items an act is about; it leaves the others as they are.
ACTED_ON: dict[str, Q] = {
    "leave_out": Q(left_out=""),
    "take_back": Q(left_out=Item.LeftOut.BY_ADMIN),
    "open_batch": ELIGIBLE,
}


class ItemActSpec(StartSpec):
    """Hold an admin's request: `items` by their UUIDs, or else those that `filters` choose.

    `expected` is the number of items that the preview told. `reason` is why items are left out. `annotators` are
    memberships' UUIDs, `shares` parts of the slots by annotator. A batch that is opened `as_round` is the next
    round, and counts as every round does; another one stands outside the rounds.
    """

    act: Act
    items: tuple[UUID, ...] = ()
    filters: dict[str, Any] = {}
    expected: int = 0
    reason: str = ""
    annotators: tuple[UUID, ...] = ()
    annotators_per_item: int = 1
    shares: dict[UUID, int] = {}
    check_items: CheckItemsSpec | None = None
    as_round: bool = False


@dataclass(frozen=True)
class ActPreview:
    """Count the items that were chosen, and those of them that the act is about."""

    chosen: int
    acted_on: int


def act_preview(*, spec: ItemActSpec, filters: ItemFilters) -> ActPreview:
    rows = chosen_items(spec, filters)
    return ActPreview(rows.count(), rows.filter(ACTED_ON[spec.act]).count())


def chosen_items(spec: ItemActSpec, filters: ItemFilters) -> QuerySet[Item]:
    if spec.items:
        return filters.reader.project.items.filter(uuid__in=spec.items)
    return items_matching(filters)


@transaction.atomic
def items_act(*, actor: Membership, spec: ItemActSpec, filters: ItemFilters) -> ItemAct:
    """Do it, and return what was done. `filters` are those of the spec, as the actor. Raises Invalid and Refused."""
    project = writable_lock(actor.project_id)
    body_hash = spec.body_hash()
    if (before := started_before(project.item_acts.all(), spec.client_id, body_hash)) is not None:
        return before
    rows = chosen_items(spec, filters).filter(ACTED_ON[spec.act])
    items = list(rows.order_by("pk").values_list("pk", flat=True))
    if len(items) != spec.expected:
        raise Refused("changed", f"These are {len(items):,} items now, and were {spec.expected:,}. Look again.")
    if not items:
        raise Refused("nothing", "None of these items is there for this.")
    act = ItemAct(
        project=project,
        kind=spec.act,
        items=items,
        reason=spec.reason,
        created_by=actor.user,
        client_id=spec.client_id,
        body_hash=body_hash,
    )
    if spec.act == "open_batch":
        batch = chosen_batch_open(actor, spec, items)
        # A round can be cancelled, which removes its batch; the act stays.
        act.batch = None if spec.as_round else batch
    else:
        items_move(actor, act)
    act.save()
    return act


def items_move(actor: Membership, act: ItemAct) -> None:
    """Leave the items out, or take them back, and write the log."""
    items_lock(act.project, act.items)
    if act.kind == ItemAct.Kind.LEAVE_OUT:
        said: dict[str, Any] = {"reason": act.reason, "assignments": items_leave_out(act.items, act.reason)}
    else:
        said = {"assignments": items_take_back(act.items)}
    event_write(
        verb="items_left_out" if act.kind == ItemAct.Kind.LEAVE_OUT else "items_taken_back",
        project=act.project,
        actor_id=actor.user_id,
        subject=act.uuid,
        items=len(act.items),
        **said,
    )


def chosen_batch_open(actor: Membership, spec: ItemActSpec, items: Sequence[int]) -> Batch:
    """Open a batch of these items of the pool, in the order of import. Raises Invalid and Refused."""
    project = actor.project
    items_lock(project, items)
    codebook = published_codebook(project)
    if codebook is None:
        raise Refused("no_codebook", "This project has no published codebook: publish one first.")
    chosen = project.memberships.filter(uuid__in=spec.annotators).active_with(Capability.RATE)
    members = list(chosen.select_related("user"))
    errors = annotators_check(spec.annotators, members, spec.annotators_per_item, spec.shares)
    errors |= checks_faults(project, spec.check_items, members, len(items))
    if len(items) > MAX_QUERY_SIZE:
        errors["items"] = [f"A batch has at most {MAX_QUERY_SIZE:,} items, and these are {len(items):,}."]
    if errors:
        raise Invalid(errors)
    if spec.as_round:
        return chosen_round_open(
            project=project,
            codebook=codebook,
            items=items,
            annotators=members,
            annotators_per_item=spec.annotators_per_item,
            shares={str(person): parts for person, parts in spec.shares.items()},
            check_items=spec.check_items,
            actor=actor.user,
        )
    last = project.batches.filter(kind=Batch.Kind.CHOSEN).aggregate(last=Max("number"))["last"] or 0
    return batch_open(
        project=project,
        codebook=codebook,
        items=[(pk, None) for pk in items],
        annotators=members,
        annotators_per_item=spec.annotators_per_item,
        kind=Batch.Kind.CHOSEN,
        number=last + 1,
        shares=spec.shares,
        checks=checks_drawn(project, spec.check_items, members, len(items)),
        actor_id=actor.user_id,
    )
