"""Read what an admin's page shows of evaluations: the choices, and each evaluation with its progress."""

import json
from collections.abc import Iterable, Mapping, Sequence
from dataclasses import dataclass
from typing import Any

from django.core.files.storage import default_storage
from django.db.models import QuerySet

from al_worker.formats.evaluation import FIGURES, PEOPLE
from al_worker.formats.prompts import VARIABLES
from al_worker.formats.providers import LanguageModel
from annotation_app.cached import Cache
from annotation_app.codebook.definition import codebook_of
from annotation_app.evaluation import imported, services, spec
from annotation_app.evaluation.language_models import OfferedLanguageModel, language_models
from annotation_app.evaluation.predictions import predictions_counted, rows_of
from annotation_app.evaluation.prompts import prompt_views
from annotation_app.evaluation.questions import Question, evaluated_codebook, questions_of
from annotation_app.evaluation.statements import whole_statement
from annotation_app.evaluation.systems import systems_offered
from annotation_app.models import Batch, Evaluation, EvaluationFile, Project, Release

# By the path of figures.json, which has the attempt in it. Reading 100 files at each look at the list takes too long.
HEADLINES: Cache[str, list[dict[str, Any]]] = Cache(1_000)


def questions_evaluated(project: Project) -> dict[str, Question]:
    """Return the stages of the published codebook. Raises Refused where there are none."""
    return questions_of(codebook_of(evaluated_codebook(project)))


def choices_view(project: Project) -> dict[str, Any]:
    questions, models = questions_evaluated(project), language_models(project)
    done = project.releases.filter(state=Release.State.DONE).order_by("-number").values_list("number", flat=True)
    return {
        "gold": [
            {"kind": "labels", "number": None, "title": "The project's labels"},
            *({"kind": "release", "number": number, "title": f"Release {number}"} for number in done),
        ],
        "stages": list(questions.values()),
        "systems": systems_offered(models),
        "language_models": [language_model_view(offered) for offered in models.offered.values()],
        "language_models_problem": models.problem,
        "prompts": prompt_views(project, questions),
        "batches": list(round_batches(project)),
        "variables": [{"name": name, "help": text} for name, text in VARIABLES.items()],
        "limits": limits(),
    }


def round_batches(project: Project) -> Iterable[int]:
    """Return the numbers of the rounds that have a batch.

    A frozen one is offered too: its items without a majority are those that adjudicators decide.
    """
    batches = project.batches.filter(kind=Batch.Kind.ROUND)
    return batches.order_by("number").values_list("number", flat=True)


def limits() -> dict[str, int]:
    return {
        "systems": spec.MAX_SYSTEMS,
        "least_folds": spec.FOLDS[0],
        "folds": spec.FOLDS[1],
        "examples": spec.MAX_EXAMPLES,
        "pool": spec.MAX_POOL,
        "file_bytes": imported.MAX_BYTES,
        "unfinished": services.MAX_UNFINISHED,
    }


def price(given: float) -> float | None:
    return None if given < 0 else given


def language_model_view(offered: OfferedLanguageModel) -> dict[str, Any]:
    """Return a language model as pages show it. Its key is never asked for here."""
    model, approval = offered.model, offered.approval
    return {
        "name": model.name,
        "title": model.called,
        "kind": model.kind,
        "model": model.model,
        "destination": model.destination,
        "is_remote": model.is_remote,
        "price_in": price(model.price_in),
        "price_out": price(model.price_out),
        "currency": model.currency,
        "approved": approval and {"by": approval.approved_by.shown_name, "at": approval.approved_at},
        "problem": offered.problem,
    }


@dataclass(frozen=True)
class EvaluationView:
    """Hold an evaluation with its stages, the progress of each system, and the highest accuracy of each stage."""

    row: Evaluation
    stages: list[dict[str, Any]]
    systems: list[dict[str, Any]]
    headline: list[dict[str, Any]]

    @property
    def is_dry_run(self) -> bool:
        return self.row.spec["limit"] is not None

    @property
    def n_unanswered(self) -> int:
        return services.n_unanswered(self.row)

    @property
    def files(self) -> QuerySet[EvaluationFile]:
        return self.row.files.order_by("name")

    @property
    def figures(self) -> dict[str, Any] | None:
        return evaluation_figures(self.row)


def evaluation_figures(row: Evaluation) -> dict[str, Any] | None:
    """Return what figures.json holds; None before the end."""
    file = row.files.filter(name=FIGURES).first()
    return None if file is None else figures_read(file.path)


def figures_read(path: str) -> dict[str, Any]:
    with default_storage.open(path) as source:
        return dict(json.loads(source.read()))


def headlines_of(rows: Sequence[Evaluation]) -> dict[int, list[dict[str, Any]]]:
    """Return the highest accuracies of evaluations that are done and were no dry run, by their ids."""
    done = [row.pk for row in rows if row.state == Evaluation.State.DONE and row.spec["limit"] is None]
    files = EvaluationFile.objects.filter(evaluation__in=done, name=FIGURES).values_list("evaluation_id", "path")
    paths = dict(files)
    found = HEADLINES.read(paths.values(), lambda missing: {path: headline(figures_read(path)) for path in missing})
    return {pk: found[path] for pk, path in paths.items()}


