"""Agreement on numbers, sets and free text, by hand."""

from collections.abc import Mapping, Sequence

import pytest

from annotation_app.aggregation.selectors import codebooks_of
from annotation_app.agreement.selectors import Row, agreement_table
from annotation_app.agreement.statistics import BY_KEY, NO_COEFFICIENT
from annotation_app.agreement.trend import agreement_trend
from tests.agreement.measured import MEASURED, fill_measured, measured_codebook
from tests.agreement.tables import Said, fill
from tests.conftest import People


def view(people: People, stage: str, items: Sequence[Sequence[str | None]]) -> Row:
    table = {
        f"i{number}": [None if each is None else Said({stage: each}) for each in row]
        for number, row in enumerate(items, 1)
    }
    raters = people.annotators[: len(items[0])]
    fill(people.project, raters, table, codebook=measured_codebook(people.project))
    rows = agreement_table(project=people.project, scope="all").rows
    return next(row for row in rows if row.stage == stage and row.round is None and row.pair is None)


def test_numbers_differ_by_their_square(people: People) -> None:
    """S1 = 19 and S2 = 73 over n = 6: 1 - 5 * (2 * 5 - 3^2) / (6 * 73 - 19^2) = 1 - 5 / 77."""
    row = view(people, "change", [["1", "2"], ["3", "3"], ["5", "5"]])
    assert row.values["alpha_interval"] == pytest.approx(72 / 77, abs=1e-15)
    assert row.values["percent_agreement"] == pytest.approx(2 / 3)
    assert row.reason["alpha_masi"] == "the answers of this stage are no sets of labels"
    assert row.reason["alpha_ordinal"] == "the labels of this stage have no order"


def test_sums_of_numbers_are_exact(people: People) -> None:
    """In floats the sums of such numbers would leave nothing of their small differences."""
    row = view(people, "change", [["999999999", "999999998.999999"], ["999999999.000001", "999999999.000001"]])
    # Less 999,999,998.999999, in millionths: 1 and 0, then 2 and 2. n = 4, S1 = 5, S2 = 9: 1 - 3 * 1 / (36 - 25).
    assert row.values["alpha_interval"] == pytest.approx(8 / 11, abs=1e-15)


def test_an_answer_that_is_no_number_leaves_no_value(people: People) -> None:
    row = view(people, "change", [["1", "high"], ["3", "3"]])
    assert (row.values["alpha_interval"], row.reason["alpha_interval"]) == (None, "undefined: high is no number")


def test_equal_numbers_alone_say_nothing(people: People) -> None:
    row = view(people, "change", [["1", "1"], ["1", "1"]])
    assert row.reason["alpha_interval"] == "undefined, no variation: every answer is 1"


def test_sets_are_nearer_the_more_they_share(people: People) -> None:
    """Anger and anger with joy: J = 1/2, M = 2/3, so that they are 1/3 near.

    The first item has (4 - 2 - 2/3) / 1 = 4/3. Of all answers, 36 - (1 + 9 + 4 + 2 * 3 * 1/3 + 2 * 2 * 1/3) = 56/3:
    1 - 5 * (4/3) / (56/3) = 9/14.
    """
    row = view(people, "feelings", [['["anger","joy"]', '["anger"]'], ['["anger"]'] * 2, ['["joy"]'] * 2])
    assert row.values["alpha_masi"] == pytest.approx(9 / 14, abs=1e-15)
    assert row.reason["alpha_interval"] == "the answers of this stage are no numbers"


def test_sets_that_overlap_and_empty_sets(people: People) -> None:
    """Anger with joy and fear with joy: J = 1/3, M = 1/3, so that they are 1/9 near. Nothing is near the empty set but
    itself. (4 - 2 - 2/9) / 1 = 16/9 within; 16 - (1 + 1 + 4 + 2/9) = 88/9: 1 - 3 * (16/9) / (88/9) = 5/11."""
    row = view(people, "feelings", [['["anger","joy"]', '["fear","joy"]'], ["[]", "[]"]])
    assert row.values["alpha_masi"] == pytest.approx(5 / 11, abs=1e-15)


def test_without_the_one_item_that_differs_sets_have_no_interval(people: People) -> None:
    """Over the other five items every answer is the same set, so that the coefficient is undefined there."""
    one, other = '["anger"]', '["anger","joy"]'
    row = view(people, "feelings", [[one, one]] * 5 + [[one, other]])
    assert row.values["alpha_masi"] is not None
    assert "alpha_nominal" not in row.ci and "alpha_masi" not in row.ci
    assert row.reason["ci.alpha_masi"] == row.reason["ci.alpha_nominal"]


@pytest.mark.parametrize("answer", ["anger", "ha,ha"])
def test_an_answer_that_is_no_set_leaves_no_value(people: People, answer: str) -> None:
    row = view(people, "feelings", [[answer, '["joy"]'], ['["joy"]'] * 2])
    assert (row.values["alpha_masi"], row.reason["alpha_masi"]) == (None, f"undefined: {answer} is no set of labels")


@pytest.mark.parametrize("items", [[["jobs", "jobs"], ["rates", "=1+1"]], [["[1", "]"], ["1.5", '["a"]']]])
def test_free_text_has_shares_and_no_coefficient(people: People, items: Sequence[Sequence[str]]) -> None:
    row = view(people, "why", items)
    shares: Mapping[str, float | None] = {key: row.values[key] for key, each in BY_KEY.items() if each.share_of}
    assert shares == dict.fromkeys(shares, sum(a == b for a, b in items) / 2)
    for key in set(BY_KEY) - set(shares):
        assert row.values[key] is None
        assert key in ("alpha_ordinal", "alpha_interval", "alpha_masi") or row.reason[key] == NO_COEFFICIENT


def test_each_kind_of_answers_has_its_own_coefficient_in_the_trend(people: People) -> None:
    """The trend names the coefficient, and has the value and interval that the table has of it."""
    project = people.project
    fill_measured(project, people.annotators, {"i1": "AAB", "i2": "BBB", "i3": "CCD", "i4": "ADA", "i5": "DDD"})
    rows = {row.stage: row for row in agreement_table(project=project, scope="all").rows if row.pair is None}
    batches, codebooks = list(project.batches.all()), codebooks_of(project)
    named = {}
    for stage in (each.key for each in MEASURED.values()):
        (point,) = agreement_trend(project=project, stage=stage, batches=batches, codebooks=codebooks).values()
        key = next((key for key, each in BY_KEY.items() if each.column == point.coefficient), None)
        assert point.alpha == (None if point.reason else pytest.approx(rows[stage].values[key], abs=1e-12))
        assert point.ci == (None if point.reason else pytest.approx(rows[stage].ci[key], abs=1e-12))
        named[stage] = (key, point.reason)
    assert named == {
        "topic": ("alpha_nominal", ""),
        "strength": ("alpha_ordinal", ""),
        "change": ("alpha_interval", ""),
        "feelings": ("alpha_masi", ""),
        "why": (None, NO_COEFFICIENT),
    }
