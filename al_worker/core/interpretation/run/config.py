"""Read the configuration of an interpretation: its data, its systems, and how they are trained and tested."""

from collections.abc import Mapping
from dataclasses import dataclass
from pathlib import Path
from typing import Any

from al_worker.core.interpretation.filters.filterbert_settings import FilterBertSettings
from al_worker.equivalence.parts import PREFIXES, SENTENCE, SOURCES, Rules
from al_worker.formats.interpretation import FILTERBERT, FILTERS, KINDS, SYSTEM_NAME, TEST, VALID
from al_worker.formats.run_directory import read_config
from al_worker.formats.tables import ConfigError, read_table, setting
from al_worker.formats.text_form import OUTER, STYLES, category_fault

TABLES = ("data", "text_form", "run", "training", "filterbert", "generation", "instances", "metrics", "systems")


@dataclass(frozen=True, slots=True, kw_only=True)
class DataSettings:
    """The table [data]. Paths are relative to the configuration's folder. Without `evaluations` none is scored."""

    sources: str
    targets: str
    evaluations: str = ""
    results: str = "results"


@dataclass(frozen=True, slots=True, kw_only=True)
class TextFormSettings:
    """The table [text_form]: how markers look, and the categories that hold a standardized sentence."""

    style: str = setting("spaces", choices=tuple(STYLES))
    outer: tuple[str, ...] = OUTER


@dataclass(frozen=True, slots=True, kw_only=True)
class RunSettings:
    """The table [run]. `systems` are worked at in this order.

    With `keep_weights` the best weights of each system stay in models/NAME of the results, for transformers to load.
    """

    systems: tuple[str, ...]
    seed: int = 0
    keep_weights: bool = True
    device: str = setting("auto", choices=("auto", "cpu", "cuda"))


@dataclass(frozen=True, slots=True, kw_only=True)
class TrainingTable:
    """The table [training], for all systems. Where a value is 0, the kind of the model decides.

    `learning_rate` takes the place of the maximum of pretrained and of random parameters.
    """

    max_epochs: int = setting(0, least=0)
    batch_size: int = setting(4, least=1)
    patience: int = setting(1, least=1)
    learning_rate: float = setting(0.0, least=0)
    schedule: str = setting("paper", choices=SOURCES)
    max_source_tokens: int = setting(0, least=0)
    max_target_tokens: int = setting(0, least=0)


@dataclass(frozen=True, slots=True, kw_only=True)
class GenerationTable:
    """The table [generation]. `limit` is the number of test sources, and 0 stands for all of them."""

    beams: int = setting(5, least=1, most=64)
    min_tokens: int = setting(50, least=0)
    max_tokens: int = setting(500, least=1)
    batch_size: int = setting(8, least=1)
    limit: int = setting(0, least=0)


@dataclass(frozen=True, slots=True, kw_only=True)
class InstanceSettings:
    """The table [instances]: the rules of docs/methods/interpretation.md, and the split that they are made of."""

    source: str = setting("paper", choices=SOURCES)
    prefix: str = setting(SENTENCE, choices=PREFIXES)
    split: str = setting(TEST, choices=(VALID, TEST))
    replace_positive: bool = False


@dataclass(frozen=True, slots=True, kw_only=True)
class MetricSettings:
    """The table [metrics]. `bertscore` names an encoder; its last layer is taken where `bertscore_layer` is 0."""

    bertscore: str = ""
    bertscore_layer: int = setting(0, least=0)


@dataclass(frozen=True, slots=True, kw_only=True)
class SystemSettings:
    """A table [systems.NAME]: a generative model, and the filter that chooses what it reads.

    `model` and `filter_model` are names or folders. `augment` is the number of further targets for each training
    target. Where `max_epochs` or `learning_rate` is 0, [training] decides, then the kind.
    """

    kind: str = setting(choices=tuple(KINDS))
    model: str
    title: str = ""
    filter: str = setting("lead", choices=tuple(FILTERS))
    filter_model: str = ""
    budget: int = setting(512, least=1)
    augment: int = setting(0, least=0)
    max_epochs: int = setting(0, least=0)
    learning_rate: float = setting(0.0, least=0)


