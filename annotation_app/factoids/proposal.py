"""Propose a consensus list from two lists of a definition and people's relations between them. Pure."""

from collections.abc import Collection, Mapping, Sequence
from dataclasses import replace
from itertools import count
from uuid import UUID, uuid4

from al_worker.factoids.lists import EQUAL, natural_key
from annotation_app.factoids.states import FactoidState
from annotation_app.factoids.steps import ID_LENGTH


def proposed_list(
    first: Sequence[FactoidState], second: Sequence[FactoidState], relations: Mapping[tuple[UUID, UUID], str]
) -> list[FactoidState]:
    """Return the factoids of a consensus list, in natural order of their ids.

    `relations` are by the keys of the first list's factoid and of the second's. Equal factoids, also by way of others,
    become one. It has the key, the id and the description of the first list's, and the sentences of all. An empty
    description is taken from the next of them. Everything else is kept: a part beside what it is a part of.
    A factoid of the second list gets a prefix where its id is taken, and a new key where its key is.
    """
    found: dict[str, FactoidState] = {}
    keys: set[UUID] = set()
    for group in equal_groups(first, second, relations):
        head = group[0]
        name = head.id if head.id not in found else free_id(head.id, found)
        key = uuid4() if head.key in keys else head.key
        keys.add(key)
        found[name] = replace(
            head,
            key=key,
            id=name,
            description=next((each.description for each in group if each.description), ""),
            sentences=tuple(dict.fromkeys(sentence for each in group for sentence in each.sentences)),
            absent=(),
        )
    return sorted(found.values(), key=lambda each: natural_key(each.id))


def equal_groups(
    first: Sequence[FactoidState], second: Sequence[FactoidState], relations: Mapping[tuple[UUID, UUID], str]
) -> list[list[FactoidState]]:
    """Return the factoids of both lists, those that are equal together, in the order of the first and of the second."""
    # It takes a while to import, which nothing else should wait for.
    from scipy.cluster.hierarchy import DisjointSet

    # Both lists may have the same key.
    named = {(side, each.key): each for side, states in enumerate((first, second)) for each in states}
    groups = DisjointSet(named)
    for (a, b), relation in relations.items():
        if relation == EQUAL:
            groups.merge((0, a), (1, b))
    heads: dict[tuple[int, UUID], list[FactoidState]] = {}
    for each, state in named.items():
        heads.setdefault(groups[each], []).append(state)
    return list(heads.values())


def free_id(name: str, taken: Collection[str]) -> str:
    """Return the id with the first of B-, B2-, B3- and so on that makes it free."""
    prefixes = (f"B{number if number > 1 else ''}-" for number in count(1))
    return next(made for prefix in prefixes if (made := (prefix + name)[:ID_LENGTH]) not in taken)