def headline(figures: Mapping[str, Any]) -> list[dict[str, Any]]:
    """Return the system with the highest accuracy at each stage, of those that answered every item.

    Where none did, it is of all systems.
    """
    best = []
    for stage in figures["stages"]:
        whole = [system for system in stage["systems"] if system["n"] == stage["n"]] or stage["systems"]
        if whole:
            first = max(whole, key=lambda system: system["accuracy"])
            best.append(
                {"stage": stage["key"], "system": first["name"], "accuracy": first["accuracy"], "n": first["n"]}
            )
    return best


def evaluation_views(rows: Sequence[Evaluation]) -> list[EvaluationView]:
    """Return evaluations with their progress, in three statements for all of them."""
    ids = [row.pk for row in rows]
    counted: dict[int, dict[str, int]] = {pk: {} for pk in ids}
    for pk, stage, n in rows_of(whole_statement("gold_counts"), {"evaluations": ids}):
        counted[pk][stage] = n
    done = [row for row in rows if row.state == Evaluation.State.DONE]
    ended: dict[int, dict[str, list[int]]] = {
        row.pk: row.progress["counts"] for row in done if "counts" in row.progress
    }
    answered = ended | predictions_counted([pk for pk in ids if pk not in ended])
    headlines = headlines_of(rows)
    return [view_of(row, counted[row.pk], answered[row.pk], headlines.get(row.pk, [])) for row in rows]


def evaluation_view(row: Evaluation) -> EvaluationView:
    [view] = evaluation_views([row])
    return view


def evaluations_of(project: Project) -> list[EvaluationView]:
    return evaluation_views(list(project.evaluations.select_related("created_by").order_by("-number")))


def evaluations_done(project: Project) -> QuerySet[Evaluation]:
    """Return the evaluations that are done and were no dry run, newest first."""
    return project.evaluations.filter(state=Evaluation.State.DONE, spec__limit=None).order_by("-number")


def view_of(
    row: Evaluation,
    counts: Mapping[str, int],
    answered: Mapping[str, Sequence[int]],
    highest: list[dict[str, Any]],
) -> EvaluationView:
    stages = [
        {
            "key": stage,
            "title": row.spec["questions"][stage]["title"],
            "n": counts.get(stage, 0),
            "left_out": reasons_view(row.left_out.get(stage, {})),
        }
        for stage in row.spec["stages"]
    ]
    # Annotators have answered already: there is nothing to predict.
    names = [name for name in row.spec["systems"] if name != PEOPLE]
    nothing = (0, 0, 0, 0, 0)
    systems = [progress_of(row, name, counts, answered.get(name, nothing)) for name in names]
    return EvaluationView(row, stages, systems, highest)


def reasons_view(left_out: Mapping[str, int]) -> list[dict[str, Any]]:
    return [{"reason": reason, "n": n} for reason, n in sorted(left_out.items())]


def progress_of(row: Evaluation, name: str, counts: Mapping[str, int], numbers: Sequence[int]) -> dict[str, Any]:
    answered, refused, not_compliant, tokens_in, tokens_out = numbers
    told = row.progress.get("systems", {}).get(name, {})
    model = model_recorded(row, name)
    total = requests_of(row.spec, counts) if model is not None else sum(counts.values())
    return {
        "name": name,
        "kind": row.spec["kinds"][name],
        # A file of predictions holds what it holds.
        "total": answered if row.spec["kinds"][name] == "imported" else total,
        "answered": answered,
        "refused": refused,
        "not_compliant": not_compliant,
        "failed_requests": told.get("failed_requests", 0),
        "tokens_in": tokens_in,
        "tokens_out": tokens_out,
        "cost": model and model.cost(tokens_in, tokens_out),
        "currency": model.currency if model else "",
        "seconds_left": told.get("seconds_left"),
    }


def requests_of(stored: Mapping[str, Any], counts: Mapping[str, int]) -> int:
    """Return how often a language model is asked."""
    limit, pool, batch = stored["limit"], len(stored["pool_items"]), len(stored["batch_items"])
    # Evaluations of earlier versions ask about all stages.
    asked = stored.get("stages_asked", stored["stages"])
    return sum(
        (n if limit is None else min(n, limit)) + batch + (0 if stored["questions"][stage]["has_gate"] else pool)
        for stage, n in counts.items()
        if stage in asked
    )


def model_recorded(row: Evaluation, name: str) -> LanguageModel | None:
    """Return a language model with the prices that stood when the evaluation was started."""
    stored = row.spec["language_models"].get(name)
    if stored is None:
        return None
    priced = {key: stored[key] for key in ("kind", "model", "price_in", "price_out", "currency")}
    return LanguageModel(name=name, **priced)
