"""Pair two lists of a definition, and judge how their factoids are related."""

import uuid
from typing import Any

from django.db import transaction
from django.db.models import QuerySet

from al_worker.factoids.lists import SUBSUMED, SUBSUMES
from annotation_app.factoids.access import answers_check
from annotation_app.factoids.consensus import consensus_draft
from annotation_app.factoids.events import event_of
from annotation_app.factoids.phases import phase_lock
from annotation_app.factoids.proposal import proposed_list
from annotation_app.factoids.relations import newest_relations
from annotation_app.factoids.states import factoid_states
from annotation_app.models import (
    FactoidList,
    FactoidPairing,
    FactoidPhase,
    FactoidRelation,
    Membership,
    Project,
    TextSet,
    User,
    event_write,
)
from annotation_app.projects.writable import writable_lock
from annotation_app.refusals import Invalid, Refused

PHASE_OPEN = "The phase of these lists is open. Close it first, as its lists can still change."
FROZEN = "A later step started from these relations, so they can't be changed any more."
NO_OWN_LIST = "Choose a list of this text set that a member made in a definition phase."
ONE_LIST = "Choose another list: these are one and the same."
TWO_PHASES = "Choose two lists of one phase."
TWICE = "These two lists are paired already. Open their pairing instead."
CLIENT_ID = "This client_id was already used for another judgement. Send a new one."
# What a relation is, seen from the other list.
REVERSED = {SUBSUMES: SUBSUMED, SUBSUMED: SUBSUMES}


def pairings_of(project: Project) -> QuerySet[FactoidPairing]:
    """Return the pairings of a project, with all that is shown of their lists."""
    rows = FactoidPairing.objects.filter(text_set__project=project)
    of_lists = ("first__phase", "first__owner__user", "second__phase", "second__owner__user")
    return rows.select_related(*of_lists, "text_set__project").order_by("pk")


def is_frozen(pairing: FactoidPairing) -> bool:
    """Return whether a second look, or a published list, started from a pairing's relations."""
    has_followed = FactoidPhase.objects.filter(follows=pairing.first.phase).exists()
    return has_followed or pairing.proposed.filter(published_at__isnull=False).exists()


def pairing_answers_check(reader: Membership, pairing: FactoidPairing) -> None:
    """Raise Refused (answer_first) where its lists would tell on one that the reader can still change."""
    if pairing.first.phase is not None:
        answers_check(reader, pairing.first.phase)


@transaction.atomic
def pairing_create(
    *, text_set: TextSet, first: uuid.UUID, second: uuid.UUID, threshold: float, description_weight: float, actor: User
) -> FactoidPairing:
    """Pair two lists of a closed definition phase.

    A pairing of a second look starts with the relations of the pairing before, of the same two people.
    Raises Invalid and Refused.
    """
    writable_lock(text_set.project_id)
    a, b = lists_chosen(text_set, first, second)
    closed_phase_lock(a)
    both = text_set.pairings.filter(first__in=(a, b), second__in=(a, b))
    if both.exists():
        raise Refused("paired_already", TWICE)
    pairing = FactoidPairing.objects.create(
        text_set=text_set,
        first=a,
        second=b,
        threshold=threshold,
        description_weight=description_weight,
        created_by=actor,
    )
    relations_inherit(pairing)
    event_write(
        verb="factoids_paired",
        **event_of(text_set, actor),
        threshold=threshold,
        description_weight=description_weight,
    )
    return pairing


def lists_chosen(text_set: TextSet, *chosen: uuid.UUID) -> list[FactoidList]:
    """Return the two lists. Raises Invalid where they can't be paired."""
    own = text_set.lists.filter(owner__isnull=False, phase__kind=FactoidPhase.Kind.DEFINITION)
    found = {row.uuid: row for row in own.filter(uuid__in=chosen).select_related("phase")}
    fields = dict(zip(("first", "second"), chosen, strict=True))
    if errors := {field: [NO_OWN_LIST] for field, each in fields.items() if each not in found}:
        raise Invalid(errors)
    first, second = (found[each] for each in chosen)
    if first == second:
        raise Invalid({"second": [ONE_LIST]})
    if first.phase_id != second.phase_id:
        raise Invalid({"second": [TWO_PHASES]})
    return [first, second]


def closed_phase_lock(row: FactoidList) -> None:
    """Hold a list's phase until the transaction ends, so that it is not reopened. Raises Refused where it is open."""
    if row.phase is None or phase_lock(row.phase).closed_at is None:
        raise Refused("phase_open", PHASE_OPEN)


