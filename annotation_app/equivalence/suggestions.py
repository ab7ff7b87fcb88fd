"""Suggest which strings are alike by the words that they share."""

from collections import defaultdict
from collections.abc import Collection, Iterable, Mapping, Sequence
from dataclasses import dataclass
from heapq import nsmallest
from math import log

from al_worker.formats.words import words

# The most suggestions for one string, and in all.
MOST_OF_ONE, MOST = 5, 2_000
# Two strings are suggested from this share of their words on.
LEAST_SHARED = 0.3
# A word of so many strings finds no pairs by itself; it still counts for those that rarer words find.
MOST_STRINGS = 100
# Of sums of weights in different orders.
TOLERANCE = 1e-9


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
    texts = sorted(strings)
    bags = [frozenset(word.casefold() for word in words(text)) for text in texts]
    having: dict[str, list[int]] = defaultdict(list)
    for number, bag in enumerate(bags):
        for word in bag:
            having[word].append(number)
    weights = {word: 1 + log(len(texts) / len(numbers)) for word, numbers in having.items()}
    index = _Index(texts, bags, having, weights, [sum(weights[word] for word in sorted(bag)) for bag in bags])
    found = []
    for number, text in enumerate(texts):
        if text not in class_of:
            found += _nearest(number, index, class_of)
    return most_alike(found)


@dataclass(frozen=True)
class _Index:
    """Hold strings with their words. `having` has a word's strings by number, `totals` a string's weight."""

    texts: Sequence[str]
    bags: Sequence[frozenset[str]]
    having: Mapping[str, Sequence[int]]
    weights: Mapping[str, float]
    totals: Sequence[float]


def _nearest(number: int, index: _Index, class_of: Mapping[str, str]) -> list[Pair]:
    own, total, weights = index.bags[number], index.totals[number], index.weights
    rare = [word for word in own if len(index.having[word]) <= MOST_STRINGS]
    of_rare: dict[int, float] = defaultdict(float)
    for word in rare:
        for other in index.having[word]:
            of_rare[other] += weights[word]
    of_rare.pop(number, None)
    common = total - sum(weights[word] for word in rare)
    scores = []
    for other, weight in of_rare.items():
        # Most candidates share too little even if they had all common words too.
        if weight + common < LEAST_SHARED * (total + index.totals[other] - weight - common) - TOLERANCE:
            continue
        of_shared = sum(weights[word] for word in sorted(own & index.bags[other]))
        score = of_shared / (total + index.totals[other] - of_shared)
        if score >= LEAST_SHARED:
            scores.append((-round(score, 4), index.texts[other], other))
    return [
        Pair(index.texts[number], text, -score, sorted(own & index.bags[other]), class_of.get(text))
        for score, text, other in nsmallest(MOST_OF_ONE, scores)
    ]


def order(pair: Pair) -> tuple[float, str, str]:
    return -pair.score, pair.text, pair.other


def most_alike(pairs: Iterable[Pair]) -> list[Pair]:
    """Return the most alike pairs; of two strings in no class, which find each other, once."""
    found: dict[frozenset[str], Pair] = {}
    for pair in sorted(pairs, key=order):
        found.setdefault(frozenset((pair.text, pair.other)), pair)
    return list(found.values())[:MOST]
