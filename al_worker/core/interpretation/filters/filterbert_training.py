"""Train FilterBERT on what the oracle selects, with early stopping (Marfurt et al. 2022, 4.3)."""

import math
import time
from collections.abc import Callable, Mapping, Sequence
from dataclasses import asdict, dataclass, field
from hashlib import sha256
from pathlib import Path
from typing import Any

import torch
import transformers
from rouge_score.rouge_scorer import RougeScorer
from torch.nn.functional import cross_entropy

from al_worker.core.backends.device import Execution
from al_worker.core.errors import NonFiniteScores, NotEnoughLabels
from al_worker.core.interpretation.filters import filterbert, oracle_selection
from al_worker.core.interpretation.filters.base import Source
from al_worker.core.interpretation.filters.filterbert_model import FilterBert, Piece, sentence_scores
from al_worker.core.interpretation.filters.filterbert_settings import ROUGE_2, FilterBertSettings
from al_worker.core.interpretation.models.checkpoints import (
    BEST,
    STATE,
    read_checkpoint,
    read_weights,
    write_checkpoint,
    write_weights,
)
from al_worker.core.interpretation.models.optimisation import make_schedule
from al_worker.core.run.files import value_hash
from al_worker.core.run.stop_signal import Stopped
from al_worker.formats.ties import derived_seed


@dataclass(frozen=True, slots=True)
class FilterEpoch:
    """Hold what an epoch gave. Losses are means over sentences; `rouge2` is None unless training stops by it."""

    epoch: int
    train_loss: float
    valid_loss: float
    f1: float
    rouge2: float | None
    learning_rate: float
    seconds: float


@dataclass(frozen=True, slots=True)
class FilterTrained:
    """Hold what a training did. The model has the weights of `best_epoch`, which counts from 1."""

    epochs: int
    best_epoch: int
    stopped_early: bool
    seconds: float
    curves: list[FilterEpoch]
    sentences: int
    kept: int
    settings: dict[str, Any]


@dataclass(frozen=True, slots=True)
class _Learned:
    """Hold a source with its pieces, and whether the oracle keeps each of its sentences."""

    source: Source
    pieces: tuple[Piece, ...]
    is_kept: tuple[bool, ...]


@dataclass(slots=True)
class _Run:
    """Hold one training under way."""

    model: FilterBert
    settings: FilterBertSettings
    seed: int
    execution: Execution
    train: Sequence[_Learned]
    valid: Sequence[_Learned]
    stop: Callable[[], bool]
    on_step: Callable[[int, int], None]
    curves: list[FilterEpoch] = field(default_factory=list)

    @property
    def steps_an_epoch(self) -> int:
        return math.ceil(sum(len(each.pieces) for each in self.train) / self.settings.batch_size)

    def value(self, epoch: FilterEpoch) -> float:
        """Return what training stops by."""
        return (epoch.rouge2 or 0.0) if self.settings.stop_on == ROUGE_2 else epoch.f1

    @property
    def best(self) -> FilterEpoch:
        """Return the epoch with the largest value of what training stops by, and the first of equal ones."""
        return max(self.curves, key=self.value)

    @property
    def is_over(self) -> bool:
        return len(self.curves) == self.settings.max_epochs or self.stops_early

    @property
    def stops_early(self) -> bool:
        """Return whether nothing gets better any more. While nothing is kept rightly, that is too early to say."""
        if not self.curves or not self.value(self.best):
            return False
        return self.curves[-1].epoch - self.best.epoch >= self.settings.patience


