"""Hold every statistic of agreement to what it must do. A new one is covered by being registered."""

import io
import json
import re
from collections.abc import Callable
from itertools import product
from math import sqrt
from pathlib import Path
from typing import Any

import pytest
from django.core.management import call_command
from rest_framework.test import APIClient
from scipy.stats import t as student

from annotation_app.agreement.selectors import Row, agreement_table
from annotation_app.agreement.statistics import (
    BY_KEY,
    IOU,
    SPAN_STATISTICS,
    STATISTICS,
    Declared,
    SpanStatistic,
    Statistic,
)
from annotation_app.dashboards.report.report import project_report
from annotation_app.models import Membership
from annotation_app.releases.datasheet import datasheet_read
from annotation_app.releases.tables import agreement_file
from tests.agreement.measured import MEASURED, fill_measured
from tests.agreement.second_opinions import of_pair as of_two
from tests.agreement.second_opinions import opinions, patterns_in
from tests.agreement.span_reference import of_pair
from tests.agreement.span_tables import fill_spans, marked, span_codebook, view
from tests.conftest import People
from tests.dashboards.reports import table as table_of

pytestmark = pytest.mark.django_db
ClientOf = Callable[[Membership], APIClient]
DOCS = Path(__file__).parents[2] / "docs" / "methods"
SPANS_BY_KEY = {each.key: each for each in SPAN_STATISTICS}

# Every item has three answers, and every label occurs in several items.
VARIED = {"i1": "AAA", "i2": "BBB", "i3": "ABA", "i4": "CCC", "i5": "CBC", "i6": "DDB", "i7": "DDD"}
PERFECT = {"i1": "AAA", "i2": "BBB", "i3": "CCC"}
SAME = {"i1": "AAA", "i2": "AAA"}
SPLIT = {"i1": "ABC", "i2": "BCA", "i3": "CAB"}
# With missing answers, and an item with a single one.
SPARSE = {"i1": "AAA", "i2": "BB-", "i3": "AB-", "i4": "C--", "i5": "-CC", "i6": "DCD"}

every_statistic = pytest.mark.parametrize("statistic", STATISTICS, ids=lambda each: each.key)
every_span_statistic = pytest.mark.parametrize("statistic", SPAN_STATISTICS, ids=lambda each: each.key)


def rows(people: People, letters: dict[str, str]) -> list[Row]:
    """The rows of a question of each kind, answered alike."""
    fill_measured(people.project, people.annotators, letters)
    asked = {each.key for each in MEASURED.values()}
    return [row for row in agreement_table(project=people.project, scope="all").rows if row.stage in asked]


def stage_of(statistic: Statistic) -> str:
    """A stage of the kind of answers that it is for; of labels in an order where it is for every kind."""
    return MEASURED[statistic.measure or "ordinal"].key


def shown(found: list[Row], statistic: Statistic) -> Row:
    """The row of everyone; of the first pair where the statistic is of two people."""
    at_stage = [row for row in found if row.stage == stage_of(statistic)]
    return next(row for row in at_stage if (row.pair is not None) == statistic.is_of_pairs)


@pytest.mark.parametrize("declared", [*STATISTICS, *SPAN_STATISTICS], ids=lambda each: each.key)
def test_it_is_declared_in_full_sentences_with_a_paper_that_the_docs_cite(declared: Declared) -> None:
    registry: dict[str, Any] = BY_KEY if isinstance(declared, Statistic) else SPANS_BY_KEY
    assert re.fullmatch("[a-z][a-z0-9_]*", declared.key) and declared.title and declared.help.endswith(".")
    assert [each.title for each in registry.values()].count(declared.title) == 1
    assert declared.variant_of in {"", *registry} - {declared.key}
    if declared.paper:
        *authors, year = re.split(" and | ", declared.paper)
        cited = [line for line in (DOCS / "bibliography.md").read_text().split("\n- ") if f"({year})" in line]
        assert any(all(name in line for name in authors) for line in cited)
        assert declared.paper.replace(f" {year}", "") in (DOCS / "agreement.md").read_text()
    else:
        assert declared.share_of or getattr(declared, "beside", "")


