"""Suggest which strings are alike by the words that they share."""

from collections import Counter, defaultdict
from collections.abc import Collection, Iterable, Mapping, Sequence
from dataclasses import dataclass
from math import log

from al_worker.formats.words import words

# The most suggestions for one string, and in all.
MOST_OF_ONE, MOST = 5, 2_000
# Two strings are suggested from this share of their words on.
LEAST_SHARED = 0.3
# A word of so many strings finds no pairs by itself; it still counts for those that rarer words find.
MOST_STRINGS = 100


@dataclass(frozen=True)
class Pair:
    """Hold two strings that are alike. `class_key` is the class of `other`, None where it is in none."""

    text: str
    other: str
    score: float
    shared: Sequence[str]
    class_key: str | None


def pairs_by_words(strings: Collection[str], class_of: Mapping[str, str]) -> list[Pair]:
    """Return pairs of strings of which the first is in no class, the most alike ones first.

    The score is the weight of the words that both have, divided by that of the words that either has. A word's weight
    is 1 + log(strings / strings that have it), natural; so words that stand in many strings count for little, and no
    list of stop words is needed. Words are compared without regard to case.
    """
    bags = {text: frozenset(word.casefold() for word in words(text)) for text in strings}
    having: dict[str, list[str]] = defaultdict(list)
    for text in sorted(bags):
        for word in bags[text]:
            having[word].append(text)
    weights = {word: 1 + log(len(bags) / len(texts)) for word, texts in having.items()}
    found = []
    for text in sorted(bags):
        if text not in class_of:
            found += _nearest(text, bags, having, weights, class_of)
    return most_alike(found)


def _nearest(
    text: str,
    bags: Mapping[str, frozenset[str]],
    having: Mapping[str, list[str]],
    weights: Mapping[str, float],
    class_of: Mapping[str, str],
) -> list[Pair]:
    own = bags[text]
    common: Counter[str] = Counter()
    for word in own:
        if len(having[word]) <= MOST_STRINGS:
            common.update(having[word])
    pairs = []
    for other in common:
        if other == text:
            continue
        shared = own & bags[other]
        score = _sum(shared, weights) / _sum(own | bags[other], weights)
        if score >= LEAST_SHARED:
            pairs.append(Pair(text, other, round(score, 4), sorted(shared), class_of.get(other)))
    return sorted(pairs, key=order)[:MOST_OF_ONE]


def _sum(some: Iterable[str], weights: Mapping[str, float]) -> float:
    return sum(weights[word] for word in some)


def order(pair: Pair) -> tuple[float, str, str]:
    return -pair.score, pair.text, pair.other


def most_alike(pairs: Iterable[Pair]) -> list[Pair]:
    """Return the most alike pairs; of two strings in no class, which find each other, once."""
    found: dict[frozenset[str], Pair] = {}
    for pair in sorted(pairs, key=order):
        found.setdefault(frozenset((pair.text, pair.other)), pair)
    return list(found.values())[:MOST]
