"""Read the configuration of a simulation: what is compared on which data.

It is checked once and kept with the results.
"""

import dataclasses
from collections.abc import Collection, Mapping
from dataclasses import asdict, dataclass
from functools import cached_property
from pathlib import Path
from typing import Any

from al_worker.core.run.config import RunConfig, StrategySettings, TrainingSettings
from al_worker.core.run.files import file_hash
from al_worker.formats.models import LearningRate, learning_rate_for
from al_worker.formats.run_directory import read_config
from al_worker.formats.simulation import CASE_NAME, CASE_NAME_WORDS, FULL
from al_worker.formats.tables import ConfigError, read_table, setting

ROUND_OPTIONS = ("random_share", "no_duplicate_texts", "tie")
TABLES = ("data", "run", "strategies", "models", "parts", "string_test", "round", "training", "report")


@dataclass(frozen=True, slots=True, kw_only=True)
class DataSettings:
    """Hold the table [data]: two JSONL files of items with labels, relative to the configuration's folder.

    With `validation_share` a part of train takes the place of the test file.
    Settings are chosen on that part, so that the test set stays unseen.
    Lines whose label is one of `missing` are left out.
    """

    train: str
    test: str = ""
    validation_share: float = 0.0
    positive_labels: tuple[str, ...] = ()
    missing: tuple[str, ...] = ()


@dataclass(frozen=True, slots=True, kw_only=True)
class PartCase:
    """Hold a table [parts.KEY]: test items whose line has this value in this field are also reported separately."""

    field: str
    value: str | int | bool


@dataclass(frozen=True, slots=True, kw_only=True)
class StringTest:
    """Hold the table [string_test]: a reference without learning.

    A text that holds a phrase has `label`, any other text has `otherwise`.
    """

    phrases: tuple[str, ...]
    label: str
    otherwise: str


@dataclass(frozen=True, slots=True, kw_only=True)
class RunSettings:
    """Hold the table [run]. A cell is one strategy, model, seed and batch size.

    `batches` counts all batches, including the first, random one.
    """

    results: str
    seeds: tuple[int, ...]
    batch_sizes: tuple[int, ...] = (150,)
    batches: int = 20
    processes: int = 1
    full_supervision_seeds: tuple[int, ...] = ()
    baseline: str = "random"


@dataclass(frozen=True, slots=True, kw_only=True)
class ReportSettings:
    """Hold the table [report]: the bootstrap over seeds and test items, and the one comparison named beforehand.

    `primary` is a strategy that is compared with the baseline by its area on `primary_part` (empty: all test items).
    Every other comparison is exploratory.
    Without `first_batch_in_area`, areas begin at the second batch, because the first is the same for all strategies.
    """

    resamples: int = 2_000
    bootstrap_seed: int = 0
    primary: str = ""
    primary_part: str = ""
    first_batch_in_area: bool = True


@dataclass(frozen=True, slots=True, kw_only=True)
class ModelCase:
    """Hold a table [models.KEY]. A learning rate of 0 stands for that of [training], else the model's own."""

    name: str
    revision: str = ""
    learning_rate: float = setting(0.0, least=0)


@dataclass(frozen=True, kw_only=True)
class SimulationSettings:
    """Hold the whole configuration, with defaults filled in and paths resolved."""

    path: Path
    data: DataSettings
    run: RunSettings
    strategies: Mapping[str, StrategySettings]
    models: Mapping[str, ModelCase]
    parts: Mapping[str, PartCase]
    string_test: StringTest | None
    given_learning_rate: float | None
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
        return (self.path.parent / (self.data.test or self.data.train)).resolve()

    def learning_rate(self, model: str) -> LearningRate | None:
        """Return the rate of [models.KEY], else of [training], else the model's own; None for a model without one."""
        case = self.models[model]
        return learning_rate_for(case.name, case.learning_rate or self.given_learning_rate)

    def training_of(self, model: str) -> dict[str, Any]:
        """Return [training] for one model, with its learning rate where it has one."""
        table, rate = asdict(self.training), self.learning_rate(model)
        return table if rate is None else table | {"learning_rate": rate.value}

    @cached_property
    def data_hashes(self) -> dict[str, str]:
        """Return the sha256 of the two data files."""
        return {"train": file_hash(self.train_file), "test": file_hash(self.test_file)}

    def resolved(self) -> dict[str, Any]:
        """Return everything that decides the results, as JSON-ready data."""
        strategies = {key: {"name": case.name, "options": dict(case.options)} for key, case in self.strategies.items()}
        return {
            "data": _plain(asdict(self.data)) | {"sha256": self.data_hashes},
            "run": _plain(asdict(self.run)),
            "strategies": strategies,
            "models": {key: asdict(case) for key, case in self.models.items()},
            "learning_rates": {key: asdict(rate) for key in self.models if (rate := self.learning_rate(key))},
            "parts": {key: asdict(part) for key, part in self.parts.items()},
            "string_test": _plain(asdict(self.string_test)) if self.string_test else None,
            "round": dict(self.round),
            "training": {name: value for name, value in asdict(self.training).items() if name != "learning_rate"},
            "report": asdict(self.report),
        }


