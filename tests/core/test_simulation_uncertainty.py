"""Intervals of differences, by hand and by a slow second way; parts of the test set and references without learning."""

from pathlib import Path

import numpy as np
import pytest
from sklearn.metrics import f1_score

from al_worker.core.simulation.parts import held_back
from al_worker.core.simulation.uncertainty import (
    Curve,
    item_weights,
    macro_f1_of_draws,
    seeds_and_items_intervals,
    t_interval,
)
from al_worker.formats.run_directory import Item, read_json
from tests.core.simulations import simulate, write_simulation


def test_it_gives_the_t_interval_of_three_seeds() -> None:
    """Mean .012, sd .0130, t(2) = 4.3027: the bootstrap's [.003, .027] would have been the smallest and the largest."""
    low, high = t_interval([0.003, 0.006, 0.027]) or (0, 0)
    assert (low, high) == pytest.approx((0.012 - 4.30265 * 0.0130767 / 3**0.5, 0.012 + 4.30265 * 0.0130767 / 3**0.5))
    assert low < -0.02 and high > 0.044
    assert t_interval([0.1]) is None
    assert t_interval([0.1, 0.1]) == pytest.approx((0.1, 0.1))


def test_it_weighs_items_as_scikit_learn_does() -> None:
    draw = np.random.default_rng(3)
    true, predicted = draw.integers(0, 3, 40), draw.integers(0, 3, (4, 40))
    weights = item_weights(40, 5, 1)
    assert weights.sum(axis=1).tolist() == [40.0] * 5
    found = macro_f1_of_draws(true, predicted, 3, weights)
    for row, own in enumerate(weights):
        for column, said in enumerate(predicted):
            assert found[row, column] == pytest.approx(f1_score(true, said, average="macro", sample_weight=own))


def test_it_resamples_seeds_and_items_together() -> None:
    true = np.array([0, 1] * 20)
    right, wrong = np.stack([true, true]), np.stack([1 - true, 1 - true])
    curves = {"random": [Curve([10, 20], wrong)] * 3, "better": [Curve([10, 20], right)] * 3}
    found = seeds_and_items_intervals(true, curves, "random", n_labels=2, resamples=50, seed=0)
    assert found == {"better": {"area_under_curve": (1.0, 1.0), "last_macro_f1": (1.0, 1.0)}}
    draw = np.random.default_rng(0)
    noisy = [Curve([10, 20], np.where(draw.random((2, 40)) < 0.3, 1 - right, right)) for _ in range(3)]
    low, high = seeds_and_items_intervals(
        true, {"random": curves["better"], "noisy": noisy}, "random", n_labels=2, resamples=400, seed=0
    )["noisy"]["area_under_curve"]
    assert -0.5 < low < -0.3 < high < -0.1


def test_it_holds_back_the_same_share_of_each_label() -> None:
    items = [Item(str(n), f"text {n // 2}", "a" if n < 40 else "b") for n in range(60)]
    chosen = held_back(items, 0.25)
    assert (sum(i.id in chosen for i in items[:40]), sum(i.id in chosen for i in items[40:])) == (10, 5)
    assert chosen == held_back(items[::-1], 0.25)
    # Equal texts stand together, but for the one pair that the share cuts.
    assert sum((items[n].id in chosen) != (items[n + 1].id in chosen) for n in range(0, 60, 2)) <= 1


PARTS = """
[parts.listed]
field = "kind"
value = "list"
[string_test]
phrases = ["strongly BELIEVE"]
label = "yes"
otherwise = "no"
[report]
primary = "entropy"
primary_part = "listed"
resamples = 200
first_batch_in_area = false
"""


def test_it_reports_parts_references_and_the_primary_comparison(tmp_path: Path) -> None:
    strategies = "[strategies.random]\n[strategies.entropy]\n[strategies.breaking_ties]"
    config = write_simulation(tmp_path, strategies=strategies, run={"batches": 3}, more=PARTS)
    test = tmp_path / "test.jsonl"
    lines = test.read_text().splitlines()
    # The first 12 of 30 test items are the part.
    marked = [line[:-1] + f', "kind": "{"list" if n < 12 else "other"}"}}' for n, line in enumerate(lines)]
    test.write_text("\n".join(marked) + "\n")
    assert simulate(config) == 0
    summary = read_json(tmp_path / "results" / "summary.json")
    assert summary["parts"] == {"listed": 12} and summary["n_test"] == 30
    # "yes" and "no" in turn: the phrase tells all, and one label for everything has F1 2/3 and 0.
    assert summary["references"]["string test"] == {"": 1.0, "listed": 1.0}
    assert summary["references"]["majority"] == {"": pytest.approx(1 / 3), "listed": pytest.approx(1 / 3)}
    study = summary["studies"][0]
    assert study["same_curves"] == {"breaking_ties": "entropy"}
    named = [d for part in (study, study["parts"]["listed"]) for d in part["differences"] if d["primary"]]
    assert [(d["strategy"], d["against"], d["measure"]) for d in named] == [("entropy", "random", "area_under_curve")]
    assert named[0] in study["parts"]["listed"]["differences"]
    low, high = named[0]["interval_95_seeds_and_items"]
    assert low <= named[0]["mean"] <= high
    curve = study["parts"]["listed"]["strategies"]["entropy"]["macro_f1"]
    # Three points, of which the area keeps the last two.
    by_hand = [(a + b) / 2 for a, b in zip(curve[1]["by_seed"], curve[2]["by_seed"], strict=True)]
    assert study["parts"]["listed"]["strategies"]["entropy"]["area_under_curve"]["by_seed"] == pytest.approx(by_hand)
    report = (tmp_path / "results" / "report.html").read_text()
    assert "string test" in report and "primary" in report and "Test macro-F1, listed (n = 12)" in report


def test_it_reports_what_stands_of_a_study_that_was_cut_off(tmp_path: Path) -> None:
    config = write_simulation(
        tmp_path, strategies="[strategies.random]\n[strategies.entropy]", run={"batches": 2, "seeds": [1, 2]}
    )
    for key in ("random", "entropy"):
        assert simulate(config, "--cell", f"{key}__bow__b5__s1") == 0
    assert simulate(config, "--report-only") == 0
    study = read_json(tmp_path / "results" / "summary.json")["studies"][0]
    assert (study["seeds"], study["seeds_unfinished"]) == ([1], [2])
    assert "Not finished, and left out: seeds 2." in (tmp_path / "results" / "report.html").read_text()


def test_it_measures_on_a_part_of_train_where_settings_are_chosen(tmp_path: Path) -> None:
    config = write_simulation(tmp_path, strategies="[strategies.random]", run={"batches": 2, "seeds": [1]})
    config.write_text(config.read_text().replace('test = "test.jsonl"', "validation_share = 0.2"))
    (tmp_path / "test.jsonl").unlink()
    assert simulate(config) == 0
    assert read_json(tmp_path / "results" / "summary.json")["n_test"] == 12