def train_filterbert(
    model: FilterBert,
    train: Sequence[tuple[Sequence[str], Sequence[str]]],
    valid: Sequence[tuple[Sequence[str], Sequence[str]]],
    settings: FilterBertSettings,
    seed: int,
    execution: Execution,
    folder: Path,
    report: Callable[[FilterEpoch], None] = lambda epoch: None,
    stop: Callable[[], bool] = lambda: False,
    on_step: Callable[[int, int], None] = lambda done, steps: None,
) -> FilterTrained:
    """Train in place on (sentences, targets without markers) of sources, and leave the best epoch's weights in it.

    The folder keeps the state after each epoch. A training that was killed goes on from there, and ends with the very
    weights of one that was not. Raises Stopped soon after `stop` returns True, NotEnoughLabels without sources,
    NonFiniteScores and CheckpointMismatch.
    """
    if not train or not valid:
        raise NotEnoughLabels("FilterBERT needs sources with targets for training and for validation")
    learned, validation = ([_learned(model, *each, settings) for each in part] for part in (train, valid))
    run = _Run(model, settings, seed, execution, learned, validation, stop, on_step)
    folder.mkdir(parents=True, exist_ok=True)
    model.to(execution.device)
    rate = settings.learning_rate
    optimizer = torch.optim.Adam([{"params": list(model.parameters()), "lr": rate, "initial_lr": rate}])
    identity = _identity(run)
    state = read_checkpoint(folder / STATE, model, optimizer, identity)
    run.curves = [FilterEpoch(**each) for each in state["curves"]] if state else []
    steps = run.steps_an_epoch * settings.max_epochs
    done = run.steps_an_epoch * len(run.curves)
    schedule = make_schedule(optimizer, steps, settings.warmup, settings.schedule, done)
    while not run.is_over:
        run.curves.append(_epoch(run, optimizer, schedule))
        if run.best is run.curves[-1]:
            write_weights(folder / BEST, model)
        curves = [asdict(epoch) for epoch in run.curves]
        write_checkpoint(folder / STATE, model, optimizer, {"identity": identity, "curves": curves})
        report(run.curves[-1])
    read_weights(folder / BEST, model)
    model.eval()
    return FilterTrained(
        epochs=len(run.curves),
        best_epoch=run.best.epoch,
        stopped_early=run.stops_early and len(run.curves) < settings.max_epochs,
        seconds=sum(epoch.seconds for epoch in run.curves),
        curves=run.curves,
        sentences=sum(len(each.is_kept) for each in learned),
        kept=sum(sum(each.is_kept) for each in learned),
        settings=asdict(settings) | {"seed": seed},
    )


def f1_of(is_kept: Sequence[bool], is_predicted: Sequence[bool]) -> float:
    """Return F1 of the sentences to keep; 0 where none of them is predicted."""
    both = sum(a and b for a, b in zip(is_kept, is_predicted, strict=True))
    return 2 * both / (sum(is_kept) + sum(is_predicted)) if both else 0.0


def _learned(
    model: FilterBert, sentences: Sequence[str], targets: Sequence[str], settings: FilterBertSettings
) -> _Learned:
    tokens = model.tokens(sentences)
    lengths = tuple(map(len, model.tokenizer(list(sentences))["input_ids"]))
    source = Source(tuple(sentences), lengths, tuple(targets))
    kept = set(oracle_selection.keep(source, settings.selection_budget))
    return _Learned(source, tuple(model.pieces(tokens)), tuple(at in kept for at in range(len(sentences))))


