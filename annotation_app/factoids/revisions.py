"""Store the steps of work on a factoid list as append-only revisions, and what the list is after each."""

from collections.abc import Iterable, Mapping, Sequence
from dataclasses import dataclass
from typing import Any, NamedTuple
from uuid import UUID

from django.db import transaction
from django.db.models import Model, Q
from django.utils import timezone

from annotation_app.annotation.revisions import Revisions
from annotation_app.factoids.access import ARCHIVED, open_check
from annotation_app.factoids.states import FactoidState, factoid_states
from annotation_app.factoids.steps import Cell, Change, Decision, Step, Surroundings, changes_written, step_errors
from annotation_app.factoids.texts import SentencePlace, list_texts, places_of
from annotation_app.models import (
    Factoid,
    FactoidAbsence,
    FactoidItem,
    FactoidList,
    FactoidPhase,
    FactoidRevision,
    FactoidSentence,
    Membership,
)
from annotation_app.refusals import Invalid, Refused

STALE = "This list was changed after this page was loaded."
NOT_STORED = "The step was not stored."


@dataclass(frozen=True)
class StoredStep:
    """Hold the stored revision; `created` is False where it had been stored before."""

    row: FactoidRevision
    created: bool


@transaction.atomic
def list_step_store(*, row: FactoidList, member: Membership, step: Step) -> StoredStep:
    """Store one step, or return what the same client_id and body stored before.

    The caller has checked that the member may change this list. Raises Invalid, Stale and Refused (closed,
    client_id_reused); nothing is stored then.
    """
    row = list_lock(row)
    newest = Q(revision=row.revision) | Q(client_id=step.client_id)
    revisions = Revisions(list(row.revisions.filter(newest).order_by("revision")))
    if (earlier := revisions.replayed(step)) is not None:
        return StoredStep(earlier, False)
    open_check(row)
    if member.project.archived_at is not None:
        raise Refused("closed", ARCHIVED)
    revisions.check(step, STALE)
    before = factoid_states(row, [change.key for change in step.changes])
    item = None if step.item is None else row.items.filter(uuid=step.item.id).select_related("set_text").first()
    if item is not None and item.key not in before:
        before |= factoid_states(row, [item.key])
    places = places_of(list_texts(row), sentences_named(before, step.changes))
    texts = dict(list_texts(row).values_list("external_id", "pk"))
    if errors := step_errors(step, surroundings(row, step, before, places, texts, item)):
        raise Invalid(errors, NOT_STORED)
    changes = [in_order(change, places, texts) for change in step.changes]
    factoids_store(row, before, changes, places, texts)
    decided = None if item is None or step.item is None else item_decide(item, member, step.item)
    return StoredStep(
        revision_add(
            row,
            kind=step.kind,
            changes=changes_written(before, changes),
            item=decided,
            client_id=step.client_id,
            body_hash=step.body_hash,
            actor_id=member.user_id,
        ),
        True,
    )


def list_lock(row: FactoidList) -> FactoidList:
    """Lock a list until the transaction ends. Whoever closes its phase locks it too."""
    locked = FactoidList.objects.select_for_update(no_key=True).get(pk=row.pk)
    if locked.phase_id is not None:
        # Read after the lock, which may have waited for the phase to be closed.
        locked.phase = FactoidPhase.objects.select_related("follows__follows").get(pk=locked.phase_id)
    return locked


def sentences_named(before: Mapping[UUID, FactoidState], changes: Iterable[Change]) -> set[str]:
    states = [*before.values(), *(change.after for change in changes if change.after is not None)]
    return {name for state in states for name in state.sentences}


def surroundings(
    row: FactoidList,
    step: Step,
    before: Mapping[UUID, FactoidState],
    places: Mapping[str, SentencePlace],
    texts: Mapping[str, int],
    item: FactoidItem | None,
) -> Surroundings:
    phase = row.phase
    ids = [change.after.id for change in step.changes if change.after is not None]
    others = row.factoids.filter(external_id__in=ids).exclude(key__in=[change.key for change in step.changes])
    is_annotation = phase is not None and phase.kind == FactoidPhase.Kind.ANNOTATION
    has_items = phase is not None and phase.step != FactoidPhase.Step.INDEPENDENT
    return Surroundings(
        before=before,
        taken=frozenset(others.values_list("external_id", flat=True)),
        text_of={name: place.text for name, place in places.items()},
        texts=texts,
        item=None if item is None else Cell(item.key, item.set_text.external_id),
        is_fixed=is_annotation or has_items,
        takes_absent=is_annotation,
        has_items=has_items,
    )


