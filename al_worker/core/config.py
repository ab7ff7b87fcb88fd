"""config.toml as frozen dataclasses: every choice a named field, checked once, repeated in the record."""

import dataclasses
import math
from collections.abc import Mapping
from dataclasses import dataclass
from pathlib import Path
from typing import Any, TypeVar

from al_worker.core.errors import ConfigError
from al_worker.formats.models import BOW_LOGREG, NO_MODEL, LearningRate, learning_rate_for
from al_worker.formats.run_directory import CONFIG, HEADS, read_config
from al_worker.formats.strategies import (
    COMBINES,
    WITHOUT_MODEL,
    OptionValue,
    StrategyDeclaration,
    check_options,
    strategy_get,
)


@dataclass(frozen=True, slots=True, kw_only=True)
class RoundSettings:
    """[round]. The first round is number 0. `tie` is "hash", or "id" for pool order."""

    number: int
    query_size: int
    random_state: int
    random_share: float = 0.0
    no_duplicate_texts: bool = False
    tie: str = "hash"


@dataclass(frozen=True, slots=True, kw_only=True)
class StrategySettings:
    """[strategy]: the name, and all options with defaults filled in; `combine` says how several heads' scores join.

    `alternative` names a strategy without a model that selects where the model turns out not to be informative.
    """

    name: str
    options: Mapping[str, OptionValue]
    combine: str = COMBINES[0]
    alternative: str = ""

    @property
    def declaration(self) -> StrategyDeclaration:
        return strategy_get(self.name)


@dataclass(frozen=True, slots=True, kw_only=True)
class ModelSettings:
    """[model]. `labels` fixes the order of the logits' columns; empty: the labels found, sorted."""

    name: str = NO_MODEL
    revision: str = ""
    labels: tuple[str, ...] = ()
    positive_labels: tuple[str, ...] = ()


@dataclass(frozen=True, slots=True, kw_only=True)
class HeadSettings:
    """One of [[heads]]: a stage that the model learns. `name` is empty for the one head that [model] describes."""

    name: str
    labels: tuple[str, ...]
    positive_labels: tuple[str, ...] = ()


@dataclass(frozen=True, slots=True, kw_only=True)
class TrainingSettings:
    """[training]. The paper's Table 11 first, then what it leaves open, then how it is carried out.

    Defaults are those of al_worker.formats.training.DEFAULTS; the learning rate is the model's own unless it is given
    (al_worker.formats.models). A zero for threads, micro_batch_tokens,
    score_batch_tokens or shard_sentences means: chosen for the device, and recorded.
    """

    epochs: int = 5
    batch_size: int = 50
    learning_rate: float = 3e-5
    weight_decay: float = 0.05
    dropout: float = 0.1
    max_tokens: int = 512
    optimizer: str = "adamw"
    adam_beta1: float = 0.9
    adam_beta2: float = 0.999
    adam_epsilon: float = 1e-8
    schedule: str = "linear"
    warmup_steps: int = 0
    clip_norm: float = 1.0
    decay_bias_and_norm: bool = False
    class_weights: str = "none"
    dropout_where: str = "all"
    pooling: str = "cls"
    device: str = "auto"
    precision: str = "auto"
    attention: str = "sdpa"
    threads: int = 0
    micro_batch_tokens: int = 0
    score_batch_tokens: int = 0
    shard_sentences: int = 0
    scoring_path: str = "auto"


TABLES = ("round", "strategy", "model", HEADS, "training")
Settings = TypeVar("Settings", RoundSettings, ModelSettings, HeadSettings, TrainingSettings)

_WORDS = {int: "a whole number", float: "a number", str: "a text", bool: "true or false"}
_CHOICES: dict[str, tuple[str, ...]] = {
    "tie": ("hash", "id"),
    "optimizer": ("adamw",),
    "schedule": ("linear", "constant"),
    "class_weights": ("none", "balanced"),
    "dropout_where": ("all", "classifier"),
    "pooling": ("cls",),
    "device": ("auto", "cpu", "cuda"),
    "precision": ("auto", "fp32", "bf16"),
    "attention": ("sdpa", "eager"),
    "scoring_path": ("auto", "transformers", "flat", "flat_compiled"),
}
_LEAST: dict[str, float] = {
    "number": 0, "query_size": 1, "random_share": 0, "epochs": 1, "batch_size": 1, "learning_rate": 0,
    "weight_decay": 0, "dropout": 0, "max_tokens": 4, "warmup_steps": 0, "clip_norm": 0, "threads": 0,
    "micro_batch_tokens": 0, "score_batch_tokens": 0, "shard_sentences": 0,
}  # fmt: skip
_MOST: dict[str, float] = {"random_share": 1, "dropout": 0.9}


def round_settings(run: Path) -> RoundSettings:
    """[round] of the run directory."""
    return _build(RoundSettings, "round", read_config(run / CONFIG).get("round", {}))


def strategy_settings(run: Path) -> StrategySettings:
    """[strategy] of the run directory. Raises UnknownStrategy or StrategyOptionError."""
    table = dict(read_config(run / CONFIG).get("strategy", {}))
    name, combine = table.pop("name", None), table.pop("combine", None)
    alternative = table.pop("alternative", "")
    if not isinstance(name, str):
        raise ConfigError('config.toml: [strategy] needs a name, for example name = "entropy"')
    if alternative and alternative not in WITHOUT_MODEL:
        raise ConfigError(
            f"config.toml: [strategy] alternative = {alternative!r} is not one of {', '.join(WITHOUT_MODEL)}, "
            "which need no model"
        )
    settings = StrategySettings(name=name, options=check_options(name, table), alternative=alternative)
    if combine is None:
        return settings
    _check_combine(run, settings, combine)
    return dataclasses.replace(settings, combine=combine)


