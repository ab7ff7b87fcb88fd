"""Open batches, hand out items, release and withdraw them."""

import hashlib
from collections import defaultdict
from collections.abc import Mapping, Sequence
from dataclasses import dataclass
from uuid import UUID

from django.db import transaction
from django.db.models import Q, QuerySet
from django.db.models.expressions import RawSQL
from django.utils import timezone

from annotation_app.assignment.blinding import freeze_reason, locked_refusal, scope_check
from annotation_app.assignment.open_batch import OpenWork, open_work
from annotation_app.assignment.selectors import (
    MemberProgress,
    batch_ids_progress,
    idle_limit,
    progress_of,
)
from annotation_app.assignment.shares import dealt
from annotation_app.assignment.slots import idle_claims, slots_claim, slots_free
from annotation_app.db.statistics import analyze
from annotation_app.models import (
    Annotation,
    Assignment,
    Batch,
    BatchItem,
    CodebookVersion,
    Item,
    KnownAnswer,
    Membership,
    Project,
    Round,
    event_write,
)
from annotation_app.refusals import NotYours, Refused

ROWS_AT_ONCE = 5_000
# Items that a person may hold in any batch, so that nobody waits for the server between two of them.
FEWEST = 3
# The items whose key a practice shows, or may show.
PRACTISED = RawSQL("SELECT item FROM rules.practised_item", ())
UNANSWERED = (Assignment.State.OPEN, Assignment.State.CLAIMED)
WITHDRAWN = "This item is no longer yours: it was given to somebody else, left out, or its batch was closed."


class BatchInvalid(Refused):
    """Refuse a batch that cannot be opened as asked, because something changed since it was chosen."""

    def __init__(self, detail: str) -> None:
        super().__init__("batch_invalid", detail)


@dataclass(frozen=True)
class Window:
    """Hold a person's claimed assignments of their open batch, in their order. `claimed` counts the new ones.

    Each assignment carries only the ids of its `batch_item`: items never change, so that callers may cache them.
    """

    assignments: Sequence[Assignment]
    progress: MemberProgress
    # All claimed assignments in the person's order; `assignments` are the first of them.
    held: Sequence[UUID] = ()
    batch_id: int | None = None
    suggestions_id: int | None = None
    k_of_n: bool = False
    claimed: int = 0
    # Every free item was being claimed by somebody else at this moment: ask again.
    contended: bool = False


@transaction.atomic
def batch_open(
    *,
    project: Project,
    codebook: CodebookVersion,
    items: Sequence[tuple[int, float | None]],
    annotators: Sequence[Membership],
    annotators_per_item: int,
    kind: str,
    number: int,
    round: Round | None = None,
    random_state: int | None = None,
    shares: Mapping[UUID, int] | None = None,
    checks: Sequence[KnownAnswer] = (),
    actor_id: int | None = None,
) -> Batch:
    """Open a batch of (item id, score) in rank order, with an assignment for every item and annotator.

    Assignments start without a slot: of n annotators the first `annotators_per_item` who claim an item get it. With
    `shares`, by the annotators' UUIDs, each item has an assignment only for those to whom it is dealt.
    `random_state` belongs to a draw outside a round. The items of `checks` become check items, which are handed out
    like all others; their keys are copied. Raises BatchInvalid.
    """
    names = dict(Item.objects.filter(project=project, pk__in=[pk for pk, _ in items]).values_list("pk", "external_id"))
    batch_check(project, codebook, items, names, annotators, annotators_per_item)
    if kind != Batch.Kind.PRACTICE:
        practice_check(list(names))
    batch = Batch.objects.create(
        project=project,
        codebook=codebook,
        round=round,
        kind=kind,
        number=number,
        annotators_per_item=annotators_per_item,
        random_state=random_state,
    )
    rows = [BatchItem(batch=batch, item_id=pk, rank=rank, score=score) for rank, (pk, score) in enumerate(items, 1)]
    # The first row of a batch tells how many annotators its items were opened for: check items come after it.
    rows += [
        BatchItem(batch=batch, item_id=key.batch_item.item_id, rank=rank, is_check=True)
        for rank, key in enumerate(checks, len(rows) + 1)
    ]
    names |= {key.batch_item.item_id: key.batch_item.item.external_id for key in checks}
    BatchItem.objects.bulk_create(rows, batch_size=ROWS_AT_ONCE)
    known = {key.batch_item.item_id: key.answers for key in checks}
    KnownAnswer.objects.bulk_create(
        KnownAnswer(batch_item=row, answers=known[row.item_id]) for row in rows if row.is_check
    )
    parts = {annotator.pk: shares[annotator.uuid] for annotator in annotators} if shares else {}
    theirs = dealt(names, parts, annotators_per_item, str(batch.uuid)) if parts else {}
    assignments = [
        row
        for annotator in annotators
        for row in queue_of(batch, annotator, rows_of(rows, theirs.get(annotator.pk)), names)
    ]
    Assignment.objects.bulk_create(assignments, batch_size=ROWS_AT_ONCE)
    analyze(BatchItem, Assignment)
    event_write(
        verb="batch_opened",
        project=project,
        actor_id=actor_id,
        subject=batch.uuid,
        kind=str(kind),
        number=number,
        items=len(items),
        **({"check_items": len(checks)} if checks else {}),
        annotators=len(annotators),
        annotators_per_item=annotators_per_item,
        **({"shares": {str(annotator.uuid): len(theirs[annotator.pk]) for annotator in annotators}} if theirs else {}),
    )
    return batch


