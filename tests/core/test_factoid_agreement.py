"""Agreement of annotation and of definition: worked by hand, and held against a second opinion."""

from collections import Counter
from pathlib import Path

import numpy as np
import pytest
from hypothesis import given
from hypothesis import strategies as st

from al_worker.factoids.agreement import agreement, annotation_agreement
from tests.agreement.second_opinions import cohen, fleiss, interval
from tests.core.factoid_lists import DEMO_A, DEMO_B, DEMO_RELATIONS, answer, list_in_texts, list_json, write

FIGURE_2 = ("abcde", {"P30": "ace"}, {"F9.21": "a", "F9.22": "ce"})


def in_texts(own: dict[str, str]) -> dict[str, list[str]]:
    return {name: [f"{text}-1" for text in texts] for name, texts in own.items()}


def test_figure_2_is_worked_by_hand(capsys: pytest.CaptureFixture[str], tmp_path: Path) -> None:
    texts, a, b = FIGURE_2
    relations = [{"a": "P30", "b": name, "relation": "subsumes"} for name in b]
    paths = (
        write(tmp_path / "A.json", list_json(texts, in_texts(a))),
        write(tmp_path / "B.json", list_json(texts, in_texts(b), "B")),
        write(tmp_path / "R.json", relations),
    )
    found = answer(capsys, "agreement", *paths[:2], "--relations", paths[2])
    # 7 of 10 items agree. 9 of 20 answers are "present": P(E) = .45^2 + .55^2 = .505.
    # Without an item on which both say so: 46/154, on which one does: 88/160, on which none does: 1/3. There are 3, 3
    # and 4 of them: their variance makes the error .321169, and t of 9 degrees of freedom is 2.262157.
    assert found == {
        "K": pytest.approx(13 / 33),
        "N": 10,
        "k": 2,
        "n": 2,
        "P_A": 0.7,
        "P_E": pytest.approx(0.505),
        "cohen": pytest.approx(4 / 9),
        "low": pytest.approx(13 / 33 - 0.726534, abs=1e-5),
        "high": 1.0,
        "reason": None,
        "by_relation": found["by_relation"],
    }
    apart = found["by_relation"]
    assert list(apart) == ["equal", "subsumes", "subsumed"]
    assert apart["subsumes"] == {key: value for key, value in found.items() if key != "by_relation"}
    assert (apart["equal"]["N"], apart["equal"]["K"]) == (0, None)
    assert apart["equal"]["reason"] == "There is no item: no relation is one of equal, subsumes, subsumed."


def test_annotation_has_an_item_for_each_factoid_and_text(capsys: pytest.CaptureFixture[str], tmp_path: Path) -> None:
    a = write(tmp_path / "A.json", list_json("abcd", in_texts({"P1": "ab", "P2": "abc"})))
    b = write(tmp_path / "B.json", list_json("dcba", in_texts({"P2": "ab", "P1": "ab"}), "B"))
    found = answer(capsys, "agreement", a, b)
    # All agree but on P2 in c. 9 of 16 answers are "present": P(E) = (81 + 49) / 256.
    assert (found["N"], found["P_A"], found["P_E"]) == (8, 7 / 8, 130 / 256)
    assert found["K"] == pytest.approx((7 / 8 - 130 / 256) / (126 / 256))
    # Cohen: A says so 5 times, B 4 times: P(E) = (5 * 4 + 3 * 4) / 64 = 1/2.
    assert found["cohen"] == pytest.approx(3 / 4)
    assert "by_relation" not in found


def test_definition_counts_what_has_a_relation_alone(capsys: pytest.CaptureFixture[str]) -> None:
    found = answer(capsys, "agreement", DEMO_A, DEMO_B, "--relations", DEMO_RELATIONS)
    # Seven relations but the one that is "related", six texts. P4-F1.4, P7-F2.3 and P8-F3.1 differ in one text each.
    assert (found["N"], found["P_A"]) == (42, pytest.approx(39 / 42))
    # 39 of 84 answers are "present".
    assert found["P_E"] == pytest.approx((39**2 + 45**2) / 84**2)
    assert {kind: (each["N"], each["P_A"]) for kind, each in found["by_relation"].items()} == {
        "equal": (18, 1.0),
        "subsumes": (6, pytest.approx(5 / 6)),
        "subsumed": (18, pytest.approx(16 / 18)),
    }


def test_what_is_undefined_says_why() -> None:
    nothing = annotation_agreement([list_in_texts("ab", {}), list_in_texts("ab", {})])
    assert (nothing.n_items, nothing.kappa, nothing.observed) == (0, None, None)
    assert nothing.reason == "There is no item: the lists have no factoid."
    absent = annotation_agreement([list_in_texts("ab", {"P1": ""})] * 2)
    assert (absent.n_items, absent.kappa, absent.cohen, absent.observed, absent.expected) == (2, None, None, 1, 1)
    assert absent.reason == "All items are in one category, so that chance alone would agree on all of them."
    single = agreement(np.array([[True, False]]), "")
    assert (single.kappa, single.cohen, single.low) == (-1, 0, None)
    assert single.reason == "There is no interval from fewer than two items."
    needed = agreement(np.array([[True, True], [False, False]]), "")
    assert (needed.kappa, needed.cohen, needed.low, needed.high) == (1, 1, None, None)
    assert needed.reason == "There is no interval: without one of the items the coefficient is undefined."


def test_three_annotators_have_the_mean_share_of_agreeing_pairs() -> None:
    lists = [
        list_in_texts("ab", {"P1": texts}, annotator) for texts, annotator in (("a", "A"), ("a", "B"), ("ab", "C"))
    ]
    found = annotation_agreement(lists)
    # In a all three pairs agree, in b one of three. 4 of 6 answers are "present".
    assert (found.n_items, found.n_annotators) == (2, 3)
    assert found.observed == pytest.approx(2 / 3)
    assert found.expected == pytest.approx(5 / 9)
    assert found.kappa == pytest.approx(1 / 4)
    assert found.cohen is None
    assert (found.reason or "").endswith("Cohen's kappa is defined for two annotators.")


@given(st.integers(2, 4).flatmap(lambda n: st.lists(st.tuples(*[st.booleans()] * n), min_size=1, max_size=30)))
def test_it_agrees_with_a_second_opinion(rows: list[tuple[bool, ...]]) -> None:
    found = agreement(np.array(rows), "")
    patterns = Counter(tuple((rater, str(said)) for rater, said in enumerate(row)) for row in rows)
    assert found.kappa == (None if (kappa := fleiss(patterns)) is None else pytest.approx(kappa))
    bounds = interval(patterns, fleiss)
    assert (found.low, found.high) == ((None, None) if bounds is None else pytest.approx(bounds, abs=1e-9))
    if len(rows[0]) == 2 and found.kappa is not None:
        assert found.cohen == pytest.approx(cohen(patterns))
    assert (found.reason is None) == (None not in (found.kappa, found.low, found.cohen))
