"""Find exact nearest neighbours by matrix product, with a stated order among equal distances."""

import numpy as np
from numpy.typing import NDArray

# Distances are compared after rounding: the last bits of a matrix product depend on its shape.
DIGITS = 12


def prepared(vectors: NDArray[np.floating], metric: str) -> NDArray[np.float64]:
    """Return (n, d) float64 rows, of unit length unless `metric` is "euclidean".

    A row of zeros stays zeros: its cosine distance to every other row is 1.
    """
    rows = np.asarray(vectors, dtype=np.float64)
    if metric == "euclidean":
        return rows
    length = np.linalg.norm(rows, axis=1, keepdims=True)
    return np.divide(rows, length, out=np.zeros_like(rows), where=length > 0)


def nearest(candidates: NDArray[np.float64], others: NDArray[np.float64], metric: str, k: int) -> NDArray[np.bool_]:
    """Return an (n, m) mask with exactly k true cells a row: the k nearest of `others`.

    `candidates` are (n, d) and `others` (m, d), both from `prepared`; k is from 1 to m.
    Distances are compared after rounding to 12 decimals. Among equal distances the leftmost are taken.
    """
    distance = _distance(candidates, others, metric)
    np.round(distance, DIGITS, out=distance)
    # A copy is partitioned in place: one pass, no sort of the m distances.
    kth = np.partition(distance, k - 1, axis=1)[:, k - 1 : k]
    near = distance <= kth
    surplus = np.flatnonzero(near.sum(axis=1) > k)
    if len(surplus):
        near[surplus] = _leftmost_of_equals(distance[surplus], kth[surplus], k)
    return near


def _distance(candidates: NDArray[np.float64], others: NDArray[np.float64], metric: str) -> NDArray[np.float64]:
    """Return (n, m) cosine distances, or squared Euclidean distances, whose order is that of the Euclidean ones."""
    product = candidates @ others.T
    if metric == "cosine":
        return np.subtract(1.0, product, out=product)
    product *= -2.0
    product += (candidates**2).sum(axis=1)[:, None]
    product += (others**2).sum(axis=1)[None, :]
    return product


def _leftmost_of_equals(distance: NDArray[np.float64], kth: NDArray[np.float64], k: int) -> NDArray[np.bool_]:
    closer = distance < kth
    equal = distance == kth
    free = k - closer.sum(axis=1, keepdims=True)
    return closer | (equal & (equal.cumsum(axis=1) <= free))
