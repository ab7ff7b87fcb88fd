"""Agreement on spans against values worked by hand, over real rows."""

import sys

import pytest

from annotation_app.agreement.span_selectors import NOBODY, NOT_EVERYONE, Figure
from annotation_app.models import Membership, Project
from tests.agreement.span_reference import Marked
from tests.agreement.span_tables import fill_spans, marked, rounded, span_codebook, view
from tests.conftest import People

# 31 code points, five tokens: The [0, 3) board [4, 9) raised [10, 16) interest [17, 25) rates [26, 31).
TEXT = "The board raised interest rates"

Team = dict[str, Membership]


@pytest.fixture
def team(people: People) -> Team:
    """Alice, Bob and Charlie, numbers 2 to 4, and a codebook of the categories act, actor and motive."""
    span_codebook(people.project)
    return dict(zip("abc", people.annotators, strict=True))


def figures(project: Project, category: str | None, *pair: Membership, iou: float = 0.5) -> dict[str, Figure]:
    found = view(project, category, *pair, iou=iou).figures
    return {name: rounded(figure) for name, figure in found.items()}


def value(number: float, n: int, pairs: int | None = None) -> Figure:
    return Figure(round(number, 12), n, pairs=pairs)


def test_exact_matches_are_counted_one_to_one(people: People, team: Team) -> None:
    both = marked(
        TEXT, a=["act: raised interest rates", "actor: The board"], b=["act: raised interest rates", "actor: board"]
    )
    one_more = marked(TEXT, a=["act: rates"], b=["act: rates", "act: board"])
    fill_spans(people.project, team, [both, one_more])
    pair = (team["a"], team["b"])
    # act: 2 of Alice's 2 and Bob's 3 match, 2 * 2 / 5. actor: another start. All: 2 * 2 / 7.
    assert figures(people.project, "act", *pair)["exact_f1"] == value(4 / 5, 5)
    assert figures(people.project, "actor", *pair)["exact_f1"] == value(0, 2)
    assert figures(people.project, None, *pair)["exact_f1"] == value(4 / 7, 7)
    row = view(people.project, None, *pair)
    assert (row.sizes.n_items, row.sizes.n_a, row.sizes.n_b, row.sizes.n_matched) == (2, 3, 4, 2)


def test_a_range_marked_twice_matches_twice_only_if_both_did(people: People, team: Team) -> None:
    twice = [("act", "rates", ""), ("act", "rates", "cut"), ("act", "The", ""), ("act", "The", "who")]
    fill_spans(people.project, team, [marked(TEXT, a=twice, b=[*twice[:1], *twice[2:]])])
    # One of "rates" and both of "The": 2 * 3 / (4 + 3).
    assert figures(people.project, "act", team["a"], team["b"])["exact_f1"] == value(6 / 7, 7)


def test_another_category_is_no_match(people: People, team: Team) -> None:
    fill_spans(people.project, team, [marked(TEXT, a=["act: rates"], b=["motive: rates"])])
    found = figures(people.project, None, team["a"], team["b"])
    assert found["exact_f1"] == found["overlap_any_f1"] == found["overlap_iou_f1"] == value(0, 2)


def test_overlap_asks_each_side_for_a_partner(people: People, team: Team) -> None:
    fill_spans(
        people.project,
        team,
        [marked(TEXT, a=["act: board raised interest", "act: The"], b=["act: raised", "act: raised interest"])],
    )
    found = figures(people.project, "act", team["a"], team["b"])
    # Alice's [4, 25) meets both of Bob's, her [0, 3) none: precision 1/2, recall 2/2, F1 2 * 1/2 / (3/2) = 2/3.
    assert found["overlap_any_precision"] == value(1 / 2, 2)
    assert found["overlap_any_recall"] == value(1, 2)
    assert found["overlap_any_f1"] == value(2 / 3, 4)
    # [4, 25) and [10, 25): 15/21 is enough. [4, 25) and [10, 16): 6/21 is not. So 1/2 and 1/2.
    assert found["overlap_iou_precision"] == found["overlap_iou_recall"] == value(1 / 2, 2)
    assert found["overlap_iou_f1"] == value(1 / 2, 4)
    # With 5/7 = 15/21 it is just enough still, and above it no longer.
    assert figures(people.project, "act", team["a"], team["b"], iou=5 / 7)["overlap_iou_f1"] == value(1 / 2, 4)
    assert figures(people.project, "act", team["a"], team["b"], iou=0.72)["overlap_iou_f1"] == value(0, 4)


