"""The training loop.

It follows the paper's fixed recipe; nothing is chosen by looking at data (paper 4.3, Table 11).
"""

import math
from collections.abc import Iterator, Sequence
from dataclasses import dataclass, field

import numpy as np
import torch
from torch.nn.functional import binary_cross_entropy_with_logits, cross_entropy, logsigmoid, nll_loss
from transformers import PreTrainedModel

from al_worker.core.backends.batches import Batch, plan_batches
from al_worker.core.backends.device import Execution
from al_worker.core.backends.tokens import TokenTable
from al_worker.core.errors import NonFiniteScores
from al_worker.core.run.config import TrainingSettings
from al_worker.core.run.progress import Progress
from al_worker.core.training.heads import MISSING, Unit
from al_worker.formats.heads import ORDERED, SEVERAL


@dataclass(slots=True)
class FineTuningRun:
    """Hold one training: the model and all that a step touches.

    `columns` (units, n) are the items' targets at each unit of the heads, or MISSING.
    `weights` (units, n) are the items' loss weights.
    """

    model: PreTrainedModel
    table: TokenTable
    columns: torch.Tensor
    weights: torch.Tensor
    units: Sequence[Unit]
    training: TrainingSettings
    execution: Execution
    pad_id: int
    epoch_losses: list[float] = field(default_factory=list)


def fine_tune(run: FineTuningRun, shuffle_seed: int, progress: Progress) -> list[float]:
    """Train in place. Return the mean loss of each epoch. Raises NonFiniteScores when the loss is NaN or infinite."""
    n, training = run.columns.shape[1], run.training
    steps_an_epoch = math.ceil(n / training.batch_size)
    optimizer = make_optimizer(run.model, training, fused=run.execution.fused_optimizer)
    scheduler = make_scheduler(optimizer, training, steps_an_epoch * training.epochs)
    generator = torch.Generator().manual_seed(shuffle_seed)
    run.model.train()
    for epoch in range(training.epochs):
        sums = torch.zeros((), dtype=torch.float64, device=run.execution.device)
        order = torch.randperm(n, generator=generator).numpy()
        for number, start in enumerate(range(0, n, training.batch_size), start=1):
            rows = order[start : start + training.batch_size]
            sums += train_batch(run, rows, optimizer) * len(rows)
            scheduler.step()
            done = (epoch + number / steps_an_epoch) / training.epochs
            progress.report(0.05 + 0.9 * done, f"epoch {epoch + 1} of {training.epochs}")
        total = float(sums)
        if not math.isfinite(total):
            raise NonFiniteScores(f"the training loss became {total} in epoch {epoch + 1}; use precision fp32")
        run.epoch_losses.append(total / n)
    return run.epoch_losses


def train_batch(run: FineTuningRun, rows: np.ndarray, optimizer: torch.optim.Optimizer) -> torch.Tensor:
    """Take one optimizer step on the batch's mean loss. Gradients are summed over micro-batches of similar length.

    The loss (float64, no dimension) stays on the device: reading it at each step would make the host wait for a GPU.
    """
    optimizer.zero_grad(set_to_none=True)
    totals = [weights[rows].sum() for weights in run.weights]
    send = run.execution.send
    loss = torch.zeros((), dtype=torch.float64, device=run.execution.device)
    for part, ids, mask in micro_batches(run, rows):
        with run.execution.autocast(), run.execution.training_kernels():
            logits = run.model(input_ids=ids, attention_mask=mask).logits
        share = heads_loss(logits.float(), send(run.columns[:, part]), send(run.weights[:, part]), totals, run.units)
        share.backward()
        loss += share.detach()
    if run.training.clip_norm > 0:
        torch.nn.utils.clip_grad_norm_(run.model.parameters(), run.training.clip_norm)
    optimizer.step()
    return loss


def heads_loss(
    logits: torch.Tensor,
    columns: torch.Tensor,
    weights: torch.Tensor,
    totals: Sequence[torch.Tensor],
    units: Sequence[Unit],
) -> torch.Tensor:
    """Return the sum over the heads of a part's share of the batch's weighted mean loss.

    `logits` are (r, sum of widths); `columns` and `weights` are (units, r) on the logits' device.
    `totals` are each unit's weights summed over the whole batch. They are on the host, where they are compared with 0.
    So each head's loss is a mean over the batch's items that have a label there, and over its units. A head without any
    gives 0.
    """
    loss = logits.new_zeros(())
    for at, (unit, block) in enumerate(zip(units, logits.split([unit.width for unit in units], dim=1), strict=True)):
        if totals[at] > 0:
            each = unit_losses(unit.kind, block, columns[at])
            loss = loss + unit.share * (each * weights[at]).sum() / totals[at]
    return loss


