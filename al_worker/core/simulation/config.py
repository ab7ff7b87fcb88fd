"""The configuration of a simulation: what is compared on which data. Checked once, resolved, kept with the results."""

import dataclasses
import tempfile
from collections.abc import Mapping
from dataclasses import asdict, dataclass
from functools import cached_property
from pathlib import Path
from typing import Any

from al_worker.core.config import (
    StrategySettings,
    TrainingSettings,
    model_settings,
    round_settings,
    strategy_settings,
    training_settings,
)
from al_worker.core.errors import ConfigError
from al_worker.core.files import file_hash
from al_worker.formats.run_directory import CONFIG, read_config, write_config
from al_worker.formats.simulation import CASE_NAME, CASE_NAME_WORDS, FULL

ROUND_OPTIONS = ("random_share", "no_duplicate_texts", "tie")
TABLES = ("data", "run", "strategies", "models", "round", "training", "report")
_WORDS = {int: "a whole number", str: "a text"}


@dataclass(frozen=True, slots=True, kw_only=True)
class DataSettings:
    """[data]: two JSONL files of items with labels, relative to the configuration's folder."""

    train: str
    test: str
    positive_labels: tuple[str, ...] = ()


@dataclass(frozen=True, slots=True, kw_only=True)
class RunSettings:
    """[run]. A cell is one strategy, model, seed and batch size; `batches` counts the first, random one."""

    results: str
    seeds: tuple[int, ...]
    batch_sizes: tuple[int, ...] = (150,)
    batches: int = 20
    processes: int = 1
    full_supervision_seeds: tuple[int, ...] = ()
    baseline: str = "random"


@dataclass(frozen=True, slots=True, kw_only=True)
class ReportSettings:
    """[report]: the bootstrap over seeds."""

    resamples: int = 10_000
    bootstrap_seed: int = 0


@dataclass(frozen=True, slots=True, kw_only=True)
class ModelCase:
    """[models.KEY]."""

    name: str
    revision: str = ""


@dataclass(frozen=True, kw_only=True)
class SimulationSettings:
    """The whole configuration, with defaults filled in and paths found."""

    path: Path
    data: DataSettings
    run: RunSettings
    strategies: Mapping[str, StrategySettings]
    models: Mapping[str, ModelCase]
    round: Mapping[str, Any]
    training: TrainingSettings
    report: ReportSettings

    @property
    def results(self) -> Path:
        return (self.path.parent / self.run.results).resolve()

    @property
    def train_file(self) -> Path:
        return (self.path.parent / self.data.train).resolve()

    @property
    def test_file(self) -> Path:
        return (self.path.parent / self.data.test).resolve()

    @cached_property
    def data_hashes(self) -> dict[str, str]:
        """sha256 of the two data files."""
        return {"train": file_hash(self.train_file), "test": file_hash(self.test_file)}

    def resolved(self) -> dict[str, Any]:
        """Everything that decides the results, as JSON-ready data."""
        strategies = {key: {"name": case.name, "options": dict(case.options)} for key, case in self.strategies.items()}
        return {
            "data": _plain(asdict(self.data)) | {"sha256": self.data_hashes},
            "run": _plain(asdict(self.run)),
            "strategies": strategies,
            "models": {key: asdict(case) for key, case in self.models.items()},
            "round": dict(self.round),
            "training": asdict(self.training),
            "report": asdict(self.report),
        }


def read_simulation(path: Path) -> SimulationSettings:
    """Read and check a configuration. Raises ConfigError, RunDirectoryError, UnknownStrategy, StrategyOptionError."""
    tables = read_config(path)
    for name in tables:
        if name not in TABLES:
            raise ConfigError(f"{path.name}: no table [{name}] is known; there are {', '.join(TABLES)}")
    run = _build(path, RunSettings, "run", tables.get("run", {}))
    if "full_supervision_seeds" not in tables.get("run", {}):
        run = _build(path, RunSettings, "run", tables["run"] | {"full_supervision_seeds": list(run.seeds[:1])})
    settings = SimulationSettings(
        path=path.resolve(),
        data=_build(path, DataSettings, "data", tables.get("data", {})),
        run=run,
        strategies={key: _strategy(path, key, table) for key, table in _cases(path, tables, "strategies")},
        models={key: _model(path, key, table) for key, table in _cases(path, tables, "models")},
        round=_round(path, tables.get("round", {})),
        training=_training(path, tables.get("training", {})),
        report=_build(path, ReportSettings, "report", tables.get("report", {})),
    )
    _check(settings)
    return settings