def test_spans_that_touch_do_not_overlap(people: People, team: Team) -> None:
    made = Marked(TEXT, {"a": [(0, 9, "act", "")], "b": [(9, 16, "act", "")]})
    fill_spans(people.project, team, [made])
    assert figures(people.project, "act", team["a"], team["b"])["overlap_any_f1"] == value(0, 2)


def test_kappa_is_over_the_tokens_that_spans_touch(people: People, team: Team) -> None:
    # Alice touches raised, interest and rates; Bob, with parts of words, raised and interest.
    first = marked(TEXT, a=["act: raised interest rates"], b=["act: sed int"])
    fill_spans(people.project, team, [first])
    found = figures(people.project, "act", team["a"], team["b"])
    # N = 5, t_a = 3, t_b = 2, t_ab = 2: observed 4/5, expected (3 * 2 + 2 * 3) / 25 = 12/25, kappa (20 - 12) / 13.
    assert found["token_kappa"] == value(8 / 13, 5)
    assert found["token_agreement"] == value(4 / 5, 5)
    assert found["token_share"] == value(5 / 10, 5)


def test_kappa_pools_the_items_and_counts_those_without_a_span(people: People, team: Team) -> None:
    made = [marked(TEXT, a=["act: raised interest rates"], b=["act: raised interest"]), marked("So be it", a=[], b=[])]
    fill_spans(people.project, team, made)
    # Three more tokens, marked by neither: N = 8, observed 7/8, expected (3 * 2 + 5 * 6) / 64 = 36/64, (56 - 36) / 28.
    assert figures(people.project, "act", team["a"], team["b"])["token_kappa"] == value(20 / 28, 8)


def test_kappa_is_undefined_without_variation(people: People, team: Team) -> None:
    everything = Marked(TEXT, {"a": [(0, 31, "act", "")], "b": [(0, 31, "act", "")]})
    fill_spans(people.project, team, [everything])
    found = figures(people.project, "act", team["a"], team["b"])
    assert found["token_kappa"] == Figure(None, 5, "no variation: both marked every token")
    assert found["token_agreement"] == found["token_share"] == value(1, 5)


def test_white_space_of_every_kind_splits_tokens(people: People, team: Team) -> None:
    # The no-break spaces, the tab and the line end split; the joiner in the emoji does not.
    text = "Nice 👩‍🔬\u00a0work\t🎉\u202fbut\r\n\r\nno\u2007more"
    assert text.split() == ["Nice", "👩‍🔬", "work", "🎉", "but", "no", "more"]
    fill_spans(people.project, team, [marked(text, a=["act: 🎉\u202fbut"], b=["act: 👩‍🔬\u00a0work\t🎉"])])
    # Alice touches 2 of the 7 tokens, Bob 3, both the one: observed (7 - 5 + 2) / 7, expected (6 + 5 * 4) / 49.
    found = figures(people.project, "act", team["a"], team["b"])
    assert found["token_kappa"] == value((28 - 26) / (49 - 26), 7)
    assert found["overlap_any_f1"] == value(1, 2)


