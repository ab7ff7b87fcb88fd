"""Start drafts of a consensus list, publish them as versions, and discard them."""

from collections.abc import Mapping
from uuid import UUID

from django.db import transaction
from django.db.models import Max
from django.utils import timezone

from annotation_app.factoids.access import list_answers_check, open_check
from annotation_app.factoids.copies import lists_copy
from annotation_app.factoids.events import event_of
from annotation_app.factoids.revisions import list_lock
from annotation_app.factoids.states import FactoidState, factoid_states
from annotation_app.models import FactoidList, FactoidPairing, Membership, TextSet, User, event_write
from annotation_app.projects.writable import writable_lock
from annotation_app.refusals import Invalid, Refused


@transaction.atomic
def consensus_draft(
    *,
    text_set: TextSet,
    actor: User,
    factoids: Mapping[UUID, FactoidState],
    started_from: FactoidList | None = None,
    proposed_from: FactoidPairing | None = None,
) -> FactoidList:
    """Start a draft with these factoids, in a set whose people work or have worked on it."""
    writable_lock(text_set.project_id)
    row = FactoidList.objects.create(text_set=text_set, started_from=started_from, proposed_from=proposed_from)
    lists_copy({row: factoids})
    event_write(verb="factoid_consensus_drafted", **event_of(row.text_set, actor), factoids=len(factoids))
    return row


def list_started_from(text_set: TextSet, start: UUID, reader: Membership) -> FactoidList:
    """Return the list that a draft is to be a copy of. Raises Invalid where it may not be, and Refused."""
    rows = text_set.lists.filter(discarded_at=None).select_related("phase__follows__follows")
    row = rows.filter(uuid=start).first()
    if row is None or (row.phase is not None and row.phase.closed_at is None):
        raise Invalid({"from": ["Choose a list of this text set that is published or a draft, or of a closed phase."]})
    list_answers_check(reader, row)
    return row


def copied_factoids(row: FactoidList) -> dict[UUID, FactoidState]:
    """Return the factoids of a list as a consensus list holds them: it says nowhere where a factoid is not."""
    states = factoid_states(row).values()
    return {state.key: FactoidState(state.key, state.id, state.description, state.sentences) for state in states}


@transaction.atomic
def consensus_publish(*, row: FactoidList, actor: User) -> FactoidList:
    """Publish a draft as the set's next version, which never changes. Raises Refused."""
    writable_lock(row.text_set.project_id)
    row = draft_lock(row)
    if not row.factoids.exists():
        raise Refused("empty", "The list has no factoid, so it can't be published yet.")
    latest = FactoidList.objects.filter(text_set=row.text_set_id).aggregate(number=Max("version"))["number"] or 0
    row.version, row.published_at, row.published_by = latest + 1, timezone.now(), actor
    row.save(update_fields=["version", "published_at", "published_by"])
    event_write(
        verb="factoid_consensus_published",
        **event_of(row.text_set, actor),
        version=row.version,
        factoids=row.factoids.count(),
    )
    return row


@transaction.atomic
def consensus_discard(*, row: FactoidList, actor: User) -> None:
    """Hide a draft that nobody needs. Its revisions stay. Raises Refused for what is no draft."""
    writable_lock(row.text_set.project_id)
    row = draft_lock(row)
    row.discarded_at = timezone.now()
    row.save(update_fields=["discarded_at"])
    event_write(verb="factoid_consensus_discarded", **event_of(row.text_set, actor))


def draft_lock(row: FactoidList) -> FactoidList:
    row = list_lock(row)
    if row.phase is not None:
        raise Refused("not_a_draft", f"This is a list of phase {row.phase.number}. Start a draft from it.")
    open_check(row)
    return row