def unit_losses(kind: str, block: torch.Tensor, columns: torch.Tensor) -> torch.Tensor:
    """Return the (r,) losses of one unit's (r, width) columns; 0 or any finite number where the target is MISSING.

    They are binary cross entropies of a label of a set, and else the negative logarithm of the label's probability. Of
    an ordered unit this is the sum of CORN's conditional binary cross entropies.
    """
    if kind == SEVERAL:
        return binary_cross_entropy_with_logits(block[:, 0], columns.clamp(min=0).to(block.dtype), reduction="none")
    if kind != ORDERED:
        return cross_entropy(block, columns, reduction="none", ignore_index=MISSING)
    none = block.new_zeros((len(block), 1))
    passed = torch.cat([none, logsigmoid(block).cumsum(dim=1)], dim=1)
    return nll_loss(
        passed + torch.cat([logsigmoid(-block), none], dim=1), columns, reduction="none", ignore_index=MISSING
    )


def micro_batches(
    run: FineTuningRun, rows: np.ndarray
) -> Iterator[tuple[np.ndarray, torch.Tensor, torch.Tensor | None]]:
    """Yield (rows, token ids, mask or None) of the batch, cut by length so that little padding is needed."""
    for batch in _pieces(run, rows):
        part = rows[batch.rows]
        ids, mask = padded(run.table, part, batch.length, batch.exact, run.pad_id)
        yield part, run.execution.send(ids), None if mask is None else run.execution.send(mask)


def _pieces(run: FineTuningRun, rows: np.ndarray) -> list[Batch]:
    lengths, longest = run.table.lengths[rows], int(run.table.lengths[rows].max())
    if len(rows) * longest <= run.execution.whole_batch_tokens:
        return [Batch(np.arange(len(rows)), longest, bool((lengths == longest).all()))]
    keys = [run.table.keys[row] for row in rows]
    return plan_batches(lengths, keys, run.execution.micro_batch_tokens, exact_rows=len(rows))


def padded(
    table: TokenTable, rows: np.ndarray, length: int, exact: bool, pad_id: int
) -> tuple[torch.Tensor, torch.Tensor | None]:
    """Return (r, length) token ids padded on the right, and the mask, which is None where nothing is padded."""
    if exact:
        return torch.from_numpy(table.joined(rows).astype(np.int64).reshape(len(rows), length)), None
    ids = np.full((len(rows), length), pad_id, dtype=np.int64)
    mask = np.arange(length)[None, :] < table.lengths[rows][:, None]
    ids[mask] = table.joined(rows)
    return torch.from_numpy(ids), torch.from_numpy(mask.astype(np.int64))


def make_optimizer(model: PreTrainedModel, training: TrainingSettings, *, fused: bool = False) -> torch.optim.Optimizer:
    """Return AdamW. Biases and norms (all parameters of one dimension) are not decayed unless asked for.

    `fused` is the GPU's one-pass kernel. It works element by element, so it too gives the same numbers each time.
    """
    decayed: list[torch.nn.Parameter] = []
    plain: list[torch.nn.Parameter] = []
    for parameter in model.parameters():
        (decayed if parameter.ndim > 1 or training.decay_bias_and_norm else plain).append(parameter)
    groups = [{"params": decayed, "weight_decay": training.weight_decay}, {"params": plain, "weight_decay": 0.0}]
    betas = (training.adam_beta1, training.adam_beta2)
    # None, not False, leaves the choice for the device to torch.
    return torch.optim.AdamW(
        groups, lr=training.learning_rate, betas=betas, eps=training.adam_epsilon, fused=fused or None
    )


def make_scheduler(
    optimizer: torch.optim.Optimizer, training: TrainingSettings, steps: int
) -> torch.optim.lr_scheduler.LambdaLR:
    """Warm up over `warmup_steps`, then fall linearly to zero at the last step, or stay constant."""

    def factor(step: int) -> float:
        if step < training.warmup_steps:
            return step / training.warmup_steps
        if training.schedule == "constant":
            return 1.0
        return max(0.0, (steps - step) / max(1, steps - training.warmup_steps))

    return torch.optim.lr_scheduler.LambdaLR(optimizer, factor)


def item_weights(columns: np.ndarray, n_labels: int, kind: str) -> torch.Tensor:
    """Return (n,) loss weights of one unit from its (n,) targets; 0 without a label.

    They are ones, or n / (C * n_c) for class_weights = "balanced", where C counts the labels that occur.
    """
    known = columns != MISSING
    weights = known.astype(np.float32)
    if kind == "balanced":
        labels = columns[known]
        counts = np.bincount(labels, minlength=n_labels)
        weights[known] = len(labels) / (np.count_nonzero(counts) * counts[labels])
    return torch.from_numpy(weights)