def test_every_white_space_splits_tokens(people: People, team: Team) -> None:
    white = [chr(point) for point in range(1, sys.maxunicode) if chr(point).isspace()]
    text = f"x{'x'.join(white)}x\u200by\ufeffy"
    # 30 times x; the blank of no width splits the two y as well, the mark of no width does not.
    assert len(white) == 29
    fill_spans(people.project, team, [Marked(text, {"a": [(0, 1, "act", "")], "b": []})])
    assert view(people.project, "act", team["a"], team["b"]).figures["token_share"] == Figure(1 / 62, 31)


def test_each_han_character_is_a_token(people: People, team: Team) -> None:
    text = "央行宣布加息二十五个基点，市场普遍预期。"
    fill_spans(people.project, team, [Marked(text, {"a": [(4, 6, "act", "")], "b": [(2, 6, "act", "")]})])
    found = figures(people.project, "act", team["a"], team["b"])
    # Of 20 tokens Alice touches 2, Bob 4, both 2: observed 18/20, expected (2 * 4 + 18 * 16) / 400 = .74.
    assert found["token_agreement"] == value(0.9, 20)
    assert found["token_kappa"] == value(0.16 / 0.26, 20)
    assert found["exact_f1"] == value(0, 2)


def test_offsets_are_code_points(people: People, team: Team) -> None:
    text = "Nice 👩‍🔬 work 🎉 but the grant was cut"
    fill_spans(people.project, team, [marked(text, a=["act: grant"], b=["act: grant was"])])
    row = view(people.project, "act", team["a"], team["b"])
    assert (len(text), row.sizes.alpha_length) == (37, 37)
    # [24, 29) and [24, 33): 5/9.
    assert row.figures["overlap_iou_f1"] == Figure(1, 2)
    assert figures(people.project, "act", team["a"], team["b"], iou=0.56)["overlap_iou_f1"] == value(0, 2)


def test_white_space_alone_is_no_token(people: People, team: Team) -> None:
    fill_spans(people.project, team, [Marked(" \r\n", {"a": [(0, 1, "act", "")], "b": []})])
    assert figures(people.project, "act", team["a"], team["b"])["token_kappa"] == Figure(None, 0, "no tokens")


def test_spans_over_white_space_touch_no_token(people: People, team: Team) -> None:
    fill_spans(people.project, team, [Marked("a  b", {"a": [(1, 3, "act", "")], "b": []})])
    assert figures(people.project, "act", team["a"], team["b"])["token_kappa"] == Figure(None, 2, "no token is marked")


def test_comments_are_compared_on_exact_matches(people: People, team: Team) -> None:
    made = [
        marked(
            TEXT,
            a=[("act", "The", "who"), ("act", "board", "the cat sat on the mat"), ("act", "raised", "x"), "act: rates"],
            b=[("act", "The", "who"), ("act", "board", "the cat lay on the mat"), "act: raised", "act: rates"],
        )
    ]
    fill_spans(people.project, team, made)
    row = view(people.project, "act", team["a"], team["b"])
    # Of four matches "rates" has no comment at all; of the other three one is equal, and one has a comment on one side.
    assert rounded(row.figures["comment_equal"]) == value(1 / 3, 3)
    assert (row.sizes.n_matched, row.sizes.n_uncommented) == (4, 1)
    # Both commented "The", 1, and "board": of six words each five are in common and in order, 10/12. Mean 11/12.
    assert rounded(row.figures["comment_rouge_l"]) == value(11 / 12, 2)


def test_equal_comments_on_one_range_find_each_other(people: People, team: Team) -> None:
    ours = [("act", "rates", "b"), ("act", "rates", "c"), ("act", "rates", "a")]
    theirs = [("act", "rates", "c"), ("act", "rates", "d")]
    fill_spans(people.project, team, [marked(TEXT, a=ours, b=theirs)])
    row = view(people.project, "act", team["a"], team["b"])
    # c with c; then the first of a and b with d.
    assert rounded(row.figures["comment_equal"]) == value(1 / 2, 2)
    assert rounded(row.figures["comment_rouge_l"]) == value(1 / 2, 2)


