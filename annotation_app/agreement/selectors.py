"""The agreement table of a project."""

import hashlib
import json
from collections.abc import Callable, Collection, Iterable, Mapping, Sequence
from dataclasses import dataclass
from typing import Any

from django.db import connection
from django.db.backends.utils import CursorWrapper

from annotation_app.aggregation.planner import one_snapshot
from annotation_app.aggregation.rules import settled
from annotation_app.aggregation.selectors import codebooks_of, stages_of
from annotation_app.aggregation.statements import Phase, read
from annotation_app.agreement.services import patterns_refresh
from annotation_app.agreement.statements import (
    SQL,
    STATISTICS,
    Of,
    Scope,
    profiles_statement,
    rows_statement,
)
from annotation_app.codebook.stages import Codebook
from annotation_app.models import AgreementCache, Batch, Membership, Project

Interval = tuple[float, float]


@dataclass(frozen=True)
class Row:
    """One view: a stage, one round or all (None), one pair of raters or everyone (None).

    n_items: items with an answer from someone under view. n_units: items with two or more. fleiss_items: items answered
    by everyone under view. `values` holds each statistic, None where `reason` says why; agreement is a share of 1. `ci`
    holds 95 percent intervals; where a value has none, `reason` says why under "ci.<statistic>".
    """

    stage: str
    round: int | None
    pair: tuple[int, int] | None
    raters: list[int]
    n_items: int
    n_units: int
    fleiss_items: int
    values: dict[str, float | None]
    reason: dict[str, str]
    ci: dict[str, Interval]

    def shown(self) -> dict[str, Any]:
        """As the API and releases write it: the statistics stand beside the counts."""
        return {
            "stage": self.stage,
            "round": self.round,
            "pair": self.pair,
            "n_items": self.n_items,
            "n_units": self.n_units,
            "fleiss_items": self.fleiss_items,
            "ci": self.ci,
            "reason": self.reason,
            **{name: self.values[name] for name in STATISTICS},
        }


@dataclass(frozen=True)
class Views:
    """Which rows are counted: with twenty annotators, most of a whole table's work is its pairs.

    `round` 0 is all rounds together, None is these and each. `pair` leaves one of the pairs, smaller number first.
    """

    of: Of = "all"
    stage: str | None = None
    round: int | None = None
    pair: tuple[int, int] | None = None


WHOLE = Views()


@dataclass(frozen=True)
class Table:
    rows: list[Row]
    annotators: list[Membership]
    # (key, title) in the order of the newest codebook that has the stage.
    stages: list[tuple[str, str]]


def agreement_table(
    *,
    project: Project,
    scope: Scope,
    batches: Iterable[Batch] | None = None,
    phase: Phase = 1,
    views: Views = WHOLE,
) -> Table:
    """Every statistic by stage, round and pair, from the database, over the project's rounds.

    `scope` majority keeps, stage by stage, the items that reached a majority there. `batches` names others than those
    of the rounds; all of one kind, since their numbers stand as rounds. `phase` 2 takes the answers of second looks in
    place of the independent ones, where somebody took one. The number of statements does not grow with the data. The
    rows of phase 1 are kept until an answer changes a count, but those of one pair; made in a caller's read-only
    transaction, they are not.
    """
    codebooks = codebooks_of(project)
    stages = stages_of(codebooks)
    parameters = parameters_of(project, codebooks, batches, views)
    if phase == 1:
        patterns_refresh(project=project)
    if phase == 1 and views.pair is None:
        columns = kept_rows(project, scope, codebooks, parameters)
    else:
        with one_snapshot() as cursor:
            columns = counted_rows(cursor, scope, codebooks, parameters, phase)
    rows = [row_of(*values) for values in columns]
    return Table(
        rows=rows, annotators=people_named(project, {number for row in rows for number in row.raters}), stages=stages
    )


def parameters_of(
    project: Project, codebooks: Mapping[int, Codebook], batches: Iterable[Batch] | None, views: Views = WHOLE
) -> dict[str, Any]:
    stages = [key for key, _ in stages_of(codebooks)]
    return {
        "project": project.pk,
        "batches": None if batches is None else [batch.pk for batch in batches],
        "stages": stages if views.stage is None else [views.stage],
        "orders": json.dumps(orders_of(codebooks)),
        "stage": views.stage,
        "round": views.round,
        "of": views.of,
        "pair": None if views.pair is None else list(views.pair),
    }


def orders_of(codebooks: Mapping[int, Codebook]) -> dict[str, list[str]]:
    """{ordinal stage: labels in order}, each by the newest codebook that has the stage."""
    newest = {stage.key: stage for codebook in codebooks.values() for stage in codebook.stages}
    return {key: list(stage.label_keys) for key, stage in newest.items() if stage.scale == "ordinal"}


def kept_rows(
    project: Project, scope: Scope, codebooks: Mapping[int, Codebook], parameters: Mapping[str, Any]
) -> list[list[Any]]:
    """The columns of rows.sql, kept from last time where nothing has changed since."""
    return list(
        kept(
            project=project,
            view=view_name(scope, parameters),
            made_from=[rows_statement(scope), list(codebooks), parameters],
            count=lambda cursor: counted_rows(cursor, scope, codebooks, parameters, phase=1),
        )
    )


