"""Tell how many texts are enough: how alike are the rankings by two halves (van Halteren and Teufel 2003)? Pure."""

from collections.abc import Iterator
from dataclasses import dataclass
from statistics import fmean, stdev

import numpy as np
from scipy.stats import spearmanr

from al_worker.factoids.scores import Votes, counts_of_others, recall

NO_DRAW = "In no draw did both halves rank the texts."


@dataclass(frozen=True, slots=True)
class Point:
    """Hold Spearman's rho over the draws of two halves of `m` texts: its mean and its standard deviation.

    `n` counts the draws with a rho. It has none where a half gives all texts one score, or a text none.
    The deviation needs two of them. `reason` says why there is no mean.
    """

    m: int
    n: int
    rho: float | None
    sd: float | None
    reason: str | None


def rank_stability(votes: Votes, draws: int, seed: int = 0) -> Iterator[Point]:
    """Yield the points for m = 2 ... n/2, of (n, F) votes.

    A draw takes two halves of m texts without a common one. Each ranks all texts that have a factoid by their weighted
    factoid recall, without a text's own vote. Each m has its own random numbers.
    """
    for m in range(2, len(votes) // 2 + 1):
        drawn = np.random.default_rng([seed, m])
        found = [_rho(votes, drawn.permutation(len(votes))[: 2 * m].reshape(2, m)) for _ in range(draws)]
        rhos = [rho for rho in found if rho is not None]
        mean, sd = fmean(rhos) if rhos else None, stdev(rhos) if len(rhos) > 1 else None
        yield Point(m, len(rhos), mean, sd, None if rhos else NO_DRAW)


def _rho(votes: Votes, halves: np.ndarray) -> float | None:
    """Return Spearman's rho of the rankings by two halves, given as (2, m) rows of the votes."""
    ranked = votes.any(axis=1)
    scores = []
    for half in halves:
        votes_too = np.zeros(len(votes), dtype=bool)
        votes_too[half] = True
        scores.append(recall(votes, counts_of_others(votes, votes[half], votes_too))[ranked])
    if any(len(own) < 2 or np.isnan(own).any() or (own == own[0]).all() for own in scores):
        return None
    return float(spearmanr(*scores).statistic)
