"""Train a generative model on pairs of source and target, with early stopping (Marfurt et al. 2022, 4.4)."""

import math
import time
from collections.abc import Callable, Sequence
from dataclasses import asdict, dataclass, field, replace
from hashlib import sha256
from pathlib import Path
from typing import Any, Literal

import torch
import transformers
from torch.nn.functional import cross_entropy

from al_worker.core.backends.device import Execution, execution_for
from al_worker.core.errors import NonFiniteScores, NotEnoughLabels
from al_worker.core.interpretation.models.checkpoints import (
    BEST,
    STATE,
    read_checkpoint,
    read_weights,
    write_checkpoint,
    write_weights,
)
from al_worker.core.interpretation.models.generator import BART, PRETRAINED, RANDOM, TIED, Generator
from al_worker.core.interpretation.models.optimisation import make_adam, make_schedule
from al_worker.core.interpretation.models.text_tokens import (
    NO_LABEL,
    padded_rows,
    source_mask,
    source_tokens,
    target_tokens,
)
from al_worker.core.run.config import TrainingSettings
from al_worker.core.run.files import value_hash
from al_worker.core.run.stop_signal import Stopped
from al_worker.formats.run_directory import write_rows
from al_worker.formats.ties import derived_seed

CURVES = "curves.jsonl"
VALIDATION_ROWS = 8


@dataclass(frozen=True, slots=True)
class Example:
    """Hold a source and one of its targets in the text form."""

    source: str
    target: str


@dataclass(frozen=True, slots=True, kw_only=True)
class TrainSettings:
    """Hold how to train. Defaults are the paper's; where it says nothing, they are named in docs/methods.

    `max_epochs` of 0 is 20 for `bart` and 10 for others. Training stops once `patience` epochs in a row have not
    lowered the validation loss. Rates are maxima; `schedule` is how they end (optimisation.py). A limit of tokens of 0
    is what the model takes. Longer sources are cut, or refused with `long_sources` = "refuse". Longer targets are cut.
    """

    seed: int = 0
    batch_size: int = 4
    max_epochs: int = 0
    patience: int = 1
    rate_random: float = 1e-4
    rate_pretrained: float = 1e-5
    rate_tied: float = 1e-6
    warmup: float = 0.1
    schedule: Literal["paper", "code"] = "paper"
    max_source_tokens: int = 0
    max_target_tokens: int = 0
    long_sources: Literal["cut", "refuse"] = "cut"
    device: str = "auto"
    precision: str = "auto"
    threads: int = 0

    def of_kind(self, kind: str) -> "TrainSettings":
        """Return the settings with the kind's number of epochs where none is given."""
        return replace(self, max_epochs=self.max_epochs or (20 if kind == BART else 10))


@dataclass(frozen=True, slots=True)
class EpochReport:
    """Hold what an epoch gave. Losses are means over tokens; `learning_rate` is the largest of the last step's."""

    epoch: int
    train_loss: float
    valid_loss: float
    learning_rate: float
    seconds: float


@dataclass(frozen=True, slots=True)
class Trained:
    """Hold what a training did. The generator has the weights of `best_epoch`, which counts from 1.

    `cut_sources` and `cut_targets` are numbers of examples, for training and validation each from 0.
    """

    epochs: int
    best_epoch: int
    stopped_early: bool
    seconds: float
    curves: list[EpochReport]
    n_examples: int
    n_validation: int
    cut_sources: dict[str, list[int]]
    cut_targets: dict[str, list[int]]
    settings: dict[str, Any]
    execution: dict[str, Any]


@dataclass(slots=True)
class _Pairs:
    """Hold the tokens of examples, and what was cut."""

    sources: list[list[int]]
    targets: list[list[int]]
    cut_sources: list[int]
    cut_targets: frozenset[int]


