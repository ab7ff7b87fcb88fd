"""The steps of a round in order, each with what it depends on. A step whose outputs are up to date is skipped."""

from dataclasses import asdict, dataclass
from functools import cached_property
from pathlib import Path
from typing import Any

from al_worker.core.acquisition.select import eligible, select
from al_worker.core.backends.base import Backend, Setup
from al_worker.core.backends.registry import backend_for
from al_worker.core.run.config import RunConfig, StrategySettings
from al_worker.core.run.files import file_hash
from al_worker.core.run.progress import Progress
from al_worker.core.run.record import record_write
from al_worker.core.run.steps import Step, marker_read, step_is_done, step_run
from al_worker.core.scoring.score import distinct_texts, evaluation_items, fixed_items, join, previous_labels, score
from al_worker.core.training.heads import check_labels, resolve_heads, targets_at
from al_worker.core.training.train import train, training_items
from al_worker.formats.heads import ONE
from al_worker.formats.run_directory import (
    EVALUATION,
    ISSUED,
    LABELED,
    METRICS,
    MODEL,
    POOL,
    PREDICTIONS,
    PREVIOUS_STOPPING,
    RECORD,
    SCORES,
    SELECTED,
    STOPPING,
    STOPPING_SET,
    read_items,
)
from al_worker.formats.tables import ConfigError


