"""Read the agreement table of a project."""

import hashlib
import json
from collections.abc import Callable, Collection, Iterable, Mapping, Sequence
from dataclasses import dataclass
from typing import Any

from django.db import connection
from django.db.backends.utils import CursorWrapper

from annotation_app.aggregation.planner import one_snapshot
from annotation_app.aggregation.selectors import codebooks_of, newest_stages, stages_of
from annotation_app.aggregation.statements import Phase
from annotation_app.agreement.intervals import Interval, jackknife_interval
from annotation_app.agreement.services import patterns_refresh
from annotation_app.agreement.settled import settled_stages
from annotation_app.agreement.statements import Of, Scope, cache_statement, profiles_statement, rows_statement
from annotation_app.agreement.statistics import BY_KEY
from annotation_app.codebook.question_types.stage import Measure
from annotation_app.codebook.stages import Codebook
from annotation_app.models import AgreementCache, Batch, Membership, Project


@dataclass(frozen=True)
class Row:
    """Hold one slice: a stage, one round or all (None), one pair of raters or everyone (None).

    `n_items` have an answer from somebody in the slice, and `n_units` have two or more.
    `fleiss_items` were answered by all of the slice's people.
    `general_items` have `general_answers` answers each, whoever gave them: the usual number.
    `n_circular` units exist only in the majority scope. They have no more answers than a majority takes.
    So all their answers are equal by construction; where all units are such, no statistic has a value.

    `values` holds each statistic, or None where `reason` says why. Agreement is a share from 0 to 1.
    `ci` holds 95 percent intervals. Where a value has none, `reason` says why under "ci.<statistic>".
    """

    stage: str
    round: int | None
    pair: tuple[int, int] | None
    raters: list[int]
    n_items: int
    n_units: int
    fleiss_items: int
    general_items: int
    general_answers: int | None
    n_circular: int
    values: dict[str, float | None]
    ci: dict[str, Interval]
    reason: dict[str, str]

    def shown(self) -> dict[str, Any]:
        """Return the row as the API and releases write it: the statistics stand beside the counts."""
        return {name: part for name, part in vars(self).items() if name not in ("raters", "values")} | self.values


@dataclass(frozen=True)
class Slices:
    """Select the rows that are counted. With twenty annotators, most of the work of a whole table is its pairs.

    `round` 0 is all rounds together; None is all together and each.
    `pair` leaves one of the pairs, smaller number first.
    """

    of: Of = "all"
    stage: str | None = None
    round: int | None = None
    pair: tuple[int, int] | None = None


WHOLE = Slices()


@dataclass(frozen=True)
class Table:
    """Hold the rows of an agreement table, and the people and stages that they name."""

    rows: list[Row]
    annotators: list[Membership]
    # Each is (key, title), in the order of the newest codebook that has the stage.
    stages: list[tuple[str, str]]
    # {stage: measure of its answers}, where that is not nominal.
    measures: dict[str, Measure]


def agreement_table(*, project: Project, scope: Scope, phase: Phase = 1, slices: Slices = WHOLE) -> Table:
    """Return every statistic by stage, round and pair, from the database, over the project's rounds.

    `scope` "majority" keeps, stage by stage, the items that reached a majority there.
    `phase` 2 takes revised answers in place of independent ones, where somebody gave one in a second look.
    The number of statements does not grow with the data.
    Rows of phase 1 are cached until an answer changes a count, except those of one pair.
    Nothing is cached in a caller's read-only transaction.
    """
    # Batches are read before the counts, so that the counts hold every answer of a batch that is frozen here.
    rounds = list(project.batches.filter(kind=Batch.Kind.ROUND).order_by("number"))
    codebooks = codebooks_of(project)
    parameters = parameters_of(project, codebooks, scope, slices)
    if phase == 1:
        patterns_refresh(project=project)
    if phase == 1 and slices.pair is None:
        columns = kept_rows(project, rounds, parameters)
    else:
        with one_snapshot() as cursor:
            columns = counted_rows(cursor, codebooks, parameters, phase)
    rows = [row_of(*values) for values in columns]
    return Table(
        rows=rows,
        annotators=people_named(project, {number for row in rows for number in row.raters}),
        stages=stages_of(codebooks),
        measures=measures_of(codebooks),
    )


