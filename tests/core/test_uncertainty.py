"""Entropy, least confidence and breaking ties against hand-worked values."""

import numpy as np
import pytest

from al_worker.core.acquisition import breaking_ties, entropy, least_confidence
from al_worker.core.acquisition.inputs import Inputs
from tests.core.run_dirs import order_of

THIRD = 1 / 3
P3 = [
    (0.5, 0.5, 0), (1, 0, 0), (THIRD, THIRD, THIRD), (0.7, 0.2, 0.1),
    (0.2, 0.7, 0.1), (0, 0.5, 0.5), (0.6, 0.3, 0.1), (0.1, 0.2, 0.7),
]  # fmt: skip
H3 = [
    0.693147180560, 0, 1.098612288668, 0.801818552543, 0.801818552543, 0.693147180560, 0.897945724856, 0.801818552543,
]  # fmt: skip
P2 = [0.5, 0.49, 0.31, 0.69, 0.31, 0.98]


def of_logits(logits: object) -> Inputs:
    array = np.asarray(logits, dtype=np.float64)
    return Inputs(pool_texts=[""] * len(array), pool_keys=np.array([b""] * len(array)), pool_logits=array)


def of_p(p: object) -> Inputs:
    with np.errstate(divide="ignore"):
        return of_logits(np.log(np.asarray(p, dtype=np.float64)))


def binary(p: list[float]) -> Inputs:
    return of_p([(1 - value, value) for value in p])


def test_it_gives_the_entropy_of_three_labels() -> None:
    found = entropy.scores(of_p(P3), {})
    assert found == pytest.approx(H3, abs=1e-12)
    assert order_of(found) == [2, 6, 3, 4, 7, 0, 5, 1]
    assert found.mean() / np.log(3) == pytest.approx(0.658593128347, abs=5e-13)


def test_it_adds_in_an_order_that_does_not_depend_on_the_labels() -> None:
    found = entropy.scores(of_p(P3), {})
    assert found[3] == found[4] == found[7]
    in_given_order = [-sum(p * np.log(p) for p in row if p) for row in (P3[3], P3[7])]
    assert in_given_order[0] != in_given_order[1], "the trap is gone: this test shows nothing any more"


def test_it_gives_the_entropy_of_two_labels() -> None:
    found = entropy.scores(binary(P2), {})
    expected = [0.693147180560, 0.692947167224, 0.619100664426, 0.619100664426, 0.619100664426, 0.098039113280]
    assert found == pytest.approx(expected, abs=5e-13)
    assert order_of(found) == [0, 1, 2, 3, 4, 5]


def test_it_works_in_double_precision_from_logits() -> None:
    assert entropy.scores(of_logits([[0, 20]]), {})[0] == pytest.approx(4.32842261e-08, rel=1e-8)
    p = np.exp(np.float32([0, 20]) - np.float32(20))
    p = (p / p.sum()).astype(np.float32)
    assert float(-(p * np.log(p)).sum()) != pytest.approx(4.32842261e-08, rel=1e-3)


def test_it_does_not_mind_large_logits() -> None:
    found = entropy.scores(of_logits([[1e4, 1e4], [-1e4, 1e4], [1000, 1000.5]]), {})
    assert found[:2] == pytest.approx([np.log(2), 0])
    assert found[2] == pytest.approx(entropy.scores(of_logits([[0, 0.5]]), {})[0], abs=1e-15)


@pytest.mark.parametrize("strategy", [least_confidence, breaking_ties])
def test_it_orders_two_labels_as_entropy_does(strategy: object) -> None:
    assert order_of(strategy.scores(binary(P2), {})) == order_of(entropy.scores(binary(P2), {}))  # type: ignore[attr-defined]


def test_it_gives_one_minus_the_largest_probability() -> None:
    found = least_confidence.scores(of_p(P3), {})
    assert found == pytest.approx([0.5, 0, 2 / 3, 0.3, 0.3, 0.5, 0.4, 0.3], abs=1e-15)
    assert order_of(found) == [2, 0, 5, 6, 3, 4, 7, 1]


def test_it_gives_one_minus_the_gap_of_the_two_largest() -> None:
    found = breaking_ties.scores(of_p(P3), {})
    assert found == pytest.approx([1, 0, 1, 0.5, 0.5, 1, 0.7, 0.5], abs=1e-15)
    assert order_of(found) == [0, 2, 5, 6, 3, 4, 7, 1]


def test_it_ties_everything_when_one_label_exists() -> None:
    for strategy in (entropy, least_confidence, breaking_ties):
        assert strategy.scores(of_logits([[3.0], [-1.0]]), {}).tolist() == [0.0, 0.0]
