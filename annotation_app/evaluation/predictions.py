"""Read predictions with their gold labels: a page of those that are asked for, and one with its context and votes."""

from collections.abc import Mapping, Sequence
from dataclasses import dataclass
from typing import Any

from django.db import connection

from annotation_app.evaluation.gold import votes_of
from annotation_app.evaluation.statements import filtered_statement, whole_statement
from annotation_app.ingest.context import context_for
from annotation_app.ingest.context_levels import Turn
from annotation_app.models import ErrorCause, Evaluation, Prediction, Project

# The parameters of filtered.sql, with the values that leave every prediction in.
ALL: Mapping[str, Any] = {
    "prediction": None,
    "system_name": None,
    "stage": None,
    "which": "all",
    "gold": None,
    "predicted": None,
    "agreement": "any",
    "least_confidence": None,
    "cause": "any",
}
WHICH = ("all", "errors", "not_compliant")
AGREEMENT = ("any", "unanimous", "majority")


@dataclass(frozen=True)
class PredictionView:
    """Hold a prediction with its gold label, which is None for an item of the pool, and the cause of its error."""

    row: Prediction
    gold: str | None
    is_unanimous: bool | None
    cause: ErrorCause | None


@dataclass(frozen=True)
class Page:
    total: int
    rows: list[PredictionView]


def predictions_page(evaluation: Evaluation, filters: Mapping[str, Any], *, limit: int, offset: int) -> Page:
    """Return some of the predictions that pass the filters, most confident first, and how many there are.

    `filters` are some of ALL.
    """
    given = {**ALL, **filters, "evaluation": evaluation.pk}
    [[total]] = rows_of(filtered_statement("predictions_total"), given)
    page = {**given, "limit": limit, "offset": offset}
    return Page(total, views_of(rows_of(filtered_statement("predictions"), page)))


def prediction_view(row: Prediction) -> PredictionView:
    given = {**ALL, "evaluation": row.evaluation_id, "prediction": row.pk, "limit": 1, "offset": 0}
    [view] = views_of(rows_of(filtered_statement("predictions"), given))
    return view


def confident_errors(evaluation: Evaluation, *, system: str, stage: str, k: int) -> list[PredictionView]:
    """Return the k most confident errors from each gold label to each predicted one (OP-FED, Table 13)."""
    given = {**ALL, "evaluation": evaluation.pk, "system_name": system, "stage": stage, "which": "errors", "k": k}
    return views_of(rows_of(filtered_statement("confident_errors"), given))


def rows_of(text: str, given: Mapping[str, Any]) -> list[tuple[Any, ...]]:
    with connection.cursor() as cursor:
        cursor.execute(text, given)
        return cursor.fetchall()


def views_of(found: Sequence[tuple[Any, ...]]) -> list[PredictionView]:
    """Return rows (id, gold, is_unanimous, cause id) with all that they name, in their order."""
    predictions = Prediction.objects.select_related("item", "evaluation__project").in_bulk([pk for pk, *_ in found])
    causes = ErrorCause.objects.in_bulk({cause for *_, cause in found if cause is not None})
    return [
        PredictionView(predictions[pk], gold, is_unanimous, causes.get(cause))
        for pk, gold, is_unanimous, cause in found
    ]


def predictions_counted(evaluations: Sequence[int]) -> dict[int, dict[str, list[int]]]:
    """Return the numbers of progress.sql by evaluation and system. It reads every prediction of the evaluations."""
    counted: dict[int, dict[str, list[int]]] = {pk: {} for pk in evaluations}
    for pk, system, *numbers in rows_of(whole_statement("progress"), {"evaluations": list(evaluations)}):
        counted[pk][system] = numbers
    return counted


@dataclass(frozen=True)
class PredictionContext:
    """Hold what stands around the item, and how many people gave each label."""

    utterance: str
    before: list[Turn]
    speaker: str
    document: str
    votes: dict[str, int]


def prediction_context(row: Prediction) -> PredictionContext:
    item = row.item
    context = context_for([item])[item.pk]
    votes = votes_of(row.evaluation, row.stage, [item.pk]).get(item.pk, {})
    return PredictionContext(
        utterance=item.utterance.text,
        before=context.minus_200_tokens,
        speaker=item.utterance.speaker,
        document=item.document.title or item.document.external_id,
        votes=votes,
    )


def causes_of(project: Project) -> list[dict[str, Any]]:
    """Return the project's causes of errors, each with how often it stands."""
    found = rows_of(whole_statement("causes"), {"project": project.pk})
    return [{"id": uuid, "name": name, "n": n} for uuid, name, n in found]
