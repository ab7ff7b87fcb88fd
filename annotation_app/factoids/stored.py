"""Give stored lists to the engine, and keep what it finds in them."""

from collections import defaultdict
from collections.abc import Collection, Iterable

from al_worker.factoids.lists import Factoid, FactoidList, Relations, natural_key
from al_worker.factoids.pairing import Pairing, pair
from annotation_app.cached import Cache
from annotation_app.factoids.relations import newest_relations
from annotation_app.factoids.texts import list_texts
from annotation_app.models import Factoid as StoredFactoid
from annotation_app.models import FactoidList as StoredList
from annotation_app.models import FactoidPairing, FactoidSentence

# The first list and its revision, the second and its revision, threshold, weight of descriptions.
LinksKey = tuple[int, int, int, int, float, float]
LINKS: Cache[LinksKey, Pairing] = Cache(64)


def engine_list(row: StoredList) -> FactoidList:
    """Return a stored list as the engine takes it, with the texts that it is about."""
    return engine_lists([row])[row.pk]


def engine_lists(rows: Iterable[StoredList]) -> dict[int, FactoidList]:
    """Return stored lists by their primary keys. Takes two queries, and one for each phase that they are of."""
    lists = {row.pk: row for row in rows}
    sentences: dict[int, list[str]] = defaultdict(list)
    texts: dict[int, set[str]] = defaultdict(set)
    text_of: dict[int, dict[str, str]] = defaultdict(dict)
    links = FactoidSentence.objects.filter(factoid__factoid_list__in=lists)
    names = ("factoid__factoid_list_id", "factoid_id", "sentence__external_id", "sentence__set_text__external_id")
    for pk, factoid, sentence, text in links.values_list(*names):
        sentences[factoid].append(sentence)
        texts[factoid].add(text)
        text_of[pk][sentence] = text
    factoids: dict[int, list[Factoid]] = defaultdict(list)
    fields = StoredFactoid.objects.filter(factoid_list__in=lists)
    for pk, of, name, description in fields.values_list("pk", "factoid_list_id", "external_id", "description"):
        factoids[of].append(Factoid(name, description, frozenset(sentences[pk]), frozenset(texts[pk])))
    # Lists of one phase are about the same texts. One without a phase stands for itself.
    of_phase = {(row.phase_id, row.phase_id or row.pk): row for row in lists.values()}
    about = {
        key: sorted(list_texts(row).values_list("external_id", flat=True), key=natural_key)
        for key, row in of_phase.items()
    }
    return {
        pk: FactoidList(
            str(row.uuid),
            "",
            tuple(about[row.phase_id, row.phase_id or pk]),
            tuple(sorted(factoids[pk], key=lambda factoid: natural_key(factoid.id))),
            text_of[pk],
            declares_sentences=False,
        )
        for pk, row in lists.items()
    }


def links_of(pairing: FactoidPairing) -> Pairing:
    """Return the links between a pairing's two lists, by the factoids' ids. They are kept until a list changes."""
    return links_of_pairings([pairing])[pairing.pk]


def links_of_pairings(pairings: Collection[FactoidPairing]) -> dict[int, Pairing]:
    """Return the links of several pairings by their primary keys. Lists that are not known yet are read together."""
    by_key = {links_key(pairing): pairing for pairing in pairings}

    def found(missing: list[LinksKey]) -> dict[LinksKey, Pairing]:
        chosen = {key: by_key[key] for key in missing}
        lists = engine_lists(each for pairing in chosen.values() for each in (pairing.first, pairing.second))
        return {
            key: pair(lists[each.first_id], lists[each.second_id], each.threshold, each.description_weight)
            for key, each in chosen.items()
        }

    links = LINKS.read(by_key, found)
    return {pairing.pk: links[links_key(pairing)] for pairing in pairings}


def links_key(pairing: FactoidPairing) -> LinksKey:
    first, second = pairing.first, pairing.second
    return first.pk, first.revision, second.pk, second.revision, pairing.threshold, pairing.description_weight


def relations_of(pairing: FactoidPairing) -> Relations:
    """Return the newest judgement of each pair by the factoids' ids, without those that were withdrawn."""
    first, second = (dict(each.factoids.values_list("key", "external_id")) for each in (pairing.first, pairing.second))
    judged = newest_relations(pairing.relations.all()).values_list("a", "b", "relation")
    return {(first[a], second[b]): relation for a, b, relation in judged}
