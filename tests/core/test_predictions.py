import json
import math
from pathlib import Path
from typing import Any

import numpy as np
import pytest
from hypothesis import given, settings
from hypothesis import strategies as st

from al_worker.core.__main__ import main
from al_worker.core.evaluation.calibration import brier_score, confidence_bins, expected_calibration_error
from al_worker.core.evaluation.predictions import Prediction, prediction_figures

LABELS = ("no", "yes", "maybe")


def figures_of(tmp_path: Path, capsys: pytest.CaptureFixture[str], gold: list[Any], predictions: list[Any]) -> Any:
    paths = tmp_path / "gold.jsonl", tmp_path / "predictions.jsonl"
    for path, rows in zip(paths, (gold, predictions), strict=True):
        path.write_text("".join(json.dumps(row) + "\n" for row in rows))
    code = main(["metrics", *map(str, paths)])
    out, err = capsys.readouterr()
    return json.loads(out)["stages"] if code == 0 else err


def gold(*labels: str) -> list[dict[str, str]]:
    return [{"id": f"i{at}", "stage": "s", "label": label} for at, label in enumerate(labels)]


def predicted(*rows: tuple[str | None, float | None]) -> list[dict[str, Any]]:
    return [
        {"id": f"i{at}", "stage": "s", "label": label, "confidence": confidence}
        for at, (label, confidence) in enumerate(rows)
    ]


def test_it_gives_the_hand_worked_figures(tmp_path: Path, capsys: pytest.CaptureFixture[str]) -> None:
    answers = predicted(("yes", 0.9), ("yes", 0.9), ("no", 0.8), ("no", 0.6), (None, None))
    found = figures_of(tmp_path, capsys, gold("yes", "no", "no", "no", "yes"), answers)["s"]
    # Bins: (.85, .9] half right at .9, (.75, .8] right at .8, (.55, .6] right at .6.
    assert found["ece"] == pytest.approx(0.35)
    assert found["brier"] == pytest.approx((0.01 + 0.81 + 0.04 + 0.16) / 4)
    assert (found["n"], found["n_not_compliant"]) == (5, 1)
    assert found["accuracy"] == pytest.approx(3 / 5)
    assert found["accuracy_of_compliant"] == pytest.approx(3 / 4)
    # yes: 1 of 2 found, 2 predicted. no: 2 of 3 found, 2 predicted.
    assert found["macro_f1"] == pytest.approx((2 / 4 + 4 / 5) / 2)
    assert found["weighted_f1"] == pytest.approx((2 * 2 / 4 + 3 * 4 / 5) / 5)
    assert found["confusion"] == {"no": {"no": 2, "yes": 1}, "yes": {"no": 0, "yes": 1}}
    # Wilson 1927, with z = 1.959964: (p + z2/2n +- z sqrt(p(1-p)/n + z2/4n2)) / (1 + z2/n).
    assert found["accuracy_low"] == pytest.approx(0.2307, abs=5e-5)
    assert found["accuracy_high"] == pytest.approx(0.8824, abs=5e-5)


def test_a_majority_that_is_always_guessed_has_the_share_of_its_class(
    tmp_path: Path, capsys: pytest.CaptureFixture[str]
) -> None:
    labels = ["yes"] * 542 + ["no"] * 500
    found = figures_of(tmp_path, capsys, gold(*labels), predicted(*[("yes", None)] * len(labels)))["s"]
    assert round(found["accuracy"], 2) == 0.52
    assert (found["ece"], found["brier"]) == (None, None)


def test_stages_are_apart_and_what_has_no_gold_is_left_out_and_told(
    tmp_path: Path, capsys: pytest.CaptureFixture[str]
) -> None:
    paths = tmp_path / "gold.jsonl", tmp_path / "predictions.jsonl"
    rows = [*gold("yes"), {"id": "i0", "stage": "t", "label": "no"}]
    answers = [*predicted(("yes", 1), ("no", 1)), {"id": "i0", "stage": "t", "label": "yes", "confidence": None}]
    paths[0].write_text("\n".join(map(json.dumps, rows)) + "\n\n")
    paths[1].write_text("\n".join(map(json.dumps, answers)))
    assert main(["metrics", *map(str, paths)]) == 0
    out, err = capsys.readouterr()
    assert {stage: each["accuracy"] for stage, each in json.loads(out)["stages"].items()} == {"s": 1.0, "t": 0.0}
    assert err == "1 predictions have no gold label and were left out.\n"


