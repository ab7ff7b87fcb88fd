"""CAL against hand-worked values, and against what other implementations compute instead."""

from typing import Any

import numpy as np
import pytest

from al_worker.core.acquisition import cal
from al_worker.core.acquisition.inputs import Inputs
from al_worker.core.acquisition.neighbours import nearest, prepared
from al_worker.formats.strategies import check_options
from tests.core.run_dirs import order_of

LABELED = np.array([(1, 0), (0, 1), (3, 3)], dtype=float)
LABELED_P = np.array([(0.9, 0.1), (0.2, 0.8), (0.6, 0.4)])
POOL = np.array([(2.5, 0.5), (0.5, 0.4), (0.1, 3)])
POOL_P = np.array([(0.2, 0.8), (0.55, 0.45), (0.85, 0.15)])


def inputs(**changes: Any) -> Inputs:
    given = {
        "pool_texts": [""] * 3,
        "pool_keys": np.array([b"3", b"4", b"5"]),
        "labeled_keys": np.array([b"0", b"1", b"2"]),
        "pool_logits": np.log(POOL_P),
        "labeled_logits": np.log(LABELED_P),
        "pool_vectors": POOL,
        "labeled_vectors": LABELED,
    }
    return Inputs(**{**given, **changes})


def scores(**options: Any) -> list[float]:
    return cal.scores(inputs(), check_options("cal", options)).tolist()


EUCLIDEAN_2 = [0.572862751465, 0.275396115249, 0.616572517457]
COSINE_2 = [0.763817001954, 0.148957354421, 0.616572517457]
ALL = [0.509211334636, 0.185295280810, 0.414680365520]


@pytest.mark.parametrize(
    ("metric", "k", "expected", "order"),
    [
        ("euclidean", 2, EUCLIDEAN_2, [2, 0, 1]),
        ("cosine", 2, COSINE_2, [0, 2, 1]),
        ("euclidean_unit", 2, COSINE_2, [0, 2, 1]),
        ("euclidean", 3, ALL, [0, 2, 1]),
        ("cosine", 3, ALL, [0, 2, 1]),
        ("cosine", 100, ALL, [0, 2, 1]),
    ],
)
def test_it_gives_the_hand_worked_scores(metric: str, k: int, expected: list[float], order: list[int]) -> None:
    found = scores(metric=metric, k=k)
    assert found == pytest.approx(expected, abs=5e-13)
    assert order_of(found) == order


@pytest.mark.parametrize(
    "wrong",
    [
        pytest.param([0.848766520351, 0.205559435223, 0.563860486318], id="KL the other way round"),
        pytest.param([0.286431375733, 0.001273402983, 0.262449337568], id="the item among its own neighbours"),
    ],
)
def test_it_does_not_compute_what_other_implementations_do(wrong: list[float]) -> None:
    assert np.abs(np.array(scores(k=2)) - wrong).min() > 1e-3


@pytest.mark.parametrize(
    ("metric", "expected"), [("euclidean", [[0, 1], [0, 1], [1, 2]]), ("cosine", [[0, 2], [0, 2], [1, 2]])]
)
def test_it_finds_the_neighbours(metric: str, expected: list[list[int]]) -> None:
    mask = nearest(prepared(POOL, metric), prepared(LABELED, metric), metric, 2)
    assert [np.flatnonzero(row).tolist() for row in mask] == expected


def test_it_reduces_by_maximum_or_median() -> None:
    def divergence(labeled: int, pool: int) -> float:
        p, q = LABELED_P[labeled], POOL_P[pool]
        return float((p * np.log(p / q)).sum())

    table = [[divergence(labeled, pool) for labeled in range(3)] for pool in range(3)]
    assert scores(k=3, reduce="max") == pytest.approx([max(row) for row in table], abs=1e-14)
    assert scores(k=3, reduce="median") == pytest.approx([sorted(row)[1] for row in table], abs=1e-14)
    near = [[table[0][0], table[0][2]], [table[1][0], table[1][2]], [table[2][1], table[2][2]]]
    assert scores(k=2, reduce="max") == pytest.approx([max(row) for row in near], abs=1e-14)


def test_it_takes_equally_near_items_by_their_key() -> None:
    # Four labelled items at one place: which two count is the key's choice, whatever the order in the file.
    vectors, p = np.ones((4, 2)), np.array([(0.9, 0.1), (0.7, 0.3), (0.4, 0.6), (0.2, 0.8)])
    expected = None
    for order in ([0, 1, 2, 3], [3, 1, 0, 2], [2, 3, 1, 0]):
        keys = np.array([b"b", b"d", b"a", b"c"])[order]
        given = inputs(labeled_vectors=vectors[order], labeled_logits=np.log(p[order]), labeled_keys=keys)
        found = cal.scores(given, check_options("cal", {"k": 2})).tolist()
        expected = expected or found
        assert found == pytest.approx(expected, abs=1e-15)
    two = np.log(POOL_P[1])
    by_hand = np.mean([(p[i] * (np.log(p[i]) - two)).sum() for i in (2, 0)])
    assert expected[1] == pytest.approx(by_hand, abs=1e-14)


