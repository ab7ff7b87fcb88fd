"""Weights of factoids, scores of texts, stability of rankings, and atomicity."""

from pathlib import Path

import numpy as np
import pytest
from hypothesis import given
from hypothesis import strategies as st
from scipy.stats import spearmanr

from al_worker.factoids.scores import text_scores, votes_of
from al_worker.factoids.stability import rank_stability
from tests.core.factoid_lists import DEMO_A, DEMO_B, answer, list_in_texts, list_json, refusal, write

TEXTS = ("M01", "M02", "M03", "M04", "M05", "M06")
factoids = st.lists(st.lists(st.sampled_from(TEXTS), unique=True), min_size=1, max_size=8)


def recall_by_hand(has: list[set[int]], voters: list[int], text: int) -> float | None:
    """From the definition: the weights of a text's factoids over those of as many of the heaviest."""
    counts = [sum(voter in of for voter in voters if voter != text) for of in has]
    own = [count for count, of in zip(counts, has, strict=True) if text in of]
    best = sum(sorted(counts, reverse=True)[: len(own)])
    return sum(own) / best if best else None


def test_the_demo_list_is_scored_by_hand(capsys: pytest.CaptureFixture[str]) -> None:
    found = answer(capsys, "scores", DEMO_A, "--gold", "H01", "--system", "H06", "--share", "0.8")
    # Of the five texts that vote: P1 in all, P6 in four, the others in two.
    assert found["weights"] == {"P1": 1.0, "P6": 0.8} | {f"P{at}": 0.4 for at in (2, 3, 4, 5, 7, 8, 9)}
    assert found["consensus"] == ["P1", "P6"]
    # H05 has P1 and P6, the heaviest two. H04 has P1, P3, P4, P5, P8, P9, counted by four others 4+1+1+1+1+1 = 9;
    # the heaviest six are P1 4, P6 4, P2 2, P7 2 and two of 1: 14. H06 votes for nothing: 5+2+2+2+2 of 5+4+2+2+2.
    assert found["scores"]["H05"] == 1.0
    assert found["scores"]["H04"] == 9 / 14
    assert found["scores"]["H06"] == 13 / 15
    # H01 has seven factoids. H02 shares P1, P2, P6 and P7 with it.
    assert found["gold"] == {"H02": 4 / 7, "H03": 2 / 7, "H04": 4 / 7, "H05": 2 / 7, "H06": 3 / 7}
    assert [point["m"] for point in found["stability"]] == [2]


def test_a_systems_text_never_changes_what_others_get(capsys: pytest.CaptureFixture[str], tmp_path: Path) -> None:
    own = {"P1": ["M01-1", "M02-1"], "P2": ["M02-1", "M03-1"]}
    before = answer(capsys, "scores", write(tmp_path / "L.json", list_json(TEXTS[:3], own)))
    own["P2"].append("M04-1")
    after = answer(capsys, "scores", write(tmp_path / "L.json", list_json(TEXTS[:4], own)), "--system", "M04")
    assert after["scores"].pop("M04") == 1.0
    assert after == before
    assert before["gold"] is None


def test_what_has_no_score_says_why(capsys: pytest.CaptureFixture[str], tmp_path: Path) -> None:
    path = write(tmp_path / "L.json", list_json(TEXTS[:2], {"P1": ["M01-1"]}))
    found = answer(capsys, "scores", path, "--gold", "M02")
    assert found["scores"] == {
        "M01": {"reason": "No other text has a factoid."},
        "M02": {"reason": "The text has no factoid."},
    }
    assert found["gold"] == {"M01": {"reason": "The gold text has no factoid."}}
    assert found["stability"] == []