def _cases(path: Path, tables: Mapping[str, Any], kind: str) -> list[tuple[str, dict[str, Any]]]:
    cases = tables.get(kind, {})
    for key, table in cases.items():
        if not isinstance(table, dict):
            raise ConfigError(f"{path.name}: [{kind}] {key} is not a table; write [{kind}.{key}] above its values")
        if not CASE_NAME.fullmatch(key) or key == FULL:
            raise ConfigError(f'{path.name}: "{key}" cannot name one of [{kind}]; use {CASE_NAME_WORDS}')
    return list(cases.items())


def _strategy(path: Path, key: str, table: Mapping[str, Any]) -> StrategySettings:
    return _in_run_directory(path, {"strategy": {"name": key, **table}}, strategy_settings)


def _model(path: Path, key: str, table: Mapping[str, Any]) -> ModelCase:
    case = _build(path, ModelCase, f"models.{key}", {"name": key, **table})
    _in_run_directory(path, {"model": asdict(case)}, model_settings)
    folder = path.parent / case.name
    if "/" in case.name and folder.is_dir():
        return ModelCase(name=str(folder.resolve()), revision=case.revision)
    return case


def _round(path: Path, table: Mapping[str, Any]) -> dict[str, Any]:
    for name in table:
        if name not in ROUND_OPTIONS:
            raise ConfigError(f'{path.name}: [round] takes no "{name}" here; it takes {", ".join(ROUND_OPTIONS)}')
    needed = {"number": 0, "query_size": 1, "random_state": 0}
    checked = _in_run_directory(path, {"round": needed | dict(table)}, round_settings)
    return {name: getattr(checked, name) for name in ROUND_OPTIONS}


def _training(path: Path, table: Mapping[str, Any]) -> TrainingSettings:
    # One thread unless asked for: the last bits of a sum depend on the threads, and the results must not depend
    # on how many processes share the machine.
    threads = {} if table.get("threads") else {"threads": 1}
    return _in_run_directory(path, {"training": dict(table) | threads}, training_settings)


def _in_run_directory(path: Path, tables: Mapping[str, Any], read: Any) -> Any:
    """Check tables with the rules of a run directory, and name this file in what they say."""
    with tempfile.TemporaryDirectory() as folder:
        try:
            write_config(Path(folder) / CONFIG, tables)
            return read(Path(folder))
        except ConfigError as error:
            raise ConfigError(str(error).replace(CONFIG, path.name, 1)) from error
        except TypeError as error:
            raise ConfigError(
                f"{path.name}: [{next(iter(tables))}] holds a value that is not taken ({error})"
            ) from error


def _build(path: Path, kind: Any, table: str, values: Mapping[str, Any]) -> Any:
    fields = {field.name: field for field in dataclasses.fields(kind)}
    for name in values:
        if name not in fields:
            raise ConfigError(f'{path.name}: [{table}] takes no "{name}"; it takes {", ".join(fields)}')
    for name, field in fields.items():
        if name not in values and field.default is dataclasses.MISSING:
            raise ConfigError(f'{path.name}: [{table}] lacks "{name}"')
    return kind(**{name: _checked(path, table, name, fields[name].type, value) for name, value in values.items()})


def _checked(path: Path, table: str, name: str, kind: Any, value: Any) -> Any:
    if kind in (int, str):
        if type(value) is not kind:
            raise ConfigError(f"{path.name}: [{table}] {name} = {value!r} is not {_WORDS[kind]}")
        return value
    inner = int if kind == tuple[int, ...] else str
    if not isinstance(value, list) or any(type(part) is not inner for part in value):
        raise ConfigError(f"{path.name}: [{table}] {name} = {value!r} is not a list, each {_WORDS[inner]}")
    if len(set(value)) != len(value):
        raise ConfigError(f"{path.name}: [{table}] {name} = {value!r} names something twice")
    return tuple(value)


def _check(settings: SimulationSettings) -> None:
    run, name = settings.run, settings.path.name
    for value, what in (
        (run.batches, "batches"),
        (run.processes, "processes"),
        (settings.report.resamples, "resamples"),
    ):
        if value < 1:
            raise ConfigError(f"{name}: {what} = {value} is less than 1")
    if not settings.models:
        raise ConfigError(f'{name}: no model; add for example [models.bow] with name = "bow-logreg"')
    if not settings.strategies and not run.full_supervision_seeds:
        raise ConfigError(f"{name}: nothing to do; add [strategies.random], or full_supervision_seeds to [run]")
    if settings.strategies and not (run.seeds and run.batch_sizes and min(run.batch_sizes) >= 1):
        raise ConfigError(f"{name}: [run] seeds and batch_sizes need at least one value, and sizes of 1 or more")
    for file in (settings.train_file, settings.test_file):
        if not file.is_file():
            raise ConfigError(f"{name}: [data] names {file}, which is not there; paths start at the folder of {name}")


def _plain(values: Mapping[str, Any]) -> dict[str, Any]:
    return {name: list(value) if isinstance(value, tuple) else value for name, value in values.items()}