@dataclass(slots=True)
class _Run:
    """Hold one training under way."""

    generator: Generator
    settings: TrainSettings
    execution: Execution
    pairs: _Pairs
    validation: _Pairs
    is_stopped: Callable[[], bool]
    on_step: Callable[[int, int], None]
    curves: list[EpochReport] = field(default_factory=list)

    @property
    def steps_an_epoch(self) -> int:
        return math.ceil(len(self.pairs.sources) / self.settings.batch_size)

    @property
    def best(self) -> EpochReport:
        """Return the epoch with the lowest validation loss, and the first of equal ones."""
        return min(self.curves, key=lambda each: each.valid_loss)

    @property
    def stops_early(self) -> bool:
        return bool(self.curves) and self.curves[-1].epoch - self.best.epoch >= self.settings.patience

    @property
    def is_over(self) -> bool:
        return len(self.curves) == self.settings.max_epochs or self.stops_early


def train(
    generator: Generator,
    train: Sequence[Example],
    valid: Sequence[Example],
    settings: TrainSettings,
    folder: Path,
    report: Callable[[EpochReport], None] = lambda epoch: None,
    stop: Callable[[], bool] = lambda: False,
    on_step: Callable[[int, int], None] = lambda done, steps: None,
) -> Trained:
    """Train in place, and leave the best epoch's weights in the generator.

    The folder keeps the state after each epoch, the best weights and curves.jsonl. A training that was killed goes on
    from there, and ends with the very weights of one that was not. `report` is called for epochs done now, `on_step`
    with the steps done and the most steps. Raises Stopped soon after `stop` returns True, NotEnoughLabels without
    examples, TextRefused, NonFiniteScores, CheckpointMismatch, ConfigError.
    """
    settings = settings.of_kind(generator.kind)
    for examples, name in ((train, "training"), (valid, "validation")):
        if not examples:
            raise NotEnoughLabels(f"there is no target for {name}; give targets of the splits train and valid")
    execution = execution_for(
        TrainingSettings(device=settings.device, precision=settings.precision, threads=settings.threads)
    )
    pairs, validation = (_tokenized(generator, examples, settings) for examples in (train, valid))
    run = _Run(generator, settings, execution, pairs, validation, stop, on_step)
    folder.mkdir(parents=True, exist_ok=True)
    generator.model.to(execution.device)
    _epochs(run, folder, report)
    read_weights(folder / BEST, generator.model)
    generator.model.eval()
    return Trained(
        epochs=len(run.curves),
        best_epoch=run.best.epoch,
        stopped_early=run.stops_early and len(run.curves) < settings.max_epochs,
        seconds=sum(epoch.seconds for epoch in run.curves),
        curves=run.curves,
        n_examples=len(train),
        n_validation=len(valid),
        cut_sources={"train": pairs.cut_sources, "valid": validation.cut_sources},
        cut_targets={"train": sorted(pairs.cut_targets), "valid": sorted(validation.cut_targets)},
        settings=asdict(settings),
        execution=execution.as_record(),
    )


def _epochs(run: _Run, folder: Path, report: Callable[[EpochReport], None]) -> None:
    """Train from the last checkpoint on until training is over."""
    model, settings = run.generator.model, run.settings
    identity = _identity(run)
    rates = {RANDOM: settings.rate_random, PRETRAINED: settings.rate_pretrained, TIED: settings.rate_tied}
    optimizer = make_adam(run.generator, rates, fused=run.execution.fused_optimizer)
    state = read_checkpoint(folder / STATE, model, optimizer, identity)
    run.curves = [EpochReport(**each) for each in state["curves"]] if state else []
    steps, done = run.steps_an_epoch * settings.max_epochs, run.steps_an_epoch * len(run.curves)
    schedule = make_schedule(optimizer, steps, settings.warmup, settings.schedule, done)
    while not run.is_over:
        run.curves.append(_epoch(run, optimizer, schedule))
        if run.best is run.curves[-1]:
            write_weights(folder / BEST, model)
        # The checkpoint comes last: a kill before it lets the epoch run again, with the same result.
        curves = [asdict(epoch) for epoch in run.curves]
        write_rows(folder / CURVES, curves)
        write_checkpoint(folder / STATE, model, optimizer, {"identity": identity, "curves": curves})
        report(run.curves[-1])


