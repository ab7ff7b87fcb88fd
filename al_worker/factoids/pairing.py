"""Pair the factoids of two lists by the sentences in which their authors see them (Teufel and van Halteren 2004, 4)."""

from collections.abc import Iterator
from dataclasses import dataclass
from typing import Any, Literal

from al_worker.factoids.lists import Factoid, FactoidList
from al_worker.formats.words import words

THRESHOLD = 0.8
Direction = Literal["A->B", "A<-B"]


@dataclass(frozen=True, slots=True)
class Link:
    """Hold one link between factoid `a` of A and factoid `b` of B, with their overlap `f`.

    A strong link has no direction. A weak one points at the factoid that has a strong link already.
    """

    a: str
    b: str
    f: float
    direction: Direction | None = None


@dataclass(frozen=True, slots=True)
class Pairing:
    """Hold all links in falling order of overlap, and the ids of the factoids that have none, in natural order."""

    strong: tuple[Link, ...]
    weak: tuple[Link, ...]
    unlinked_a: tuple[str, ...]
    unlinked_b: tuple[str, ...]

    def written(self) -> dict[str, Any]:
        """Return the pairing as JSON."""
        return {
            "strong": [{"a": link.a, "b": link.b, "f": link.f} for link in self.strong],
            "weak": [_weak(link) for link in self.weak],
            "unlinked": {"a": list(self.unlinked_a), "b": list(self.unlinked_b)},
        }


def f1(a: frozenset[str], b: frozenset[str]) -> float:
    """Return the harmonic mean of precision and recall of two sets; 0 where they share nothing or are empty."""
    shared = len(a & b)
    return 2 * shared / (len(a) + len(b)) if shared else 0.0


def pair(first: FactoidList, second: FactoidList, threshold: float = THRESHOLD, weight: float = 0.0) -> Pairing:
    """Link the factoids of two lists of one text set.

    Pairs come in falling order of overlap; ties in natural order of A's id, then of B's. Two factoids without a strong
    link get one where their overlap is at least `threshold`. Where exactly one has a strong link, the other gets a weak
    link to it, unless it has a weak link already. A weak link leaves a factoid free for a strong one.
    The overlap is F1 of the sentences. A `weight` above 0 gives that share to the F1 of the descriptions' words.
    Factoids that share no sentence are never linked. Both numbers are from 0 to 1.
    """
    strong_a: set[str] = set()
    strong_b: set[str] = set()
    pointing_a: set[str] = set()
    pointing_b: set[str] = set()
    strong: list[Link] = []
    weak: list[Link] = []
    # The lists are in natural order, and sorting is stable: ties stay in that order.
    for f, a, b in sorted(_overlaps(first, second, weight), key=lambda row: -row[0]):
        if a not in strong_a and b not in strong_b:
            if f >= threshold:
                strong.append(Link(a, b, f))
                strong_a.add(a)
                strong_b.add(b)
        elif a not in strong_a and a not in pointing_a:
            weak.append(Link(a, b, f, "A->B"))
            pointing_a.add(a)
        elif b not in strong_b and b not in pointing_b:
            weak.append(Link(a, b, f, "A<-B"))
            pointing_b.add(b)
    return Pairing(
        tuple(strong),
        tuple(weak),
        tuple(name for name in first.by_id if name not in strong_a | pointing_a),
        tuple(name for name in second.by_id if name not in strong_b | pointing_b),
    )


def overlap(a: Factoid, b: Factoid, weight: float = 0.0) -> float:
    """Return the overlap of two factoids by which lists are paired; 0 where they share no sentence."""
    return _blended(a, b, _words(a, weight), _words(b, weight), weight)


def _overlaps(first: FactoidList, second: FactoidList, weight: float) -> Iterator[tuple[float, str, str]]:
    said = [_words(factoid, weight) for factoid in second.factoids]
    for a in first.factoids:
        own = _words(a, weight)
        for b, other in zip(second.factoids, said, strict=True):
            if f := _blended(a, b, own, other, weight):
                yield f, a.id, b.id


def _blended(a: Factoid, b: Factoid, own: frozenset[str], other: frozenset[str], weight: float) -> float:
    of_sentences = f1(a.sentences, b.sentences)
    return (1 - weight) * of_sentences + weight * f1(own, other) if of_sentences else 0.0


def _words(factoid: Factoid, weight: float) -> frozenset[str]:
    return frozenset(word.casefold() for word in words(factoid.description)) if weight else frozenset()


def _weak(link: Link) -> dict[str, Any]:
    ends = (link.a, link.b) if link.direction == "A->B" else (link.b, link.a)
    return {"from": ends[0], "to": ends[1], "f": link.f, "direction": link.direction}
