"""Score by n-gram density (Eck et al. 2005; paper E.1, equation 1): the most unseen n-grams for a sentence's length.

weight(s) = (number of positions in s whose n-gram is unseen, summed over n = 1..j) / tokens of s.
The choice is greedy: the n-grams of each pick count as seen for the next one.
At the start, the n-grams of every sentence that people have read are seen.
"""

import heapq
import math
from collections.abc import Iterator, Mapping

import numpy as np
from numpy.typing import NDArray

from al_worker.core.acquisition.inputs import Floats, Greedy, Inputs
from al_worker.core.acquisition.ngrams import Ngrams, NgramSettings
from al_worker.formats.strategies import OptionValue

Entry = tuple[float, bytes, int]


def scores(inputs: Inputs, options: Mapping[str, OptionValue]) -> Floats | Greedy:
    """Return (n,) weights before the first pick, between 0 and j.

    The result is Greedy unless the option `update_within_batch` is off.
    """
    settings = NgramSettings(int(options["j"]), str(options["tokenizer"]), bool(options["lowercase"]))
    table = inputs.make_ngram_table([*inputs.issued_texts, *inputs.pool_texts], settings)
    ngrams, n_read = table.ngrams, len(inputs.issued_texts)
    seen = np.zeros(ngrams.n_distinct, dtype=np.bool_)
    for row in table.rows[:n_read]:
        seen[ngrams.of(row)] = True
    rows = table.rows[n_read:]
    weights = _weights(ngrams, seen)[rows]
    if not options["update_within_batch"]:
        return weights
    return Greedy(weights, lambda taken: _greedy(ngrams, rows, seen, weights, inputs.pool_keys, taken))


def _greedy(
    ngrams: Ngrams,
    rows: NDArray[np.intp],
    seen: NDArray[np.bool_],
    weights: Floats,
    keys: NDArray[np.bytes_],
    taken: frozenset[int],
) -> Iterator[tuple[int, float]]:
    """Pick greedily, exactly and lazily.

    Seen n-grams only grow in number, so a stale weight in the heap is an upper bound.
    """
    seen = seen.copy()
    for index in taken:
        seen[ngrams.of(rows[index])] = True
    waiting = _Waiting(weights, keys, taken)
    while (stale := waiting.pop()) is not None:
        _, key, index = stale
        row = rows[index]
        found = ngrams.of(row)
        fresh = (-_weight(seen, found, int(ngrams.lengths[row])), key, index)
        if waiting.is_before(fresh):
            seen[found] = True
            yield index, -fresh[0]
        else:
            heapq.heappush(waiting.heap, fresh)


class _Waiting:
    """Hold a heap of (-weight, key, index) entries, filled lazily.

    It takes in an item only when the item's first weight may matter. Most items are never taken in.
    """

    def __init__(self, weights: Floats, keys: NDArray[np.bytes_], taken: frozenset[int]) -> None:
        order = np.argsort(-weights, kind="stable")
        self.indices = [index for index in order.tolist() if index not in taken]
        self.bounds = [*(-weights[self.indices]).tolist(), math.inf]
        self.keys, self.next = keys, 0
        self.heap: list[Entry] = []

    def pop(self) -> Entry | None:
        """Remove and return the least entry, or return None when all are gone."""
        self._admit(self.heap[0][0] if self.heap else self.bounds[self.next])
        return heapq.heappop(self.heap) if self.heap else None

    def is_before(self, entry: Entry) -> bool:
        """Return whether the entry is no greater than any that waits."""
        if self.bounds[self.next] < entry[0]:
            return False
        self._admit(entry[0])
        return not self.heap or entry <= self.heap[0]

    def _admit(self, bound: float) -> None:
        """Take in every entry that is not above the bound.

        Equal ones must be in, because the key decides between them.
        """
        while self.bounds[self.next] <= bound < math.inf:
            index = self.indices[self.next]
            heapq.heappush(self.heap, (self.bounds[self.next], bytes(self.keys[index]), index))
            self.next += 1


def _weight(seen: NDArray[np.bool_], ngrams: NDArray[np.int32], length: int) -> float:
    return (len(ngrams) - int(np.count_nonzero(seen[ngrams]))) / length if length else 0.0


def _weights(ngrams: Ngrams, seen: NDArray[np.bool_]) -> Floats:
    unseen = np.zeros(len(ngrams.data) + 1, dtype=np.int64)
    np.cumsum(~seen[ngrams.data], out=unseen[1:])
    counts = (unseen[ngrams.offsets[1:]] - unseen[ngrams.offsets[:-1]]).astype(np.float64)
    return np.divide(counts, ngrams.lengths, out=np.zeros_like(counts), where=ngrams.lengths > 0)