def _check_combine(run: Path, settings: StrategySettings, combine: Any) -> None:
    if combine not in COMBINES:
        raise ConfigError(f"config.toml: [strategy] combine = {combine!r} is not one of {', '.join(COMBINES)}")
    if not settings.declaration.needs_model:
        raise ConfigError(f'config.toml: [strategy] combine joins a model\'s heads, and "{settings.name}" uses none')
    if not heads_settings(run):
        raise ConfigError("config.toml: [strategy] combine joins several heads; name them in [[heads]] or leave it out")


def model_settings(run: Path) -> ModelSettings:
    """[model] of the run directory."""
    settings = _build(ModelSettings, "model", read_config(run / CONFIG).get("model", {}))
    if len(set(settings.labels)) != len(settings.labels):
        raise ConfigError(f"config.toml: [model] labels = {list(settings.labels)} names a label twice")
    return settings


def heads_settings(run: Path) -> tuple[HeadSettings, ...]:
    """[[heads]] of the run directory; empty where [model] labels describe the only one. Raises ConfigError."""
    tables = read_config(run / CONFIG)
    if HEADS not in tables:
        return ()
    heads = tuple(_build(HeadSettings, f"[{HEADS}]", table) for table in tables[HEADS])
    if not heads:
        raise ConfigError(f"config.toml: {HEADS} is empty; name one head or more, or leave it out")
    model = model_settings(run)
    if model.labels or model.positive_labels:
        raise ConfigError(f"config.toml: labels stand in [model] and in [[{HEADS}]]; leave them in one of the two")
    _check_heads(heads)
    return heads


def label_counts(run: Path) -> list[int]:
    """How many labels config.toml declares: of each head, or of [model] alone; empty where it declares none."""
    if heads := heads_settings(run):
        return [len(head.labels) for head in heads]
    declared = read_config(run / CONFIG).get("model", {}).get("labels")
    return [len(declared)] if isinstance(declared, list) and declared else []


def check_tables(run: Path) -> None:
    """Raises ConfigError for a table that nothing reads: a slip of the pen must not pass for a setting."""
    for name in read_config(run / CONFIG):
        if name not in TABLES:
            raise ConfigError(f"config.toml: no table [{name}] is known; there are {', '.join(TABLES)}")


def _check_heads(heads: tuple[HeadSettings, ...]) -> None:
    names = [head.name for head in heads]
    if "" in names or len(set(names)) != len(names):
        raise ConfigError(f"config.toml: every one of [[{HEADS}]] needs a name of its own; they are {names}")
    for head in heads:
        if not head.labels or len(set(head.labels)) != len(head.labels):
            raise ConfigError(f'config.toml: the head "{head.name}" needs labels, each once')
        if strange := [label for label in head.positive_labels if label not in head.labels]:
            raise ConfigError(f'config.toml: positive label "{strange[0]}" of "{head.name}" is not among its labels')


def training_settings(run: Path) -> TrainingSettings:
    """Return [training] of the run directory, with the recipe's defaults and the model's own learning rate."""
    tables = read_config(run / CONFIG)
    settings = _build(TrainingSettings, "training", tables.get("training", {}))
    rate = learning_rate(run)
    return settings if rate is None else dataclasses.replace(settings, learning_rate=rate.value)


def learning_rate(run: Path) -> LearningRate | None:
    """Return the learning rate of the run and where it comes from; None for a model that has none."""
    name = model_settings(run).name
    if name in (NO_MODEL, BOW_LOGREG):
        return None
    given = read_config(run / CONFIG).get("training", {}).get("learning_rate")
    return learning_rate_for(name, None if given is None else float(given))


def _build(kind: type[Settings], table: str, values: Mapping[str, Any]) -> Settings:
    fields = {field.name: field for field in dataclasses.fields(kind)}
    for name in values:
        if name not in fields:
            raise ConfigError(f'config.toml: [{table}] takes no "{name}"; it takes {", ".join(fields)}')
    for name, field in fields.items():
        if name not in values and field.default is dataclasses.MISSING:
            raise ConfigError(f'config.toml: [{table}] lacks "{name}"')
    return kind(**{name: _checked(table, name, fields[name].type, value) for name, value in values.items()})


def _checked(table: str, name: str, kind: Any, value: Any) -> Any:
    if kind == tuple[str, ...]:
        if not isinstance(value, list) or not all(isinstance(part, str) for part in value):
            raise ConfigError(f"config.toml: [{table}] {name} = {value!r} is not a list of texts")
        return tuple(value)
    if kind is float and isinstance(value, int) and not isinstance(value, bool):
        value = float(value)
    if type(value) is not kind:
        raise ConfigError(f"config.toml: [{table}] {name} = {value!r} is not {_WORDS[kind]}")
    if name in _CHOICES and value not in _CHOICES[name]:
        raise ConfigError(f"config.toml: [{table}] {name} = {value!r} is not one of {', '.join(_CHOICES[name])}")
    least, most = _LEAST.get(name, -math.inf), _MOST.get(name, math.inf)
    if isinstance(value, int | float) and not least <= value <= most:
        raise ConfigError(f"config.toml: [{table}] {name} = {value!r} is outside {least} to {most}")
    return value
