"""Read the configuration of an evaluation: which systems predict which stages of which gold labels."""

from collections.abc import Mapping
from dataclasses import dataclass
from pathlib import Path
from typing import Any

from al_worker.core.run.config import RunConfig, TrainingSettings
from al_worker.formats.models import BOW_LOGREG, MODELS
from al_worker.formats.prompts import template_faults
from al_worker.formats.providers import LanguageModel, read_models
from al_worker.formats.run_directory import RunDirectoryError, read_config, read_rows
from al_worker.formats.tables import ConfigError, read_table, setting

MAJORITY = "majority"
TABLES = ("data", "run", "training", "stages")


@dataclass(frozen=True, slots=True, kw_only=True)
class DataSettings:
    """The table [data]. Both paths are relative to the configuration's folder.

    A line of `gold` is {"id", "stage", "label", "text"}, with "speaker" and "context" where prompts name them.
    """

    gold: str
    results: str = "results"


@dataclass(frozen=True, slots=True, kw_only=True)
class RunSettings:
    """The table [run]. A system is "majority", a model that is trained by folds, or a language model of `models`.

    `examples` are shown in each prompt, balanced over the labels and taken from other folds than the item's.
    """

    systems: tuple[str, ...] = (MAJORITY, BOW_LOGREG)
    models: str = ""
    folds: int = setting(4, least=2)
    examples: int = setting(0, least=0, most=100)
    seed: int = 0


@dataclass(frozen=True, slots=True, kw_only=True)
class StageSettings:
    """A table [stages.KEY]: the labels to choose from, the prompt's template, and the values of two variables."""

    labels: tuple[str, ...]
    prompt: str = ""
    definitions: str = ""
    hypothesis: str = ""


@dataclass(frozen=True, slots=True)
class GoldItem:
    """Hold one gold label with the values of the prompt's variables."""

    id: str
    label: str
    text: str
    speaker: str
    context: str


@dataclass(frozen=True, kw_only=True)
class EvaluationSettings:
    """Hold the whole configuration. `language_models` are those that `systems` names."""

    path: Path
    data: DataSettings
    run: RunSettings
    training: TrainingSettings
    stages: Mapping[str, StageSettings]
    language_models: Mapping[str, LanguageModel]

    @property
    def gold(self) -> Path:
        return self.path.parent / self.data.gold

    @property
    def results(self) -> Path:
        return self.path.parent / self.data.results


def read_evaluation(path: Path) -> EvaluationSettings:
    """Read and check a configuration. Raises ConfigError and RunDirectoryError, which name the place."""
    tables = read_config(path)
    for name in tables:
        if name not in TABLES:
            raise ConfigError(f"{path.name}: no table [{name}] is known; there are {', '.join(TABLES)}")
    run = read_table(RunSettings, path.name, "run", tables.get("run", {}))
    offered = read_models(path.parent / run.models) if run.models else {}
    for system in run.systems:
        if system != MAJORITY and system not in MODELS and system not in offered:
            known = ", ".join((MAJORITY, *MODELS, *offered))
            raise ConfigError(f'{path.name}: [run] systems names "{system}"; there are {known}')
    stages = {key: _stage(path, key, table) for key, table in tables.get("stages", {}).items()}
    if not stages:
        raise ConfigError(f"{path.name}: name a stage and its labels in a table [stages.KEY]")
    language_models = {system: offered[system] for system in run.systems if system in offered}
    for key, stage in stages.items():
        for fault in template_faults(stage.prompt) if language_models else ():
            place = f"{path.name}: [stages.{key}] prompt, line {fault.line}, column {fault.column}"
            raise ConfigError(f"{place}: {fault.message}")
    return EvaluationSettings(
        path=path.resolve(),
        data=read_table(DataSettings, path.name, "data", tables.get("data", {})),
        run=run,
        training=RunConfig({"training": tables.get("training", {})}, path.name).training,
        stages=stages,
        language_models=language_models,
    )


def read_gold(settings: EvaluationSettings) -> dict[str, list[GoldItem]]:
    """Return the gold items of each configured stage. Raises RunDirectoryError, which names the line."""
    gold: dict[str, list[GoldItem]] = {stage: [] for stage in settings.stages}
    seen: set[tuple[str, str]] = set()
    for number, row in read_rows(settings.gold):
        fields = [row.get(key, "") for key in ("id", "stage", "label", "text", "speaker", "context")]
        if not all(isinstance(value, str) for value in fields) or not all(fields[:4]):
            message = "needs id, stage, label and text, and takes speaker and context, all of them texts"
            raise RunDirectoryError(settings.gold.name, message, line=number)
        name, stage, label, text, speaker, context = fields
        if stage not in settings.stages:
            continue
        if label not in settings.stages[stage].labels:
            message = f"{label!r} is no label of the stage {stage!r}"
            raise RunDirectoryError(settings.gold.name, message, line=number)
        if (stage, name) in seen:
            raise RunDirectoryError(settings.gold.name, f"{name!r} stands twice at {stage!r}", line=number)
        seen.add((stage, name))
        gold[stage].append(GoldItem(name, label, text, speaker, context))
    for stage, items in gold.items():
        if not items:
            raise RunDirectoryError(settings.gold.name, f"holds no gold label of the stage {stage!r}")
    return gold


def _stage(path: Path, key: str, table: Any) -> StageSettings:
    if not isinstance(table, dict):
        raise ConfigError(f"{path.name}: [stages] {key} is not a table; write [stages.{key}] above its values")
    stage = read_table(StageSettings, path.name, f"stages.{key}", table)
    if len(stage.labels) < 2:
        raise ConfigError(f"{path.name}: [stages.{key}] labels needs two labels or more")
    return stage
