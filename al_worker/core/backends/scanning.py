"""Scan the pool: length-sorted batches go through the trained model, in shards that survive a kill."""

import time
from collections.abc import Callable, Iterator, Mapping, Sequence
from dataclasses import dataclass
from functools import partial
from types import TracebackType
from typing import Any

import numpy as np
import torch
from numpy.typing import NDArray
from transformers import PreTrainedModel

from al_worker.core.backends.batches import Batch
from al_worker.core.backends.device import Execution
from al_worker.core.backends.fine_tuning import padded
from al_worker.core.backends.flat_batches import flat_batch
from al_worker.core.backends.modernbert_scan import FlatModernBert
from al_worker.core.backends.shards import Arrays, Shards
from al_worker.core.backends.tokens import TokenTable
from al_worker.core.errors import NonFiniteScores

# The wait before looking again at shards that other processes hold.
REST_SECONDS = 0.1


class VectorTap:
    """Take one vector for each text out of the forward pass, without keeping other hidden states.

    "cls" is the first row of the last hidden state, and "mean" its mean over the text's tokens.
    "pooled_head" is the input of the classifier's last layer.
    """

    def __init__(self, model: PreTrainedModel, kind: str) -> None:
        self.kind, self.model = kind, model
        self.mask: torch.Tensor | None = None
        self.vectors: torch.Tensor | None = None

    def __enter__(self) -> "VectorTap":
        if self.kind == "pooled_head":
            self.handle = _classifier(self.model).register_forward_pre_hook(self._from_head)
        elif self.kind:
            self.handle = self.model.base_model.register_forward_hook(self._from_encoder)
        return self

    def __exit__(self, kind: type | None, error: BaseException | None, trace: TracebackType | None) -> None:
        if self.kind:
            self.handle.remove()

    def _from_head(self, module: torch.nn.Module, args: tuple[torch.Tensor, ...]) -> None:
        self.vectors = args[0]

    def _from_encoder(self, module: torch.nn.Module, args: Any, output: Any) -> None:
        hidden = output[0]
        if self.kind == "cls":
            self.vectors = hidden[:, 0]
        elif self.mask is None:
            self.vectors = hidden.mean(dim=1)
        else:
            mask = self.mask.unsqueeze(-1).to(hidden.dtype)
            self.vectors = (hidden * mask).sum(dim=1) / mask.sum(dim=1)


@dataclass(frozen=True, slots=True)
class Scan:
    """Hold what a scan works on. `vector` is "" or the kind of vector to keep; `path` names the forward pass.

    A `flat` pass takes batches of `capacity` tokens without padding.
    Without one, transformers' pass takes padded batches.
    """

    model: PreTrainedModel
    table: TokenTable
    execution: Execution
    pad_id: int
    vector: str
    path: str
    flat: FlatModernBert | None = None
    capacity: int = 0


# Called with the number of rows of the token table that are done, and with the number of their tokens.
OnRows = Callable[[int, int], None]
OnShards = Callable[[int, int], None]


class _Gathered:
    """Hold results by row of the token table, in arrays that are allocated once."""

    def __init__(self, lengths: NDArray[np.int64]) -> None:
        self.n, self.lengths, self.done, self.tokens = len(lengths), lengths, 0, 0
        self.logits: NDArray[np.float32] = np.empty((0, 0), dtype=np.float32)
        self.vectors: NDArray[np.float32] | None = None

    def put(self, rows: NDArray[np.intp], shard: Arrays) -> None:
        """Store the results of one shard in these rows."""
        if self.done == 0:
            self.logits, self.vectors = self._empty(shard[0]), None if shard[1] is None else self._empty(shard[1])
        self.logits[rows] = shard[0]
        if self.vectors is not None and shard[1] is not None:
            self.vectors[rows] = shard[1]
        self.done += len(rows)
        self.tokens += int(self.lengths[rows].sum())

    def _empty(self, like: NDArray[np.float32]) -> NDArray[np.float32]:
        return np.empty((self.n, like.shape[1]), dtype=np.float32)


def scan_shards(
    scan: Scan, plan: Sequence[Sequence[Batch]], shards: Shards, on_rows: OnRows
) -> tuple[Arrays, dict[str, float]]:
    """Predict every batch. Return the results, with rows as in the token table, and counts for the record.

    Shards that exist, or that other processes compute meanwhile, are taken as they are.
    Raises NonFiniteScores where a logit is NaN or infinite.
    """
    gathered, stood, taken = _Gathered(scan.table.lengths), shards.numbers(), []
    left = dict(enumerate(plan))
    with VectorTap(scan.model, scan.vector) as tap:
        while left:
            for number in _rounds(left):
                rows = _rows(left[number])
                shard = shards.read(number, rows)
                if shard is not None:
                    taken.append(number)
                else:
                    so_far = partial(_report_from, on_rows, gathered.done, gathered.tokens)
                    compute = partial(_scan_shard, scan, tap, left[number], so_far)
                    shard = _computed(shards, number, rows, compute)
                if shard is not None:
                    del left[number]
                    gathered.put(rows, shard)
                    on_rows(gathered.done, gathered.tokens)
    resumed = len(stood & set(taken))
    counts: dict[str, float] = {
        "shards": len(plan),
        "shards_resumed": resumed,
        "shards_of_helpers": len(taken) - resumed,
    }
    return (gathered.logits, gathered.vectors), counts


