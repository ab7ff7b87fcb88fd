"""Tell how many texts are enough: how alike are the rankings by two halves (van Halteren and Teufel 2003)? Pure."""

from collections.abc import Iterator
from dataclasses import dataclass
from statistics import fmean, stdev

import numpy as np
from numpy.typing import NDArray
from scipy.stats import rankdata

from al_worker.factoids.scores import Votes, recalls

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
        halves = np.zeros((draws, 2, len(votes)), dtype=bool)
        for each in halves:
            first, second = drawn.permutation(len(votes))[: 2 * m].reshape(2, m)
            each[0, first] = each[1, second] = True
        rhos = _rhos(votes, halves).tolist()
        mean, sd = fmean(rhos) if rhos else None, stdev(rhos) if len(rhos) > 1 else None
        yield Point(m, len(rhos), mean, sd, None if rhos else NO_DRAW)


def _rhos(votes: Votes, halves: Votes) -> NDArray[np.float64]:
    """Return Spearman's rho of each draw's two rankings, without draws that have none. `halves` are (draws, 2, n)."""
    scores = recalls(votes, halves)[..., votes.any(axis=1)]
    if not scores.size:
        return np.empty(0)
    ranks = rankdata(scores, axis=-1)
    centred = ranks - ranks.mean(axis=-1, keepdims=True)
    # A half without a score for some text has no ranks, and one whose scores are all the same no spread.
    spread = np.sqrt((centred**2).sum(axis=-1)).prod(axis=-1)
    found = spread > 0
    return centred[found].prod(axis=1).sum(axis=-1) / spread[found]