@dataclass(frozen=True, kw_only=True)
class InterpretationSettings:
    """Hold the whole configuration. `systems` are those that [run] names, in its order; `tables` is what was given."""

    path: Path
    tables: Mapping[str, Any]
    data: DataSettings
    text_form: TextFormSettings
    run: RunSettings
    training: TrainingTable
    filterbert: FilterBertSettings
    generation: GenerationTable
    instances: InstanceSettings
    metrics: MetricSettings
    systems: Mapping[str, SystemSettings]

    def file(self, name: str) -> Path:
        return self.path.parent / name

    def model(self, name: str) -> str:
        """Return the folder of a model that lies beside the configuration, else the name."""
        return str(self.file(name)) if self.file(name).is_dir() else name

    @property
    def results(self) -> Path:
        return self.file(self.data.results)

    @property
    def rules(self) -> Rules:
        return Rules(
            seed=self.run.seed,
            source=self.instances.source,
            prefix=self.instances.prefix,
            style=self.text_form.style,
            outer=self.text_form.outer,
            replace_positive=self.instances.replace_positive,
        )


def read_interpretation(path: Path) -> InterpretationSettings:
    """Read and check a configuration. Raises ConfigError and RunDirectoryError, which name the place."""
    tables = read_config(path)
    for name in tables:
        if name not in TABLES:
            raise ConfigError(f"{path.name}: no table [{name}] is known; there are {', '.join(TABLES)}")
    file = path.name
    run = read_table(RunSettings, file, "run", tables.get("run", {}))
    settings = InterpretationSettings(
        path=path.resolve(),
        tables=tables,
        data=read_table(DataSettings, file, "data", tables.get("data", {})),
        text_form=read_table(TextFormSettings, file, "text_form", tables.get("text_form", {})),
        run=run,
        training=read_table(TrainingTable, file, "training", tables.get("training", {})),
        filterbert=read_table(FilterBertSettings, file, "filterbert", tables.get("filterbert", {})),
        generation=read_table(GenerationTable, file, "generation", tables.get("generation", {})),
        instances=read_table(InstanceSettings, file, "instances", tables.get("instances", {})),
        metrics=read_table(MetricSettings, file, "metrics", tables.get("metrics", {})),
        systems=_systems(file, run, tables.get("systems", {})),
    )
    for message in _faults(settings):
        raise ConfigError(f"{file}: {message}")
    return settings


def _systems(file: str, run: RunSettings, tables: Mapping[str, Any]) -> dict[str, SystemSettings]:
    if not run.systems:
        raise ConfigError(f"{file}: [run] systems is empty; name one or more of the tables [systems.NAME]")
    found = {}
    for name in run.systems:
        if not SYSTEM_NAME.fullmatch(name):
            raise ConfigError(f'{file}: [run] systems: "{name}" is no name; use letters, digits and -, 100 at most')
        if not isinstance(tables.get(name), dict):
            there = ", ".join(tables) or "none"
            raise ConfigError(f'{file}: [run] systems names "{name}", and of [systems.NAME] there are: {there}')
        found[name] = read_table(SystemSettings, file, f"systems.{name}", tables[name])
    return found


def _faults(settings: InterpretationSettings) -> list[str]:
    """Return what two values together make wrong."""
    found = []
    for name, system in settings.systems.items():
        place = f"[systems.{name}]"
        if not system.model.strip():
            found.append(f'{place} model is empty; give a folder or a name, for example "all-MiniLM-L6-v2"')
        if system.filter == FILTERBERT and not system.filter_model.strip():
            found.append(f"{place} filter_model is missing; FilterBERT needs an encoder, a folder or a name")
        if system.filter != FILTERBERT and system.filter_model:
            found.append(f'{place} filter_model has no effect with the filter "{system.filter}"; leave it out')
        if system.augment and not settings.data.evaluations:
            found.append(f"{place} augment needs the classes of [data] evaluations; name them, or leave augment out")
    generation = settings.generation
    if generation.min_tokens > generation.max_tokens:
        found.append(f"[generation] min_tokens = {generation.min_tokens} is above max_tokens = {generation.max_tokens}")
    if settings.metrics.bertscore_layer and not settings.metrics.bertscore:
        found.append("[metrics] bertscore_layer has no effect without bertscore; name an encoder")
    for name in settings.text_form.outer:
        if fault := category_fault(name, settings.text_form.style):
            found.append(f"[text_form] outer: {name!r}: {fault}")
    return found
