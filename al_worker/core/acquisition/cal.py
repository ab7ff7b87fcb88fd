"""Score by contrastive active learning, CAL (Margatina et al. 2021; paper E.3, Algorithm 1).

An item scores high when the model's prediction differs from its predictions on the nearest labelled items:
s(x) = mean over the k nearest labelled l of KL(p(l) || p(x)), where p(l) is the model's own prediction on l.
"""

from collections.abc import Iterator, Mapping

import numpy as np

from al_worker.core.acquisition.inputs import Floats, Inputs, required
from al_worker.core.acquisition.neighbours import nearest, prepared
from al_worker.core.acquisition.probabilities import cross_terms, log_softmax, row_entropy
from al_worker.formats.strategies import OptionValue

# Cells of one candidates-by-labelled block: 64 MB in float64, whatever the size of the pool.
BLOCK_CELLS = 8_000_000


def scores(inputs: Inputs, options: Mapping[str, OptionValue]) -> Floats:
    """Return (n,) scores in nats; a score can be infinite where a prediction holds a probability of zero.

    k is cut to the size of the labelled set. Equal distances are ordered by the tie key.
    Raises PredictionsMismatch where logits, vectors or ids are missing.
    """
    log_pool = log_softmax(required(inputs.pool_logits, "pool_logits"))
    # Columns are in the order of the tie key, because `nearest` takes the leftmost among equal distances.
    order = np.argsort(required(inputs.labeled_keys, "labeled_ids"), kind="stable")
    log_labeled = log_softmax(required(inputs.labeled_logits, "labeled_logits"))[order]
    k = min(int(options["k"]), len(order))
    reduce = str(options["reduce"])
    if k == len(order) and reduce == "mean":
        return _mean_divergence(np.ones((1, k)), log_labeled, log_pool)
    out = np.empty(len(log_pool))
    for rows, near in _blocks(inputs, order, str(options["metric"]), k):
        block = log_pool[rows]
        out[rows] = (
            _mean_divergence(near, log_labeled, block) if reduce == "mean" else _other(reduce, near, log_labeled, block)
        )
    return out


def notice(options: Mapping[str, OptionValue], n_labeled: int) -> str | None:
    """Return a warning where an item's neighbours are most of the labelled items."""
    k = int(options["k"])
    if k <= n_labeled / 2:
        return None
    return (
        f"CAL compares with {min(k, n_labeled)} neighbours of {n_labeled} labelled items: more than half of them, "
        "so it mostly prefers confident predictions of the rarer label"
    )


def _blocks(inputs: Inputs, order: np.ndarray, metric: str, k: int) -> Iterator[tuple[slice, np.ndarray]]:
    labeled = prepared(required(inputs.labeled_vectors, "labeled_vectors")[order], metric)
    pool = required(inputs.pool_vectors, "pool_vectors")
    step = max(1, BLOCK_CELLS // len(order))
    for start in range(0, len(pool), step):
        rows = slice(start, start + step)
        yield rows, nearest(prepared(pool[rows], metric), labeled, metric, k)


def _mean_divergence(near: np.ndarray, log_labeled: Floats, log_pool: Floats) -> Floats:
    """Return the mean divergence in closed form, from (n or 1, m) neighbour weights.

    It is the mean of sum p(l) ln p(l) over the neighbours, minus the sum of their mean p times ln p(x).
    """
    p = np.exp(log_labeled)
    weights = near.astype(np.float64)
    counts = weights.sum(axis=1)
    mean_negative_entropy = -(weights @ row_entropy(log_labeled)) / counts
    mean_p = weights @ p / counts[:, None]
    impossible = np.isneginf(log_pool)
    terms = mean_p * np.where(impossible, 0.0, log_pool)
    # A class with p(x) = 0 adds nothing where no neighbour has it. Otherwise it makes the divergence infinite.
    terms[impossible & (mean_p > 0)] = -np.inf
    return mean_negative_entropy - terms.sum(axis=1)


def _other(reduce: str, near: np.ndarray, log_labeled: Floats, log_pool: Floats) -> Floats:
    divergence = -row_entropy(log_labeled)[None, :] - cross_terms(np.exp(log_labeled), log_pool).T
    if reduce == "max":
        return np.where(near, divergence, -np.inf).max(axis=1)
    return np.median(divergence[near].reshape(len(near), -1), axis=1)