def test_each_is_1_where_everyone_agrees_on_labels_that_vary(people: People) -> None:
    found = rows(people, PERFECT)
    assert {each.key: shown(found, each).values[each.key] for each in STATISTICS} == pytest.approx(
        dict.fromkeys(BY_KEY, 1)
    )


@pytest.mark.parametrize("letters", [VARIED, SAME, SPLIT, SPARSE], ids=["varied", "same", "split", "sparse"])
def test_each_keeps_to_its_range_and_has_either_a_value_or_a_reason(people: People, letters: dict[str, str]) -> None:
    for row, statistic in product(rows(people, letters), STATISTICS):
        lowest = 0 if statistic.share_of else -1
        value, interval = row.values[statistic.key], row.ci.get(statistic.key)
        assert (value is None) == (statistic.key in row.reason), statistic.key
        assert value is None or lowest <= value <= 1, statistic.key
        assert (interval is None) == (value is None or f"ci.{statistic.key}" in row.reason), statistic.key
        assert interval is None or lowest <= interval[0] <= interval[1] <= 1, statistic.key
        assert getattr(row, statistic.basis) <= row.n_items, statistic.key


@pytest.mark.parametrize("letters", [VARIED, SPARSE], ids=["varied", "sparse"])
def test_each_has_a_second_opinion_that_is_the_same(people: People, letters: dict[str, str]) -> None:
    found = rows(people, letters)
    numbers = [member.number for member in people.annotators]
    for measure, asked in MEASURED.items():
        patterns = patterns_in(letters.values(), numbers, asked.answers)
        for row in (each for each in found if each.stage == asked.key):
            of_row = of_two(patterns, row.pair) if row.pair else patterns
            values, intervals = opinions(of_row, row.raters, asked.order, row.pair is not None, measure=measure)
            for key in BY_KEY:
                assert row.values[key] == pytest.approx(values[key], abs=1e-12), (measure, key)
                assert row.ci.get(key) == pytest.approx(intervals.get(key), abs=1e-9), (measure, key)


def counted_from(file: Path, letters: dict[str, str]) -> list[dict[str, Any]]:
    """The rows over all rounds of `manage.py agreement`."""
    lines = [
        f"{item},{who},strength,{letter}"
        for item, row in letters.items()
        for who, letter in zip("abc", row, strict=True)
    ]
    file.write_text("\n".join(["item,annotator,stage,label", *lines]))
    out = io.StringIO()
    call_command("agreement", str(file), "--order", "A,B,C,D", stdout=out)
    found: list[dict[str, Any]] = json.loads(out.getvalue())["rows"]
    return found


def test_its_interval_is_the_jackknife_over_tables_that_lack_one_item(tmp_path: Path) -> None:
    """The statement leaves items out by arithmetic on totals (bags above 0); here each table is counted anew.

    A file has labels only; the second opinions above leave items out for the other kinds.
    """
    whole = counted_from(tmp_path / "answers.csv", VARIED)
    without = [
        counted_from(tmp_path / "answers.csv", {other: row for other, row in VARIED.items() if other != item})
        for item in VARIED
    ]
    n = len(VARIED)
    for statistic in (each for each in STATISTICS if each.measure in (None, "ordinal")):
        place = next(at for at, row in enumerate(whole) if (row["pair"] is not None) == statistic.is_of_pairs)
        value = whole[place][statistic.key]
        left = [found[place][statistic.key] for found in without]
        mean = sum(left) / n
        half = student.ppf(0.975, n - 1) * sqrt((n - 1) / n * sum((each - mean) ** 2 for each in left))
        limits = [max(value - half, 0 if statistic.share_of else -1), min(value + half, 1)]
        assert whole[place]["ci"][statistic.key] == pytest.approx(limits, abs=1e-9), statistic.key


