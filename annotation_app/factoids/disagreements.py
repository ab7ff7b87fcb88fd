"""Read the items of a closed phase on which people differ."""

from operator import itemgetter
from typing import Any
from uuid import UUID

from al_worker.factoids.lists import natural_key
from annotation_app.aggregation.planner import one_snapshot
from annotation_app.factoids.agreement import names_of
from annotation_app.factoids.statements import disagreements_statement
from annotation_app.models import Factoid, FactoidPairing, FactoidPhase
from annotation_app.refusals import Invalid, Refused

NEEDS_PAIRING = "Name the pairing whose items are meant: people defined lists of their own in this phase."


def phase_disagreements(phase: FactoidPhase, pairing: FactoidPairing | None) -> list[dict[str, Any]]:
    """Return the items that differ, by the factoid's id and then by text.

    A definition has items for one pairing of its lists: `id_b` is then the other list's factoid.
    Raises Refused for an open phase, and Invalid for a definition without a pairing.
    """
    if phase.closed_at is None:
        raise Refused("phase_open", "This phase is open: close it, and then look at where people differ.")
    if phase.kind == FactoidPhase.Kind.DEFINITION and pairing is None:
        raise Invalid({"pairing": [NEEDS_PAIRING]})
    with one_snapshot() as cursor:
        of_pairing = None if pairing is None else pairing.pk
        parameters = {"factoid_phase": phase.pk, "pairing": of_pairing, "text_set": phase.text_set_id}
        cursor.execute(disagreements_statement(), parameters)
        rows = cursor.fetchall()
        names = names_of(phase.text_set)
        factoids = factoids_of(phase)
    found = []
    for text, position, a, b, raters, there in rows:
        first, second = factoids[a], factoids[b]
        item = {
            "key": a,
            "key_b": b if pairing else None,
            "id": first.external_id,
            "id_b": second.external_id if pairing else "",
            "description": first.description,
            "description_b": second.description if pairing else "",
            "text": text,
            "answers": [{"name": names[number], "is_there": said} for number, said in zip(raters, there, strict=True)],
        }
        found.append(((natural_key(item["id"]), natural_key(item["id_b"]), position), item))
    return [item for _, item in sorted(found, key=itemgetter(0))]


def factoids_of(phase: FactoidPhase) -> dict[UUID, Factoid]:
    """Return the factoids of a phase's lists by key. A key that several lists have says the same in all of them."""
    return {each.key: each for each in Factoid.objects.filter(factoid_list__phase=phase)}
