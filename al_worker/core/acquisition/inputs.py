"""What an acquisition function may look at."""

from collections.abc import Sequence
from dataclasses import dataclass

import numpy as np
from numpy.typing import NDArray

from al_worker.core.errors import PredictionsMismatch

Floats = NDArray[np.float64]


@dataclass(frozen=True, slots=True, kw_only=True)
class Inputs:
    """The eligible pool (n items), the training set (m items), and what the model said about both.

    `pool_keys` and `labeled_keys` order equal scores or distances, ascending. Logits are (n, C) and (m, C) float64,
    vectors (n, d) and (m, d); None where the strategy did not ask for them. `issued_texts` are all texts that people
    have read so far, with or without a usable label.
    """

    pool_texts: Sequence[str]
    pool_keys: NDArray[np.str_]
    issued_texts: Sequence[str] = ()
    labeled_keys: NDArray[np.str_] | None = None
    pool_logits: Floats | None = None
    labeled_logits: Floats | None = None
    pool_vectors: NDArray[np.floating] | None = None
    labeled_vectors: NDArray[np.floating] | None = None


def required(array: NDArray | None, name: str) -> NDArray:
    """The array, or PredictionsMismatch naming what predictions.npz lacks."""
    if array is None:
        raise PredictionsMismatch(f"predictions.npz lacks {name}; run the score step again for this strategy")
    return array