def kept(
    *,
    project: Project,
    view: str,
    made_from: Sequence[Any],
    count: Callable[[CursorWrapper], Any],
    frozen: bool = False,
) -> Any:
    """What `count` gave last time where neither the project's counts nor `made_from` changed since, as JSON has it.

    `frozen`: it tells of frozen batches only, which answers to others leave as they are; `made_from` holds all else.
    """
    within = connection.in_atomic_block
    with one_snapshot() as cursor:
        cursor.execute(read(SQL / "cached.sql"), {"project": project.pk, "view": view})
        version, made_of, rows, read_only = cursor.fetchone()
        stamp = stamp_of(None if frozen else version, *made_from)
        if made_of == stamp:
            return json.loads(rows)
        rows = count(cursor)
    if not (within and read_only):
        AgreementCache.objects.update_or_create(project=project, view=view, defaults={"made_of": stamp, "rows": rows})
    return rows


def kept_by_batch(
    *,
    project: Project,
    view: str,
    batches: Sequence[Batch],
    made_from: Sequence[Any],
    count: Callable[[CursorWrapper, list[int]], list[Any]],
) -> list[Any]:
    """The rows of `count` over these batches' ids, those of frozen ones kept while people answer others.

    The batches were read before the call, so that whatever was answered in a frozen one is in the counts now. Of a
    frozen batch nothing changes but who of its people is a rater. Rows of open ones must follow from the counts alone:
    they are kept too until one changes.
    """
    patterns_refresh(project=project)
    frozen = {batch.pk: batch.frozen_at.isoformat() for batch in batches if batch.frozen_at is not None}
    live = [batch.pk for batch in batches if batch.frozen_at is None]
    raters = [list(each) for each in project.memberships.order_by("pk").values_list("pk", "role", "number")]
    found: list[Any] = []
    if frozen:
        made = [*made_from, sorted(frozen.items()), raters]
        found += kept(
            project=project,
            view=f"{view} frozen",
            made_from=made,
            count=lambda cursor: count(cursor, list(frozen)),
            frozen=True,
        )
    if live:
        made = [*made_from, live]
        found += kept(project=project, view=f"{view} open", made_from=made, count=lambda cursor: count(cursor, live))
    return found


def view_name(scope: Scope, parameters: Mapping[str, Any]) -> str:
    """Under which rows are kept; those of other parameters may take their place, never be taken for them."""
    named = parameters["batches"]
    whose = "" if named is None else f" of batches from {min(named, default=0)}"
    part = [parameters[name] for name in ("of", "stage", "round")]
    return f"{scope}{whose}" if part == ["all", None, None] else f"{scope}{whose} {stamp_of(*part)[:12]}"


def counted_rows(
    cursor: CursorWrapper,
    scope: Scope,
    codebooks: Mapping[int, Codebook],
    parameters: Mapping[str, Any],
    phase: Phase,
) -> list[list[Any]]:
    bound = {**parameters, **settled_parameter(cursor, scope, codebooks, parameters, phase)}
    cursor.execute(rows_statement(scope, phase), bound)
    return [[*row[:-3], *map(json.loads, row[-3:])] for row in cursor.fetchall()]


def stamp_of(*made_of: Any) -> str:
    return hashlib.sha256(json.dumps(made_of).encode()).hexdigest()


def settled_parameter(
    cursor: CursorWrapper,
    scope: Scope,
    codebooks: Mapping[int, Codebook],
    parameters: Mapping[str, Any],
    phase: Phase = 1,
) -> dict[str, str]:
    """{stages with an aggregated label by the profile's name}, where the scope needs it."""
    if scope == "all":
        return {}
    cursor.execute(profiles_statement(phase), parameters)
    found = {
        f"{codebook} {majorities}": list(settled(codebooks[codebook], json.loads(majorities)))
        for codebook, majorities in cursor.fetchall()
    }
    return {"settled": json.dumps(found)}


def people_named(project: Project, numbers: Collection[int]) -> list[Membership]:
    people = Membership.objects.filter(project=project, number__in=numbers).select_related("user")
    return list(people.order_by("number"))


def row_of(
    stage: str,
    round: int | None,
    a: int,
    b: int,
    raters: list[int],
    n_items: int,
    n_units: int,
    fleiss_items: int,
    values: dict[str, float | None],
    reason: dict[str, str],
    ci: dict[str, list[float]],
) -> Row:
    return Row(
        stage=stage,
        round=round,
        pair=(a, b) if a else None,
        raters=raters,
        n_items=n_items,
        n_units=n_units,
        fleiss_items=fleiss_items,
        values={name: values[name] for name in STATISTICS},
        reason={name: reason[name] for name in (*STATISTICS, *map("ci.{}".format, STATISTICS)) if name in reason},
        ci={name: (ci[name][0], ci[name][1]) for name in STATISTICS if name in ci},
    )