def rows_of(rows: Sequence[BatchItem], items: Sequence[int] | None) -> Sequence[BatchItem]:
    """Return the rows of the items that were dealt to a person; all where nothing was dealt."""
    if items is None:
        return rows
    own = set(items)
    return [row for row in rows if row.item_id in own]


def batch_take_back(batch: Batch) -> bool:
    """Remove a batch that nobody has answered yet, inside the caller's transaction; its items return to the pool.

    Returns False and removes nothing once there is an answer or a skip. A submit under way is waited for.
    """
    rows = Assignment.objects.filter(batch_item__batch=batch)
    list(rows.select_for_update(of=("self",)).values_list("pk", flat=True))
    if Annotation.objects.filter(assignment__batch_item__batch=batch).exists():
        return False
    rows.delete()
    KnownAnswer.objects.filter(batch_item__batch=batch).delete()
    BatchItem.objects.filter(batch=batch).delete()
    batch.delete()
    return True


def batch_check(
    project: Project,
    codebook: CodebookVersion,
    items: Sequence[tuple[int, float | None]],
    names: dict[int, str],
    annotators: Sequence[Membership],
    annotators_per_item: int,
) -> None:
    """Raise BatchInvalid with the first fault."""
    if codebook.project_id != project.pk or codebook.state != CodebookVersion.State.PUBLISHED:
        raise BatchInvalid("A batch pins a published codebook version of its own project.")
    if not items or len({pk for pk, _ in items}) != len(items):
        raise BatchInvalid("A batch needs one or more items, each once.")
    if len(names) != len(items):
        raise BatchInvalid(f"{len(items) - len(names)} of {len(items)} items are not in this project.")
    if len({annotator.pk for annotator in annotators}) != len(annotators):
        raise BatchInvalid("Name every annotator once.")
    for annotator in annotators:
        if annotator.project_id != project.pk or not annotator.is_active:
            raise BatchInvalid(f"Member {annotator.uuid} is not an active member of this project.")
    if not 1 <= annotators_per_item <= len(annotators):
        raise BatchInvalid(f"annotators_per_item is {annotators_per_item}: choose 1 to {len(annotators)}.")


def practice_check(items: Sequence[int]) -> None:
    """Raise BatchInvalid for items whose key annotators see in a practice: what they answer would not be their own."""
    rows = BatchItem.objects.filter(item__in=items, batch__kind=Batch.Kind.PRACTICE)
    if known := rows.values("item").distinct().count():
        raise BatchInvalid(f"{known} of {len(items)} items are in a practice, where annotators see their key.")


def queue_of(batch: Batch, annotator: Membership, rows: Sequence[BatchItem], names: dict[int, str]) -> list[Assignment]:
    """Give the annotator's rows in their own order, with positions from 1."""
    ordered = sorted(rows, key=lambda row: order_key(batch, annotator, names[row.item_id]))
    return [
        Assignment(batch_item=row, annotator=annotator, position=position) for position, row in enumerate(ordered, 1)
    ]


def order_key(batch: Batch, annotator: Membership, item: str) -> bytes:
    """Give the place of an item, named by its external id, among a person's items of a batch: everyone's is another."""
    return hashlib.sha256(f"{batch.uuid}:{annotator.uuid}:{item}".encode()).digest()


def next_window(*, membership: Membership, ahead: int) -> Window:
    """Return the person's claimed, unanswered items in their order, topped up to `ahead`.

    Asking again gives the same items. Raises NotYours for a deactivated person, Refused for a token that only reads.
    """
    scope_check(membership)
    window = window_take(membership, ahead, wait=False)
    while window.contended:
        # Each wait ends with the item claimed here, or with one slot less to compete for.
        window = window_take(membership, ahead, wait=True)
    return window


