"""Name the factoids that tell no texts of a set apart (Teufel and van Halteren 2004, 2). Pure."""

from collections import defaultdict
from dataclasses import dataclass

from al_worker.factoids.lists import FactoidList


@dataclass(frozen=True, slots=True)
class Atomicity:
    """Hold ids in natural order. `indistinguishable` are groups that stand in the same texts: candidates to merge.

    What stands in all texts, or in none, distinguishes nothing.
    """

    indistinguishable: list[list[str]]
    in_all: list[str]
    in_none: list[str]


def atomicity(given: FactoidList) -> Atomicity:
    """Check a list. That a factoid should be split is for people to judge, by its sentences."""
    alike: dict[frozenset[str], list[str]] = defaultdict(list)
    for factoid in given.factoids:
        alike[factoid.texts].append(factoid.id)
    return Atomicity(
        [names for names in alike.values() if len(names) > 1],
        alike.get(frozenset(given.texts), []),
        alike.get(frozenset(), []),
    )
