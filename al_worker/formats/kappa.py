"""Compute Cohen's kappa, for models that are compared and for annotators."""

from collections import Counter
from collections.abc import Sequence


def cohen_kappa(old: Sequence[str], new: Sequence[str]) -> float:
    """Return the chance-corrected agreement (Cohen 1960) of two labellings of the same items, one or more.

    It is 1 where they are identical, even if both give one label to everything and chance alone would do the same.
    """
    if list(old) == list(new):
        return 1.0
    n = len(old)
    observed = sum(a == b for a, b in zip(old, new, strict=True)) / n
    before, after = Counter(old), Counter(new)
    expected = sum(before[label] * after[label] for label in before) / (n * n)
    return (observed - expected) / (1 - expected)