def _epoch(run: _Run, optimizer: torch.optim.Optimizer, schedule: torch.optim.lr_scheduler.LambdaLR) -> EpochReport:
    """Train one epoch. All its random numbers come from seeds of its own, so no state of a generator is kept."""
    started, number, settings = time.monotonic(), len(run.curves), run.settings
    shuffle = torch.Generator().manual_seed(derived_seed(settings.seed, number, "shuffle"))
    order = torch.randperm(len(run.pairs.sources), generator=shuffle).tolist()
    torch.manual_seed(derived_seed(settings.seed, number, "dropout"))
    run.generator.model.train()
    total, n_tokens = 0.0, 0
    for start in range(0, len(order), settings.batch_size):
        _check_stop(run)
        rate = max(group["lr"] for group in optimizer.param_groups)
        optimizer.zero_grad(set_to_none=True)
        with run.execution.training_kernels():
            loss, n = batch_loss(run, run.pairs, order[start : start + settings.batch_size])
            (loss / n).backward()
        optimizer.step()
        schedule.step()
        total, n_tokens = total + float(loss.detach()), n_tokens + n
        run.on_step(number * run.steps_an_epoch + start // settings.batch_size + 1,
                    run.steps_an_epoch * settings.max_epochs)  # fmt: skip
    valid_loss = _validation_loss(run)
    if not math.isfinite(total + valid_loss):
        raise NonFiniteScores(f"the loss became {total + valid_loss} in epoch {number + 1}; use precision fp32")
    return EpochReport(number + 1, total / n_tokens, valid_loss, rate, round(time.monotonic() - started, 3))


def _validation_loss(run: _Run) -> float:
    run.generator.model.eval()
    pairs = run.validation
    order = sorted(range(len(pairs.sources)), key=lambda at: (len(pairs.sources[at]), len(pairs.targets[at]), at))
    total, n_tokens = 0.0, 0
    with torch.inference_mode():
        for start in range(0, len(order), VALIDATION_ROWS):
            _check_stop(run)
            loss, n = batch_loss(run, pairs, order[start : start + VALIDATION_ROWS])
            total, n_tokens = total + float(loss), n_tokens + n
    return total / n_tokens


def batch_loss(run: _Run, pairs: _Pairs, rows: Sequence[int]) -> tuple[torch.Tensor, int]:
    """Return the summed cross entropy of the targets' tokens and their ends, and how many these are.

    The end of a target that was cut does not count.
    """
    generator, send = run.generator, run.execution.send
    sources, targets = [pairs.sources[at] for at in rows], [pairs.targets[at] for at in rows]
    given = len(generator.opening) - 1
    labels = [
        [NO_LABEL] * given + target + ([NO_LABEL] if at in pairs.cut_targets else [generator.end])
        for at, target in zip(rows, targets, strict=True)
    ]
    with run.execution.autocast():
        logits = generator.model(
            input_ids=send(padded_rows(sources, generator.pad)),
            attention_mask=send(source_mask(sources)),
            decoder_input_ids=send(padded_rows([generator.opening + target for target in targets], generator.pad)),
            use_cache=False,
        ).logits
    wanted = padded_rows(labels, NO_LABEL)
    loss = cross_entropy(logits.flatten(0, 1).float(), send(wanted.flatten()), ignore_index=NO_LABEL, reduction="sum")
    return loss, int((wanted != NO_LABEL).sum())


def _tokenized(generator: Generator, examples: Sequence[Example], settings: TrainSettings) -> _Pairs:
    texts = [example.source for example in examples]
    sources = source_tokens(generator, texts, settings.max_source_tokens, settings.long_sources)
    targets = target_tokens(generator, [example.target for example in examples], settings.max_target_tokens)
    return _Pairs(sources.ids, targets.ids, sources.cut, frozenset(targets.cut))


def _identity(run: _Run) -> dict[str, str]:
    """Return hashes of all that the weights depend on. It must be called before the first step."""
    digest = sha256()
    for _, parameter in run.generator.model.named_parameters():
        digest.update(parameter.detach().cpu().contiguous().numpy().tobytes())
    pairs = [[each.sources, each.targets] for each in (run.pairs, run.validation)]
    return {
        "model": digest.hexdigest(),
        "data": value_hash({"pairs": pairs}),
        "settings": value_hash(asdict(run.settings)),
        "execution": value_hash({**run.execution.as_record(), "threads": 0}),
        "versions": f"torch {torch.__version__}, transformers {transformers.__version__}",
    }


def _check_stop(run: _Run) -> None:
    if run.is_stopped():
        raise Stopped
