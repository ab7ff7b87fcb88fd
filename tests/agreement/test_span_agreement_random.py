"""Random marks against the reference, which works from the definitions by brute force."""

from collections.abc import Sequence
from itertools import combinations
from statistics import fmean

import pytest
from django.db import transaction
from hypothesis import HealthCheck, given, settings
from hypothesis import strategies as st

from annotation_app.agreement.span_selectors import SpanRow, span_agreement
from annotation_app.models import Membership
from tests.agreement import span_reference as reference
from tests.agreement.span_reference import Marked
from tests.agreement.span_tables import CATEGORIES, fill_spans, span_codebook
from tests.conftest import People

# Letters, an emoji of three code points, a combining mark, and white space of every kind that splits tokens.
PIECES = ["a", "bc", "👩‍🔬", "e\u0301", "ש", " ", "  ", "\t", "\r\n", "\u00a0", "\u2007", "\u3000", "\x1f"]
COMMENTS = ["", "", "ok", "ok then", "Größe 2", "👍"]
NAMES = "abc"


@st.composite
def texts(draw: st.DrawFn) -> str:
    return "".join(draw(st.lists(st.sampled_from(PIECES), min_size=1, max_size=9)))


@st.composite
def marks(draw: st.DrawFn, text: str) -> list[reference.Mark]:
    ends = st.tuples(st.integers(0, len(text)), st.integers(0, len(text))).filter(lambda pair: pair[0] != pair[1])
    found = draw(st.lists(st.tuples(ends, st.sampled_from(CATEGORIES[:2]), st.sampled_from(COMMENTS)), max_size=5))
    return [(min(ends), max(ends), category, comment) for ends, category, comment in found]


@st.composite
def items(draw: st.DrawFn) -> Marked:
    text = draw(texts())
    names = draw(st.sets(st.sampled_from(NAMES), min_size=1))
    return Marked(text, {name: draw(marks(text)) for name in sorted(names)})


ROUNDS = st.lists(st.lists(items(), min_size=1, max_size=3), min_size=1, max_size=2)


def means(pairs: Sequence[dict[str, float | None]]) -> dict[str, float | None]:
    found = {name: [pair[name] for pair in pairs if pair[name] is not None] for name in pairs[0]}
    averaged = {name: fmean(values) if values else None for name, values in found.items()}
    averaged["alpha_u_pair_mean"] = averaged.pop("alpha_u")
    return {name: value for name, value in averaged.items() if not name.endswith(("precision", "recall"))}


def check(row: SpanRow, expected: dict[str, float | None]) -> None:
    found = {name: row.figures[name].value for name in expected}
    assert found == {
        name: value if value is None else pytest.approx(value, abs=1e-12) for name, value in expected.items()
    }, row
    assert all(figure.reason for figure in row.figures.values() if figure.value is None)
    assert not any(figure.reason for figure in row.figures.values() if figure.value is not None)


def compare(people: People, members: dict[str, Membership], drawn: Sequence[Sequence[Marked]], iou: float) -> None:
    for number, made in enumerate(drawn, start=1):
        fill_spans(people.project, members, made, number=number)
    names = {member.number: name for name, member in members.items()}
    rounds = {None: [item for made in drawn for item in made], **dict(enumerate(drawn, start=1))}
    seen = set()
    for row in span_agreement(project=people.project, iou=iou).rows:
        made = rounds[row.round]
        together = [pair for pair in combinations(NAMES, 2) if reference.both(made, *pair)]
        if row.pair:
            a, b = (names[number] for number in row.pair)
            assert row.sizes.n_items == len(reference.both(made, a, b))
            check(row, reference.of_pair(made, a, b, row.category, iou))
        elif together:
            everyone = sorted({name for pair in together for name in pair})
            expected = means([reference.of_pair(made, *pair, row.category, iou) for pair in together])
            expected["alpha_u"] = reference.alpha_u(made, everyone, [row.category] if row.category else CATEGORIES)
            assert row.sizes.n_pairs == len(together)
            check(row, expected)
        seen.add((row.category, row.round, row.pair))
    assert seen == {
        (category, number, pair and tuple(members[name].number for name in pair))
        for number, made in rounds.items()
        for category in (*CATEGORIES, None)
        for pair in (None, *(pair for pair in combinations(NAMES, 2) if reference.both(made, *pair)))
        if number is None or any(len(item.marks) > 1 for item in made)
    }


def test_it_agrees_with_the_reference_on_random_marks(people: People) -> None:
    span_codebook(people.project)
    members = dict(zip(NAMES, people.annotators, strict=True))

    @settings(max_examples=60, suppress_health_check=list(HealthCheck), derandomize=True)
    @given(ROUNDS, st.sampled_from([0.1, 0.5, 0.75, 1.0]))
    def each(drawn: list[list[Marked]], iou: float) -> None:
        with transaction.atomic():
            compare(people, members, drawn, iou)
            transaction.set_rollback(True)

    each()
