"""What an acquisition function may look at."""

from collections.abc import Callable, Iterator, Sequence
from dataclasses import dataclass

import numpy as np
from numpy.typing import NDArray

from al_worker.core.acquisition.ngrams import MakeTable, make_table
from al_worker.core.errors import PredictionsMismatch

Floats = NDArray[np.float64]


@dataclass(frozen=True, slots=True, kw_only=True)
class Inputs:
    """The eligible pool (n items), the training set (m items), and what the model said about both.

    `pool_keys` and `labeled_keys` order equal scores or distances, ascending. Logits are (n, C) and (m, C) float64,
    vectors (n, d) and (m, d); None where the strategy did not ask for them. `issued_texts` are all texts that people
    have read so far, with or without a usable label. `make_ngram_table` may keep n-grams between rounds.
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
    """The result of a strategy whose scores change with each pick.

    `scores` (n,) stand before the first pick. `picks(taken)` gives (index, score at the pick) in order, as many as
    are asked for; `taken` are indices that are in the batch already.
    """

    scores: Floats
    picks: Callable[[frozenset[int]], Iterator[tuple[int, float]]]


def required(array: NDArray | None, name: str) -> NDArray:
    """The array, or PredictionsMismatch naming what predictions.npz lacks."""
    if array is None:
        raise PredictionsMismatch(f"predictions.npz lacks {name}; run the score step again for this strategy")
    return array
