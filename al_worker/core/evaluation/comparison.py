"""Compare systems on the same items. Pure functions over (n,) columns that say which predictions were right."""

from dataclasses import dataclass

import numpy as np
from numpy.typing import NDArray
from scipy.stats import binomtest


@dataclass(frozen=True, slots=True)
class PairedTest:
    """Hold the items that one system alone got right, those that the other did, and the two-sided p-value."""

    first_alone: int
    second_alone: int
    p: float


def mcnemar(first: NDArray[np.bool_], second: NDArray[np.bool_]) -> PairedTest:
    """Test whether two systems are right equally often on the same items, exactly (McNemar 1947).

    Under the hypothesis each item that one alone got right is a fair coin. Without such an item p is 1.
    """
    b, c = int((first & ~second).sum()), int((second & ~first).sum())
    return PairedTest(b, c, float(binomtest(b, b + c).pvalue) if b + c else 1.0)