def in_order(change: Change, places: Mapping[str, SentencePlace], texts: Mapping[str, int]) -> Change:
    """Return the change with sentences and texts in the order of the set, in which they are read again."""
    if change.after is None:
        return change
    after = change.after
    positions = {text: at for at, text in enumerate(texts)}
    sentences = tuple(sorted(after.sentences, key=lambda name: places[name]))
    absent = tuple(sorted(after.absent, key=lambda name: positions[name]))
    return Change(change.key, FactoidState(change.key, after.id, after.description, sentences, absent))


def factoids_store(
    row: FactoidList,
    before: Mapping[UUID, FactoidState],
    changes: Sequence[Change],
    places: Mapping[str, SentencePlace],
    texts: Mapping[str, int],
) -> None:
    """Write the factoids that change, their links and their absences, in a number of queries that is fixed."""
    after = {change.key: change.after for change in changes if change.after is not None}
    deleted = [change.key for change in changes if change.after is None]
    if deleted:
        row.factoids.filter(key__in=deleted).delete()
    stored = {each.key: each for each in row.factoids.filter(key__in=[key for key in after if key in before])}
    for key, factoid in stored.items():
        factoid.external_id, factoid.description = after[key].id, after[key].description
    named = [stored[key] for key, old in before.items() if key in stored and heading(old) != heading(after[key])]
    if named:
        Factoid.objects.bulk_update(named, ["external_id", "description"])
    new = [
        Factoid(factoid_list=row, key=key, external_id=state.id, description=state.description)
        for key, state in after.items()
        if key not in before
    ]
    stored |= {factoid.key: factoid for factoid in Factoid.objects.bulk_create(new)}
    rows = {name: place.pk for name, place in places.items()}
    ends_store(FactoidSentence, "sentence", stored, differences(before, after, "sentences"), rows)
    ends_store(FactoidAbsence, "set_text", stored, differences(before, after, "absent"), texts)


def heading(state: FactoidState) -> tuple[str, str]:
    return state.id, state.description


class Difference(NamedTuple):
    """Hold the names that a factoid no longer has, and those that it has now."""

    lost: frozenset[str]
    gained: frozenset[str]


def differences(
    before: Mapping[UUID, FactoidState], after: Mapping[UUID, FactoidState], field: str
) -> dict[UUID, Difference]:
    """Return how the sentences or absences of the factoids that stay or come differ from before."""
    found = {}
    for key, state in after.items():
        old = frozenset(getattr(before[key], field)) if key in before else frozenset()
        new = frozenset(getattr(state, field))
        found[key] = Difference(old - new, new - old)
    return found


def ends_store(
    model: type[Model],
    field: str,
    stored: Mapping[UUID, Factoid],
    differing: Mapping[UUID, Difference],
    rows: Mapping[str, int],
) -> None:
    """Delete and add rows that link factoids to sentences or to texts, whose primary keys are `rows` by their ids."""
    gone = Q()
    for key, (lost, _) in differing.items():
        if lost:
            gone |= Q(factoid=stored[key], **{f"{field}__in": [rows[name] for name in lost]})
    if gone:
        model._default_manager.filter(gone).delete()
    model._default_manager.bulk_create(
        model(factoid=stored[key], **{f"{field}_id": rows[name]})
        for key, (_, gained) in differing.items()
        for name in sorted(gained)
    )


def item_decide(item: FactoidItem, member: Membership, decision: Decision) -> dict[str, Any]:
    """Write the answer to an item, and return it with the one before, as a revision stores them."""
    before = answer_written(item)
    item.is_there, item.note = decision.is_there, decision.note
    item.decided_by = None if decision.is_there is None else member.user
    item.decided_at = None if decision.is_there is None else timezone.now()
    item.save(update_fields=["is_there", "note", "decided_by", "decided_at"])
    return {"id": str(item.uuid), "before": before, "after": answer_written(item)}


def answer_written(item: FactoidItem) -> dict[str, Any]:
    return {"is_there": item.is_there, "note": item.note}


def revision_add(
    row: FactoidList,
    *,
    kind: str,
    changes: list[dict[str, Any]],
    item: dict[str, Any] | None,
    client_id: UUID,
    body_hash: str,
    actor_id: int,
) -> FactoidRevision:
    """Add the next revision of a locked list. Whoever goes on with it is no longer done."""
    row.revision += 1
    row.done_at = None
    row.save(update_fields=["revision", "done_at"])
    return FactoidRevision.objects.create(
        factoid_list=row,
        revision=row.revision,
        client_id=client_id,
        body_hash=body_hash,
        kind=kind,
        changes=changes,
        item=item,
        created_by_id=actor_id,
    )