def relations_inherit(pairing: FactoidPairing) -> None:
    """Copy the newest judgements of the pairing that the same people's lists had in the phase before."""
    owners = {pairing.first.owner_id, pairing.second.owner_id}
    of_both = FactoidPairing.objects.filter(first__owner__in=owners, second__owner__in=owners)
    for earlier in of_both.filter(first__phase__followed_by=pairing.first.phase_id).select_related("first", "second"):
        is_same_way = earlier.first.owner_id == pairing.first.owner_id
        keys = [set(each.factoids.values_list("key", flat=True)) for each in (pairing.first, pairing.second)]
        rows = []
        for row in newest_relations(earlier.relations.all()):
            a, b = (row.a, row.b) if is_same_way else (row.b, row.a)
            if a in keys[0] and b in keys[1]:
                relation = row.relation if is_same_way else REVERSED.get(row.relation, row.relation)
                rows.append(
                    FactoidRelation(
                        pairing=pairing,
                        a=a,
                        b=b,
                        relation=relation,
                        client_id=uuid.uuid4(),
                        decided_by_id=row.decided_by_id,
                        decided_at=row.decided_at,
                    )
                )
        FactoidRelation.objects.bulk_create(rows)


@transaction.atomic
def pairing_set(*, pairing: FactoidPairing, settings: dict[str, float], actor: User) -> FactoidPairing:
    """Change how the lists are paired: `threshold`, `description_weight`. Raises Refused."""
    row = pairing_lock(pairing)
    for name, value in settings.items():
        setattr(row, name, value)
    row.save(update_fields=list(settings))
    event_write(
        verb="factoids_pairing_set",
        **event_of(row.text_set, actor),
        threshold=row.threshold,
        description_weight=row.description_weight,
    )
    return row


def pairing_lock(pairing: FactoidPairing) -> FactoidPairing:
    """Hold a pairing whose relations may be changed until the transaction ends. Raises Refused."""
    writable_lock(pairing.text_set.project_id)
    closed_phase_lock(pairing.first)
    rows = pairings_of(pairing.text_set.project).select_for_update(no_key=True, of=("self",))
    row = rows.get(pk=pairing.pk)
    if is_frozen(row):
        raise Refused("frozen", FROZEN)
    return row


@transaction.atomic
def relation_judge(*, pairing: FactoidPairing, sent: dict[str, Any], actor: User) -> FactoidRelation:
    """Store what the first list's factoid `a` is to the second's `b`; an empty `relation` withdraws the judgement.

    Rows are only added, and the newest of a pair counts. A retry with the same `client_id` answers as before.
    Raises Invalid and Refused.
    """
    if (stored := relation_replayed(pairing, sent)) is not None:
        return stored
    row = pairing_lock(pairing)
    # The lock may have waited for the first try.
    if (stored := relation_replayed(row, sent)) is not None:
        return stored
    sides = {"a": row.first, "b": row.second}
    errors = {
        field: ["This list has no such factoid."]
        for field, of in sides.items()
        if not of.factoids.filter(key=sent[field]).exists()
    }
    if errors:
        raise Invalid(errors)
    return FactoidRelation.objects.create(pairing=row, decided_by=actor, **sent)


def relation_replayed(pairing: FactoidPairing, sent: dict[str, Any]) -> FactoidRelation | None:
    """Return what the same client_id stored before. Raises Refused where that was another judgement."""
    stored = pairing.relations.filter(client_id=sent["client_id"]).first()
    if stored is not None and (stored.a, stored.b, stored.relation) != (sent["a"], sent["b"], sent["relation"]):
        raise Refused("client_id_reused", CLIENT_ID)
    return stored


@transaction.atomic
def pairing_propose(*, text_set: TextSet, member: Membership, pairing: uuid.UUID) -> FactoidList:
    """Start a draft of a consensus list that is proposed from a pairing's relations. Raises Invalid and Refused."""
    row = text_set.pairings.select_related("first__phase", "second").filter(uuid=pairing).first()
    if row is None:
        raise Invalid({"pairing": ["This text set has no such pairing."]})
    writable_lock(text_set.project_id)
    closed_phase_lock(row.first)
    pairing_answers_check(member, row)
    factoids = proposed_list(
        list(factoid_states(row.first).values()),
        list(factoid_states(row.second).values()),
        {(each.a, each.b): each.relation for each in newest_relations(row.relations.all())},
    )
    return consensus_draft(
        text_set=text_set,
        actor=member.user,
        factoids={each.key: each for each in factoids},
        started_from=row.first,
        proposed_from=row,
    )
