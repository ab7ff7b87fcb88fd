"""Random tables against second opinions: packages, and formulas written from the definitions."""

from collections.abc import Sequence

import pytest
from django.db import transaction
from hypothesis import HealthCheck, given, settings
from hypothesis import strategies as st

from annotation_app.agreement.selectors import Row, agreement_table
from tests.agreement.second_opinions import Patterns, of_pair, opinions, patterns_in
from tests.agreement.tables import at, fill
from tests.conftest import People
from tests.factories import make_member

LETTERS = "ABCD"
# The demo's mp_context is ordinal.
ORDER = ("sentence", "utterance", "minus_5_sentences", "minus_200_tokens")
LABELS = dict(zip(LETTERS, ORDER, strict=True))
Table = list[str]


@st.composite
def tables(draw: st.DrawFn) -> list[Table]:
    """One or two rounds of 1 to 8 items by 2 to 5 raters with 2 to 4 labels and missing answers."""
    raters = draw(st.integers(2, 5))
    letters = LETTERS[: draw(st.integers(2, 4))] + "-"
    row = st.text(alphabet=letters, min_size=raters, max_size=raters)
    return draw(st.lists(st.lists(row, min_size=1, max_size=8), min_size=1, max_size=2))


def check(row: Row, patterns: Patterns, order: Sequence[str] | None) -> None:
    values, intervals = opinions(patterns, row.raters, order, row.pair is not None)
    assert row.values == {
        name: value if value is None else pytest.approx(value, abs=1e-12) for name, value in values.items()
    }
    assert row.ci == {name: pytest.approx(interval, abs=1e-9) for name, interval in intervals.items()}
    without = {name for name, value in values.items() if value is None}
    no_interval = {f"ci.{name}" for name in values if name not in intervals and name not in without}
    assert set(row.reason) == without | no_interval
    assert all(row.reason.values())
    assert row.n_items == patterns.total()
    assert row.n_units == sum(n for pattern, n in patterns.items() if len(pattern) >= 2)


def compare(people: People, drawn: Sequence[Table], stage: str) -> None:
    raters = people.annotators[: len(drawn[0][0])]
    for number, table in enumerate(drawn, start=1):
        letters = {f"{number}-{i}": row for i, row in enumerate(table)}
        fill(people.project, raters, at(stage, letters, LABELS), number=number)
    rows = [row for row in agreement_table(project=people.project, scope="all").rows if row.stage == stage]
    rounds: dict[int | None, Table] = {None: [row for table in drawn for row in table], **dict(enumerate(drawn, 1))}
    numbers = [member.number for member in raters]
    order = ORDER if stage == "mp_context" else None
    for row in rows:
        patterns = patterns_in(rounds[row.round], numbers, LABELS)
        check(row, of_pair(patterns, row.pair) if row.pair else patterns, order)
    answered = {
        number: {i for line in table for i, c in enumerate(line) if c != "-"} for number, table in rounds.items()
    }
    assert len(rows) == sum(
        len(who) * (len(who) - 1) // 2 + 1 for number, who in answered.items() if who or number is None
    )


@pytest.mark.parametrize("stage", ["mp_context", "opinion"])
def test_it_agrees_with_second_opinions_on_random_tables(people: People, stage: str) -> None:
    people.annotators.extend(make_member(people.project, name, "annotator") for name in ("dora", "emil"))

    @settings(max_examples=40, suppress_health_check=list(HealthCheck), derandomize=True)
    @given(tables())
    def each(drawn: list[Table]) -> None:
        with transaction.atomic():
            compare(people, drawn, stage)
            transaction.set_rollback(True)

    each()
