"""Krippendorff's alpha for unitizing: published figures and small tables worked by hand."""

import pytest

from annotation_app.agreement.span_selectors import Figure
from annotation_app.models import Membership
from tests.agreement import span_reference as reference
from tests.agreement.span_reference import Marked
from tests.agreement.span_tables import fill_spans, rounded, span_codebook, view
from tests.conftest import People

Team = dict[str, Membership]


@pytest.fixture
def team(people: People) -> Team:
    span_codebook(people.project)
    return dict(zip("abc", people.annotators, strict=True))


def units(length: int, **by: list[tuple[int, int]]) -> Marked:
    return Marked("x" * length, {name: [(*where, "act", "") for where in found] for name, found in by.items()})


def test_it_gives_the_published_figures(people: People, team: Team) -> None:
    """Krippendorff, Content Analysis, 2nd ed. (2004), p. 254: a continuum of 300 from 150 on, observers i and j."""
    ours = [(225, 295, "act"), (370, 400, "act"), (180, 240, "actor"), (300, 350, "actor")]
    theirs = [(220, 300, "act"), (355, 375, "act"), (400, 420, "act"), (180, 240, "actor"), (300, 350, "actor")]
    item = Marked(
        "x" * 300,
        {
            name: [(start - 150, end - 150, key, "") for start, end, key in found]
            for name, found in (("a", ours), ("b", theirs))
        },
    )
    fill_spans(people.project, team, [item])
    pair = (team["a"], team["b"])
    # Category c: 5^2 + 5^2, 15^2 + 25^2, and 20^2 in a gap are 1300; over L^2 = 90 000 that is 0.0144.
    # Expected 0.0532, alpha 0.7286 there. The reference, which goes through every place, gives the same.
    assert [round(part, 4) for part in reference.disagreement([item], "ab", "act")] == [0.0144, 0.0532]
    assert round(view(people.project, "act", *pair).figures["alpha_u"].value, 4) == 0.7286
    # Category k: both marked the same.
    assert view(people.project, "actor", *pair).figures["alpha_u"] == Figure(1, 4)
    # Both: 1 - (0.0144 + 0) / (0.0532 + 0.0490), which the book rounds to 0.8591 and exact sums make 0.8587.
    assert round(view(people.project, None, *pair).figures["alpha_u"].value, 4) == 0.8587


def test_it_gives_the_worked_value(people: People, team: Team) -> None:
    fill_spans(people.project, team, [units(10, a=[(2, 6)], b=[(4, 8)])])
    # Observed: 2^2 + 2^2 both ways over 2 * 1 * 10^2 = 16/200.
    # Expected: N = 2 units of l = 4, (2 * 64 - 3 * 16 + 4) / 3 = 28 each; gaps 2, 4 and 4, 2, of which two are long
    # enough with one place each, 16 * 2 = 32 each: 2/10 * 120 / (20 * 19 - 2 * 12) = 24/356.
    # 1 - 0.08 * 356 / 24 = -14/75.
    row = view(people.project, "act", team["a"], team["b"])
    assert rounded(row.figures["alpha_u"]) == Figure(round(-14 / 75, 12), 2)
    assert (row.sizes.alpha_items, row.sizes.alpha_length, row.sizes.alpha_merged) == (1, 10, 0)


def test_a_unit_beside_a_gap_differs_by_its_whole_length(people: People, team: Team) -> None:
    fill_spans(people.project, team, [units(10, a=[(2, 6)], b=[])])
    # Observed 4^2 both ways over 200 = 16/100. Expected: alone, so only gaps: of 2, 4 and 10 the 4 has one place and
    # the 10 has seven, 16 * 8 = 128: 2/10 * 128 / (20 * 19 - 12) = 25.6/368. 1 - 0.16 * 368 / 25.6 = -1.3.
    assert rounded(view(people.project, "act", team["a"], team["b"]).figures["alpha_u"]) == Figure(-1.3, 1)


def test_overlapping_spans_of_one_person_are_one_unit(people: People, team: Team) -> None:
    fill_spans(people.project, team, [units(10, a=[(2, 5), (4, 6), (2, 6)], b=[(4, 8)])])
    row = view(people.project, "act", team["a"], team["b"])
    assert rounded(row.figures["alpha_u"]) == Figure(round(-14 / 75, 12), 2)
    assert row.sizes.alpha_merged == 2