def help_shards(scan: Scan, plan: Sequence[Sequence[Batch]], shards: Shards, on_shards: OnShards) -> int:
    """Compute shards that no process holds, and return how many were computed here.

    It ends when all shards exist, or when the run's own process has gathered them.
    `on_shards(computed here, existing)` is called after each look at a shard.
    """
    computed, left = 0, dict(enumerate(plan))
    with VectorTap(scan.model, scan.vector) as tap:
        try:
            while left:
                for number in _rounds(left):
                    if not shards.has(number):
                        compute = partial(_scan_shard, scan, tap, left[number], _say_nothing)
                        computed += _computed(shards, number, _rows(left[number]), compute) is not None
                    if shards.has(number):
                        del left[number]
                    on_shards(computed, len(plan) - len(left))
        except FileNotFoundError:
            # The run's own process has gathered the shards and deleted the folder.
            return computed
    return computed


def _rounds(left: Mapping[int, Any]) -> Iterator[int]:
    """Yield the numbers that are left, then pause if no shard was finished in the meantime."""
    before = len(left)
    yield from list(left)
    if len(left) == before:
        time.sleep(REST_SECONDS)


def _computed(shards: Shards, number: int, rows: NDArray[np.intp], compute: Callable[[], Arrays]) -> Arrays | None:
    """Compute and write the shard, and return it. Return None if another process holds it or has just finished it."""
    with shards.claim(number) as mine:
        if not mine or shards.read(number, rows) is not None:
            return None
        shard = compute()
        shards.write(number, rows, shard)
        return shard


def _rows(batches: Sequence[Batch]) -> NDArray[np.intp]:
    return np.concatenate([batch.rows for batch in batches])


def _say_nothing(rows: int, tokens: int) -> None:
    return None


def _report_from(on_rows: OnRows, rows_before: int, tokens_before: int, rows: int, tokens: int) -> None:
    on_rows(rows_before + rows, tokens_before + tokens)


def _scan_shard(scan: Scan, tap: VectorTap, batches: Sequence[Batch], on_rows: OnRows) -> Arrays:
    """Compute a shard. Results leave the device once a shard, because reading each batch's would make a GPU wait.

    Reports therefore run ahead of the device.
    """
    logits, vectors, rows, tokens = [], [], 0, 0
    for batch in batches:
        found, vector = _flat_forward(scan, batch) if scan.flat else _padded_forward(scan, tap, batch)
        logits.append(found)
        if vector is not None:
            vectors.append(vector)
        rows += len(batch.rows)
        tokens += int(scan.table.lengths[batch.rows].sum())
        on_rows(rows, tokens)
    joined = torch.cat(logits).cpu().numpy()
    if not np.isfinite(joined).all():
        raise NonFiniteScores(
            f"the model gave {int((~np.isfinite(joined)).any(axis=1).sum())} predictions that are NaN or infinite; "
            "train again with precision fp32 or a smaller learning rate"
        )
    return joined, torch.cat(vectors).cpu().numpy() if vectors else None


def _flat_forward(scan: Scan, batch: Batch) -> tuple[torch.Tensor, torch.Tensor | None]:
    assert scan.flat is not None
    return scan.flat(flat_batch(scan.table, batch.rows, scan.capacity, scan.pad_id, scan.execution))


@torch.inference_mode()
def _padded_forward(scan: Scan, tap: VectorTap, batch: Batch) -> tuple[torch.Tensor, torch.Tensor | None]:
    ids, mask = padded(scan.table, batch.rows, batch.length, batch.exact, scan.pad_id)
    tap.mask = None if mask is None else scan.execution.send(mask)
    with scan.execution.autocast():
        logits = scan.model(input_ids=scan.execution.send(ids), attention_mask=tap.mask).logits
    # A view of the first rows would keep the whole hidden state in memory until the shard is done.
    return logits.float(), None if tap.vectors is None else tap.vectors.float().contiguous()


def _classifier(model: PreTrainedModel) -> torch.nn.Module:
    inner = {id(module) for module in model.base_model.modules()}
    layers = [m for m in model.modules() if isinstance(m, torch.nn.Linear) and id(m) not in inner]
    return layers[-1]
