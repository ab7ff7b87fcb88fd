import numpy as np
import pytest
from hypothesis import given, settings
from hypothesis import strategies as st

from al_worker.core.evaluation.figures import classification_figures, order_figures, pool_figures, set_figures
from al_worker.core.run.config import HeadSettings

LABELS = ("no", "yes", "maybe")
OPINION = HeadSettings(name="", labels=("no", "yes"), positive_labels=("yes",))
PLAIN = HeadSettings(name="", labels=("no", "yes"))
ALL_POSITIVE = HeadSettings(name="", labels=LABELS, positive_labels=LABELS)
pairs = st.lists(st.tuples(st.integers(0, 2), st.integers(0, 2)), min_size=1, max_size=30)


def test_it_gives_the_hand_worked_figures() -> None:
    true, predicted = np.array([0, 0, 0, 1, 1, 1]), np.array([0, 0, 1, 1, 1, 0])
    figures = classification_figures(true, predicted, ["no", "yes"])
    assert figures["accuracy"] == pytest.approx(4 / 6)
    assert figures["macro_f1"] == pytest.approx(2 / 3)
    assert figures["confusion"]["matrix"] == [[2, 1], [1, 2]]
    assert figures["per_label"]["yes"] == {"n": 3, "precision": 2 / 3, "recall": 2 / 3, "f1": 2 / 3}


@settings(max_examples=100)
@given(pairs)
def test_it_agrees_with_scikit_learn(rows: list[tuple[int, int]]) -> None:
    from sklearn.metrics import accuracy_score, confusion_matrix, f1_score

    true, predicted = np.array(rows).T
    figures = classification_figures(true, predicted, LABELS)
    assert figures["n"] == len(rows)
    assert figures["accuracy"] == pytest.approx(accuracy_score(true, predicted))
    assert figures["macro_f1"] == pytest.approx(f1_score(true, predicted, average="macro", zero_division=0))
    assert figures["confusion"]["matrix"] == confusion_matrix(true, predicted, labels=[0, 1, 2]).tolist()


def test_it_describes_the_pool() -> None:
    logits = np.array([[0, 0], [0, 100], [0, 100], [100, 0]], dtype=np.float32)
    figures = pool_figures(OPINION, logits)
    assert figures["predicted_share"] == {"no": 0.5, "yes": 0.5}
    assert figures["predicted_positive_share"] == 0.5
    entropy = figures["entropy_over_ln_c"]
    assert (
        entropy["max"] == pytest.approx(1)
        and entropy["min"] == pytest.approx(0)
        and entropy["mean"] == pytest.approx(0.25)
    )
    assert pool_figures(PLAIN, logits)["predicted_positive_share"] is None


def test_it_counts_the_pool_in_twenty_bins() -> None:
    """p(yes) = .5 (H / ln 2 = 1), .75 (.8113), .999 (.0114) and 1 (0): bins 10, 15, 19, 19 and 19, 16, 0, 0."""
    p = np.array([0.5, 0.75, 0.999])
    logits = np.vstack([np.stack([np.zeros(3), np.log(p / (1 - p))], axis=1), [[0.0, 1000.0]]])
    figures = pool_figures(OPINION, logits)
    expected = {10: 1, 15: 1, 19: 2}
    assert figures["positive_histogram"] == [expected.get(place, 0) for place in range(20)]
    expected = {19: 1, 16: 1, 0: 2}
    assert figures["entropy_histogram"] == [expected.get(place, 0) for place in range(20)]
    assert pool_figures(PLAIN, logits)["positive_histogram"] is None


@settings(max_examples=50)
@given(st.lists(st.lists(st.floats(-50, 50), min_size=3, max_size=3), min_size=1, max_size=40))
def test_it_loses_no_item_in_a_histogram(rows: list[list[float]]) -> None:
    figures = pool_figures(ALL_POSITIVE, np.array(rows))
    assert sum(figures["entropy_histogram"]) == sum(figures["positive_histogram"]) == len(rows)
    # All labels together are certain.
    assert figures["positive_histogram"][19] == len(rows)


@settings(max_examples=100)
@given(pairs)
def test_the_figures_of_a_scale_agree_with_scikit_learn(rows: list[tuple[int, int]]) -> None:
    from sklearn.metrics import cohen_kappa_score, mean_absolute_error

    true, predicted = np.array(rows).T
    figures = order_figures(true, predicted, 3)
    assert figures["mean_absolute_error"] == pytest.approx(mean_absolute_error(true, predicted))
    if len({*true.tolist(), *predicted.tolist()}) == 1:
        assert figures["quadratic_weighted_kappa"] is None
    else:
        expected = cohen_kappa_score(true, predicted, weights="quadratic")
        assert figures["quadratic_weighted_kappa"] == pytest.approx(expected, abs=1e-12)


@settings(max_examples=100)
@given(st.lists(st.tuples(*[st.booleans()] * 6), min_size=1, max_size=20))
def test_the_figures_of_sets_agree_with_scikit_learn(rows: list[tuple[bool, ...]]) -> None:
    from sklearn.metrics import accuracy_score, f1_score

    table = np.array(rows, dtype=np.int_)
    true, predicted = table[:, :3], table[:, 3:]
    figures = set_figures(true, predicted, LABELS)
    occurs = (true + predicted).any(axis=0)
    f1 = f1_score(true, predicted, average=None, zero_division=0)
    assert figures["accuracy"] == pytest.approx(accuracy_score(true, predicted))
    assert figures["macro_f1"] == pytest.approx(f1[occurs].mean() if occurs.any() else 0.0)
    assert [of["f1"] for of in figures["per_label"].values()] == pytest.approx(f1.tolist())
    assert [of["n"] for of in figures["per_label"].values()] == true.sum(axis=0).tolist()
