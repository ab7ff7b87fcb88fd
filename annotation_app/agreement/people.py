"""Compare each person with the others on the same items: by the coefficient that fits a stage, and label by label."""

import json
from collections.abc import Mapping, Sequence
from dataclasses import dataclass
from typing import Any

from django.db.backends.utils import CursorWrapper

from annotation_app.agreement.details import Habits, fetched, habits_of
from annotation_app.agreement.intervals import Interval, jackknife_interval
from annotation_app.agreement.selectors import Slices, kept, measures_of, parameters_of, stamp_of
from annotation_app.agreement.services import patterns_refresh
from annotation_app.agreement.statements import beside_others_statement, habits_statement
from annotation_app.agreement.statistics import COEFFICIENT_OF, NO_COEFFICIENT
from annotation_app.codebook.stages import Codebook
from annotation_app.models import Batch, Project

NOBODY_ELSE = "nobody else answered these items"


@dataclass(frozen=True)
class BesideOthers:
    """Hold a person's agreement with the others at a stage, over the `n` items that somebody else answered too.

    `value` is the coefficient that fits the stage. The others of an item count as one together. `ci` is its 95 percent
    interval, where it has one, and `reason` says why it has no value. `percent_agreement` is a share from 0 to 1.
    """

    n: int = 0
    value: float | None = None
    ci: Interval | None = None
    percent_agreement: float | None = None
    reason: str = NOBODY_ELSE


@dataclass(frozen=True)
class Comparison:
    """Hold everyone's agreement and label shares, by annotator number and stage. What is missing was never compared."""

    agreement: Mapping[int, Mapping[str, BesideOthers]]
    labels: Mapping[int, Mapping[str, Habits]]


def people_compared(
    *, project: Project, codebooks: Mapping[int, Codebook], batches: Sequence[Batch] | None = None
) -> Comparison:
    """Compare each person with the others, over these batches, or over the project's rounds.

    Independent answers alone are compared. The result is cached until a count changes.
    The number of statements does not grow with the data.
    """
    ids = None if batches is None else [batch.pk for batch in batches]
    numbers = sorted(project.memberships.values_list("number", flat=True))
    parameters = parameters_of(project, codebooks, "all", Slices(of="everyone")) | {"batches": ids, "rounds": numbers}
    labelled = list(dict.fromkeys(stage.key for book in codebooks.values() for stage in book.label_stages))
    measures = measures_of(codebooks)
    statements = [beside_others_statement(), habits_statement("all")]

    def count(cursor: CursorWrapper) -> list[Any]:
        compared = fetched(cursor, statements[0], parameters)
        shares = {
            stage: fetched(cursor, statements[1], {**parameters, "stage": stage, "round": 0}) for stage in labelled
        }
        return [compared, shares]

    patterns_refresh(project=project)
    compared, shares = kept(
        project=project,
        view=f"people {stamp_of(ids)[:32]}",
        made_from=[*statements, labelled, parameters],
        count=count,
    )
    agreement: dict[int, dict[str, BesideOthers]] = {}
    for stage, rater, n, *told in compared:
        key = COEFFICIENT_OF.get(measures.get(stage, "nominal"))
        agreement.setdefault(rater, {})[stage] = beside_others(key, n, *map(json.loads, told))
    labels: dict[int, dict[str, Habits]] = {}
    for stage, rows in shares.items():
        for rater, habits in habits_of(rows).items():
            labels.setdefault(rater, {})[stage] = habits
    return Comparison(agreement, labels)


def beside_others(
    key: str | None, n: int, values: Mapping[str, Any], reasons: Mapping[str, str], errors: Mapping[str, Any]
) -> BesideOthers:
    percent = values["percent_agreement"]
    if key is None:
        return BesideOthers(n, None, None, percent, NO_COEFFICIENT)
    ci = jackknife_interval(key, values[key], *errors[key]) if key in errors else None
    return BesideOthers(n, values[key], ci, percent, reasons.get(key, ""))
