"""Measure how well stated confidences match how often predictions are right, and mend them.

Pure functions over (n,) columns, with n of one or more: `confidence` holds values in [0, 1], and `is_right` says which
predictions were right.
"""

from dataclasses import dataclass

import numpy as np
from numpy.typing import NDArray

from al_worker.core.evaluation.resampling import LIMITS, RESAMPLES

Column = NDArray[np.float64]
Flags = NDArray[np.bool_]

ECE_BINS = 20
# A stated confidence of 0 or 1 has no finite logit.
LOGIT_FLOOR = 1e-3


@dataclass(frozen=True, slots=True)
class ReliabilityBin:
    """Hold one bar of a reliability diagram: the bin's limits, its count, mean confidence and share of right ones."""

    low: float
    high: float
    n: int
    confidence: float | None
    accuracy: float | None


def confidence_bins(confidence: Column, n_bins: int = ECE_BINS) -> NDArray[np.int_]:
    """Return for each confidence its bin, from 0 to n_bins - 1.

    Bins are equally wide and right-closed, ((m - 1) / M, m / M]. A confidence of 0 is in the first.
    """
    # Compared with the quotients themselves: .55 * 20 is a hair over 11, and .55 is in the bin that 11 / 20 closes.
    return np.searchsorted(np.arange(1, n_bins + 1) / n_bins, confidence, side="left")


def expected_calibration_error(confidence: Column, is_right: Flags, n_bins: int = ECE_BINS) -> float:
    """Return sum_m n_m / n |acc_m - conf_m| over equally wide bins, from 0 to 1 (Guo et al. 2017; M = 20 in OP-FED)."""
    return _binned_error(confidence, is_right, confidence_bins(confidence, n_bins))


def adaptive_calibration_error(confidence: Column, is_right: Flags, n_bins: int = ECE_BINS) -> float:
    """Return the same error over bins of equal mass, from 0 to 1 (Nixon et al. 2019).

    The sorted confidences are cut into n_bins parts whose sizes differ by one at most. Equal confidences may fall into
    two parts; each such run is therefore given its mean, so that the order of the items does not matter.
    """
    order = np.argsort(confidence, kind="stable")
    values, runs = np.unique(confidence[order], return_inverse=True)
    right = (np.bincount(runs, weights=is_right[order]) / np.bincount(runs))[runs]
    parts = np.minimum(np.arange(len(order)) * n_bins // len(order), n_bins - 1)
    return _binned_error(values[runs], right, parts)


def brier_score(confidence: Column, is_right: Flags) -> float:
    """Return the mean squared difference of the confidence and being right, from 0 to 1 (Brier 1950)."""
    return float(np.mean((confidence - is_right) ** 2))


def reliability_bins(confidence: Column, is_right: Flags, n_bins: int = ECE_BINS) -> list[ReliabilityBin]:
    """Return every bin of the reliability diagram, empty ones too. Means of an empty bin are None."""
    bins = confidence_bins(confidence, n_bins)
    counts = np.bincount(bins, minlength=n_bins).tolist()
    confident = np.bincount(bins, weights=confidence, minlength=n_bins).tolist()
    right = np.bincount(bins, weights=is_right, minlength=n_bins).tolist()
    return [
        ReliabilityBin(m / n_bins, (m + 1) / n_bins, n, confident[m] / n if n else None, right[m] / n if n else None)
        for m, n in enumerate(counts)
    ]


def bootstrap_interval(confidence: Column, is_right: Flags, seed: int) -> tuple[float, float]:
    """Return the 95 % percentile interval of the ECE over RESAMPLES resamples of the items (Efron 1979)."""
    random = np.random.default_rng(seed)
    n = len(confidence)
    errors = [
        expected_calibration_error(confidence[drawn], is_right[drawn])
        for drawn in (random.integers(0, n, n) for _ in range(RESAMPLES))
    ]
    low, high = np.quantile(errors, LIMITS)
    return float(low), float(high)


def risk_coverage(confidence: Column, is_right: Flags) -> list[tuple[float, float]]:
    """Return points (coverage, risk) of answering only from some confidence on (El-Yaniv and Wiener 2010).

    Coverage is the share of items that are answered, and risk the share of those that are wrong. There is one point for
    each confidence that occurs, because items of equal confidence are answered together or not at all.
    """
    order = np.argsort(-confidence, kind="stable")
    wrong = np.cumsum(~is_right[order])
    last = np.flatnonzero(np.append(np.diff(confidence[order]) != 0, True))
    n = len(confidence)
    return [(float((at + 1) / n), float(wrong[at] / (at + 1))) for at in last]


def platt_scaled(confidence: Column, is_right: Flags, seed: int) -> Column | None:
    """Return the confidences after Platt scaling, fitted on one half of the items and applied to the other, both ways.

    The scaled value is sigmoid(a logit(confidence) + b), fitted by maximum likelihood (Platt 1999). Logits are of
    confidences kept within LOGIT_FLOOR of 0 and 1. Return None where a half has only right or only wrong predictions.
    """
    from sklearn.linear_model import LogisticRegression

    clipped = confidence.clip(LOGIT_FLOOR, 1 - LOGIT_FLOOR)
    logits = np.log(clipped / (1 - clipped)).reshape(-1, 1)
    in_first = np.zeros(len(confidence), dtype=bool)
    in_first[np.random.default_rng(seed).permutation(len(confidence))[: len(confidence) // 2]] = True
    scaled = np.empty(len(confidence))
    for fitted_on in (in_first, ~in_first):
        if len(set(is_right[fitted_on].tolist())) < 2:
            return None
        model = LogisticRegression(C=np.inf).fit(logits[fitted_on], is_right[fitted_on])
        scaled[~fitted_on] = model.predict_proba(logits[~fitted_on])[:, 1]
    return scaled


def _binned_error(confidence: Column, is_right: Column | Flags, bins: NDArray[np.int_]) -> float:
    gaps = np.bincount(bins, weights=is_right) - np.bincount(bins, weights=confidence)
    return float(np.abs(gaps).sum() / len(confidence))
