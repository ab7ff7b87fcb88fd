"""Combine several heads into one score: the strategy scores each head by itself, then the sum or maximum is taken.

For entropy the sum is the entropy of all labels together, since the heads are independent given the text.
A head of sets is scored label by label, each as present or absent, and its score is always the sum over its labels. For
entropy this is the entropy of the set; for CAL with the mean it is the divergence of the set's distribution.
Scores keep the strategy's own unit. Entropies are in nats and not divided by ln C, so a head with more labels can
weigh more.
"""

from collections.abc import Iterator, Sequence
from dataclasses import replace

import numpy as np
from numpy.typing import NDArray

from al_worker.core.acquisition.inputs import Floats, Inputs
from al_worker.core.acquisition.probabilities import label_pairs
from al_worker.core.run.config import HeadSettings
from al_worker.formats.heads import SEVERAL


def combine(scores: Sequence[Floats], how: str) -> Floats:
    """Return (n,) scores from one (n,) array per head; `how` is "sum" or "max".

    The order of the heads does not change a single bit.
    """
    ascending = np.sort(np.stack(scores), axis=0)
    if how == "max":
        return ascending[-1]
    total = ascending[0].copy()
    for values in ascending[1:]:
        total += values
    return total


def head_inputs(inputs: Inputs, columns: slice, known: NDArray[np.bool_] | None) -> Inputs:
    """Return the inputs of one head's strategy: the head's columns, and its own labelled items.

    `known` (m,) marks the items that have a label at the head. Without it, all labelled items are left as they are.
    """
    logits = inputs.pool_logits
    part = replace(inputs, pool_logits=None if logits is None else logits[:, columns])
    if known is None:
        return part
    return replace(
        part,
        labeled_keys=None if inputs.labeled_keys is None else inputs.labeled_keys[known],
        labeled_logits=None if inputs.labeled_logits is None else inputs.labeled_logits[known][:, columns],
        labeled_vectors=None if inputs.labeled_vectors is None else inputs.labeled_vectors[known],
    )


def distributions(head: HeadSettings, inputs: Inputs) -> Iterator[Inputs]:
    """Yield the inputs of each distribution of one head: of its labels, or of each label of a set by itself."""
    if head.kind != SEVERAL or inputs.pool_logits is None:
        yield inputs
        return
    labeled = inputs.labeled_logits
    pairs = [None] * len(head.labels) if labeled is None else label_pairs(labeled)
    for of_pool, of_labeled in zip(label_pairs(inputs.pool_logits), pairs, strict=True):
        yield replace(inputs, pool_logits=of_pool, labeled_logits=of_labeled)