def test_comments_without_words_are_not_scored_by_words(people: People, team: Team) -> None:
    fill_spans(people.project, team, [marked(TEXT, a=[("act", "rates", "👍")], b=[("act", "rates", "👍")])])
    found = figures(people.project, "act", team["a"], team["b"])
    assert found["comment_equal"] == value(1, 1)
    assert found["comment_rouge_l"] == Figure(None, 0, "no words in the comments")


def test_what_nobody_marked_has_no_value_and_says_so(people: People, team: Team) -> None:
    fill_spans(people.project, team, [marked(TEXT, a=[], b=[])])
    found = figures(people.project, "act", team["a"], team["b"])
    neither = Figure(None, 0, "neither marked it")
    f1 = ("exact_f1", "overlap_any_f1", "overlap_any_precision", "overlap_any_recall", "overlap_iou_f1")
    assert {found[name] for name in (*f1, "overlap_iou_precision", "overlap_iou_recall", "alpha_u")} == {neither}
    assert found["token_kappa"] == Figure(None, 5, "neither marked it")
    assert (found["token_agreement"], found["token_share"]) == (value(1, 5), value(0, 5))
    assert found["comment_equal"] == Figure(None, 0, "no spans that match exactly")
    together = figures(people.project, "act")
    assert together["exact_f1"] == Figure(None, 0, "neither marked it", pairs=0)
    assert together["alpha_u"] == Figure(None, 0, "nobody marked it")


def test_what_only_one_marked_is_disagreement(people: People, team: Team) -> None:
    fill_spans(people.project, team, [marked(TEXT, a=[], b=["act: rates"])])
    found = figures(people.project, "act", team["a"], team["b"])
    assert found["exact_f1"] == found["overlap_any_f1"] == found["overlap_iou_f1"] == value(0, 1)
    assert found["overlap_any_precision"] == Figure(None, 0, "the first marked none")
    assert found["overlap_any_recall"] == value(0, 1)
    assert found["token_kappa"] == value(0, 5)


def test_the_pairs_together_are_the_mean_of_those_with_a_value(people: People, team: Team) -> None:
    made = [
        marked(TEXT, a=["act: rates"], b=["act: rates"], c=["act: board"]),
        marked(TEXT, a=["act: rates"], b=["act: board"]),
        marked(TEXT, b=["motive: The"], c=[]),
    ]
    fill_spans(people.project, team, made)
    # a-b: 2 * 1 / 4, a-c: 0 of 2, b-c: 0 of 2; the mean of the pairs is 1/6, over 8 spans.
    together = view(people.project, "act")
    assert rounded(together.figures["exact_f1"]) == value(1 / 6, 8, pairs=3)
    assert (together.sizes.n_items, together.sizes.n_pairs) == (3, 3)
    assert together.figures["overlap_any_precision"].reason == (
        "given for pairs: it depends on which of the two comes first"
    )
    # Only b-c has a value for motive.
    assert view(people.project, "motive").figures["exact_f1"] == Figure(0, 1, pairs=1)


def test_no_pair_no_value(people: People, team: Team) -> None:
    fill_spans(people.project, team, [marked(TEXT, a=["act: rates"]), marked(TEXT, b=["act: rates"])])
    for category in ("act", "actor", "motive", None):
        row = view(people.project, category)
        assert set(row.figures.values()) == {Figure(None, 0, NOBODY)}
        assert row.sizes.n_items == 0


def test_everyone_needs_an_item_that_everyone_submitted(people: People, team: Team) -> None:
    made = [marked(TEXT, a=["act: rates"], b=["act: rates"]), marked(TEXT, b=["act: rates"], c=["act: rates"])]
    fill_spans(people.project, team, made)
    found = figures(people.project, "act")
    assert found["alpha_u"] == Figure(None, 0, NOT_EVERYONE)
    assert found["alpha_u_pair_mean"] == value(1, 4, pairs=2)
