"""Write an interpretation's configuration and data files, in a scratch folder that a restart finds again."""

from pathlib import Path
from typing import Any

from django.conf import settings
from django.core.files.storage import default_storage

from al_worker.bridge.simulation_directory import model_source, tables_under
from al_worker.formats.interpretation import CONFIG, EVALUATIONS, FILTERBERT, RESULTS, SOURCES, TARGETS
from al_worker.formats.run_directory import write_atomic
from al_worker.formats.toml_text import toml_dumps
from annotation_app.models import Interpretation


def directory_of(row: Interpretation) -> Path:
    return Path(settings.RUNS_DIR) / "interpretations" / str(row.uuid)


def results_of(row: Interpretation) -> Path:
    return directory_of(row) / RESULTS


def config_build(row: Interpretation) -> Path:
    """Copy the stored data where they are not there yet, write the configuration anew, and return its path.

    The operator's folders of models may have moved since the start; data never change. Raises ModelNotOffered.
    """
    folder = directory_of(row)
    folder.mkdir(parents=True, exist_ok=True)
    for file in row.files.filter(name__in=(SOURCES, TARGETS, EVALUATIONS)):
        if not (folder / file.name).is_file():
            with default_storage.open(file.path) as stored:
                write_atomic(folder / file.name, stored.read())
    write_atomic(folder / CONFIG, config_text(row.spec).encode())
    return folder / CONFIG


def config_text(spec: dict[str, Any]) -> str:
    """Return the configuration that docs/methods/interpretation.md describes. Raises ModelNotOffered."""
    evaluations = EVALUATIONS if spec["evaluations"] else ""
    tables: dict[str, Any] = {
        "data": {"sources": SOURCES, "targets": TARGETS, "evaluations": evaluations, "results": RESULTS},
        "text_form": {"style": spec["style"], "outer": spec["outer"]},
        "run": {
            "systems": [system["name"] for system in spec["systems"]],
            "seed": spec["seed"],
            "device": "auto",
            # They are as large as the models, and pages offer no use for them.
            "keep_weights": False,
        },
        # Interpretations from before these settings have the defaults.
        "training": {key: value for key, value in spec.get("training", {}).items() if value is not None},
        "generation": spec["generation"],
        "instances": {
            "source": spec.get("rules", "paper"),
            "prefix": spec["prefix"],
            "split": spec["split"],
            "replace_positive": spec.get("replace_positive", False),
        },
        "metrics": {"bertscore": model_source(spec["bertscore"]) if spec["bertscore"] else ""},
    }
    return "\n".join([toml_dumps(tables), tables_under("systems", systems_of(spec))])


def systems_of(spec: dict[str, Any]) -> dict[str, dict[str, Any]]:
    found = {}
    for system in spec["systems"]:
        values = {key: system[key] for key in ("title", "kind", "filter", "budget", "augment", "max_epochs")}
        values["model"] = model_source(system["model"])
        if system["filter"] == FILTERBERT:
            values["filter_model"] = model_source(system["filter_model"])
        found[system["name"]] = values
    return found
