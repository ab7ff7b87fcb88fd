"""Which texts go through the model together: planned once, from lengths and text hashes only.

The plan does not depend on the order of the pool, so neither do the last bits of the logits.
"""

from collections.abc import Sequence
from dataclasses import dataclass

import numpy as np
from numpy.typing import NDArray


@dataclass(frozen=True, slots=True)
class Batch:
    """Rows of the token table, the longest of them, and whether all are that long (then no mask is needed)."""

    rows: NDArray[np.intp]
    length: int
    exact: bool


def plan_batches(lengths: NDArray[np.int64], keys: Sequence[bytes], budget: int, exact_rows: int) -> list[Batch]:
    """Batches of at most `budget` padded tokens, longest texts first (a lack of memory shows at once).

    A batch also ends where the length changes, once it has `exact_rows` rows.
    """
    # Hexadecimal: numpy cuts zero bytes off the end of raw ones.
    order = np.lexsort((np.array([key.hex() for key in keys], dtype=np.bytes_), -lengths))
    batches: list[Batch] = []
    start = 0
    for end in range(1, len(order) + 1):
        longest = int(lengths[order[start]])
        full = end == len(order) or longest * (end + 1 - start) > budget
        changes = not full and end - start >= exact_rows and lengths[order[end]] != lengths[order[end - 1]]
        if full or changes:
            rows = order[start:end]
            batches.append(Batch(rows, longest, bool((lengths[rows] == longest).all())))
            start = end
    return batches


def plan_shards(batches: Sequence[Batch], sentences: int) -> list[list[Batch]]:
    """Whole batches grouped into shards of at least `sentences` rows (the last may be smaller)."""
    shards: list[list[Batch]] = []
    size = sentences
    for batch in batches:
        if size >= sentences:
            shards.append([])
            size = 0
        shards[-1].append(batch)
        size += len(batch.rows)
    return shards