def test_it_harvests_confident_positives_once_k_reaches_the_labelled_set() -> None:
    # Four labelled items whose mean is (.75, .25): the score is a constant minus sum pbar ln p.
    p = np.array([(0.75, 0.25)] * 4)
    positive = np.array([0.02, 0.1, 0.5, 0.9, 0.98])
    given = inputs(
        pool_texts=[""] * 5,
        pool_keys=np.array([b"a", b"b", b"c", b"d", b"e"]),
        pool_logits=np.log(np.stack([1 - positive, positive], axis=1)),
        pool_vectors=np.ones((5, 2)),
        labeled_logits=np.log(p),
        labeled_vectors=np.eye(4, 2),
        labeled_keys=np.array([b"a", b"b", b"c", b"d"]),
    )
    entropy_of_mean = -(0.75 * np.log(0.75) + 0.25 * np.log(0.25))
    found = cal.scores(given, check_options("cal", {})) + entropy_of_mean
    assert found == pytest.approx([0.993, 0.655, 0.693, 1.753, 2.939], abs=5e-4)


def test_it_does_not_depend_on_the_size_of_the_blocks(monkeypatch: pytest.MonkeyPatch) -> None:
    generator = np.random.default_rng(0)
    given = inputs(
        pool_texts=[""] * 50,
        pool_keys=np.array([b"%d" % i for i in range(50)]),
        labeled_keys=np.array([b"%d" % i for i in range(20)]),
        pool_logits=generator.normal(size=(50, 3)),
        labeled_logits=generator.normal(size=(20, 3)),
        pool_vectors=generator.normal(size=(50, 8)).astype(np.float32),
        labeled_vectors=generator.normal(size=(20, 8)).astype(np.float32),
    )
    options = check_options("cal", {"k": 6})
    whole = cal.scores(given, options)
    monkeypatch.setattr(cal, "BLOCK_CELLS", 60)
    assert np.round(cal.scores(given, options), 12).tolist() == np.round(whole, 12).tolist()
    assert whole.tolist() == pytest.approx(_slow(given, 6), abs=1e-12)


def test_it_counts_a_zero_vector_as_far_from_everything() -> None:
    mask = nearest(
        prepared(np.array([[1.0, 0.1]]), "cosine"), prepared(np.array([[0, 0], [1, 1.0]]), "cosine"), "cosine", 1
    )
    assert mask.tolist() == [[False, True]]


def _slow(given: Inputs, k: int) -> list[float]:
    from scipy.spatial.distance import cosine
    from scipy.special import softmax
    from scipy.stats import entropy

    labeled, pool = softmax(given.labeled_logits, axis=1), softmax(given.pool_logits, axis=1)
    out = []
    for x, p in zip(given.pool_vectors, pool, strict=True):  # type: ignore[arg-type]
        near = sorted(range(len(labeled)), key=lambda i: cosine(x, given.labeled_vectors[i]))[:k]  # type: ignore[index]
        out.append(float(np.mean([entropy(labeled[i], p) for i in near])))
    return out


def test_it_takes_probabilities_of_zero() -> None:
    """0 ln 0 is 0 (Cover and Thomas 2006, 2.1): a labelled p of 0 adds nothing, and so does one of 0 on both sides."""
    with np.errstate(all="raise"):
        logits = np.array([(0.0, -np.inf), (0.0, -np.inf)])
        vectors = np.array([(1.0, 0.0), (0.0, 1.0)])
        given = inputs(labeled_logits=logits, labeled_vectors=vectors, labeled_keys=np.array([b"0", b"1"]))
        for reduce in ("mean", "max", "median"):
            found = cal.scores(given, check_options("cal", {"k": 1, "reduce": reduce}))
            # KL((1, 0) || p) = -ln p of the first label.
            assert found == pytest.approx(-np.log(POOL_P[:, 0]))
            both = inputs(
                pool_logits=np.array([(0.0, -np.inf)] * 3),
                labeled_logits=logits,
                labeled_vectors=vectors,
                labeled_keys=np.array([b"0", b"1"]),
            )
            assert cal.scores(both, check_options("cal", {"k": 1, "reduce": reduce})).tolist() == [0.0, 0.0, 0.0]


def test_it_calls_a_divergence_infinite_that_is() -> None:
    with np.errstate(all="raise"):
        impossible = inputs(pool_logits=np.array([(0.0, -np.inf), (0.0, 0.0), (0.0, 1.0)]))
        for reduce in ("mean", "max", "median"):
            found = cal.scores(impossible, check_options("cal", {"k": 2, "reduce": reduce}))
            assert np.isinf(found).tolist() == [True, False, False]
