"""Hold config.toml as frozen dataclasses. Every choice is a named field, checked once and repeated in the record."""

import dataclasses
from collections.abc import Mapping
from dataclasses import dataclass
from functools import cached_property
from pathlib import Path
from typing import Any

from al_worker.formats.heads import HEAD_KINDS, ONE
from al_worker.formats.models import NO_MODEL, LearningRate, learning_rate_for
from al_worker.formats.run_directory import CONFIG, HEADS, read_config
from al_worker.formats.strategies import (
    COMBINES,
    WITHOUT_MODEL,
    OptionValue,
    StrategyDeclaration,
    check_options,
    strategy_get,
)
from al_worker.formats.tables import ConfigError, read_table, setting

SCORING_PATHS = TRANSFORMERS, FLAT, COMPILED = "transformers", "flat", "flat_compiled"


@dataclass(frozen=True, slots=True, kw_only=True)
class RoundSettings:
    """Hold the table [round]. The first round is number 0. `tie` is "hash", or "id" for pool order."""

    number: int = setting(least=0)
    query_size: int = setting(least=1)
    random_state: int
    random_share: float = setting(0.0, least=0, most=1)
    no_duplicate_texts: bool = False
    tie: str = setting("hash", choices=("hash", "id"))


@dataclass(frozen=True, slots=True, kw_only=True)
class StrategySettings:
    """Hold the table [strategy]: the name, and all options with defaults filled in.

    `combine` says how the scores of several heads become one.
    `alternative` names a strategy without a model that selects where the model turns out not to be informative.
    """

    name: str
    options: Mapping[str, OptionValue]
    combine: str = COMBINES[0]
    alternative: str = ""

    @property
    def declaration(self) -> StrategyDeclaration:
        """Return the declaration of the strategy. Raises UnknownStrategy."""
        return strategy_get(self.name)


@dataclass(frozen=True, slots=True, kw_only=True)
class ModelSettings:
    """Hold the table [model]. `labels` fixes the order of the logits' columns.

    Where `labels` is empty, the labels found are taken, sorted. `kind` is that of the one head without a name.
    """

    name: str = NO_MODEL
    revision: str = ""
    labels: tuple[str, ...] = ()
    positive_labels: tuple[str, ...] = ()
    kind: str = setting(ONE, choices=HEAD_KINDS)


@dataclass(frozen=True, slots=True, kw_only=True)
class HeadSettings:
    """Hold one of [[heads]]: a stage that the model learns. `name` is empty for the one head that [model] describes.

    `kind` says what an item's label is: one label, a set of labels, or a label of an ordered scale.
    """

    name: str
    labels: tuple[str, ...]
    positive_labels: tuple[str, ...] = ()
    kind: str = setting(ONE, choices=HEAD_KINDS)


@dataclass(frozen=True, slots=True, kw_only=True)
class TrainingSettings:
    """Hold the table [training]: the paper's Table 11 first, then what it leaves open, then how it is executed.

    Defaults are those of al_worker.formats.training.DEFAULTS.
    The learning rate is the model's own unless it is given (al_worker.formats.models).
    A zero for threads, micro_batch_tokens, score_batch_tokens or shard_sentences means: chosen for the device, and
    recorded.
    """

    epochs: int = setting(5, least=1)
    batch_size: int = setting(50, least=1)
    learning_rate: float = setting(3e-5, least=0)
    weight_decay: float = setting(0.05, least=0)
    dropout: float = setting(0.1, least=0, most=0.9)
    max_tokens: int = setting(512, least=4)
    optimizer: str = setting("adamw", choices=("adamw",))
    adam_beta1: float = 0.9
    adam_beta2: float = 0.999
    adam_epsilon: float = 1e-8
    schedule: str = setting("linear", choices=("linear", "constant"))
    warmup_steps: int = setting(0, least=0)
    clip_norm: float = setting(1.0, least=0)
    decay_bias_and_norm: bool = False
    class_weights: str = setting("none", choices=("none", "balanced"))
    dropout_where: str = setting("all", choices=("all", "classifier"))
    pooling: str = setting("cls", choices=("cls",))
    device: str = setting("auto", choices=("auto", "cpu", "cuda"))
    precision: str = setting("auto", choices=("auto", "fp32", "bf16"))
    attention: str = setting("sdpa", choices=("sdpa", "eager"))
    threads: int = setting(0, least=0)
    micro_batch_tokens: int = setting(0, least=0)
    score_batch_tokens: int = setting(0, least=0)
    shard_sentences: int = setting(0, least=0)
    scoring_path: str = setting("auto", choices=("auto", *SCORING_PATHS))


TABLES = ("round", "strategy", "model", HEADS, "training")


