"""Compute intervals of F1 and of means by resampling items (Efron 1979). Pure functions over a confusion table."""

import numpy as np
from numpy.typing import NDArray

RESAMPLES = 1000
LIMITS = (0.025, 0.975)


def f1_samples(table: NDArray[np.int_], seed: int) -> tuple[NDArray[np.float64], NDArray[np.float64]]:
    """Return (RESAMPLES, C) F1 and gold counts of resampled items; the F1 of a label that does not occur is NaN.

    `table` is (C, C + 1): counts of predicted labels by gold label, and last those that were not compliant. To draw n
    items with replacement is to draw the table's cells from a multinomial distribution.
    """
    n = int(table.sum())
    drawn = np.random.default_rng(seed).multinomial(n, table.ravel() / n, RESAMPLES).reshape(RESAMPLES, *table.shape)
    support, predicted = drawn.sum(axis=2), drawn[:, :, :-1].sum(axis=1)
    occurring = support + predicted
    hits = np.diagonal(drawn, axis1=1, axis2=2)
    return np.where(occurring > 0, 2 * hits / np.maximum(occurring, 1), np.nan), support.astype(np.float64)


def f1_intervals(table: NDArray[np.int_], seed: int) -> dict[str, list[float]]:
    """Return the 95 % percentile limits of macro-F1, weighted F1, and the F1 of each label (two lists)."""
    f1, support = f1_samples(table, seed)
    macro = np.nanmean(f1, axis=1)
    weighted = np.nansum(f1 * support, axis=1) / support.sum(axis=1)
    low, high = np.nanquantile(f1, LIMITS, axis=0)
    return {
        "macro": np.quantile(macro, LIMITS).tolist(),
        "weighted": np.quantile(weighted, LIMITS).tolist(),
        "label_low": low.tolist(),
        "label_high": high.tolist(),
    }


def mean_interval(values: NDArray[np.float64], seed: int) -> tuple[float, float]:
    """Return the 95 % percentile limits of the mean of (n,) values, one or more, by resampling them."""
    drawn = np.random.default_rng(seed).integers(0, len(values), (RESAMPLES, len(values)))
    low, high = np.quantile(values[drawn].mean(axis=1), LIMITS)
    return float(low), float(high)
