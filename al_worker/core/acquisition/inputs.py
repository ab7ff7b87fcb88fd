"""The inputs and the results of acquisition functions."""

from collections.abc import Callable, Iterator, Sequence
from dataclasses import dataclass

import numpy as np
from numpy.typing import NDArray

from al_worker.core.acquisition.ngrams import MakeTable, make_table
from al_worker.core.errors import PredictionsMismatch

Floats = NDArray[np.float64]


@dataclass(frozen=True, slots=True, kw_only=True)
class Inputs:
    """Hold the eligible pool (n items), the training set (m items), and the model's predictions for both.

    `pool_keys` (n,) and `labeled_keys` (m,) order equal scores or distances, ascending.
    Logits are float64 of shape (n, C) and (m, C); vectors are (n, d) and (m, d).
    Either is None where the strategy did not ask for it.
    `issued_texts` are all texts that people have read so far, with or without a usable label.
    `make_ngram_table` may keep n-grams between rounds.
    """

    pool_texts: Sequence[str]
    pool_keys: NDArray[np.bytes_]
    issued_texts: Sequence[str] = ()
    labeled_keys: NDArray[np.bytes_] | None = None
    pool_logits: Floats | None = None
    labeled_logits: Floats | None = None
    pool_vectors: NDArray[np.floating] | None = None
    labeled_vectors: NDArray[np.floating] | None = None
    make_ngram_table: MakeTable = make_table


@dataclass(frozen=True, slots=True)
class Greedy:
    """Hold the result of a strategy whose scores change with each pick.

    `scores` (n,) are those before the first pick.
    `picks(taken)` yields (index, score at the pick) in order, for as long as it is asked.
    `taken` holds the indices that are in the batch already.
    """

    scores: Floats
    picks: Callable[[frozenset[int]], Iterator[tuple[int, float]]]


def required(array: NDArray | None, name: str) -> NDArray:
    """Return the array. Raises PredictionsMismatch, which names what predictions.npz lacks, if it is None."""
    if array is None:
        raise PredictionsMismatch(f"predictions.npz lacks {name}; run the score step again for this strategy")
    return array
