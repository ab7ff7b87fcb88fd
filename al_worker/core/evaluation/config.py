"""Read the configuration of an evaluation: which systems predict which stages of which gold labels."""

from collections.abc import Mapping
from dataclasses import dataclass
from pathlib import Path
from typing import Any

from al_worker.core.evaluation.alternative_annotator import EPSILON
from al_worker.core.run.config import RunConfig, TrainingSettings
from al_worker.formats.evaluation import MAJORITY
from al_worker.formats.models import BOW_LOGREG, MODELS
from al_worker.formats.prompts import template_faults
from al_worker.formats.providers import LanguageModel, read_models
from al_worker.formats.run_directory import read_config, read_rows
from al_worker.formats.tables import ConfigError, read_table, setting

TABLES = ("data", "run", "training", "trained", "stages", "titles")


@dataclass(frozen=True, slots=True, kw_only=True)
class DataSettings:
    """The table [data]. Paths are relative to the configuration's folder, and `inputs.py` reads their files.

    `is_random_sample` says that chance alone chose the items with gold labels; `sample_note` says why it did not.
    """

    gold: str
    answers: str = ""
    pool: str = ""
    predictions: str = ""
    humans: str = ""
    results: str = "results"
    is_random_sample: bool = False
    sample_note: str = "Nothing says that the items with gold labels are a random sample ([data] is_random_sample)."


@dataclass(frozen=True, slots=True, kw_only=True)
class RunSettings:
    """The table [run].

    A system is "majority", a model that is trained by folds, a language model of `models`, or one whose predictions are
    given. `examples` are shown in each prompt, balanced over the labels and taken from other folds than the item's.
    Language models are asked about `limit` items of a stage, or about all where it is 0. `epsilon` is of the
    alternative annotator test.
    """

    systems: tuple[str, ...] = (MAJORITY, BOW_LOGREG)
    models: str = ""
    folds: int = setting(4, least=2)
    examples: int = setting(0, least=0, most=100)
    seed: int = 0
    limit: int = setting(0, least=0)
    epsilon: float = setting(EPSILON["expert"], least=0, most=1)


@dataclass(frozen=True, slots=True, kw_only=True)
class StageSettings:
    """A table [stages.KEY]: the labels to choose from, the prompt's template, and the values of two variables.

    `has_gate` says that only some items come to this stage.
    """

    labels: tuple[str, ...]
    prompt: str = ""
    definitions: str = ""
    hypothesis: str = ""
    has_gate: bool = False


@dataclass(frozen=True, kw_only=True)
class EvaluationSettings:
    """Hold the whole configuration. `language_models` are those that `systems` names.

    `trained` holds the folder or the name behind each system that is trained, by the system's name. `titles` are what
    tables call stages and systems, by their keys and names. `learning_rate` is None where the file gives none: each
    model then has its own.
    """

    path: Path
    data: DataSettings
    run: RunSettings
    training: TrainingSettings
    stages: Mapping[str, StageSettings]
    language_models: Mapping[str, LanguageModel]
    trained: Mapping[str, str]
    titles: Mapping[str, str]
    learning_rate: float | None

    def file(self, name: str) -> Path:
        return self.path.parent / name

    def title_of(self, key: str) -> str:
        """Return what people call a stage or a system."""
        return self.titles.get(key, key)

    @property
    def results(self) -> Path:
        return self.file(self.data.results)


def read_evaluation(path: Path) -> EvaluationSettings:
    """Read and check a configuration. Raises ConfigError and RunDirectoryError, which name the place."""
    tables = read_config(path)
    for name in tables:
        if name not in TABLES:
            raise ConfigError(f"{path.name}: no table [{name}] is known; there are {', '.join(TABLES)}")
    run = read_table(RunSettings, path.name, "run", tables.get("run", {}))
    data = read_table(DataSettings, path.name, "data", tables.get("data", {}))
    offered = read_models(path.parent / run.models) if run.models else {}
    trained = {name: name for name in MODELS} | tables.get("trained", {})
    given = given_systems(path.parent / data.predictions) if data.predictions else []
    for system in run.systems:
        if system not in (MAJORITY, *trained, *offered, *given):
            known = ", ".join(dict.fromkeys((MAJORITY, *trained, *offered, *given)))
            raise ConfigError(f'{path.name}: [run] systems names "{system}"; there are {known}')
    stages = {key: _stage(path, key, table) for key, table in tables.get("stages", {}).items()}
    if not stages:
        raise ConfigError(f"{path.name}: name a stage and its labels in a table [stages.KEY]")
    language_models = {system: offered[system] for system in run.systems if system in offered}
    for key, stage in stages.items():
        for fault in template_faults(stage.prompt) if language_models else ():
            place = f"{path.name}: [stages.{key}] prompt, line {fault.line}, column {fault.column}"
            raise ConfigError(f"{place}: {fault.message}")
    training = tables.get("training", {})
    return EvaluationSettings(
        path=path.resolve(),
        data=data,
        run=run,
        training=RunConfig({"training": training}, path.name).training,
        stages=stages,
        language_models=language_models,
        trained=trained,
        titles={name: str(title) for name, title in tables.get("titles", {}).items()},
        learning_rate=None if "learning_rate" not in training else float(training["learning_rate"]),
    )


def given_systems(path: Path) -> list[str]:
    """Return the systems that a file of predictions names. Raises RunDirectoryError."""
    named = (row.get("system") for _, row in read_rows(path))
    return list(dict.fromkeys(system for system in named if isinstance(system, str)))


def _stage(path: Path, key: str, table: Any) -> StageSettings:
    if not isinstance(table, dict):
        raise ConfigError(f"{path.name}: [stages] {key} is not a table; write [stages.{key}] above its values")
    stage = read_table(StageSettings, path.name, f"stages.{key}", table)
    if len(stage.labels) < 2:
        raise ConfigError(f"{path.name}: [stages.{key}] labels needs two labels or more")
    return stage
