"""Show a pairing: its links, what people judged, and how the two compare."""

from collections import Counter
from collections.abc import Iterator, Sequence
from typing import Any

from al_worker.factoids.comparison import comparison
from al_worker.factoids.lists import Relations
from al_worker.factoids.pairing import Link, Pairing, overlap
from annotation_app.factoids.pairings import PHASE_OPEN, is_frozen
from annotation_app.factoids.relations import newest_relations
from annotation_app.factoids.states import states_of_lists
from annotation_app.factoids.stored import engine_list, links_of, links_of_pairings, relations_of
from annotation_app.factoids.texts import list_texts, with_sentences
from annotation_app.models import FactoidList, FactoidPairing, FactoidRelation
from annotation_app.refusals import Refused

NO_LINK = "none"


def pairing_heads(pairings: Sequence[FactoidPairing]) -> list[dict[str, Any]]:
    """Return pairings as lists of pairings show them. The links of an open phase are not counted."""
    judged = newest_relations(FactoidRelation.objects.filter(pairing__in=pairings))
    counts = Counter(judged.values_list("pairing_id", flat=True))
    links = links_of_pairings([pairing for pairing in pairings if is_closed(pairing)])
    return [pairing_head(pairing, counts[pairing.pk], links.get(pairing.pk)) for pairing in pairings]


def is_closed(pairing: FactoidPairing) -> bool:
    """Return whether the phase of its lists is closed."""
    phase = pairing.first.phase
    return phase is not None and phase.closed_at is not None


def pairing_head(pairing: FactoidPairing, n_judged: int, links: Pairing | None) -> dict[str, Any]:
    """Return a pairing with its numbers, which are None without its links."""
    return {
        "id": pairing.uuid,
        "first": list_head(pairing.first),
        "second": list_head(pairing.second),
        "threshold": pairing.threshold,
        "description_weight": pairing.description_weight,
        "n_judged": n_judged,
        "n_strong": links and len(links.strong),
        "n_weak": links and len(links.weak),
    }


def list_head(row: FactoidList) -> dict[str, Any]:
    name, phase = row.owner and row.owner.user.shown_name, row.phase
    return {"list": row.uuid, "name": name, "phase_number": phase and phase.number}


def pairing_view(pairing: FactoidPairing) -> dict[str, Any]:
    """Return a pairing with its links, both lists and the texts. Raises Refused where its phase is open."""
    if not is_closed(pairing):
        raise Refused("phase_open", PHASE_OPEN)
    links, relations = links_of(pairing), relations_of(pairing)
    states = states_of_lists([pairing.first_id, pairing.second_id])
    first, second = (list(states.get(pk, {}).values()) for pk in (pairing.first_id, pairing.second_id))
    key_a, key_b = ({each.id: each.key for each in side} for side in (first, second))
    return pairing_head(pairing, len(relations), links) | {
        "set": pairing.text_set,
        "texts": with_sentences(list_texts(pairing.first)),
        "first_factoids": first,
        "second_factoids": second,
        "links": [
            {"a": key_a[link.a], "b": key_b[link.b], "f": link.f, "direction": direction, "relation": relation}
            for link, direction, relation in shown_links(pairing, links, relations)
        ],
        "unlinked": {
            "a": [key_a[name] for name in links.unlinked_a],
            "b": [key_b[name] for name in links.unlinked_b],
        },
        "comparison": comparison(links, relations),
        "is_frozen": is_frozen(pairing),
    }


def shown_links(
    pairing: FactoidPairing, links: Pairing, relations: Relations
) -> Iterator[tuple[Link, str | None, str | None]]:
    """Yield strong links, weak ones, and then judged pairs without a link; each by falling overlap."""
    linked = (*links.strong, *links.weak)
    for link in linked:
        yield link, link.direction, relations.get((link.a, link.b))
    if others := relations.keys() - {(link.a, link.b) for link in linked}:
        first, second = engine_list(pairing.first).by_id, engine_list(pairing.second).by_id
        found = [Link(a, b, overlap(first[a], second[b], pairing.description_weight)) for a, b in sorted(others)]
        for link in sorted(found, key=lambda each: -each.f):
            yield link, NO_LINK, relations[link.a, link.b]