def read_simulation(path: Path, missing: Collection[str] | None = None) -> SimulationSettings:
    """Read and check a configuration. `missing` takes the place of the marks that it names.

    Raises ConfigError, RunDirectoryError, UnknownStrategy, StrategyOptionError.
    """
    tables = read_config(path)
    for name in tables:
        if name not in TABLES:
            raise ConfigError(f"{path.name}: no table [{name}] is known; there are {', '.join(TABLES)}")
    run = read_table(RunSettings, path.name, "run", tables.get("run", {}))
    if "full_supervision_seeds" not in tables.get("run", {}):
        run = read_table(RunSettings, path.name, "run", tables["run"] | {"full_supervision_seeds": list(run.seeds[:1])})
    settings = SimulationSettings(
        path=path.resolve(),
        data=read_table(DataSettings, path.name, "data", tables.get("data", {})),
        run=run,
        strategies={key: _strategy(path, key, table) for key, table in _cases(path, tables, "strategies")},
        models={key: _model(path, key, table) for key, table in _cases(path, tables, "models")},
        parts={key: _part(path, key, table) for key, table in _cases(path, tables, "parts")},
        string_test=_string_test(path, tables),
        given_learning_rate=_given_rate(path, tables.get("training", {})),
        round=_round(path, tables.get("round", {})),
        training=_training(path, tables.get("training", {})),
        report=read_table(ReportSettings, path.name, "report", tables.get("report", {})),
    )
    if missing is not None:
        settings = dataclasses.replace(
            settings, data=dataclasses.replace(settings.data, missing=tuple(sorted(missing)))
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
    return RunConfig({"strategy": {"name": key, **table}}, path.name).strategy


def _model(path: Path, key: str, table: Mapping[str, Any]) -> ModelCase:
    case = read_table(ModelCase, path.name, f"models.{key}", {"name": key, **table})
    if case.learning_rate and learning_rate_for(case.name) is None:
        raise ConfigError(f"{path.name}: [models.{key}] learning_rate: {case.name} is fitted without one")
    folder = path.parent / case.name
    if "/" in case.name and folder.is_dir():
        return dataclasses.replace(case, name=str(folder.resolve()))
    return case


def _part(path: Path, key: str, table: Mapping[str, Any]) -> PartCase:
    if set(table) != {"field", "value"} or not isinstance(table["field"], str):
        raise ConfigError(f"{path.name}: [parts.{key}] takes a field of the test file and its value, nothing else")
    if not isinstance(table["value"], str | int | bool):
        raise ConfigError(
            f"{path.name}: [parts.{key}] value = {table['value']!r} is no text, whole number, true or false"
        )
    return PartCase(field=table["field"], value=table["value"])


def _string_test(path: Path, tables: Mapping[str, Any]) -> StringTest | None:
    if "string_test" not in tables:
        return None
    found = read_table(StringTest, path.name, "string_test", tables["string_test"])
    if not found.phrases or "" in found.phrases:
        raise ConfigError(f"{path.name}: [string_test] phrases needs phrases, none of them empty")
    return found


def _given_rate(path: Path, table: Mapping[str, Any]) -> float | None:
    return _training(path, table).learning_rate if "learning_rate" in table else None


def _round(path: Path, table: Mapping[str, Any]) -> dict[str, Any]:
    for name in table:
        if name not in ROUND_OPTIONS:
            raise ConfigError(f'{path.name}: [round] takes no "{name}" here; it takes {", ".join(ROUND_OPTIONS)}')
    needed = {"number": 0, "query_size": 1, "random_state": 0}
    checked = RunConfig({"round": needed | dict(table)}, path.name).round
    return {name: getattr(checked, name) for name in ROUND_OPTIONS}


def _training(path: Path, table: Mapping[str, Any]) -> TrainingSettings:
    # One thread is the default. The last bits of a sum depend on the threads, and the results must not depend
    # on how many processes share the machine.
    threads = {} if table.get("threads") else {"threads": 1}
    return RunConfig({"training": dict(table) | threads}, path.name).training


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
    if (settings.data.test == "") == (settings.data.validation_share == 0):
        raise ConfigError(
            f"{name}: [data] needs test, or validation_share to measure on a part of train; one of the two"
        )
    if not 0 <= settings.data.validation_share < 1:
        raise ConfigError(f"{name}: [data] validation_share = {settings.data.validation_share} is not from 0 to 1")
    _check_report(settings)
    for file in (settings.train_file, settings.test_file):
        if not file.is_file():
            raise ConfigError(f"{name}: [data] names {file}, which is not there; paths start at the folder of {name}")


def _check_report(settings: SimulationSettings) -> None:
    report, name = settings.report, settings.path.name
    if report.primary and (report.primary not in settings.strategies or report.primary == settings.run.baseline):
        raise ConfigError(f'{name}: [report] primary = "{report.primary}" is none of [strategies] beside the baseline')
    if report.primary and settings.run.baseline not in settings.strategies:
        raise ConfigError(f'{name}: [report] primary needs the baseline "{settings.run.baseline}" among [strategies]')
    if report.primary_part and report.primary_part not in settings.parts:
        raise ConfigError(f'{name}: [report] primary_part = "{report.primary_part}" is none of [parts]')


def _plain(values: Mapping[str, Any]) -> dict[str, Any]:
    return {name: list(value) if isinstance(value, tuple) else value for name, value in values.items()}
