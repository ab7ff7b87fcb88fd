"""Adjust p-values for their number."""

from collections.abc import Sequence


def holm(p_values: Sequence[float]) -> list[float]:
    """Return the p-values adjusted for their number, in the order given (Holm 1979)."""
    m, running = len(p_values), 0.0
    adjusted = [0.0] * m
    for rank, at in enumerate(sorted(range(m), key=lambda at: p_values[at])):
        running = max(running, min(1.0, (m - rank) * p_values[at]))
        adjusted[at] = running
    return adjusted
