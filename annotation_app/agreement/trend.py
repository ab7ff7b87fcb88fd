"""Compute agreement batch by batch at one stage, from the stored counts. The result is cached until a count changes.

No pair of people is looked at, so twenty people cost little more than three.
"""

import hashlib
import json
from collections.abc import Mapping, Sequence
from dataclasses import dataclass
from typing import Any

from django.db.backends.utils import CursorWrapper

from annotation_app.agreement.intervals import Interval, jackknife_interval
from annotation_app.agreement.selectors import kept_by_batch, measures_of, names_of, orders_of
from annotation_app.agreement.statements import trend_statement
from annotation_app.agreement.statistics import BY_KEY, COEFFICIENT_OF
from annotation_app.codebook.stages import Codebook
from annotation_app.models import Batch, Project


@dataclass(frozen=True)
class TrendPoint:
    """Hold the agreement of everyone's answers at the stage in one batch, over all its items.

    `alpha` is the coefficient that fits the stage's answers, and `coefficient` its name; free text has none.
    `ci` is its 95 percent interval, where it has one; `reason` says why it has no value.
    `n_units` items have two answers or more. `percent_agreement` is a share from 0 to 1.
    """

    coefficient: str | None
    alpha: float | None
    ci: Interval | None
    percent_agreement: float | None
    n_units: int
    reason: str

    @property
    def low(self) -> float | None:
        """Return the lower end of the interval, if there is one."""
        return self.ci[0] if self.ci else None

    @property
    def high(self) -> float | None:
        """Return the upper end of the interval, if there is one."""
        return self.ci[1] if self.ci else None


def agreement_trend(
    *, project: Project, stage: str, batches: Sequence[Batch], codebooks: Mapping[int, Codebook]
) -> dict[int, TrendPoint]:
    """Return a point for each batch by its id. Batches may be of any kind.

    The numbers equal those of everyone's rows in `agreement_table`.
    The number of statements does not grow with the data.
    """

    measures = measures_of(codebooks)
    common: dict[str, Any] = {"stage": stage, "stages": [], "of": "everyone", "measures": json.dumps(measures)}
    common |= {"names": json.dumps(names_of(codebooks)), "orders": json.dumps(orders_of(codebooks))}
    measure = measures.get(stage, "nominal")
    coefficient = BY_KEY[COEFFICIENT_OF.get(measure, COEFFICIENT_OF["nominal"])]
    name = coefficient.column if measure in COEFFICIENT_OF else None
    statement = trend_statement(coefficient.key)

    def count(cursor: CursorWrapper, ids: list[int]) -> list[Any]:
        cursor.execute(statement, {**common, "pair": None, "batches": ids, "rounds": ids})
        return [list(row) for row in cursor.fetchall()]

    rows = kept_by_batch(
        project=project,
        view=f"trend {hashlib.sha256(stage.encode()).hexdigest()[:32]}",
        batches=batches,
        made_from=[statement, common],
        count=count,
    )
    found = {batch: point(coefficient.key, name, *columns) for batch, *columns in rows}
    no_answers = TrendPoint(name, None, None, None, 0, "no answers")
    return {batch.pk: found.get(batch.pk, no_answers) for batch in batches}


def point(
    key: str,
    name: str | None,
    alpha: float | None,
    error: float | None,
    items: int,
    percent_agreement: float | None,
    n_units: int,
    reason: str,
) -> TrendPoint:
    """Return the point of one row of the trend statement."""
    ci = None if alpha is None or error is None else jackknife_interval(key, alpha, error, items)
    return TrendPoint(name, alpha, ci, percent_agreement, n_units, reason)
