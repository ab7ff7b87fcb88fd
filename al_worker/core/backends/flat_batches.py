"""Build batches without padding: texts are laid end to end in one row of tokens of a fixed length.

Equal shapes from batch to batch spare a GPU what each new shape costs, and let one compiled step serve them all.
"""

from collections.abc import Sequence
from dataclasses import dataclass
from itertools import pairwise

import numpy as np
import torch
from numpy.typing import NDArray

from al_worker.core.backends.batches import Batch, longest_first
from al_worker.core.backends.device import Execution
from al_worker.core.backends.tokens import TokenTable


@dataclass(frozen=True, slots=True)
class Group:
    """Describe a run of `texts` texts of `length` tokens each, the first of them at `start`.

    One attention call takes a group.
    """

    start: int
    texts: int
    length: int

    @property
    def end(self) -> int:
        return self.start + self.texts * self.length


@dataclass(frozen=True, slots=True)
class FlatBatch:
    """Hold (T,) token ids and positions on the device, the (n,) first token of each text, and the groups, in order.

    Filler texts stand after the n texts, so the groups cover all T tokens.
    """

    ids: torch.Tensor
    positions: torch.Tensor
    starts: torch.Tensor
    groups: tuple[Group, ...]


def flat_capacity(lengths: NDArray[np.int64], budget: int) -> int:
    """Return the number of tokens of every batch.

    It is the budget, or less where all texts together need less, or more where one text needs more.
    """
    return max(int(lengths.max()), min(budget, int(lengths.sum())))


def plan_flat_batches(lengths: NDArray[np.int64], keys: Sequence[bytes], capacity: int) -> list[Batch]:
    """Return batches of whole texts, longest first, with as many texts as fit.

    Like `plan_batches`, the plan depends on the texts alone.
    """
    order = longest_first(lengths, keys)
    ends = np.cumsum(lengths[order])
    batches: list[Batch] = []
    start = 0
    while start < len(order):
        before = int(ends[start - 1]) if start else 0
        end = int(np.searchsorted(ends, before + capacity, side="right"))
        longest, shortest = int(lengths[order[start]]), int(lengths[order[end - 1]])
        batches.append(Batch(order[start:end], longest, longest == shortest))
        start = end
    return batches


def flat_batch(
    table: TokenTable, rows: NDArray[np.intp], capacity: int, pad_id: int, execution: Execution
) -> FlatBatch:
    """Return the texts of `rows`, longest first, and filler up to `capacity` tokens."""
    texts = table.lengths[rows]
    used, last = int(texts.sum()), int(texts[-1])
    # Filler is cut into texts as long as the last one, because attention costs the square of a length.
    whole, rest = divmod(capacity - used, last)
    lengths = np.concatenate([texts, np.full(whole, last), np.full(int(rest > 0), rest)]).astype(np.int64)
    starts = np.cumsum(lengths) - lengths
    ids = np.full(capacity, pad_id, dtype=np.int64)
    ids[:used] = table.joined(rows)
    positions = np.arange(capacity) - np.repeat(starts, lengths)
    return FlatBatch(
        ids=execution.send(torch.from_numpy(ids)),
        positions=execution.send(torch.from_numpy(positions)),
        starts=execution.send(torch.from_numpy(starts[: len(rows)])),
        groups=_groups(lengths, starts),
    )


def _groups(lengths: NDArray[np.int64], starts: NDArray[np.int64]) -> tuple[Group, ...]:
    edges = [0, *(np.flatnonzero(np.diff(lengths)) + 1).tolist(), len(lengths)]
    return tuple(Group(int(starts[first]), end - first, int(lengths[first])) for first, end in pairwise(edges))
