"""Compute how far annotators agree on factoids (Teufel and van Halteren 2004, 3).

Annotation: all annotated one list of factoids. An item is a factoid and a text. Is the factoid there?
Definition: each made a list. An item is a text, and two factoids that are equal or of which one is a part of the other.
Does A say that A's factoid is there, and B that B's is?
"""

from collections.abc import Collection, Sequence
from dataclasses import dataclass
from math import sqrt
from typing import Any

import numpy as np
from numpy.typing import NDArray

from al_worker.factoids.lists import IDENTIFYING, FactoidList, Relations
from al_worker.formats.kappa import cohen_kappa

CATEGORIES = 2
NO_FACTOID = "There is no item: the lists have no factoid."
NO_RELATION = f"There is no item: no relation is one of {', '.join(IDENTIFYING)}."
ONE_CATEGORY = "All items are in one category, so that chance alone would agree on all of them."
ONE_ITEM = "There is no interval from fewer than two items."
LEFT_OUT = "There is no interval: without one of the items the coefficient is undefined."
NOT_TWO = "Cohen's kappa is defined for two annotators."


@dataclass(frozen=True, slots=True)
class Agreement:
    """Hold what the paper's figures 1 and 3 show. `reason` says why a value is None.

    `n_items`, `n_annotators` are the paper's N and n. `low` and `high` are the 95 % interval of `kappa`.
    """

    kappa: float | None
    n_items: int
    n_annotators: int
    observed: float | None
    expected: float | None
    cohen: float | None
    low: float | None
    high: float | None
    reason: str | None

    def written(self) -> dict[str, Any]:
        """Return the figures as JSON, under the paper's names."""
        return {
            "K": self.kappa,
            "N": self.n_items,
            "k": CATEGORIES,
            "n": self.n_annotators,
            "P_A": self.observed,
            "P_E": self.expected,
            "cohen": self.cohen,
            "low": self.low,
            "high": self.high,
            "reason": self.reason,
        }


def annotation_agreement(lists: Sequence[FactoidList]) -> Agreement:
    """Compare two annotations or more of one list of factoids over one text set."""
    names, texts = lists[0].by_id, lists[0].texts
    present = [[text in each.by_id[name].texts for each in lists] for name in names for text in texts]
    return agreement(np.array(present, dtype=bool).reshape(-1, len(lists)), NO_FACTOID)


def definition_agreement(
    first: FactoidList, second: FactoidList, relations: Relations, kinds: Collection[str] = IDENTIFYING
) -> Agreement:
    """Compare two lists of one text set over the pairs of factoids whose relation is one of `kinds`."""
    pairs = [(first.by_id[a], second.by_id[b]) for (a, b), relation in relations.items() if relation in kinds]
    present = [[text in a.texts, text in b.texts] for a, b in pairs for text in first.texts]
    return agreement(np.array(present, dtype=bool).reshape(-1, 2), NO_RELATION)


def agreement(present: NDArray[np.bool_], nothing: str) -> Agreement:
    """Return the agreement of n annotators, two or more, on N items. `present` is (N, n); `nothing` tells why N is 0.

    P(A) is the mean share of agreeing pairs of annotators per item, P(E) comes from the pooled answers: Fleiss' kappa
    (Fleiss 1971). The interval is the delete-one jackknife's (Efron and Tibshirani 1993, chapter 11).
    """
    n_items, n = present.shape
    if not n_items:
        return Agreement(None, 0, n, None, None, None, None, None, nothing)
    # Items are alike where as many annotators say that the factoid is there.
    counts = np.bincount(present.sum(axis=1), minlength=n + 1)
    observed, expected = _observed_and_expected(counts)
    kappa = chance_corrected(observed, expected)
    if kappa is None:
        return Agreement(None, n_items, n, observed, expected, None, None, None, ONE_CATEGORY)
    interval, no_interval = _jackknife(kappa, counts)
    cohen = cohen_kappa(*("".join("01"[said] for said in own) for own in present.T.tolist())) if n == 2 else None
    reason = " ".join(filter(None, (no_interval, None if n == 2 else NOT_TWO))) or None
    return Agreement(kappa, n_items, n, observed, expected, cohen, *interval, reason)


def chance_corrected(observed: float, expected: float) -> float | None:
    """Return (P(A) - P(E)) / (1 - P(E)); None where P(E) is 1."""
    return None if expected == 1 else (observed - expected) / (1 - expected)


def _observed_and_expected(counts: NDArray[np.int_]) -> tuple[float, float]:
    """Return P(A) and P(E) of items, of which counts[c] have c annotators who say that the factoid is there."""
    n, n_items, c = len(counts) - 1, int(counts.sum()), np.arange(len(counts))
    agreeing = int((counts * (c * (c - 1) + (n - c) * (n - c - 1))).sum())
    # Whole numbers up to here, so that P(E) is exactly 1 where there is one category.
    positive, answers = int((counts * c).sum()), n_items * n
    expected = (positive**2 + (answers - positive) ** 2) / answers**2
    return agreeing / (n_items * n * (n - 1)), expected


def _jackknife(kappa: float, counts: NDArray[np.int_]) -> tuple[tuple[float | None, float | None], str | None]:
    """Return the 95 % interval, cut at -1 and 1, or the reason why there is none."""
    # scipy.stats takes most of a second to import, which no other command should wait for.
    from scipy.stats import t

    n_items = int(counts.sum())
    if n_items < 2:
        return (None, None), ONE_ITEM
    kinds = np.flatnonzero(counts)
    without = [chance_corrected(*_observed_and_expected(counts - (np.arange(len(counts)) == kind))) for kind in kinds]
    if None in without:
        return (None, None), LEFT_OUT
    values = np.array(without, dtype=np.float64)
    squares = float((counts[kinds] * (values - np.average(values, weights=counts[kinds])) ** 2).sum())
    half = float(t.ppf(0.975, n_items - 1)) * sqrt((n_items - 1) / n_items * squares)
    return (max(kappa - half, -1.0), min(kappa + half, 1.0)), None
