"""Give stored lists to the engine, and keep what it finds in them."""

from collections import defaultdict

from al_worker.factoids.lists import Factoid, FactoidList, Relations, natural_key
from al_worker.factoids.pairing import Pairing, pair
from annotation_app.cached import Cache
from annotation_app.factoids.relations import newest_relations
from annotation_app.factoids.texts import list_texts
from annotation_app.models import FactoidList as StoredList
from annotation_app.models import FactoidPairing, FactoidSentence

# The first list and its revision, the second and its revision, threshold, weight of descriptions.
LINKS: Cache[tuple[int, int, int, int, float, float], Pairing] = Cache(64)


def engine_list(row: StoredList) -> FactoidList:
    """Return a stored list as the engine takes it, with the texts that it is about. Takes three queries."""
    sentences: dict[int, list[str]] = defaultdict(list)
    texts: dict[int, set[str]] = defaultdict(set)
    text_of: dict[str, str] = {}
    links = FactoidSentence.objects.filter(factoid__factoid_list=row)
    names = ("factoid_id", "sentence__external_id", "sentence__set_text__external_id")
    for factoid, sentence, text in links.values_list(*names):
        sentences[factoid].append(sentence)
        texts[factoid].add(text)
        text_of[sentence] = text
    factoids = [
        Factoid(name, description, frozenset(sentences[pk]), frozenset(texts[pk]))
        for pk, name, description in row.factoids.values_list("pk", "external_id", "description")
    ]
    of_set = sorted(list_texts(row).values_list("external_id", flat=True), key=natural_key)
    ordered = tuple(sorted(factoids, key=lambda factoid: natural_key(factoid.id)))
    return FactoidList(str(row.uuid), "", tuple(of_set), ordered, text_of, declares_sentences=False)


def links_of(pairing: FactoidPairing) -> Pairing:
    """Return the links between a pairing's two lists, by the factoids' ids. They are kept until a list changes."""
    first, second = pairing.first, pairing.second
    key = (first.pk, first.revision, second.pk, second.revision, pairing.threshold, pairing.description_weight)

    def found() -> Pairing:
        return pair(engine_list(first), engine_list(second), pairing.threshold, pairing.description_weight)

    return LINKS.read([key], lambda _: {key: found()})[key]


def relations_of(pairing: FactoidPairing) -> Relations:
    """Return the newest judgement of each pair by the factoids' ids, without those that were withdrawn."""
    first, second = (dict(each.factoids.values_list("key", "external_id")) for each in (pairing.first, pairing.second))
    judged = newest_relations(pairing.relations.all()).values_list("a", "b", "relation")
    return {(first[a], second[b]): relation for a, b, relation in judged}
