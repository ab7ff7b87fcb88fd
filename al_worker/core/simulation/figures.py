"""Compute figures of learning curves. Pure: numbers in, numbers out."""

import math
from collections.abc import Sequence
from itertools import pairwise

import numpy as np

# Means of F1 values carry rounding errors of this size. A curve that meets its target exactly has reached it.
TOLERANCE = 1e-12


def area_under_curve(labels: Sequence[float], scores: Sequence[float]) -> float:
    """Return the area by the trapezoid rule over the number of labels, divided by their range.

    For scores between 0 and 1 it is a mean score between 0 and 1. A curve of one point has that point's score.
    Raises ValueError unless `labels` rise, and have one score each.
    """
    if len(labels) != len(scores) or not labels or any(b <= a for a, b in pairwise(labels)):
        raise ValueError("a learning curve needs one score for each of a rising number of labels")
    if len(labels) == 1:
        return float(scores[0])
    return float(np.trapezoid(scores, labels)) / (labels[-1] - labels[0])


def labels_to_reach(labels: Sequence[int], scores: Sequence[float], target: float) -> int | None:
    """Return the first number of labels at which the score is at least `target`, or None. Nothing is interpolated."""
    return next((n for n, score in zip(labels, scores, strict=True) if score >= target - TOLERANCE), None)


def utilisation(labels: int | None, baseline_labels: int | None) -> float | None:
    """Return the labels needed, divided by those that the baseline needed for the same score.

    Return None unless both reached it.
    """
    return None if labels is None or baseline_labels is None else labels / baseline_labels


def mean_and_sd(values: Sequence[float]) -> tuple[float, float | None]:
    """Return the mean and the sample standard deviation (n - 1), which is None for a single value."""
    mean = math.fsum(values) / len(values)
    if len(values) == 1:
        return mean, None
    return mean, math.sqrt(math.fsum((value - mean) ** 2 for value in values) / (len(values) - 1))
