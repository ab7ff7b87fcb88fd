"""n-gram density (Eck et al. 2005; paper E.1, equation 1): sentences with the most unseen n-grams for their length.

weight(s) = (number of positions in s whose n-gram is unseen, summed over n = 1..j) / tokens of s. Greedy: each pick's
n-grams count as seen for the next. Seen at the start are the n-grams of every sentence that people have read.
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
    """(n,) weights before the first pick, between 0 and j; greedy unless `update_within_batch` is off."""
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
    """Pick greedily, exact and lazy: seen n-grams only grow, so a stale weight in the heap is an upper bound."""
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
    """A heap of (-weight, key, index) that takes in an item once its first weight may matter; most never do."""

    def __init__(self, weights: Floats, keys: NDArray[np.bytes_], taken: frozenset[int]) -> None:
        order = np.argsort(-weights, kind="stable")
        self.indices = [index for index in order.tolist() if index not in taken]
        self.bounds = [*(-weights[self.indices]).tolist(), math.inf]
        self.keys, self.next = keys, 0
        self.heap: list[Entry] = []

    def pop(self) -> Entry | None:
        """The least entry, or None when all are gone."""
        self._admit(self.heap[0][0] if self.heap else self.bounds[self.next])
        return heapq.heappop(self.heap) if self.heap else None

    def is_before(self, entry: Entry) -> bool:
        """Whether the entry is no greater than all that wait."""
        if self.bounds[self.next] < entry[0]:
            return False
        self._admit(entry[0])
        return not self.heap or entry <= self.heap[0]

    def _admit(self, bound: float) -> None:
        """Take in what is not above the bound: of equal ones the key decides."""
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
