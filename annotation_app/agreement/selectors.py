"""The agreement table of a project."""

import json
from collections.abc import Iterable, Iterator, Mapping
from contextlib import contextmanager
from dataclasses import dataclass
from typing import Any

from django.db import connection, transaction
from django.db.backends.utils import CursorWrapper

from annotation_app.aggregation.rules import settled
from annotation_app.aggregation.selectors import codebooks_of, stages_of
from annotation_app.aggregation.statements import TUNED, Phase
from annotation_app.agreement.statements import STATISTICS, Scope, profiles_statement, rows_statement
from annotation_app.codebook.stages import Codebook
from annotation_app.models import Batch, Membership, Project


@dataclass(frozen=True)
class Row:
    """One view: a stage, one round or all (None), one pair of raters or everyone (None).

    n_items: items with an answer from someone under view. n_units: items with two or more. fleiss_items: items answered
    by everyone under view. `values` holds each statistic, None where `reason` says why; agreement is a share of 1.
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


@dataclass(frozen=True)
class Table:
    rows: list[Row]
    annotators: list[Membership]
    # (key, title) in the order of the newest codebook that has the stage.
    stages: list[tuple[str, str]]


def agreement_table(
    *, project: Project, scope: Scope, batches: Iterable[Batch] | None = None, phase: Phase = 1
) -> Table:
    """Every statistic by stage, round and pair, from the database, over the project's rounds.

    `scope` majority keeps, stage by stage, the items that reached a majority there. `batches` names others than those
    of the rounds; all of one kind, since their numbers stand as rounds. `phase` 2 takes the answers of second looks in
    place of the independent ones, where somebody took one. The number of statements does not grow with
    the data.
    """
    codebooks = codebooks_of(project)
    stages = stages_of(codebooks)
    named = None if batches is None else [batch.pk for batch in batches]
    with one_snapshot() as cursor:
        parameters: dict[str, Any] = {"project": project.pk, "batches": named, "stages": [key for key, _ in stages]}
        if scope == "majority":
            cursor.execute(profiles_statement(phase), parameters)
            parameters["settled"] = json.dumps(_settled(codebooks, cursor.fetchall()))
        cursor.execute(rows_statement(scope, phase), parameters)
        names = [column.name for column in cursor.description]
        rows = [_row(dict(zip(names, values, strict=True))) for values in cursor.fetchall()]
    numbers = {number for row in rows for number in row.raters}
    people = Membership.objects.filter(project=project, number__in=numbers).select_related("user").order_by("number")
    return Table(rows=rows, annotators=list(people), stages=stages)


@contextmanager
def one_snapshot() -> Iterator[CursorWrapper]:
    """All statements see the same rows, unless the caller's own transaction has chosen its isolation before."""
    chosen = connection.in_atomic_block
    with transaction.atomic(), connection.cursor() as cursor:
        if not chosen:
            cursor.execute("SET TRANSACTION ISOLATION LEVEL REPEATABLE READ, READ ONLY")
        cursor.execute(TUNED)
        yield cursor


def _settled(codebooks: Mapping[int, Codebook], profiles: Iterable[tuple[int, str, str]]) -> dict[str, list[str]]:
    """Stages with an aggregated label, by the profile's name."""
    return {name: list(settled(codebooks[codebook], json.loads(majorities))) for codebook, majorities, name in profiles}


def _row(values: Mapping[str, Any]) -> Row:
    reasons = {name: values[f"{name}_reason"] for name in STATISTICS}
    return Row(
        stage=values["stage"],
        round=values["round"],
        pair=(values["a"], values["b"]) if values["a"] else None,
        raters=values["raters"],
        n_items=values["n_items"],
        n_units=values["n_units"],
        fleiss_items=values["fleiss_items"],
        values={name: values[name] for name in STATISTICS},
        reason={name: reason for name, reason in reasons.items() if reason},
    )
