"""Read what an admin's page shows of simulations."""

import json
from dataclasses import dataclass
from typing import Any

from django.conf import settings
from django.core.files.storage import default_storage
from django.db.models import QuerySet

from al_worker.formats.missing import MARKS, marks_written
from al_worker.formats.simulation import PLOTS, SUMMARY
from al_worker.formats.strategies import STRATEGIES
from annotation_app.models import Project, Simulation, SimulationFile
from annotation_app.rounds.models_offered import offered_models
from annotation_app.simulations import spec
from annotation_app.simulations.data import MIN_ITEMS, MIN_PER_LABEL, SHARES, stage_views


def simulations_of(project: Project) -> QuerySet[Simulation]:
    """Return the simulations, newest first, without the parts that grow with the work."""
    return project.simulations.defer("curves").select_related("created_by").order_by("-pk")


@dataclass(frozen=True)
class SimulationView:
    """Hold a simulation with its curves while it runs, and its summary once it is done.

    `same_order` are the keys of strategies that give one order by definition, as there are two labels.
    """

    row: Simulation
    summary: dict[str, Any] | None
    plots: list[str]
    same_order: list[str]


def simulation_view(row: Simulation) -> SimulationView:
    files = {file.name: file for file in row.files.order_by("name")}
    plots = [name.removeprefix(f"{PLOTS}/") for name in files if name.startswith(f"{PLOTS}/")]
    return SimulationView(row, _summary(files.get(SUMMARY)), plots, same_order(row))


def same_order(row: Simulation) -> list[str]:
    if len(row.data["train"]["class_counts"]) != 2:
        return []
    same = [case["key"] for case in row.config["strategies"] if STRATEGIES[case["name"]].same_with_two_labels]
    return same if len(same) > 1 else []


def _summary(file: SimulationFile | None) -> dict[str, Any] | None:
    if file is None:
        return None
    with default_storage.open(file.path) as source:
        return dict(json.loads(source.read()))


def choices_view(project: Project) -> dict[str, Any]:
    """Return the choices of the start form: models with the time of a batch here, stages, limits."""
    timings = last_timings()
    seconds = {model: taken for each in reversed(timings) for model, taken in each["seconds_per_batch"].items()}
    return {
        "models": [{**vars(model), "seconds_per_batch": seconds.get(model.name)} for model in offered_models()],
        "seconds_per_cell": next((each["seconds_per_cell"] for each in timings), None),
        "stages": stage_views(project),
        "processes": settings.SIMULATION_PROCESSES,
        "missing_marks": marks_written(MARKS),
        "limits": limits(),
    }


def limits() -> dict[str, Any]:
    return {
        "file_bytes": settings.SIMULATION_MAX_BYTES,
        "strategies": spec.MAX_CASES,
        "models": spec.MAX_MODELS,
        "seeds": spec.MAX_SEEDS,
        "batch_sizes": spec.MAX_BATCH_SIZES,
        "batches": spec.MAX_BATCHES,
        "trainings": spec.MAX_TRAININGS,
        "key_length": spec.MAX_KEY_LENGTH,
        "parts": spec.MAX_PARTS,
        "phrases": spec.MAX_PHRASES,
        "stage_items": MIN_ITEMS,
        "items_per_label": MIN_PER_LABEL,
        "holdout_shares": list(SHARES),
    }


def last_timings(last: int = 20) -> list[dict[str, Any]]:
    """Return the timings of the last finished simulations of this server, newest first."""
    done = Simulation.objects.filter(state=Simulation.State.DONE).order_by("-pk")
    return list(done.values_list("timings", flat=True)[:last])