@dataclass(frozen=True)
class RunConfig:
    """Hold config.toml as it was read.

    A table is checked when it is first asked for: a strategy without a model needs only [round] and [strategy].
    Each property raises ConfigError; `file` is the name that its message gives.
    """

    tables: Mapping[str, Any]
    file: str = CONFIG

    @classmethod
    def read(cls, run: Path) -> "RunConfig":
        """Read the run directory's config.toml."""
        return cls(read_config(run / CONFIG))

    def check_tables(self) -> None:
        """Raise ConfigError for a table that nothing reads: a misspelt name must not pass for a setting."""
        for name in self.tables:
            if name not in TABLES:
                raise ConfigError(f"{self.file}: no table [{name}] is known; there are {', '.join(TABLES)}")

    @cached_property
    def round(self) -> RoundSettings:
        """Return the table [round], checked."""
        return read_table(RoundSettings, self.file, "round", self.tables.get("round", {}))

    @cached_property
    def strategy(self) -> StrategySettings:
        """Return the table [strategy], checked. Raises UnknownStrategy or StrategyOptionError as well."""
        table = dict(self.tables.get("strategy", {}))
        name, combine = table.pop("name", None), table.pop("combine", None)
        alternative = table.pop("alternative", "")
        if not isinstance(name, str):
            raise ConfigError(f'{self.file}: [strategy] needs a name, for example name = "entropy"')
        if alternative and alternative not in WITHOUT_MODEL:
            raise ConfigError(
                f"{self.file}: [strategy] alternative = {alternative!r} is not one of {', '.join(WITHOUT_MODEL)}, "
                "which need no model"
            )
        settings = StrategySettings(name=name, options=check_options(name, table), alternative=alternative)
        if combine is None:
            return settings
        self._check_combine(settings, combine)
        return dataclasses.replace(settings, combine=combine)

    def _check_combine(self, settings: StrategySettings, combine: Any) -> None:
        place = f"{self.file}: [strategy] combine"
        if combine not in COMBINES:
            raise ConfigError(f"{place} = {combine!r} is not one of {', '.join(COMBINES)}")
        if not settings.declaration.needs_model:
            raise ConfigError(f'{place} joins a model\'s heads, and "{settings.name}" uses none')
        if not self.heads:
            raise ConfigError(f"{place} joins several heads; name them in [[heads]] or leave it out")

    @cached_property
    def model(self) -> ModelSettings:
        """Return the table [model], checked."""
        settings = read_table(ModelSettings, self.file, "model", self.tables.get("model", {}))
        if settings.kind != ONE:
            self._check_kind(settings.kind, settings.labels, settings.positive_labels, "[model]")
        return settings

    @cached_property
    def heads(self) -> tuple[HeadSettings, ...]:
        """Return [[heads]], checked. The tuple is empty where [model] labels describe the only head."""
        if HEADS not in self.tables:
            return ()
        heads = tuple(read_table(HeadSettings, self.file, f"[{HEADS}]", table) for table in self.tables[HEADS])
        if not heads:
            raise ConfigError(f"{self.file}: {HEADS} is empty; name one head or more, or leave it out")
        if self.model.labels or self.model.positive_labels or self.model.kind != ONE:
            raise ConfigError(f"{self.file}: labels stand in [model] and in [[{HEADS}]]; leave them in one of the two")
        self._check_heads(heads)
        return heads

    def _check_heads(self, heads: tuple[HeadSettings, ...]) -> None:
        names = [head.name for head in heads]
        if "" in names or len(set(names)) != len(names):
            raise ConfigError(f"{self.file}: every one of [[{HEADS}]] needs a name of its own; they are {names}")
        for head in heads:
            if not head.labels:
                raise ConfigError(f'{self.file}: the head "{head.name}" needs labels')
            if unknown := [label for label in head.positive_labels if label not in head.labels]:
                raise ConfigError(
                    f'{self.file}: positive label "{unknown[0]}" of "{head.name}" is not among its labels'
                )
            if head.kind != ONE:
                self._check_kind(head.kind, head.labels, head.positive_labels, f'the head "{head.name}"')

    def _check_kind(self, kind: str, labels: tuple[str, ...], positive: tuple[str, ...], place: str) -> None:
        if len(labels) < 2:
            raise ConfigError(f'{self.file}: {place} is of the kind "{kind}", which needs two labels or more')
        if positive:
            raise ConfigError(f'{self.file}: {place} is of the kind "{kind}", which has no positive labels')

    @cached_property
    def scored_heads(self) -> tuple[HeadSettings, ...]:
        """Return the heads whose scores are computed apart: those with names, or the one of a kind of its own.

        The tuple is empty for one head that gives one label, whose logits are a strategy's input as they are.
        """
        model = self.model
        if self.heads or model.kind == ONE:
            return self.heads
        return (HeadSettings(name="", labels=model.labels, kind=model.kind),)

    @property
    def label_counts(self) -> list[int]:
        """Return the number of declared labels of each head, or of [model] alone.

        The list is empty where none are declared.
        """
        if self.heads:
            return [len(head.labels) for head in self.heads]
        return [len(self.model.labels)] if self.model.labels else []

    @cached_property
    def training(self) -> TrainingSettings:
        """Return the table [training] with the recipe's defaults and the model's own learning rate."""
        settings = read_table(TrainingSettings, self.file, "training", self.tables.get("training", {}))
        rate = self.learning_rate
        return settings if rate is None else dataclasses.replace(settings, learning_rate=rate.value)

    @property
    def learning_rate(self) -> LearningRate | None:
        """Return the learning rate and where it comes from, or None for a model that has none."""
        given = self.tables.get("training", {}).get("learning_rate")
        return learning_rate_for(self.model.name, None if given is None else float(given))
