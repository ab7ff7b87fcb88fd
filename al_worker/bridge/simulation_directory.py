"""A simulation's row -> the core's configuration and data files, in a scratch folder that a restart finds again."""

import shutil
from pathlib import Path
from typing import Any

from django.conf import settings
from django.core.files.storage import default_storage
from django.utils.text import slugify

from al_worker.bridge.directory import ModelNotOffered
from al_worker.formats.run_directory import write_atomic
from al_worker.formats.simulation import CASE_NAME, TEST, TRAIN
from al_worker.formats.toml_text import toml_dumps
from annotation_app.models import Simulation
from annotation_app.rounds.models_offered import offered_model

RESULTS_FOLDER = "results"
REPORT_OPTIONS = ("primary", "primary_part", "first_batch_in_area")


def directory_of(row: Simulation) -> Path:
    """Return the simulation's folder, a new one each time that it is started anew."""
    return Path(settings.RUNS_DIR) / "simulations" / str(row.uuid) / str(row.generation)


def results_of(row: Simulation) -> Path:
    return directory_of(row) / RESULTS_FOLDER


def config_build(row: Simulation) -> Path:
    """Write data and configuration once; the configuration comes last, so that where it stands all is whole."""
    folder = directory_of(row)
    # The report takes its title from the file's name.
    config = folder / f"{slugify(row.name) or 'simulation'}.toml"
    if config.is_file():
        return config
    folder.mkdir(parents=True, exist_ok=True)
    for file in row.files.filter(name__in=(TRAIN, TEST)):
        with default_storage.open(file.path) as source, (folder / file.name).open("wb") as target:
            shutil.copyfileobj(source, target)
    write_atomic(config, config_text(row.config).encode())
    return config


def config_text(config: dict[str, Any]) -> str:
    """Return the configuration that docs/methods/simulation.md describes. Raises ModelNotOffered.

    Simulations of earlier versions name no parts, no string test and no primary comparison.
    """
    data = {"train": TRAIN, "test": TEST, "positive_labels": config["positive_labels"]}
    tables = {
        "data": data | {"missing": config.get("missing", [])},
        "run": {
            "results": RESULTS_FOLDER,
            **{
                name: config[name] for name in ("seeds", "batch_sizes", "batches", "full_supervision_seeds", "baseline")
            },
            "processes": settings.SIMULATION_PROCESSES,
        },
        "report": {name: config[name] for name in REPORT_OPTIONS if name in config},
    }
    if config.get("string_test"):
        tables["string_test"] = config["string_test"]
    strategies = {case["key"]: {"name": case["name"], **case["options"]} for case in config["strategies"]}
    models = {key: {"name": model_source(name)} for key, name in model_keys(config["models"]).items()}
    parts = {part["key"]: {"field": part["field"], "value": part["value"]} for part in config.get("parts", [])}
    under = {"strategies": strategies, "models": models, "parts": parts}
    return "\n".join([toml_dumps(tables), *(tables_under(name, named) for name, named in under.items())])


def tables_under(parent: str, tables: dict[str, dict[str, Any]]) -> str:
    """Return the tables as [parent.key]."""
    return "\n".join(toml_dumps({key: values}).replace("[", f"[{parent}.", 1) for key, values in tables.items())


def model_keys(models: list[str]) -> dict[str, str]:
    """Return the names of the core's [models.KEY], by the last part of each model's name: {key: model}."""
    keys: dict[str, str] = {}
    for model in models:
        part = model.rsplit("/", 1)[-1]
        key = part if CASE_NAME.fullmatch(part) and part not in keys else f"model-{len(keys) + 1}"
        keys[key] = model
    return keys


def model_source(name: str) -> str:
    offered = offered_model(name)
    if offered is None:
        raise ModelNotOffered(
            f"{name} is no longer on this server's list of models (QUORUM_MODELS): add it, or cancel."
        )
    return offered.source
