"""Random tables against second opinions: the `krippendorff` package, and formulas written here from the definitions."""

from collections import Counter
from collections.abc import Sequence
from itertools import combinations

import krippendorff
import numpy as np
import pytest
from django.db import transaction
from hypothesis import HealthCheck, given, settings
from hypothesis import strategies as st

from annotation_app.agreement.selectors import Row, agreement_table
from tests.agreement.tables import at, fill
from tests.conftest import People
from tests.factories import make_member

LETTERS = "ABCD"
LABELS = {letter: f"label_{letter.lower()}" for letter in LETTERS}
Table = list[str]


@st.composite
def tables(draw: st.DrawFn) -> list[Table]:
    """One or two rounds of 1 to 8 items by 2 to 5 raters with 2 to 4 labels and missing answers."""
    raters = draw(st.integers(2, 5))
    letters = LETTERS[: draw(st.integers(2, 4))] + "-"
    row = st.text(alphabet=letters, min_size=raters, max_size=raters)
    return draw(st.lists(st.lists(row, min_size=1, max_size=8), min_size=1, max_size=2))


def of_pair(table: Table, first: int, second: int) -> Table:
    return [row[first] + row[second] for row in table]


def alpha(table: Table) -> float | None:
    """None where the package has no value: fewer than two labels in the units."""
    units = [row for row in table if len(row.replace("-", "")) >= 2]
    if len(set("".join(units)) - {"-"}) < 2:
        return None
    counts = np.array([[row.count(letter) for letter in LETTERS] for row in units])
    return float(krippendorff.alpha(value_counts=counts, level_of_measurement="nominal"))


def fleiss(table: Table) -> float | None:
    """Fleiss' kappa from its definition: how often two raters of an item agree, against two answers at large."""
    present = [position for position in range(len(table[0])) if any(row[position] != "-" for row in table)]
    complete = ["".join(row[p] for p in present) for row in table if all(row[p] != "-" for p in present)]
    if not complete or len(present) < 2:
        return None
    agreeing = [pair[0] == pair[1] for row in complete for pair in combinations(row, 2)]
    observed = sum(agreeing) / len(agreeing)
    answers = Counter("".join(complete))
    expected = sum((n / answers.total()) ** 2 for n in answers.values())
    return None if len(answers) == 1 else (observed - expected) / (1 - expected)


def percent(table: Table) -> float | None:
    pairs = [pair for row in table for pair in combinations(row.replace("-", ""), 2)]
    return sum(a == b for a, b in pairs) / len(pairs) if pairs else None


def check(row: Row, table: Table) -> None:
    expected = {"percent_agreement": percent(table), "fleiss_kappa": fleiss(table), "alpha_nominal": alpha(table)}
    assert row.values == {
        name: value if value is None else pytest.approx(value, abs=1e-12) for name, value in expected.items()
    }
    assert set(row.reason) == {name for name, value in expected.items() if value is None}
    assert all(row.reason.values())
    answers = [len(line.replace("-", "")) for line in table]
    assert row.n_items == sum(n >= 1 for n in answers)
    assert row.n_units == sum(n >= 2 for n in answers)


def compare(people: People, drawn: Sequence[Table]) -> None:
    raters = people.annotators[: len(drawn[0][0])]
    for number, table in enumerate(drawn, start=1):
        letters = {f"{number}-{i}": row for i, row in enumerate(table)}
        fill(people.project, raters, at("opinion", letters, LABELS), number=number)
    rows = [row for row in agreement_table(project=people.project, scope="all").rows if row.stage == "opinion"]
    rounds: dict[int | None, Table] = {None: [row for table in drawn for row in table], **dict(enumerate(drawn, 1))}
    places = {member.number: position for position, member in enumerate(raters)}
    for row in rows:
        table = rounds[row.round]
        check(row, of_pair(table, *(places[number] for number in row.pair)) if row.pair else table)
    answered = {
        number: {i for line in table for i, c in enumerate(line) if c != "-"} for number, table in rounds.items()
    }
    assert len(rows) == sum(
        len(who) * (len(who) - 1) // 2 + 1 for number, who in answered.items() if who or number is None
    )


def test_it_agrees_with_second_opinions_on_random_tables(people: People) -> None:
    people.annotators.extend(make_member(people.project, name, "annotator") for name in ("dora", "emil"))

    @settings(max_examples=40, deadline=None, suppress_health_check=list(HealthCheck), derandomize=True)
    @given(tables())
    def each(drawn: list[Table]) -> None:
        with transaction.atomic():
            compare(people, drawn)
            transaction.set_rollback(True)

    each()
