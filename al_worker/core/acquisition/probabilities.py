"""Compute log-probabilities in float64 from logits. The order of summation does not depend on the labels' order."""

from collections.abc import Iterator

import numpy as np

from al_worker.core.acquisition.inputs import Floats


def log_softmax(logits: Floats) -> Floats:
    """Return the row-wise log-softmax of (n, C) logits. A logit of -inf is a probability of zero."""
    shifted = logits - logits.max(axis=1, keepdims=True)
    # Terms are added in ascending order, so that permuted rows agree to the last bit.
    total = np.sort(np.exp(shifted), axis=1).sum(axis=1, keepdims=True)
    return shifted - np.log(total)


def label_pairs(logits: Floats) -> Iterator[Floats]:
    """Yield, for each column of sigmoid logits, the (n, 2) logits of the label's absence and presence."""
    for column in logits.T:
        yield np.column_stack([np.zeros_like(column), column])


def row_entropy(log_p: Floats) -> Floats:
    """Return the (n,) entropies -sum p ln p in nats, from (n, C) log-probabilities; 0 ln 0 is 0."""
    ascending = np.sort(log_p, axis=1)
    p = np.exp(ascending)
    terms = np.multiply(p, ascending, out=np.zeros_like(p), where=p > 0)
    return np.abs(terms.sum(axis=1))


def cross_terms(p: Floats, log_q: Floats) -> Floats:
    """Return (n, m) sums over the C classes of p ln q, from (n, C) probabilities and (m, C) log-probabilities.

    A class with p = 0 adds 0, whatever q is; q = 0 where p > 0 gives -inf.
    """
    zero = np.isneginf(log_q)
    total = p @ np.where(zero, 0.0, log_q).T
    if zero.any():
        total[(p > 0).astype(np.float64) @ zero.T > 0] = -np.inf
    return total
