"""Write record.json: everything that an interpretation depended on, and what each stage did."""

from dataclasses import asdict
from typing import Any

from al_worker.core.backends.locate import locate_files
from al_worker.core.interpretation.run.training import MODELS
from al_worker.core.interpretation.run.work import Work
from al_worker.core.run.machine import installed, library_versions, machine_facts
from al_worker.core.run.steps import marker_read
from al_worker.formats.interpretation import FILTERBERT, RECORD, STAGES
from al_worker.formats.run_directory import write_json

FORMAT_VERSION = 1
# The libraries, beside those of every record, that the figures come from.
METRIC_PACKAGES = ("rouge-score", "nltk", "matplotlib")


def record_write(work: Work) -> None:
    """Write the record of a run whose stages are all done."""
    settings = work.settings
    record = {
        "format_version": FORMAT_VERSION,
        "config": settings.tables,
        **identity_of(work),
        "seed": settings.run.seed,
        "settings": {
            key: asdict(getattr(settings, key))
            for key in ("text_form", "training", "filterbert", "generation", "instances", "metrics")
        },
        "systems": {name: _system(work, name) for name in settings.run.systems},
        "execution": work.execution.as_record(),
        "machine": machine_facts(),
    }
    write_json(work.results / RECORD, record)


def identity_of(work: Work) -> dict[str, Any]:
    """Return the parts of the record that tell whether results are those of this configuration, data and libraries."""
    path = work.settings.path
    return {
        "inputs": {path.name: work.hash_of(path), **_data(work)},
        "versions": library_versions() | {name: installed(name) for name in METRIC_PACKAGES},
    }


def _data(work: Work) -> dict[str, str]:
    data = work.settings.data
    names = [name for name in (data.sources, data.targets, data.evaluations) if name]
    return {name: work.hash_of(work.settings.file(name)) for name in names}


def _system(work: Work, name: str) -> dict[str, Any]:
    system = work.settings.systems[name]
    steps = {stage: marker_read(work.results, f"{name}-{stage}") for stage in STAGES}
    trained_filter = (steps["filter"] or {})["facts"]["filterbert"]
    found = {
        "settings": asdict(system),
        "model_files": work.model_files(locate_files(work.settings.model(system.model)).folder),
        "trained_folder": f"{MODELS}/{name}" if work.settings.run.keep_weights else None,
        "trained_files": work.model_files(work.results / MODELS / name),
        "steps": steps,
    }
    if system.filter == FILTERBERT:
        filter_files = locate_files(work.settings.model(system.filter_model)).folder
        found["filter_model_files"] = work.model_files(filter_files)
        found["filterbert_files"] = work.model_files(work.results / trained_filter["folder"])
    return found