def test_spans_that_touch_stay_apart(people: People, team: Team) -> None:
    fill_spans(people.project, team, [units(6, a=[(0, 2), (2, 4)], b=[(0, 4)])])
    # Observed: [0, 2) 0 + 2^2, [2, 4) 2^2 + 0, both ways: 16 / (2 * 36) = 2/9.
    # Expected, N = 3: l = 2 gives 2/3 * (16 - 12 + 2) = 4, twice; l = 4 gives 2/3 * (128 - 48 + 4) = 56. Gaps 2 and 2:
    # l = 2 has one place in each, 4 * 2 = 8, twice; l = 4 none. 2/6 * (8 + 56 + 16) / (12 * 11 - 2 - 2 - 12) = 20/87.
    # 1 - 2/9 * 87/20 = 1/30.
    row = view(people.project, "act", team["a"], team["b"])
    assert rounded(row.figures["alpha_u"]) == Figure(round(1 / 30, 12), 3)
    assert row.sizes.alpha_merged == 0


def test_texts_stand_one_after_the_other(people: People, team: Team) -> None:
    fill_spans(people.project, team, [units(5, a=[(2, 5)], b=[(4, 5)]), units(5, a=[(0, 1)], b=[(0, 3)])])
    # On one continuum of 10: a [2, 5) [5, 6), b [4, 5) [5, 8), which do not overlap across the two texts.
    # Observed: 2^2 + 0 and 0 + 2^2, both ways: 16/200.
    # Expected, N = 4, l = 3, 1, 1, 3: 3/3 * (54 - 27 + 3) = 30 and 0; gaps 2, 4 and 4, 2: l = 3 has two places in each
    # of the 4s, 9 * 4 = 36; l = 1 has 2 + 4 + 4 + 2 = 12. 2/10 * (60 + 72 + 24) / (20 * 19 - 12) = 31.2/368.
    # 1 - 0.08 * 368 / 31.2 = 11/195.
    row = view(people.project, "act", team["a"], team["b"])
    assert rounded(row.figures["alpha_u"]) == Figure(round(11 / 195, 12), 4)
    assert (row.sizes.alpha_items, row.sizes.alpha_length) == (2, 10)


def test_three_people_are_compared_at_once(people: People, team: Team) -> None:
    third = units(10, a=[(2, 6)], b=[(2, 6)], c=[(2, 6)])
    fill_spans(people.project, team, [units(10, a=[(2, 6)], b=[(2, 6)], c=[(4, 8)]), units(10, a=[], b=[(1, 9)])])
    # Over the first text alone, as Charlie does not have the second. Observed: a-c and b-c 8 each, both ways:
    # 32 / (3 * 2 * 100). Expected, N = 3 of l = 4: 2 * 28 = 56 each; gaps 2, 4, 2, 4, 4, 2: three with one place,
    # 16 * 3 = 48 each: 2/10 * 3 * 104 / (30 * 29 - 36) = 62.4/834. 1 - 32/600 * 834 / 62.4 = 0.287179...
    row = view(people.project, "act")
    assert rounded(row.figures["alpha_u"]) == Figure(round(1 - 32 / 600 * 834 / 62.4, 12), 3)
    assert (row.sizes.alpha_items, row.sizes.alpha_length, row.sizes.n_items) == (1, 10, 2)
    pairs = [view(people.project, "act", team[a], team[b]).figures["alpha_u"].value for a, b in ("ab", "ac", "bc")]
    assert row.figures["alpha_u_pair_mean"].value == pytest.approx(sum(pairs) / 3, abs=1e-12)
    fill_spans(people.project, team, [third], number=2)
    assert view(people.project, "act", round=2).figures["alpha_u"] == Figure(1, 3)


def test_it_has_no_value_where_nothing_could_lie_elsewhere(people: People, team: Team) -> None:
    fill_spans(people.project, team, [units(1, a=[(0, 1)], b=[(0, 1)])])
    reason = "no variation: no other place for what is marked"
    assert view(people.project, "act", team["a"], team["b"]).figures["alpha_u"] == Figure(None, 2, reason)


def test_all_categories_need_one_continuum(people: People, team: Team) -> None:
    fill_spans(people.project, team, [units(10, a=[(2, 6)], b=[(2, 6)])])
    newer = span_codebook(people.project, ("act", "evidence"))
    fill_spans(people.project, team, [units(10, a=[(2, 6)], b=[(2, 6)])], number=2, codebook=newer)
    pair = (team["a"], team["b"])
    row = view(people.project, "evidence", *pair)
    assert (row.sizes.n_items, row.sizes.alpha_length) == (1, 10)
    assert view(people.project, "act", *pair).sizes.alpha_length == 20
    reason = "given by category: not every item's codebook has them all"
    assert view(people.project, None, *pair).figures["alpha_u"] == Figure(None, 4, reason)
    assert view(people.project, None, *pair, round=2).figures["alpha_u"] == Figure(1, 2)