def parameters_of(project: Project, codebooks: Mapping[int, Codebook], scope: Scope, slices: Slices) -> dict[str, Any]:
    """Return the parameters that the statements share."""
    stages = [key for key, _ in stages_of(codebooks)]
    return {
        "project": project.pk,
        "batches": None,
        "scope": scope,
        "stages": stages if slices.stage is None else [slices.stage],
        "measures": json.dumps(measures_of(codebooks)),
        "orders": json.dumps(orders_of(codebooks)),
        "names": json.dumps(names_of(codebooks)),
        "stage": slices.stage,
        "rounds": None if slices.round is None else [slices.round],
        "of": slices.of,
        "pair": None if slices.pair is None else list(slices.pair),
    }


def measures_of(codebooks: Mapping[int, Codebook]) -> dict[str, Measure]:
    """Return {stage: measure of its answers}, where that is not nominal."""
    newest = newest_stages(codebooks)
    return {key: stage.measure for key, stage in newest.items() if stage.measure != "nominal"}


def orders_of(codebooks: Mapping[int, Codebook]) -> dict[str, list[str]]:
    """Return {ordinal stage: labels in order}, each by the newest codebook that has the stage."""
    return {key: list(stage.classes) for key, stage in newest_stages(codebooks).items() if stage.measure == "ordinal"}


def names_of(codebooks: Mapping[int, Codebook]) -> dict[str, dict[str, str]]:
    """Return {stage: {label: name}}, each by the newest codebook that has the label there."""
    names: dict[str, dict[str, str]] = {}
    for stage in (stage for codebook in codebooks.values() for stage in codebook.stages):
        names.setdefault(stage.key, {}).update({key: stage.name_of(key) for key in stage.classes})
    return names


def kept_rows(project: Project, rounds: Sequence[Batch], parameters: Mapping[str, Any]) -> list[list[Any]]:
    """Return the columns of table.sql, cached where nothing has changed.

    Rows of frozen batches stay cached, whatever is answered in others.
    """
    asked = parameters["rounds"]
    frozen = [batch for batch in rounds if batch.frozen_at is not None and asked in (None, [batch.number])]
    # Round 0 is all rounds together, so it changes with any of them.
    live = [0, *(batch.number for batch in rounds if batch.frozen_at is None)]
    live = [number for number in live if asked in (None, [number])]
    view = view_name(parameters)
    found: list[list[Any]] = []
    if frozen:
        its = {**parameters, "rounds": [batch.number for batch in frozen]}
        found += kept(
            project=project,
            view=f"{view} frozen",
            made_from=[rows_statement(parameters["scope"]), its, *frozen_state(project, frozen)],
            count=lambda cursor: counted_rows(cursor, {}, its),
            frozen=True,
        )
    if live:
        its_live = {**parameters, "rounds": live}
        found += kept(
            project=project,
            view=view,
            made_from=[rows_statement(parameters["scope"]), its_live],
            count=lambda cursor: counted_rows(cursor, {}, its_live),
        )
    places = {stage: place for place, stage in enumerate(parameters["stages"])}
    return sorted(found, key=lambda row: (places.get(row[0], len(places)), row[0], row[1] or 0, row[2], row[3]))