@pytest.mark.parametrize(
    ("rows", "answers", "message"),
    [
        (gold("yes"), [], "gold.jsonl line 1: predictions.jsonl has no prediction of 'i0' at 's'"),
        (gold("yes") * 2, predicted(("yes", 1)), "gold.jsonl line 2: 'i0' at 's' stands in line 1 already"),
        (gold("yes"), predicted(("yes", 1.5)), 'predictions.jsonl line 1: "confidence" must be a number from 0 to 1'),
        (gold("yes"), predicted(("yes", True)), 'predictions.jsonl line 1: "confidence" must be a number'),
        (gold("yes"), predicted(("yes", math.nan)), 'predictions.jsonl line 1: "confidence" must be a number'),
        (gold("yes"), [{"id": "i0", "stage": "s"}], 'predictions.jsonl line 1: "label" must be a text, or null'),
        (gold("yes"), [{"id": 1, "stage": "s", "label": "yes"}], 'predictions.jsonl line 1: "id" must be a text'),
        (gold("yes", "no"), predicted(("yes", 0.5), ("no", None)), 'predictions.jsonl line 2: needs a "confidence"'),
        (["yes"], [], "gold.jsonl line 1: expected a JSON object a line"),
    ],
)
def test_a_faulty_line_is_named(
    tmp_path: Path, capsys: pytest.CaptureFixture[str], rows: list[Any], answers: list[Any], message: str
) -> None:
    assert message in figures_of(tmp_path, capsys, rows, answers)


def test_a_file_that_is_not_there_is_named(tmp_path: Path, capsys: pytest.CaptureFixture[str]) -> None:
    assert main(["metrics", str(tmp_path / "none.jsonl"), str(tmp_path / "neither.jsonl")]) == 3
    assert "neither.jsonl: missing in" in capsys.readouterr().err


def test_bins_are_right_closed() -> None:
    edges = np.array([0.0, 0.05, 0.55, 0.15, 0.35, 1.0])
    assert confidence_bins(edges).tolist() == [0, 0, 10, 2, 6, 19]
    assert confidence_bins(np.nextafter(edges[1:5], 1)).tolist() == [1, 11, 3, 7]


answers = st.lists(
    st.tuples(st.sampled_from(LABELS), st.sampled_from(LABELS), st.floats(0, 1, allow_nan=False)),
    min_size=1,
    max_size=40,
)


@settings(max_examples=100)
@given(answers)
def test_it_agrees_with_scikit_learn(rows: list[tuple[str, str, float]]) -> None:
    from sklearn.metrics import accuracy_score, brier_score_loss, f1_score

    true, labels, confidence = (list(column) for column in zip(*rows, strict=True))
    found = prediction_figures([Prediction(str(at), *row) for at, row in enumerate(rows)])
    assert found["accuracy"] == pytest.approx(accuracy_score(true, labels))
    assert found["macro_f1"] == pytest.approx(f1_score(true, labels, average="macro", zero_division=0))
    assert found["weighted_f1"] == pytest.approx(f1_score(true, labels, average="weighted", zero_division=0))
    is_right = [a == b for a, b in zip(true, labels, strict=True)]
    expected = brier_score_loss(is_right, confidence, pos_label=True)
    assert found["brier"] == pytest.approx(expected)
    assert brier_score(np.array(confidence), np.array(is_right)) == pytest.approx(expected)


def test_one_bin_compares_the_means() -> None:
    confidence, is_right = np.array([0.2, 0.6, 1.0]), np.array([True, False, True])
    assert expected_calibration_error(confidence, is_right, 1) == pytest.approx(abs(2 / 3 - 0.6))