@dataclass(kw_only=True)
class Pipeline:
    """Run the steps on one run directory.

    `form` is how progress is printed, "text" or "json"; `force` redoes steps that are up to date.
    """

    run: Path
    cache: Path
    form: str = "text"
    force: bool = False

    def round(self) -> None:
        """Run all steps that the strategy needs. Whatever can be refused without a model is refused first."""
        _ = self.config.round
        eligible(read_items(self.run / POOL), read_items(self.run / LABELED), read_items(self.run / ISSUED))
        if self.needs_model:
            self._predict()
        self.select()

    def _predict(self) -> None:
        resolve_heads(self.setup.model, self.setup.heads, training_items(self.run))
        # Finished predictions need no model any more, and its weights may have been deleted.
        if not self.force and step_is_done(self.run, self._score_step):
            for step in ("encode", "train", "score"):
                self._progress(step).report(1.0, "up to date")
            return
        self.encode()
        self.train()
        self.score()

    def encode(self) -> None:
        """Tokenise pool, training set, held-out items and stopping set into the cache."""
        if self._skip("encode"):
            return
        step = Step(
            name="encode",
            inputs={"texts": self._hashes(POOL, LABELED, EVALUATION, STOPPING_SET)},
            outputs=(),
            work=self._encode,
        )
        # The result lies in the shared cache, which may have been emptied. Only the step itself can check that.
        step_run(self.run, step, self._progress("encode"), force=True)

    def train(self) -> None:
        """Fit the model to labeled.jsonl."""
        if not self._skip("train"):
            step_run(self.run, self._train_step, self._progress("train"), force=self.force)

    def score(self) -> None:
        """Predict with the model of the train step. Raises ConfigError where that step is missing or outdated."""
        if self._skip("score"):
            return
        self._check_trained()
        step_run(self.run, self._score_step, self._progress("score"), force=self.force)

    def join(self) -> None:
        """Help the process that scores this run directory, with the model of its train step."""
        progress = self._progress("score")
        if self._skip("score"):
            return
        if step_is_done(self.run, self._score_step):
            progress.report(1.0, "up to date")
            return
        self._check_trained()
        computed = join(self.run, self.backend, self._vector, progress)
        progress.report(1.0, f"{computed} shards computed here; the run's own process gathers them")

    def select(self) -> None:
        """Select the batch and write the record."""
        if step_run(self.run, self._select_step, self._progress("select"), force=self.force) or not self._has_record:
            record_write(self.run, self.config)

    @cached_property
    def config(self) -> RunConfig:
        """Return config.toml of the run directory."""
        return RunConfig.read(self.run)

    @property
    def strategy(self) -> StrategySettings:
        return self.config.strategy

    @cached_property
    def setup(self) -> Setup:
        """Return what the model depends on. Raises ConfigError."""
        return Setup.of(self.config, self.cache)

    @cached_property
    def backend(self) -> Backend:
        """Return the backend of the configured model. Raises ModelUnavailable."""
        return backend_for(self.setup)

    @property
    def needs_model(self) -> bool:
        """Return whether the strategy needs a model."""
        return self.strategy.declaration.needs_model

    @property
    def _vector(self) -> str:
        return str(self.strategy.options.get("vector", "")) if self.strategy.declaration.needs_vectors else ""

    @property
    def _has_record(self) -> bool:
        return (self.run / RECORD).is_file()

    @property
    def _train_step(self) -> Step:
        return Step(name="train", inputs=self._train_inputs(), outputs=(MODEL,), work=self._train)

    @property
    def _score_step(self) -> Step:
        files = self._hashes(POOL, EVALUATION, STOPPING_SET, PREVIOUS_STOPPING)
        inputs = {"train": self._train_inputs(), "texts": files, "vector": self._vector}
        setup = self.setup
        positive: list[Any] = [list(head.positive_labels) for head in setup.heads]
        positive = positive or list(setup.model.positive_labels)
        return Step(
            name="score",
            inputs=inputs | {"positive_labels": positive},
            outputs=(PREDICTIONS, METRICS, *([STOPPING] if fixed_items(self.run) else [])),
            work=self._score,
        )

    @property
    def _select_step(self) -> Step:
        files = (POOL, LABELED, ISSUED) + ((PREDICTIONS,) if self.needs_model else ())
        inputs: dict[str, Any] = {
            "round": asdict(self.config.round),
            "strategy": {"name": self.strategy.name, "options": dict(self.strategy.options)},
            "files": self._hashes(*files),
        }
        if self.strategy.alternative and self.needs_model:
            inputs |= {"alternative": self.strategy.alternative, "metrics": self._hashes(METRICS)}
        if self.needs_model and self._named_heads:
            inputs |= {"combine": self.strategy.combine, **self._named_heads}
        return Step(name="select", inputs=inputs, outputs=(SCORES, SELECTED), work=self._select)

    def _train_inputs(self) -> dict[str, Any]:
        setup = self.setup
        return {
            "seeds": {"random_state": setup.round.random_state, "number": setup.round.number},
            "model": {"name": setup.model.name, "revision": setup.model.revision, "labels": list(setup.model.labels)}
            | kind_of(setup.model.kind),
            "training": asdict(setup.training),
            "labeled": file_hash(self.run / LABELED),
            **self._named_heads,
        }

    @property
    def _named_heads(self) -> dict[str, Any]:
        """Return the named heads as inputs of a step. A step depends on them only where heads are named."""
        heads = [{"name": head.name, "labels": list(head.labels)} | kind_of(head.kind) for head in self.config.heads]
        return {"heads": heads} if heads else {}

    def _encode(self, run: Path, progress: Progress) -> dict[str, Any]:
        files = [read_items(run / POOL), read_items(run / LABELED), evaluation_items(run), fixed_items(run)]
        return self.backend.encode(distinct_texts(*files), progress)

    def _train(self, run: Path, progress: Progress) -> dict[str, Any]:
        self._check_held_out()
        return train(run, self.setup, self.backend, progress)

    def _check_held_out(self) -> None:
        """Refuse a label that the model will not know, and files that can't be read, before hours of training."""
        held_out = evaluation_items(self.run)
        check_labels(self.setup.heads, held_out, EVALUATION)
        for head in resolve_heads(self.setup.model, self.setup.heads, training_items(self.run)):
            targets_at(head, held_out, EVALUATION)
        fixed_items(self.run)
        previous_labels(self.run)

    def _score(self, run: Path, progress: Progress) -> dict[str, Any]:
        heads = resolve_heads(self.setup.model, self.setup.heads, training_items(run))
        losses = (marker_read(run, "train") or {}).get("facts", {}).get("epoch_losses", ())
        return score(run, self.setup, self.backend, heads, self._vector, progress, epoch_losses=losses)

    def _select(self, run: Path, progress: Progress) -> dict[str, Any]:
        (run / RECORD).unlink(missing_ok=True)
        return select(run, self.config, progress, self.cache)

    def _hashes(self, *names: str) -> dict[str, str]:
        return {name: file_hash(self.run / name) for name in names}

    def _progress(self, step: str) -> Progress:
        return Progress(step, self.form)

    def _check_trained(self) -> None:
        if not step_is_done(self.run, self._train_step):
            raise ConfigError(f"{MODEL}/ is missing or belongs to other labels or settings; run the train step first")

    def _skip(self, step: str) -> bool:
        if self.needs_model:
            return False
        self._progress(step).report(1.0, f'strategy "{self.strategy.name}" needs no model: nothing to do')
        return True


def kind_of(kind: str) -> dict[str, str]:
    """Return a head's kind as an input of a step. That of one label is left out, so that earlier steps stay done."""
    return {} if kind == ONE else {"kind": kind}
