"""Hold what annotators say of a text set: factoid lists, and relations between the factoids of two lists. Pure."""

import re
from collections.abc import Mapping
from dataclasses import dataclass
from functools import cached_property

EQUAL, SUBSUMES, SUBSUMED, RELATED, UNRELATED = "equal", "subsumes", "subsumed", "related", "unrelated"
RELATIONS = (EQUAL, SUBSUMES, SUBSUMED, RELATED, UNRELATED)
# Agreement of definition has items for these: the two factoids say the same, or one says a part of the other.
IDENTIFYING = (EQUAL, SUBSUMES, SUBSUMED)

NaturalKey = tuple[tuple[str | tuple[int, str], ...], str]
# (id in A, id in B) and what A's factoid is to B's.
Relations = Mapping[tuple[str, str], str]


@dataclass(frozen=True, slots=True)
class Factoid:
    """Hold one factoid with the sentences in which its author sees it, and the texts that these belong to."""

    id: str
    description: str
    sentences: frozenset[str]
    texts: frozenset[str]


@dataclass(frozen=True)
class FactoidList:
    """Hold the list of one annotator, or the consensus list.

    `source` names where it was read, for messages. `texts` and `factoids` stand in natural order of their ids.
    `text_of` maps sentences to texts: all of the set where the list declares them, else those with a factoid.
    """

    source: str
    annotator: str
    texts: tuple[str, ...]
    factoids: tuple[Factoid, ...]
    text_of: Mapping[str, str]
    declares_sentences: bool

    @cached_property
    def by_id(self) -> dict[str, Factoid]:
        """Return the factoids by their ids."""
        return {factoid.id: factoid for factoid in self.factoids}


def natural_key(name: str) -> NaturalKey:
    """Return a key that sorts ids as people count: F9.9 comes before F9.21. Equal keys are equal ids."""
    # A number is compared by its length and its digits, as int() refuses very long ones.
    parts = re.split("([0-9]+)", name)
    numbers = [(len(digits), digits) for digits in (part.lstrip("0") for part in parts[1::2])]
    mixed: list[str | tuple[int, str]] = [*parts]
    mixed[1::2] = numbers
    return tuple(mixed), name
