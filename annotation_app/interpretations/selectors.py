"""Read what an admin's page shows of interpretations: the choices, and each one with its progress and results."""

import json
from collections.abc import Mapping, Sequence
from dataclasses import dataclass
from typing import Any

from django.core.files.storage import default_storage
from django.db.models import QuerySet

from al_worker.formats.interpretation import FIGURES, FILTERS
from annotation_app.cached import Cache
from annotation_app.interpretations import services, spec
from annotation_app.interpretations.data import counts_by_key
from annotation_app.interpretations.evaluations import Chosen, evaluations_offered
from annotation_app.interpretations.offered import encoders_offered, kinds_offered, models_usable
from annotation_app.interpretations.spec import CURRENT
from annotation_app.models import Interpretation, InterpretationFile, Project, Release, WorkerBeat
from annotation_app.refusals import Refused

# The newest releases that the form offers. Each is read once to count its targets.
RELEASES = 20
# By the path of figures.json, which has the attempt in it.
HEADLINES: Cache[str, list[dict[str, Any]]] = Cache(1_000)


def choices_view(project: Project) -> dict[str, Any]:
    done = project.releases.filter(state=Release.State.DONE).order_by("-number").values_list("number", flat=True)
    keys = [CURRENT, *(f"release:{number}" for number in done[:RELEASES])]
    return {
        "data": [data_view(project, key) for key in keys],
        "kinds": kinds_offered(),
        "models": list(models_usable().values()),
        "encoders": encoders_offered(),
        "filters": list(FILTERS.values()),
        "evaluations": [evaluation_view(each) for each in evaluations_offered(project)],
        "limits": limits(),
        "defaults": defaults(),
        "worker": WorkerBeat.down_text(Interpretation.QUEUE, "start the interpretation"),
    }


def data_view(project: Project, key: str) -> dict[str, Any]:
    counts = counts_by_key(project, key)
    return {
        "key": key,
        "title": data_title(key),
        "sources": counts.sources,
        "targets": counts.targets,
        "usable": not counts.reason,
        "reason": counts.reason,
    }


def data_title(key: str) -> str:
    return "The settled targets as they are now" if key == CURRENT else f"Release {key.partition(':')[2]}"


def evaluation_view(chosen: Chosen) -> dict[str, Any]:
    return {
        "id": chosen.id,
        "title": chosen.title,
        "category": chosen.evaluation.annotation,
        "part": chosen.evaluation.part,
        "in_depth": chosen.evaluation.in_depth,
        "revision": chosen.revision,
        "usable": not chosen.reason,
        "reason": chosen.reason,
        "warnings": chosen.warnings,
    }


def limits() -> dict[str, int]:
    return {
        "systems": spec.MAX_SYSTEMS,
        "evaluations": spec.MAX_EVALUATIONS,
        "least_budget": spec.BUDGETS[0],
        "budget": spec.BUDGETS[1],
        "augment": spec.MAX_AUGMENT,
        "max_epochs": spec.MAX_EPOCHS,
        "beams": spec.MAX_BEAMS,
        "max_tokens": spec.MAX_TOKENS,
        "limit": spec.MAX_LIMIT,
        "batch_size": spec.MAX_BATCH,
        "unfinished": services.MAX_UNFINISHED,
    }


def defaults() -> dict[str, int]:
    """Return the values that a request has where it leaves them out."""
    generation = spec.GenerationSpec()
    budget: int = spec.SystemSpec.model_fields["budget"].default
    return {"budget": budget, **generation.model_dump()}


@dataclass(frozen=True)
class InterpretationView:
    """Hold an interpretation, with the main figures of each system once it is done."""

    row: Interpretation
    headline: list[dict[str, Any]]

    @property
    def data_title(self) -> str:
        return data_title(self.row.spec["data"])

    @property
    def systems(self) -> list[dict[str, str]]:
        return [{"name": each["name"], "title": each["title"]} for each in self.row.spec["systems"]]

    @property
    def files(self) -> QuerySet[InterpretationFile]:
        return self.row.files.order_by("name")


def interpretations_of(project: Project) -> list[InterpretationView]:
    """Return the interpretations, newest first, without the parts that grow with the work."""
    rows = project.interpretations.defer("curves", "left_out").select_related("created_by").order_by("-number")
    return interpretation_views(list(rows))


def interpretation_view(row: Interpretation) -> InterpretationView:
    [view] = interpretation_views([row])
    return view


def interpretation_views(rows: Sequence[Interpretation]) -> list[InterpretationView]:
    done = [row.pk for row in rows if row.state == Interpretation.State.DONE]
    files = InterpretationFile.objects.filter(interpretation__in=done, name=FIGURES)
    paths = dict(files.values_list("interpretation_id", "path"))
    found = HEADLINES.read(paths.values(), lambda missing: {path: headline(figures_read(path)) for path in missing})
    return [InterpretationView(row, found[paths[row.pk]] if row.pk in paths else []) for row in rows]


def figures_read(path: str) -> dict[str, Any]:
    with default_storage.open(path) as source:
        return dict(json.loads(source.read()))


def headline(figures: Mapping[str, Any]) -> list[dict[str, Any]]:
    """Return the mean accuracy and the ROUGE-2 of each system."""
    return [
        {
            "name": system["name"],
            "title": system["title"],
            "main_mean": (system["equivalence"] or {}).get("main_mean"),
            "rouge2": rouge2_of(system["metrics"]),
        }
        for system in figures["systems"]
    ]


def rouge2_of(metrics: Mapping[str, Any] | None) -> float | None:
    """Return the mean ROUGE-2 with markers, as Table 4 of the paper has it; None where no text was generated."""
    found = metrics and metrics["rouge"]["with_markers"]["rouge2"]
    return found["mean"] if found else None


def results_view(row: Interpretation) -> dict[str, Any]:
    """Return what figures.json holds, and the evaluations with their classes in the order of their numbers.

    Raises Refused before the end.
    """
    file = row.files.filter(name=FIGURES).first()
    if file is None:
        raise Refused("no_results", f"There are no results before the end; this interpretation is {row.state}.")
    return figures_read(file.path) | {"evaluations": row.spec["evaluations"]}