@transaction.atomic
def window_take(membership: Membership, ahead: int, *, wait: bool) -> Window:
    member_lock(membership)
    window = window_fill(membership=membership, ahead=ahead, wait=wait, expire=not wait)
    if window.claimed:
        event_write(
            verb="items_claimed",
            project=membership.project,
            actor_id=membership.user_id,
            subject=membership.uuid,
            items=window.claimed,
        )
    return window


def member_lock(membership: Membership) -> None:
    """Serialize the person's requests, whatever the number of tabs. Raises NotYours for a deactivated person."""
    live = Membership.objects.filter(pk=membership.pk, is_active=True).select_for_update(no_key=True)
    if live.values_list("pk").first() is None:
        raise NotYours


def window_fill(*, membership: Membership, ahead: int, wait: bool = False, expire: bool = True) -> Window:
    """Do what next_window does, inside a transaction that holds the person's lock.

    A caller that holds an item's lock must pass `expire` and `wait` as False. Both may wait for another item's lock,
    and two people who wait for each other would deadlock.
    """
    standing = open_work(membership)
    if standing is None:
        return Window((), progress_of(None, set()))
    k_of_n = standing.k_of_n
    if k_of_n and expire and idle_give_back(standing.batch_id, sparing=membership):
        standing = open_work(membership) or standing
    need = min(ahead_allowed(ahead, standing) - standing.claimed, standing.to_come)
    rows: list[Assignment] = []
    if standing.has_work:
        rows = slots_claim(membership_id=membership.pk, standing=standing, need=need, wait=wait)
    if k_of_n:
        claims_keep(rows)
    claimed = len(rows) - standing.claimed
    contended = not rows and standing.to_come > 0
    progress = window_progress(standing, rows)
    return Window(
        assignments=rows[:ahead],
        progress=progress,
        held=[row.uuid for row in rows],
        batch_id=standing.batch_id,
        suggestions_id=standing.suggestions_id,
        k_of_n=k_of_n,
        claimed=claimed,
        contended=contended,
    )


def ahead_allowed(ahead: int, standing: OpenWork) -> int:
    """Return how many items a person may hold: as many as they ask for, where nobody competes for them.

    With k of n it is an equal share of what they could still be given, and FEWEST at least. Otherwise somebody who
    loads forty items for a train ride would leave the other annotators without work.
    """
    if not standing.k_of_n:
        return ahead
    share = (standing.claimed + standing.to_come) // standing.annotators
    return min(ahead, max(FEWEST, share))


def window_progress(standing: OpenWork, rows: Sequence[Assignment]) -> MemberProgress:
    """Translate the open work, and ask whether the batch is complete only when nothing is left for this person."""
    done = set() if rows or standing.has_work else {standing.batch_id}
    complete = {pk for pk, progress in batch_ids_progress(list(done)).items() if progress.complete} if done else set()
    return progress_of(standing, complete)


def claims_keep(rows: Sequence[Assignment]) -> None:
    """Extend the person's claims, since asking shows that they are active. It is written at half of the idle limit."""
    now = timezone.now()
    if any(row.claimed_at and row.claimed_at < now - idle_limit() / 2 for row in rows):
        Assignment.objects.filter(pk__in=[row.pk for row in rows]).update(claimed_at=now)
        for row in rows:
            row.claimed_at = now


def idle_give_back(batch_id: int, sparing: Membership) -> int:
    """Release idle claims of other people, inside the caller's transaction. `sparing` is asking, so not idle."""
    before = timezone.now() - idle_limit()
    idle = idle_claims(batch_id=batch_id, before=before, sparing=sparing.pk)
    if idle:
        slots_free(idle, Assignment.State.OPEN)
        batch = Batch.objects.select_related("project").get(pk=batch_id)
        event_write(
            verb="claims_expired",
            project=batch.project,
            actor_id=None,
            subject=batch.uuid,
            assignments=[str(row.uuid) for row in idle],
        )
    return len(idle)


