"""Estimate a label's share of the pool from few gold labels and many predictions (Angelopoulos et al. 2023).

The estimate is the mean prediction over the pool, plus the mean error of the predictions on the labelled items. It is
unbiased where the labelled items are a random sample of the pool, and narrower than the classical estimate where the
predictions are good.
"""

from dataclasses import dataclass

import numpy as np
from numpy.typing import NDArray
from scipy.stats import norm

LEVEL = 0.95


@dataclass(frozen=True, slots=True)
class ShareEstimate:
    """Hold an estimated share with its 95 % normal limits. Unlike the share itself they may leave [0, 1]."""

    share: float
    low: float
    high: float


def prediction_powered_share(
    pool: NDArray[np.float64], predicted: NDArray[np.float64], gold: NDArray[np.float64]
) -> ShareEstimate:
    """Return the share of a label in the pool.

    `pool` holds the (N,) predictions of the unlabelled items. `predicted` and `gold` hold the (n,) predictions and gold
    labels of the labelled ones. All are 0 or 1, or probabilities, and N and n are two or more. The labelled items must
    be a random sample, drawn apart from the predictions.
    """
    error = gold - predicted
    variance = pool.var(ddof=1) / len(pool) + error.var(ddof=1) / len(error)
    return _estimate(float(pool.mean() + error.mean()), float(variance))


def classical_share(gold: NDArray[np.float64]) -> ShareEstimate:
    """Return the share among the labelled items alone, by the same normal interval. `gold` has two or more values."""
    return _estimate(float(gold.mean()), float(gold.var(ddof=1) / len(gold)))


def _estimate(share: float, variance: float) -> ShareEstimate:
    half = float(norm.ppf((1 + LEVEL) / 2)) * variance**0.5
    return ShareEstimate(share, share - half, share + half)
