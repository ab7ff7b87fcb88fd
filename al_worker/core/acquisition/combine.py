"""One score from several heads: the strategy's score at each head on its own, then their sum or their maximum.

For entropy the sum is the entropy of all labels at once, since the heads are independent given the text. Scores are
taken as they are, in the strategy's own unit: entropies in nats, not divided by ln C, so a head with more labels can
weigh more.
"""

from collections.abc import Sequence
from dataclasses import replace

import numpy as np
from numpy.typing import NDArray

from al_worker.core.acquisition.inputs import Floats, Inputs


def combine(scores: Sequence[Floats], how: str) -> Floats:
    """(n,) from one (n,) a head; `how` is "sum" or "max". The order of the heads does not matter to the last bit."""
    ascending = np.sort(np.stack(scores), axis=0)
    if how == "max":
        return ascending[-1]
    total = ascending[0].copy()
    for values in ascending[1:]:
        total += values
    return total


def head_inputs(inputs: Inputs, columns: slice, known: NDArray[np.bool_] | None) -> Inputs:
    """What one head's strategy looks at: its columns, and, where `known` (m,) is given, its own labelled items."""
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
