"""Slices of the agreement table: what is asked for alone is counted, and frozen rounds are kept."""

from collections.abc import Callable
from typing import Any

import pytest
from django.db import connection
from django.test.utils import CaptureQueriesContext
from django.utils import timezone

from annotation_app.agreement.selectors import Row, Slices, agreement_table
from annotation_app.models import AgreementCache, Assignment, Membership
from tests.agreement.tables import Said, at, fill, revise
from tests.agreement.views import pair_of, view
from tests.agreement.worked import WORKED
from tests.conftest import People
from tests.floats import rounded


@pytest.mark.parametrize("scope", ["all", "majority"])
def test_it_takes_the_same_number_of_statements_however_much_there_is(people: People, scope: str) -> None:
    def queries() -> int:
        with CaptureQueriesContext(connection) as captured:
            agreement_table(project=people.project, scope=scope)
        return len(captured)

    fill(people.project, people.annotators, at("opinion", WORKED))
    few = queries()
    # A second look finds the rows as they were kept.
    kept = queries()
    assert kept < few
    for number in range(2, 6):
        letters = {f"{item}-{number}": row for item, row in WORKED.items()}
        fill(people.project, people.annotators, at("opinion", letters), number=number)
    # The kept rows are written over, where they were first made before.
    assert queries() <= few
    assert queries() == kept


def test_it_counts_only_the_views_that_are_asked_for(people: People) -> None:
    """Whatever is left out changes no row that is left."""
    for number in (1, 2):
        letters = {f"{item}-{number}": row for item, row in WORKED.items()}
        fill(people.project, people.annotators, at("opinion", letters), number=number)
    mp = {"i9": [Said({"opinion": "yes", "mp": label}) for label in ("yes", "no", "yes")]}
    fill(people.project, people.annotators, mp, number=3)
    whole = agreement_table(project=people.project, scope="all").rows

    def rows(**chosen: Any) -> list[Row]:
        return agreement_table(project=people.project, scope="all", slices=Slices(**chosen)).rows

    def left(keep: Callable[[Row], bool]) -> list[dict[str, Any]]:
        return rounded([vars(row) for row in whole if keep(row)])

    def given(found: list[Row]) -> list[dict[str, Any]]:
        return rounded([vars(row) for row in found])

    assert given(rows(of="everyone")) == left(lambda row: row.pair is None)
    assert given(rows(of="pairs")) == left(lambda row: row.pair is not None)
    assert given(rows(stage="mp")) == left(lambda row: row.stage == "mp")
    assert given(rows(round=2)) == left(lambda row: row.round == 2)
    assert given(rows(round=0, stage="opinion")) == left(lambda row: (row.round, row.stage) == (None, "opinion"))
    pair = pair_of(*people.annotators[:2])
    assert given(rows(of="pairs", pair=pair)) == left(lambda row: row.pair == pair)
    # Kept apart from each other, and made anew after a change.
    fill(people.project, people.annotators, at("opinion", {"new": "YYY"}), number=4)
    assert [row.round for row in rows(of="everyone", stage="opinion")] == [None, 1, 2, 3, 4]


def test_rows_of_frozen_rounds_are_kept_and_stand_in_their_place(people: People) -> None:
    for number in (1, 2, 3):
        letters = {f"{item}-{number}": row for item, row in WORKED.items()}
        fill(people.project, people.annotators, at("opinion", letters), number=number)
    before = agreement_table(project=people.project, scope="all").rows
    people.project.batches.filter(number__in=(1, 3)).update(frozen_at=timezone.now())
    assert rounded([vars(row) for row in agreement_table(project=people.project, scope="all").rows]) == rounded(
        [vars(row) for row in before]
    )
    # A mark in what was kept shows where it is read again.
    kept = AgreementCache.objects.get(project=people.project, view="all frozen")
    assert {row[1] for row in kept.rows} == {1, 3}
    kept.rows[0][5] = 77
    kept.save()
    batch = people.project.batches.get(number=2)
    row = Assignment.objects.filter(batch_item__batch=batch).first()
    assert row is not None
    revise(batch, [(row, {"opinion": "ambiguous"})], revision=2)
    assert view(people.project, round=1).n_items == 77
    assert view(people.project, round=2).values != view(people.project, round=3).values
    # Who is a rater is not frozen.
    Membership.objects.filter(pk=people.annotators[2].pk).update(role="adjudicator")
    assert view(people.project, round=1).raters == [2, 3]