@transaction.atomic
def claim_release(*, membership: Membership, assignment_uuid: UUID) -> None:
    """Give a claimed, unanswered item back; it comes again after all others, if nobody else takes it.

    Doing it twice changes nothing. Raises NotYours and Refused (closed, withdrawn, answered).
    """
    member_lock(membership)
    row = (
        Assignment.objects.select_for_update(no_key=True, of=("self",))
        .select_related("batch_item__batch")
        .filter(annotator=membership, uuid=assignment_uuid)
        .first()
    )
    if row is None:
        raise NotYours
    if row.batch_item.batch.frozen_at is not None:
        raise locked_refusal(freeze_reason(row.batch_item.batch_id))
    if row.state == Assignment.State.WITHDRAWN:
        raise Refused("withdrawn", WITHDRAWN)
    if row.state not in UNANSWERED:
        raise Refused("answered", "You have already answered this item. Revise your answer instead.")
    if row.state == Assignment.State.CLAIMED:
        slots_free([row], Assignment.State.OPEN)
        event_write(
            verb="item_released", project=membership.project, actor_id=membership.user_id, subject=assignment_uuid
        )


@transaction.atomic
def assignments_withdraw(*, membership: Membership, actor_id: int | None) -> int:
    """Take back what a person who leaves has not answered, in open batches; what they answered keeps counting."""
    rows = Assignment.objects.filter(
        annotator=membership,
        state__in=UNANSWERED,
        batch_item__batch__frozen_at__isnull=True,
    )
    withdrawn = list(rows.select_for_update(no_key=True, of=("self",)))
    slots_free(withdrawn, Assignment.State.WITHDRAWN)
    event_write(
        verb="assignments_withdrawn",
        project=membership.project,
        actor_id=actor_id,
        subject=membership.uuid,
        assignments=len(withdrawn),
    )
    return len(withdrawn)


def assignments_give_back(*, with_taken_off: bool = False, **of: object) -> int:
    """Open withdrawn rows again, as far as `restorable` says; return how many. The caller writes the event."""
    rows = restorable(with_taken_off=with_taken_off, **of)
    return rows.update(state=Assignment.State.OPEN, taken_off=False)


def restorable(*, with_taken_off: bool = False, **of: object) -> QuerySet[Assignment]:
    """Return withdrawn rows that may be given back: nobody else has the item now, and it may still be answered.

    Whoever has seen the others' answers since does not get theirs back, and nobody gets an item back whose key a
    practice shows by now. Whoever was taken off the batch gets theirs only `with_taken_off`, which is for acts that put
    people back on it.
    """
    rows = Assignment.objects.all() if with_taken_off else Assignment.objects.filter(taken_off=False)
    return rows.filter(
        Q(batch_item__batch__kind=Batch.Kind.PRACTICE) | ~Q(batch_item__item__in=PRACTISED),
        state=Assignment.State.WITHDRAWN,
        handed_to__isnull=True,
        answers_revealed_at__isnull=True,
        annotator__is_active=True,
        batch_item__batch__frozen_at__isnull=True,
        batch_item__batch__closed_at__isnull=True,
        batch_item__item__left_out="",
        **of,
    )


@transaction.atomic
def assignments_restore(*, membership: Membership, actor_id: int | None) -> int:
    """Give a person who comes back their withdrawn items of open batches again."""
    restored = assignments_give_back(annotator=membership)
    event_write(
        verb="assignments_restored",
        project=membership.project,
        actor_id=actor_id,
        subject=membership.uuid,
        assignments=restored,
    )
    return restored


def second_batch_open(
    *, first: Batch, items: Sequence[tuple[int, Sequence[Membership]]], actor_id: int | None
) -> Batch:
    """Open the batch inside the caller's transaction.

    `items` are (item id, its annotators) in rank order; each has at least one annotator.
    """
    batch = Batch.objects.create(
        project=first.project,
        codebook_id=first.codebook_id,
        kind=Batch.Kind.SECOND_LOOK,
        number=first.number,
        annotators_per_item=max(len(people) for _, people in items),
        second_look_of=first,
    )
    rows = [BatchItem(batch=batch, item_id=pk, rank=rank) for rank, (pk, _) in enumerate(items, 1)]
    BatchItem.objects.bulk_create(rows, batch_size=ROWS_AT_ONCE)
    names = dict(Item.objects.filter(pk__in=[pk for pk, _ in items]).values_list("pk", "external_id"))
    theirs: dict[Membership, list[BatchItem]] = defaultdict(list)
    for row, (_, people) in zip(rows, items, strict=True):
        for person in people:
            theirs[person].append(row)
    queues = [each for person, own in theirs.items() for each in queue_of(batch, person, own, names)]
    Assignment.objects.bulk_create(queues, batch_size=ROWS_AT_ONCE)
    event_write(
        verb="second_look_opened",
        project=first.project,
        actor_id=actor_id,
        subject=batch.uuid,
        number=first.number,
        items=len(rows),
        assignments=len(queues),
    )
    return batch