def _epoch(run: _Run, optimizer: torch.optim.Optimizer, schedule: torch.optim.lr_scheduler.LambdaLR) -> FilterEpoch:
    """Train one epoch. All its random numbers come from seeds of its own, so no state of a generator is kept."""
    started, number, size = time.monotonic(), len(run.curves), run.settings.batch_size
    pieces = [(piece, each) for each in run.train for piece in each.pieces]
    shuffle = torch.Generator().manual_seed(derived_seed(run.seed, number, "filterbert shuffle"))
    order = torch.randperm(len(pieces), generator=shuffle).tolist()
    torch.manual_seed(derived_seed(run.seed, number, "filterbert dropout"))
    run.model.train()
    total, n_sentences = 0.0, 0
    for start in range(0, len(order), size):
        if run.stop():
            raise Stopped
        rate = optimizer.param_groups[0]["lr"]
        optimizer.zero_grad(set_to_none=True)
        with run.execution.training_kernels():
            loss, n, _ = _loss(run, [pieces[at] for at in order[start : start + size]])
            (loss / n).backward()
        optimizer.step()
        schedule.step()
        total, n_sentences = total + float(loss.detach()), n_sentences + n
        run.on_step(number * run.steps_an_epoch + start // size + 1, run.steps_an_epoch * run.settings.max_epochs)
    valid_loss, f1 = _validated(run)
    if not math.isfinite(total + valid_loss):
        raise NonFiniteScores(f"the loss of FilterBERT became {total + valid_loss} in epoch {number + 1}")
    rouge2 = _rouge2(run) if run.settings.stop_on == ROUGE_2 else None
    seconds = round(time.monotonic() - started, 3)
    return FilterEpoch(number + 1, total / n_sentences, valid_loss, f1, rouge2, rate, seconds)


def _loss(run: _Run, batch: Sequence[tuple[Piece, _Learned]]) -> tuple[torch.Tensor, int, list[tuple[bool, bool]]]:
    """Return the summed cross entropy, the number of sentences, and for each whether it is kept and predicted so."""
    wanted = [each.is_kept[number] for piece, each in batch for number in piece.sentences]
    with run.execution.autocast():
        logits = run.model([piece for piece, _ in batch], run.execution.send)
    loss = cross_entropy(logits, run.execution.send(torch.tensor(wanted, dtype=torch.long)), reduction="sum")
    return loss, len(wanted), list(zip(wanted, logits.argmax(dim=1).bool().tolist(), strict=True))


def _validated(run: _Run) -> tuple[float, float]:
    run.model.eval()
    pieces = [(piece, each) for each in run.valid for piece in each.pieces]
    total, pairs = 0.0, list[tuple[bool, bool]]()
    with torch.inference_mode():
        for start in range(0, len(pieces), run.settings.batch_size):
            if run.stop():
                raise Stopped
            loss, _, found = _loss(run, pieces[start : start + run.settings.batch_size])
            total, pairs = total + float(loss), pairs + found
    return total / len(pairs), f1_of([wanted for wanted, _ in pairs], [predicted for _, predicted in pairs])


def _rouge2(run: _Run) -> float:
    """Return the mean ROUGE-2 F1 of what is kept within the budget against what the oracle selects."""
    scorer, values = RougeScorer(["rouge2"], use_stemmer=True), []
    scores = sentence_scores(run.model, [each.source.sentences for each in run.valid], run.execution, stop=run.stop)
    for each, own in zip(run.valid, scores, strict=True):
        source = Source(each.source.sentences, each.source.lengths, each.source.targets, own)
        kept = filterbert.keep(source, run.settings.selection_budget)
        oracle = [text for text, is_kept in zip(source.sentences, each.is_kept, strict=True) if is_kept]
        if oracle:
            found = scorer.score("\n".join(oracle), "\n".join(source.sentences[number] for number in kept))
            values.append(found["rouge2"].fmeasure)
    return sum(values) / len(values) if values else 0.0


def _identity(run: _Run) -> Mapping[str, str]:
    """Return hashes of all that the weights depend on. It must be called before the first step."""
    digest = sha256()
    for parameter in run.model.parameters():
        digest.update(parameter.detach().cpu().contiguous().numpy().tobytes())
    data = [[[piece.ids for piece in each.pieces], each.is_kept] for part in (run.train, run.valid) for each in part]
    return {
        "model": digest.hexdigest(),
        "data": value_hash({"data": data}),
        "settings": value_hash(asdict(run.settings) | {"seed": run.seed}),
        "execution": value_hash({**run.execution.as_record(), "threads": 0}),
        "versions": f"torch {torch.__version__}, transformers {transformers.__version__}",
    }