@pytest.mark.parametrize(
    ("options", "message"),
    [
        (["--gold", "H07"], "texts: has no 'H07', which --gold names; name one of H01, H02"),
        (["--system", "x"], "texts: has no 'x', which --system names"),
        (
            [part for at in range(2, 7) for part in ("--system", f"H0{at}")],
            "texts: fewer than two are no system's; leave out a --system",
        ),
    ],
)
def test_a_text_that_is_not_there_is_refused(
    capsys: pytest.CaptureFixture[str], options: list[str], message: str
) -> None:
    assert f"list_a.json: {message}" in refusal(capsys, "scores", DEMO_A, *options)


@given(factoids, st.sets(st.sampled_from(TEXTS), max_size=4))
def test_scores_are_those_of_the_definition(texts_of: list[list[str]], systems: set[str]) -> None:
    given_list = list_in_texts(TEXTS, {f"P{at}": texts for at, texts in enumerate(texts_of)})
    has = [{TEXTS.index(text) for text in texts} for texts in texts_of]
    voters = [at for at, text in enumerate(TEXTS) if text not in systems]
    for at, score in enumerate(text_scores(given_list, systems).values()):
        expected = recall_by_hand(has, voters, at)
        assert isinstance(score, str) if expected is None else score == pytest.approx(expected)


def test_stability_is_the_mean_rho_of_seeded_halves() -> None:
    own = {"P1": TEXTS, "P2": TEXTS[:4], "P3": TEXTS[2:], "P4": TEXTS[1:3], "P5": TEXTS[::2], "P6": TEXTS[4:5]}
    votes = votes_of(list_in_texts(TEXTS, own), TEXTS)
    points = list(rank_stability(votes, draws=20, seed=7))
    assert points == list(rank_stability(votes, draws=20, seed=7))
    assert points != list(rank_stability(votes, draws=20, seed=8))
    assert [point.m for point in points] == [2, 3]
    # The last point again, from the definition and the same permutations.
    drawn, rhos = np.random.default_rng([7, 3]), []
    has = [{TEXTS.index(text) for text in texts} for texts in own.values()]
    for _ in range(20):
        order = drawn.permutation(6).tolist()
        ranks = [[recall_by_hand(has, half, at) for at in range(6)] for half in (order[:3], order[3:])]
        if all(None not in scores and len(set(scores)) > 1 for scores in ranks):
            rhos.append(spearmanr(*ranks).statistic)
    assert len(rhos) > 10
    assert points[1].n == len(rhos)
    assert points[1].rho == pytest.approx(np.mean(rhos))
    assert points[1].sd == pytest.approx(np.std(rhos, ddof=1))


def test_halves_that_say_the_same_rank_the_same_and_those_that_say_nothing_not_at_all() -> None:
    alike = np.array([[True, True]] * 8)
    (*_, last) = rank_stability(alike, draws=5)
    assert (last.m, last.n, last.rho, last.sd) == (4, 0, None, None)
    assert last.reason == "In no draw did both halves rank the texts."
    # Whoever ranks, nine texts are equally good, and the one with a factoid of its own is worse.
    nested = np.array([[True, True, False]] * 9 + [[True, False, True]])
    (*_, last) = rank_stability(nested, draws=50)
    assert last.m == 5
    assert (last.n, last.rho, last.sd) == (50, pytest.approx(1.0), pytest.approx(0.0))


def test_what_tells_no_texts_apart_is_named(capsys: pytest.CaptureFixture[str], tmp_path: Path) -> None:
    own = {"P10": ["M01-1"], "P9": ["M01-2"], "P1": ["M01-1", "M02-1"], "P2": [], "P3": ["M02-1"], "P4": []}
    found = answer(capsys, "atomicity", write(tmp_path / "L.json", list_json(TEXTS[:2], own)))
    assert found == {"indistinguishable": [["P2", "P4"], ["P9", "P10"]], "in_all": ["P1"], "in_none": ["P2", "P4"]}
    # The texts alone count, not the sentences: F1.3 and F3.1 stand in the same three texts.
    assert answer(capsys, "atomicity", DEMO_B)["indistinguishable"] == [["F1.3", "F3.1"], ["F2.1", "F2.2"]]
