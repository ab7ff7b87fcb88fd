"""Estimate how sure a difference between strategies is: over seeds, and over seeds and test items together. Pure."""

from collections.abc import Mapping, Sequence
from dataclasses import dataclass
from math import sqrt

import numpy as np
from numpy.typing import NDArray

from al_worker.core.simulation.figures import mean_and_sd

Interval = tuple[float, float]
LEVEL = 0.95
# The number of values in one block of item weights. Drawn as 64-bit integers, they take 32 MB.
BLOCK = 4_000_000


def t_interval(values: Sequence[float]) -> Interval | None:
    """Return the 95 % interval of the mean by Student's t with n - 1 degrees of freedom; None for a single value.

    A percentile bootstrap of three values can only give their smallest and largest, which is about 75 % coverage.
    """
    if len(values) < 2:
        return None
    mean, sd = mean_and_sd(values)
    # scipy is imported here, because selecting alone does not need it.
    from scipy.stats import t as student_t

    half = float(student_t.ppf((1 + LEVEL) / 2, len(values) - 1)) * (sd or 0.0) / sqrt(len(values))
    return mean - half, mean + half


@dataclass(frozen=True, slots=True)
class Curve:
    """Hold one cell: (B,) rising numbers of labels, and its models' predictions for n test items, as (B, n) columns."""

    labels: Sequence[int]
    predicted: NDArray[np.int_]


def item_weights(n: int, resamples: int, seed: int) -> NDArray[np.float32]:
    """Return (resamples, n) counts of how often each item is drawn with replacement."""
    draw = np.random.default_rng(seed)
    return draw.multinomial(n, np.full(n, 1 / n), size=resamples).astype(np.float32)


def macro_f1_of_draws(
    true: NDArray[np.int_], predicted: NDArray[np.int_], n_labels: int, weights: NDArray[np.float32]
) -> NDArray[np.float64]:
    """Return (R, B) macro-F1 over the labels that occur, for (R, n) item weights and (B, n) predictions.

    `true` are (n,) columns from 0 to `n_labels` - 1.
    """
    total = np.zeros((len(weights), len(predicted)))
    occurring = np.zeros_like(total)
    for label in range(n_labels):
        is_true, is_predicted = true == label, predicted == label
        hits = weights @ (is_predicted & is_true).T.astype(np.float32)
        either = (weights @ is_true.astype(np.float32))[:, None] + weights @ is_predicted.T.astype(np.float32)
        total += np.divide(2 * hits, either, out=np.zeros_like(total), where=either > 0)
        occurring += either > 0
    return total / occurring


def seeds_and_items_intervals(
    true: NDArray[np.int_],
    curves: Mapping[str, Sequence[Curve]],
    baseline: str,
    *,
    n_labels: int,
    resamples: int,
    seed: int,
    first: int = 0,
) -> dict[str, dict[str, Interval]]:
    """Return {strategy: {measure: 95 % percentile interval}} of its mean difference from the baseline.

    `true` are the (n,) columns of the test items. `curves` hold one curve per seed, in one order of the seeds.
    Each resample draws test items, the same for all curves.
    It also draws seeds, the same for all strategies, since a seed's curves share its first batch.
    Areas begin at batch `first`.
    """
    n_seeds = len(curves[baseline])
    seeds = np.random.default_rng([seed, 1]).integers(0, n_seeds, size=(resamples, n_seeds))
    found: dict[str, dict[str, list[NDArray[np.float64]]]] = {key: {"area": [], "last": []} for key in curves}
    step = max(1, BLOCK // len(true))
    for number, start in enumerate(range(0, resamples, step)):
        weights = item_weights(len(true), min(step, resamples - start), seed + number)
        for key, own in curves.items():
            scores = [macro_f1_of_draws(true, curve.predicted, n_labels, weights) for curve in own]
            areas = [_areas(curve.labels, values, first) for curve, values in zip(own, scores, strict=True)]
            found[key]["area"].append(np.stack(areas, axis=1))
            found[key]["last"].append(np.stack([values[:, -1] for values in scores], axis=1))
    drawn = {key: {name: np.concatenate(blocks) for name, blocks in own.items()} for key, own in found.items()}
    return {
        key: {
            measure: _percentiles(np.take_along_axis(own[name] - drawn[baseline][name], seeds, axis=1).mean(axis=1))
            for measure, name in (("area_under_curve", "area"), ("last_macro_f1", "last"))
        }
        for key, own in drawn.items()
        if key != baseline
    }


def _areas(labels: Sequence[int], scores: NDArray[np.float64], first: int) -> NDArray[np.float64]:
    labels, scores = labels[first:], scores[:, first:]
    if len(labels) == 1:
        return scores[:, 0]
    return np.asarray(np.trapezoid(scores, labels, axis=1)) / (labels[-1] - labels[0])


def _percentiles(means: NDArray[np.float64]) -> Interval:
    low, high = np.quantile(means, [(1 - LEVEL) / 2, (1 + LEVEL) / 2])
    return float(low), float(high)