@every_statistic
def test_it_appears_in_the_api_the_report_and_a_release(
    people: People, statistic: Statistic, client_of: ClientOf
) -> None:
    row = shown(rows(people, VARIED), statistic)
    value = row.values[statistic.key]
    body = (
        client_of(people.admin)
        .get(f"/api/projects/{people.project.uuid}/agreement/", {"stage": stage_of(statistic), "round": 0})
        .json()
    )
    (declared,) = [each for each in body["statistics"] if each["key"] == statistic.key]
    assert (declared["title"], declared["help"]) == (statistic.title, statistic.help)
    pair = list(row.pair) if row.pair else None
    assert [each[statistic.key] for each in body["rows"] if each["pair"] == pair] == [value]
    released = json.loads(b"".join(agreement_file(people.project, has_spans=False)))["phase_1"]["all"]
    assert round(value or 0, 8) in [each[statistic.key] for each in released if each["pair"] == pair]
    stages = table_of(project_report(project=people.project), "agreement_stages")
    columns = {column.name: place for place, column in enumerate(stages.columns)}
    card = datasheet_read(project=people.project).blocks["agreement"]
    if statistic.is_of_pairs:
        assert statistic.key not in columns
    else:
        assert stages.columns[columns[statistic.key]].title == statistic.column
        at_stage = [cells for cells in stages.rows if cells[0].key == stage_of(statistic)]
        assert value in [cells[columns[statistic.key]].value for cells in at_stage]
        assert (f"| {statistic.column} |" in card) == (not statistic.variant_of)


TEXT = "The board raised interest rates"
EQUAL = marked(TEXT, **{name: ["act: raised", ("motive", "interest", "why")] for name in "ab"})
OTHER = marked(TEXT, a=["act: The board"], b=["act: board", ("motive", "rates", "so")])


@pytest.fixture
def team(people: People) -> dict[str, Membership]:
    span_codebook(people.project)
    return dict(zip("ab", people.annotators, strict=False))


def test_on_spans_each_is_1_where_two_people_mark_the_same(people: People, team: dict[str, Membership]) -> None:
    fill_spans(people.project, team, [EQUAL])
    figures = view(people.project, "motive", *team.values()).figures
    # How much is marked is no agreement, and of a pair there is no mean.
    expected = dict.fromkeys(SPANS_BY_KEY, 1) | {"token_share": 1 / 5, "alpha_u_pair_mean": None}
    assert {key: figure.value for key, figure in figures.items()} == pytest.approx(expected)


def test_on_spans_each_has_either_a_value_or_a_reason_and_the_mean_of_the_pairs(
    people: People, team: dict[str, Membership]
) -> None:
    fill_spans(people.project, team, [EQUAL, OTHER])
    for category in ("act", "actor", "motive", None):
        pair = view(people.project, category, *team.values()).figures
        together = view(people.project, category).figures
        for key, statistic in SPANS_BY_KEY.items():
            assert (pair[key].value is None) == bool(pair[key].reason), key
            assert (together[key].value is None) == bool(together[key].reason), key
            value = pair[key].value
            assert value is None or (0 if statistic.share_of else -1) <= value <= 1, key
            if statistic.file and statistic.mean is not None:
                assert together[statistic.mean or key].value == value, key


def test_on_spans_each_has_a_second_opinion_that_is_the_same(people: People, team: dict[str, Membership]) -> None:
    fill_spans(people.project, team, [EQUAL, OTHER])
    for category in ("act", "motive"):
        figures = view(people.project, category, *team.values()).figures
        opinion = of_pair([EQUAL, OTHER], "a", "b", category, IOU)
        found = {key: figures[key].value for key, statistic in SPANS_BY_KEY.items() if statistic.file}
        assert found == pytest.approx(opinion)


@every_span_statistic
def test_on_spans_it_appears_in_the_api_and_a_release(
    people: People, team: dict[str, Membership], statistic: SpanStatistic, client_of: ClientOf
) -> None:
    fill_spans(people.project, team, [EQUAL, OTHER])
    body = client_of(people.admin).get(f"/api/projects/{people.project.uuid}/span-agreement/").json()
    (declared,) = [each for each in body["statistics"] if each["key"] == statistic.key]
    assert (declared["title"], declared["help"]) == (statistic.title, statistic.help)
    assert all(statistic.key in row["figures"] for row in body["rows"])
    released = json.loads(b"".join(agreement_file(people.project, has_spans=True)))["spans"]["rows"]
    assert all(statistic.key in row["figures"] for row in released)
    card = datasheet_read(project=people.project).blocks["agreement"]
    is_shown = statistic.about == "spans" and not (statistic.beside or statistic.variant_of)
    assert (f"| {statistic.title} |" in card) == is_shown
