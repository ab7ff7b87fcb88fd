"""Run the scoring paths that `gpu_iteration.py` compares, on one trained model, with the product's own functions."""

import json
import time
from collections.abc import Callable
from functools import partial
from pathlib import Path
from typing import Any

import numpy as np
import torch
from torch.nn.attention import sdpa_kernel
from transformers import AutoModelForSequenceClassification, AutoTokenizer

from al_worker.core.backends.batches import Batch, plan_batches
from al_worker.core.backends.device import Execution, execution_for
from al_worker.core.backends.fine_tuning import padded
from al_worker.core.backends.flat_batches import flat_batch, flat_capacity, plan_flat_batches
from al_worker.core.backends.loading import load_trained
from al_worker.core.backends.modernbert_scan import KERNELS, LOCAL, FlatModernBert
from al_worker.core.backends.scoring_paths import TRANSFORMERS, flat_forward
from al_worker.core.backends.tokens import TokenCache
from al_worker.core.errors import CompileFailed
from al_worker.core.run.config import TrainingSettings
from al_worker.formats.run_directory import POOL

TOP, OVERLAP, NEAR = 150, 145, 2e-3


class Arms:
    """Hold the trained model of a run directory, and samples of its pool. The gate has the first `n_gate` sentences."""

    def __init__(self, run: Path, cache: Path, training: dict[str, Any], n_gate: int) -> None:
        self.settings = TrainingSettings(
            device=training["device"], precision="bf16" if training["device"] == "cuda" else "fp32"
        )
        self.execution = execution_for(self.settings)
        self.model = load_trained(run / "model", self.settings).to(self.execution.device).eval()
        self.tokenizer = AutoTokenizer.from_pretrained(run / "model")
        self.cache = cache
        with (run / POOL).open(encoding="utf-8") as file:
            self.texts = [json.loads(line)["text"] for line in file]
        self.few = self.texts[:n_gate]
        self.take(n_gate)
        self.plain = execution_for(TrainingSettings(device=self.device, precision="fp32"))
        self.truth = _probabilities(self._prepared(TRANSFORMERS, self.plain)())

    @property
    def device(self) -> str:
        return self.execution.device

    def take(self, n: int) -> None:
        """Use the first n sentences of the pool from now on."""
        tokens = TokenCache(self.cache / "bench", "bench", lambda texts: self.tokenizer(list(texts))["input_ids"])
        self.table = tokens.table(self.texts[:n], lambda done, new: None)

    def gate(self, path: str) -> str:
        """Return whether bf16 by this path gives the probabilities and the most uncertain sentences of fp32.

        The probabilities may differ by `NEAR`, and `OVERLAP` of the top `TOP` sentences must be the same.
        """
        try:
            found = _probabilities(self._prepared(path, self.execution)())
        except CompileFailed as error:
            return f"{path}: {error}"
        far = float(np.abs(found - self.truth).max())
        top = min(TOP, len(found) // 2)
        shared = len(set(_uncertain(found, top)) & set(_uncertain(self.truth, top)))
        passed = far <= NEAR and shared >= top * OVERLAP / TOP
        return (
            f"{path}: {'passed' if passed else 'NOT PASSED'}, greatest difference {far:.1e}, {shared} of {top} on top"
        )

    def forward(self, path: str) -> str:
        """Return the seconds of a first and a second pass over the sample, in one process."""
        work = self._prepared(path, self.execution)
        try:
            seconds = [self._timed(work) for _ in range(2)]
        except CompileFailed as error:
            return f"{path}: {error}"
        scale, n = len(self.texts) / len(self.table.lengths), len(self.table.lengths)
        first, second = seconds
        whole = f"scaled to {len(self.texts):,}: {first * scale:.1f} s, then {second * scale:.1f} s"
        return f"{path}: {n:,} sentences in {first:.2f} s, again in {second:.2f} s ({whole}); {self._peak()}"

    def padded_512(self, n: int) -> str:
        """Measure what a plain loop does: fp32, 16 sentences at once, all padded to 512 tokens."""
        step = 16
        batches = [Batch(np.arange(start, start + step), 512, False) for start in range(0, n, step)]
        self._padded(batches[:1], self.plain)
        seconds = self._timed(partial(self._padded, batches, self.plain))
        return (
            f"{n} sentences in {seconds:.2f} s (scaled to {len(self.texts):,}: {seconds * len(self.texts) / n:.0f} s)"
        )

    def attention(self) -> str:
        """Compare both ways to compute all layers' attention, on one batch of medium lengths."""
        capacity, longest = (
            flat_capacity(self.table.lengths, self.execution.score_batch_tokens),
            self.table.lengths.max(),
        )
        flat = FlatModernBert(self.model, self.execution, "", int(longest))
        batches = plan_flat_batches(self.table.lengths, self.table.keys, capacity)
        packed = flat_batch(self.table, batches[len(batches) // 2].rows, capacity, 0, self.execution)
        shape = (capacity, 3, flat.heads, self.model.config.hidden_size // flat.heads)
        qkv = torch.randn(shape, dtype=torch.bfloat16, device=self.device)

        def calls() -> torch.Tensor:
            with sdpa_kernel(KERNELS):
                return [flat.attend(qkv[:, :2], qkv[:, 2], kind, packed.groups) for kind in flat.kinds][-1]

        calls()
        words = f"one batch, {len(packed.groups)} lengths: a call for each {self._timed(calls):.4f} s"
        try:
            one = _varlen(flat, packed.groups, qkv)
            difference = float((one().reshape(capacity, -1) - calls()).abs().max())
            return f"{words}; varlen_attn {self._timed(one):.4f} s, greatest difference {difference:.1e}"
        except (ImportError, RuntimeError, TypeError) as error:
            return f"{words}; varlen_attn does not run here ({type(error).__name__}: {str(error).strip()[:90]})"

    def _prepared(self, path: str, execution: Execution) -> Callable[[], np.ndarray]:
        """Return a function that computes (n, C) float32 logits in the table's order.

        Planning and casting of weights are done beforehand.
        """
        table, budget = self.table, execution.score_batch_tokens
        if path == TRANSFORMERS:
            batches = plan_batches(table.lengths, table.keys, budget, execution.exact_rows)
            work = partial(self._padded, batches, execution)
        else:
            capacity = flat_capacity(table.lengths, budget)
            flat = flat_forward(path, self.model, execution, "", int(table.lengths.max()), self.cache)
            batches = plan_flat_batches(table.lengths, table.keys, capacity)
            work = partial(self._by_flat, flat, batches, capacity, execution)
        order = np.argsort(np.concatenate([batch.rows for batch in batches]))
        return lambda: torch.cat(work()).float().cpu().numpy()[order]

    def _by_flat(
        self, flat: FlatModernBert, batches: list[Batch], capacity: int, execution: Execution
    ) -> list[torch.Tensor]:
        return [flat(flat_batch(self.table, batch.rows, capacity, 0, execution))[0] for batch in batches]

    @torch.inference_mode()
    def _padded(self, batches: list[Batch], execution: Execution) -> list[torch.Tensor]:
        found = []
        for batch in batches:
            ids, mask = padded(self.table, batch.rows, batch.length, batch.exact, 0)
            sent = None if mask is None else execution.send(mask)
            with execution.autocast():
                found.append(self.model(input_ids=execution.send(ids), attention_mask=sent).logits)
        return found

    def _timed(self, work: Callable[[], Any]) -> float:
        _wait(self.device)
        before = time.perf_counter()
        work()
        _wait(self.device)
        return time.perf_counter() - before

    def _peak(self) -> str:
        return f"peak {torch.cuda.max_memory_allocated() >> 20} MiB" if self.device == "cuda" else "no GPU"


def product_rate(device: str, m: int, k: int, n: int) -> float:
    """Return the FLOP/s of the bf16 product (m x k) (k x n), the best of four runs."""
    a = torch.randn(m, k, dtype=torch.bfloat16, device=device)
    b = torch.randn(k, n, dtype=torch.bfloat16, device=device)
    repeats = 20 if device == "cuda" else 1
    best = 0.0
    for _ in range(4):
        _wait(device)
        before = time.perf_counter()
        for _ in range(repeats):
            torch.mm(a, b)
        _wait(device)
        best = max(best, 2 * m * k * n * repeats / (time.perf_counter() - before))
    return best


def weights_of_products(run: Path) -> int:
    """Count the weights that every token is multiplied with, which are all but the embeddings."""
    model = AutoModelForSequenceClassification.from_pretrained(run / "model")
    return sum(p.numel() for name, p in model.named_parameters() if "embeddings" not in name)


def _varlen(flat: FlatModernBert, groups: tuple[Any, ...], qkv: torch.Tensor) -> Callable[[], torch.Tensor]:
    """Return torch's own way, one call a layer for all lengths.

    It exists on GPUs only, so the product's tests cannot run it.
    """
    from torch.nn.attention.varlen import varlen_attn

    lengths = np.concatenate([np.full(group.texts, group.length) for group in groups])
    bounds = torch.from_numpy(np.concatenate([[0], np.cumsum(lengths)]).astype(np.int32)).to(qkv.device)
    longest = int(lengths.max())

    def calls() -> torch.Tensor:
        windows = [(flat.reach, flat.reach) if kind == LOCAL else (-1, -1) for kind in flat.kinds]
        return [
            varlen_attn(qkv[:, 0], qkv[:, 1], qkv[:, 2], bounds, bounds, longest, longest, window_size=window)
            for window in windows
        ][-1]

    calls()
    return calls


def _wait(device: str) -> None:
    if device == "cuda":
        torch.cuda.synchronize()


def _probabilities(logits: np.ndarray) -> np.ndarray:
    shifted = np.exp(logits.astype(np.float64) - logits.max(axis=1, keepdims=True))
    return shifted / shifted.sum(axis=1, keepdims=True)


def _uncertain(probabilities: np.ndarray, top: int) -> list[int]:
    entropy = -(probabilities * np.log(probabilities)).sum(axis=1)
    return np.argsort(-entropy, kind="stable")[:top].tolist()