def kept(
    *,
    project: Project,
    view: str,
    made_from: Sequence[Any],
    count: Callable[[CursorWrapper], Any],
    frozen: bool = False,
) -> Any:
    """Return the result of `count`, cached until the project's counts or `made_from` change. It is JSON data.

    With `frozen`, the result concerns frozen batches only, and answers to other batches leave it cached.
    Then `made_from` must hold everything else that it depends on.
    """
    within = connection.in_atomic_block
    with one_snapshot() as cursor:
        cursor.execute(cache_statement(), {"project": project.pk, "view": view})
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
    """Return the rows of `count` over these batches' ids.

    Rows of frozen batches stay cached while people answer in others.
    The batches must have been read before the call, so that the counts now hold every answer of a frozen one.
    Of a frozen batch nothing changes except which of its people are raters.
    Rows of open batches must follow from the counts alone. They too are cached, until a count changes.
    """
    patterns_refresh(project=project)
    frozen = [batch for batch in batches if batch.frozen_at is not None]
    live = [batch.pk for batch in batches if batch.frozen_at is None]
    found: list[Any] = []
    if frozen:
        found += kept(
            project=project,
            view=f"{view} frozen",
            made_from=[*made_from, *frozen_state(project, frozen)],
            count=lambda cursor: count(cursor, [batch.pk for batch in frozen]),
            frozen=True,
        )
    if live:
        made = [*made_from, live]
        found += kept(project=project, view=f"{view} open", made_from=made, count=lambda cursor: count(cursor, live))
    return found


def frozen_state(project: Project, frozen: Iterable[Batch]) -> list[Any]:
    """Return all that the counts of frozen batches depend on: when each was frozen, and who is a rater."""
    times = sorted((batch.pk, str(batch.frozen_at)) for batch in frozen)
    raters = [list(each) for each in project.memberships.order_by("pk").values_list("pk", "role", "number")]
    return [times, raters]


def view_name(parameters: Mapping[str, Any]) -> str:
    """Return the name under which rows are cached.

    Rows of other parameters may replace them under the same name, but are never taken for them.
    """
    part = [parameters[name] for name in ("of", "stage", "rounds")]
    scope = str(parameters["scope"])
    return scope if part == ["all", None, None] else f"{scope} {stamp_of(*part)[:12]}"


def counted_rows(
    cursor: CursorWrapper, codebooks: Mapping[int, Codebook], parameters: Mapping[str, Any], phase: Phase = 1
) -> list[list[Any]]:
    """Count the rows of the agreement table, without the cache."""
    scope: Scope = parameters["scope"]
    if scope == "majority" and phase == 2:
        parameters = {**parameters, "settled": settled_now(cursor, codebooks, parameters, phase)}
    cursor.execute(rows_statement(scope, phase), parameters)
    return [[*row[:-3], *map(json.loads, row[-3:])] for row in cursor.fetchall()]


def stamp_of(*made_of: Any) -> str:
    """Return a hash of what a cached result was made from."""
    return hashlib.sha256(json.dumps(made_of).encode()).hexdigest()


def settled_now(
    cursor: CursorWrapper, codebooks: Mapping[int, Codebook], parameters: Mapping[str, Any], phase: Phase
) -> str:
    """Return the stages that the current majorities settle, in the form that statements over patterns take."""
    cursor.execute(profiles_statement(phase), parameters)
    return settled_stages(codebooks, cursor.fetchall())


def people_named(project: Project, numbers: Collection[int]) -> list[Membership]:
    """Return the project's members with these numbers, by number."""
    people = Membership.objects.filter(project=project, number__in=numbers).select_related("user")
    return list(people.order_by("number"))


def row_of(stage: str, round: int | None, a: int, b: int, *counted: Any) -> Row:
    """Return the row of one line of table.sql, whose counts stand in the order of Row's fields."""
    *counts, values, reason, errors = counted
    fields: list[Any] = [
        *(stage, round, (a, b) if a else None, *counts),
        {key: values[key] for key in BY_KEY},
        {key: jackknife_interval(key, values[key], *errors[key]) for key in BY_KEY if key in errors},
        {name: reason[name] for name in (*BY_KEY, *map("ci.{}".format, BY_KEY)) if name in reason},
    ]
    return Row(*fields)
