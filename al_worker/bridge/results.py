"""Read a run directory's results into rows, and store the files that must last."""

from pathlib import Path
from typing import Any

from al_worker.bridge.stopping import lost_notices
from al_worker.formats import run_directory as files
from annotation_app.models import Round
from annotation_app.rounds.figures import figures_by_stage
from annotation_app.rounds.results import Chosen, Results
from annotation_app.storage import file_store

KEPT = (files.SCORES, files.SELECTED, files.METRICS, files.STOPPING, files.RECORD)


def results_read(row: Round, directory: Path) -> Results:
    """Return the chosen items in order, the metrics and the core's record, after storing the lasting files."""
    record = files.read_json(directory / files.RECORD)
    drawn = record["strategy"]["used"] == "random"
    chosen = [
        Chosen(c.id, c.rank, None if drawn or c.source == "random" else c.score)
        for c in files.read_selected(directory / files.SELECTED)
    ]
    metrics = files.read_json(directory / files.METRICS) if (directory / files.METRICS).is_file() else {}
    if metrics:
        selected_add(row, metrics, record)
        record["notices"] = [*record.get("notices", []), *lost_notices(row)]
    folder = f"rounds/{row.uuid}/{row.attempt}"
    stored = [file_store(directory / name, f"{folder}/{name}") for name in KEPT if (directory / name).is_file()]
    return Results(chosen=chosen, metrics=metrics, record=record, files=stored)


def selected_add(row: Round, metrics: dict[str, Any], record: dict[str, Any]) -> None:
    """Add the model's entropy on the batch to the metrics. The core finds it after it has written its metrics."""
    found = record.get("steps", {}).get("select", {}).get("facts", {}).get("selected_entropy_over_ln_c")
    by_head = found if isinstance(found, dict) else dict.fromkeys(row.learning_stages, found)
    for stage, figures in figures_by_stage(row.learning_stages, metrics).items():
        figures["selected"] = {"entropy_over_ln_c": by_head.get(stage)}
