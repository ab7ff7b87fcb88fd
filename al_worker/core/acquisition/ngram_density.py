"""n-gram density (Eck et al. 2005; paper E.1, equation 1): sentences with the most unseen n-grams for their length.

weight(s) = (number of positions in s whose n-gram is unseen, summed over n = 1..j) / tokens of s. Greedy: each pick's
grams count as seen for the next. Seen at the start are the grams of every sentence that people have read.
"""

import heapq
from collections.abc import Iterator, Mapping

import numpy as np
from numpy.typing import NDArray

from al_worker.core.acquisition.grams import GramTable, build_grams, tokenize
from al_worker.core.acquisition.inputs import Floats, Greedy, Inputs
from al_worker.formats.strategies import OptionValue


def scores(inputs: Inputs, options: Mapping[str, OptionValue]) -> Floats | Greedy:
    """(n,) weights before the first pick, between 0 and j; greedy unless `update_within_batch` is off."""
    split = str(options["tokenizer"]), bool(options["lowercase"])
    texts = [*inputs.issued_texts, *inputs.pool_texts]
    table = build_grams([tokenize(text, *split) for text in texts], int(options["j"]))
    n_read = len(inputs.issued_texts)
    seen = np.zeros(table.n_grams, dtype=np.bool_)
    seen[table.data[: table.offsets[n_read]]] = True
    weights = _weights(table, seen)[n_read:]
    if not options["update_within_batch"]:
        return weights
    return Greedy(weights, lambda taken: _greedy(table, seen, weights, n_read, inputs.pool_keys, taken))


def _greedy(
    table: GramTable,
    seen: NDArray[np.bool_],
    weights: Floats,
    n_read: int,
    keys: NDArray[np.bytes_],
    taken: frozenset[int],
) -> Iterator[tuple[int, float]]:
    """Exact lazy greedy: seen grams only grow, so a stale weight is an upper bound and may stay in the heap."""
    seen = seen.copy()
    for index in taken:
        seen[table.of(n_read + index)] = True
    ranks = np.empty(len(keys), dtype=np.int64)
    ranks[np.argsort(keys, kind="stable")] = np.arange(len(keys))
    heap = [
        entry
        for entry in zip((-weights).tolist(), ranks.tolist(), range(len(keys)), strict=True)
        if entry[2] not in taken
    ]
    heapq.heapify(heap)
    while heap:
        _, rank, index = heapq.heappop(heap)
        grams = table.of(n_read + index)
        fresh = (-_weight(seen, grams, int(table.lengths[n_read + index])), rank, index)
        if not heap or fresh <= heap[0]:
            seen[grams] = True
            yield index, -fresh[0]
        else:
            heapq.heappush(heap, fresh)


def _weight(seen: NDArray[np.bool_], grams: NDArray[np.int32], length: int) -> float:
    return (len(grams) - int(np.count_nonzero(seen[grams]))) / length if length else 0.0


def _weights(table: GramTable, seen: NDArray[np.bool_]) -> Floats:
    unseen = np.concatenate([[0], np.cumsum(~seen[table.data])])
    counts = (unseen[table.offsets[1:]] - unseen[table.offsets[:-1]]).astype(np.float64)
    return np.divide(counts, table.lengths, out=np.zeros_like(counts), where=table.lengths > 0)
