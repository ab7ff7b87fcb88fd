"""Run an interpretation on files: `python -m al_worker.core interpret CONFIG.toml`.

Each system goes through the stages filter, train, generate and score. A stage that is done is never done again; one
that was killed goes on from its last epoch, text or group of instances.
"""

import shutil
from collections.abc import Iterable, Iterator
from pathlib import Path
from typing import Any, TypeVar

from al_worker.core.backends.device import execution_for
from al_worker.core.backends.loading import load_config
from al_worker.core.backends.locate import locate_files, locate_model
from al_worker.core.errors import ModelUnavailable
from al_worker.core.interpretation.models.build import check_kind
from al_worker.core.interpretation.run.config import InterpretationSettings, read_interpretation
from al_worker.core.interpretation.run.data import read_data
from al_worker.core.interpretation.run.figures import facts_of, figures_of
from al_worker.core.interpretation.run.filtering import FILTERBERTS, filter_stage
from al_worker.core.interpretation.run.plots import plots_of
from al_worker.core.interpretation.run.record import identity_of, record_write
from al_worker.core.interpretation.run.testing import Trained, generate_stage, score_stage
from al_worker.core.interpretation.run.training import MODELS, train_stage
from al_worker.core.interpretation.run.work import WORK, Work, at_place, place_of
from al_worker.core.run.config import TrainingSettings
from al_worker.core.run.lifetime import run_lock
from al_worker.core.run.paper_files import paper_files_write
from al_worker.core.run.stop_signal import Stopped, stop_requested
from al_worker.formats.interpretation import CURVES, FIGURES, PLOTS, RECORD, STOP_SECONDS, TABLES, TRANSFORMER
from al_worker.formats.interpretation_tables import tables_of
from al_worker.formats.run_directory import STEPS, read_json, write_json

T = TypeVar("T")


def interpret(config: Path, form: str, force: bool = False) -> Path:
    """Do all stages of all systems that are not done, or with `force` all of them, and return the path of the figures.

    It waits for a run that still stops. Raises ConfigError, RunDirectoryError, EquivalenceInvalid, CoreError and
    Stopped; what was done before is kept.
    """
    settings = read_interpretation(config)
    data = read_data(settings)
    check_models(settings)
    settings.results.mkdir(parents=True, exist_ok=True)
    with run_lock(settings.results, patience=2 * STOP_SECONDS), stop_requested() as stop:
        execution = execution_for(TrainingSettings(device=settings.run.device))
        # A kill leaves the file that was being written.
        for left in settings.results.rglob(".*.tmp"):
            left.unlink()
        if force:
            for old in (STEPS, WORK, MODELS, FILTERBERTS):
                shutil.rmtree(settings.results / old, ignore_errors=True)
            (settings.results / CURVES).unlink(missing_ok=True)
        work = Work(settings, data, execution, form, stop.is_set, _curves_before(settings))
        if not force and is_finished(work):
            return settings.results / FIGURES
        for name in settings.run.systems:
            _system(work, name)
        figures = figures_of(work)
        for old in (TABLES, PLOTS):
            shutil.rmtree(settings.results / old, ignore_errors=True)
        plots = _until_stopped(plots_of(figures, data.evaluations), work)
        figures["notices"] += paper_files_write(settings.results, tables_of(figures), plots, work.figures_progress())
        record_write(work)
        write_json(settings.results / FIGURES, figures)
        for old in (WORK, *(() if settings.run.keep_weights else (FILTERBERTS, MODELS))):
            shutil.rmtree(settings.results / old, ignore_errors=True)
    return settings.results / FIGURES


def is_finished(work: Work) -> bool:
    """Tell whether the results are those of this configuration, and their weights were not to be kept.

    The weights are deleted last. Without this, the same command again would train everything anew.
    """
    if work.settings.run.keep_weights or (work.results / MODELS).exists():
        return False
    if not all((work.results / name).is_file() for name in (FIGURES, RECORD)):
        return False
    record = read_json(work.results / RECORD)
    return all(record.get(key) == value for key, value in identity_of(work).items())


def _until_stopped(plots: Iterable[T], work: Work) -> Iterator[T]:
    """Yield the plots, or raise Stopped between two of them. All are drawn anew then."""
    for plot in plots:
        if work.stop():
            raise Stopped
        yield plot


def _curves_before(settings: InterpretationSettings) -> dict[str, list[dict[str, Any]]]:
    """Return the loss curves that an earlier process has written, so that the system under way keeps its own."""
    path = settings.results / CURVES
    found = read_json(path) if path.is_file() else {}
    return {name: found[name] for name in settings.run.systems if name in found}


def check_models(settings: InterpretationSettings) -> None:
    """Raise ModelUnavailable, which names the place, for a model that is not there or of another kind."""
    for name, system in settings.systems.items():
        given = {"model": system.model, "filter_model": system.filter_model}
        for key, model in ((key, model) for key, model in given.items() if model):
            try:
                is_shape = key == "model" and system.kind == TRANSFORMER
                source = (locate_files if is_shape else locate_model)(settings.model(model))
                if key == "model":
                    check_kind(system.kind, load_config(source.folder, source.name), source.name)
            except ModelUnavailable as error:
                raise at_place(place_of(settings, name, key), error) from error
    if settings.metrics.bertscore:
        try:
            locate_model(settings.model(settings.metrics.bertscore))
        except ModelUnavailable as error:
            raise at_place(f"{settings.path.name}: [metrics] bertscore", error) from error


def _system(work: Work, name: str) -> None:
    for stage in (filter_stage, train_stage):
        if work.stop():
            raise Stopped
        stage(work, name)
    work.curve(name, facts_of(work, name, "train")["curves"])
    trained = Trained(work, name)
    for after in (generate_stage, score_stage):
        if work.stop():
            raise Stopped
        after(work, trained)
