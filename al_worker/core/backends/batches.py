"""Plan which texts go through the model together, once, from lengths and text hashes only.

The plan does not depend on the order of the pool, so neither do the last bits of the logits.
"""

from collections.abc import Sequence
from dataclasses import dataclass

import numpy as np
from numpy.typing import NDArray

MOST_PADDING = 0.1
# Below an eighth of the budget, a further call costs more than the padding that it would save.
LEAST_FILLING = 1 / 8


@dataclass(frozen=True, slots=True)
class Batch:
    """Hold rows of the token table, the length of the longest, and whether all are that long.

    If they are, no mask is needed.
    """

    rows: NDArray[np.intp]
    length: int
    exact: bool


def plan_batches(lengths: NDArray[np.int64], keys: Sequence[bytes], budget: int, exact_rows: int) -> list[Batch]:
    """Return batches of at most `budget` padded tokens, longest texts first.

    `lengths` (n,) are in tokens; `keys` are the texts' hashes.
    The longest texts come first so that a lack of memory shows at once.
    A batch also ends before a text that would need much padding, once the batch is large enough to be worth a call.
    Once it has `exact_rows` rows, it also ends where the length changes.
    """
    order = longest_first(lengths, keys)
    ordered = lengths[order].tolist()
    batches: list[Batch] = []
    start = 0
    for end in range(1, len(ordered) + 1):
        if end == len(ordered) or _ends(
            ordered[start], ordered[end - 1], ordered[end], end - start, budget, exact_rows
        ):
            exact = ordered[start] == ordered[end - 1]
            batches.append(Batch(order[start:end], ordered[start], exact))
            start = end
    return batches


def longest_first(lengths: NDArray[np.int64], keys: Sequence[bytes]) -> NDArray[np.intp]:
    """Return (n,) rows by length, descending, then by the texts' hashes."""
    # Hashes are compared in hexadecimal, because numpy cuts zero bytes off the end of raw ones.
    return np.lexsort((np.array([key.hex() for key in keys], dtype=np.bytes_), -lengths))


def _ends(longest: int, last: int, following: int, rows: int, budget: int, exact_rows: int) -> bool:
    if longest * (rows + 1) > budget:
        return True
    if following < longest * (1 - MOST_PADDING) and longest * rows >= budget * LEAST_FILLING:
        return True
    return rows >= exact_rows and following != last


def plan_shards(batches: Sequence[Batch], sentences: int) -> list[list[Batch]]:
    """Group whole batches into shards of at least `sentences` rows. The last shard may be smaller."""
    shards: list[list[Batch]] = []
    size = sentences
    for batch in batches:
        if size >= sentences:
            shards.append([])
            size = 0
        shards[-1].append(batch)
        size += len(batch.rows)
    return shards
