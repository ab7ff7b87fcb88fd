"""The command `evaluate` on files alone: labels as frequent as in OP-FED, people's answers, and a pool."""

import json
from pathlib import Path
from typing import Any

import pytest

from al_worker.core.__main__ import main
from al_worker.formats.run_directory import read_json

# OP-FED, Table 4: gold labels without ambiguous ones, the most frequent first. Stages 3 and 5 are yes and no.
MARGINALS = {
    "opinion": {"yes": 542, "no": 500},
    "policy": {"no": 272, "yes": 213},
    "policy_context": {"no": 143, "yes": 99},
    "stance": {"neutral": 94, "contradict": 37, "entail": 28},
    "stance_context": {"no": 137, "yes": 25},
}
STAGE = """
[stages.{key}]
labels = {labels}
"""


def written(path: Path, rows: list[dict[str, Any]]) -> None:
    path.write_text("".join(json.dumps(row) + "\n" for row in rows))


def evaluated(folder: Path, data: str, run: str, stages: dict[str, list[str]], more: str = "") -> Any:
    tables = "".join(STAGE.format(key=key, labels=json.dumps(labels)) for key, labels in stages.items())
    config = folder / "evaluation.toml"
    config.write_text(f'[data]\ngold = "gold.jsonl"\n{data}\n[run]\n{run}\n{tables}{more}')
    assert main(["evaluate", str(config), "--progress", "json"]) == 0
    return read_json(folder / "results/figures.json")


def test_the_majority_class_has_the_accuracies_of_the_paper(tmp_path: Path) -> None:
    gold = [
        {"id": f"{stage}-{label}-{at}", "stage": stage, "label": label, "text": "So it goes."}
        for stage, counts in MARGINALS.items()
        for label, n in counts.items()
        for at in range(n)
    ]
    written(tmp_path / "gold.jsonl", gold)
    stages = {stage: list(counts) for stage, counts in MARGINALS.items()}
    figures = evaluated(tmp_path, "", 'systems = ["majority"]', stages)
    accuracies = [stage["systems"][0]["accuracy"] for stage in figures["stages"]]
    assert [f"{accuracy:.2f}" for accuracy in accuracies] == ["0.52", "0.56", "0.59", "0.59", "0.85"]
    assert [stage["n"] for stage in figures["stages"]] == [1042, 485, 242, 159, 162]
    assert "0.52" in (tmp_path / "results/tables/accuracy.tex").read_text()


@pytest.fixture
def folder(tmp_path: Path) -> Path:
    """Forty items and three people, of whom the third errs on every tenth; a system is right but for four items."""
    gold = [
        {"id": f"i{at}", "stage": "opinion", "label": "yes" if at % 2 else "no", "text": f"Item {at}."}
        for at in range(40)
    ]
    written(tmp_path / "gold.jsonl", gold)
    wrong = {"yes": "no", "no": "yes"}
    written(
        tmp_path / "votes.jsonl",
        [
            {
                "id": row["id"],
                "stage": "opinion",
                "annotator": name,
                "label": wrong[row["label"]] if name == "c" and at % 10 == 0 else row["label"],
            }
            for at, row in enumerate(gold)
            for name in "abc"
        ],
    )
    written(
        tmp_path / "given.jsonl",
        [
            {
                "id": row["id"],
                "stage": "opinion",
                "system": "paper",
                "label": None if at == 1 else wrong[row["label"]] if at in (3, 5, 7) else row["label"],
                "confidence": None if at == 1 else 0.9,
            }
            for at, row in enumerate(gold)
        ]
        + [
            {"id": f"p{at}", "stage": "opinion", "system": "paper", "label": "yes" if at < 30 else "no"}
            for at in range(100)
        ],
    )
    written(tmp_path / "pool.jsonl", [{"id": f"p{at}", "stage": "opinion", "text": f"Pool {at}."} for at in range(100)])
    return tmp_path


DATA = 'answers = "votes.jsonl"\npool = "pool.jsonl"\npredictions = "given.jsonl"'
YES_NO = {"opinion": ["yes", "no"]}


def test_given_predictions_have_every_figure(folder: Path) -> None:
    data = f"{DATA}\nis_random_sample = true"
    figures = evaluated(folder, data, 'systems = ["paper", "majority"]\nepsilon = 0.15', YES_NO)
    (stage,) = figures["stages"]
    paper, majority = stage["systems"]
    assert (paper["accuracy"], paper["n_not_compliant"]) == (36 / 40, 1)
    assert paper["accuracy_of_compliant"] == pytest.approx(36 / 39)
    assert paper["micro_f1"] == pytest.approx(2 * 36 / (40 + 39))
    # Of 20 yes 16 are found, and nothing else is called so; all 20 no are found among 23.
    assert [label["precision"] for label in paper["per_label"]] == [1.0, 20 / 23]
    assert [label["recall"] for label in paper["per_label"]] == [16 / 20, 1.0]
    assert paper["macro_f1_low"] < paper["macro_f1"] < paper["macro_f1_high"]
    assert stage["n_unanimous"] == 36
    assert paper["by_agreement"]["majority"]["n"] == 4
    assert paper["by_agreement"]["unanimous"]["accuracy"] == pytest.approx(32 / 36)
    assert paper["calibration"]["ece"] == pytest.approx(36 / 39 - 0.9)
    assert majority["calibration"] is None
    # Everything wrong that the system says costs it against a and b; c errs four times where it does not.
    assert [each["annotator"] for each in paper["stand_in"]["comparisons"]] == ["a", "b", "c"]
    assert paper["stand_in"]["epsilon"] == 0.15
    # 30 of 100 in the pool, and 4 of 40 yes that the system missed: .3 + .1. By gold alone half.
    shares = {share["label"]: share for share in paper["shares"]}
    assert shares["yes"]["prediction_powered"]["share"] == pytest.approx(0.4)
    assert shares["yes"]["classical"]["share"] == pytest.approx(0.5)


def test_shares_and_the_test_are_refused_with_a_reason(folder: Path) -> None:
    figures = evaluated(folder, DATA, 'systems = ["paper"]', YES_NO)
    assert "random sample" in figures["stages"][0]["systems"][0]["shares"]["reason"]
    lines = (folder / "votes.jsonl").read_text().splitlines()
    (folder / "votes.jsonl").write_text("\n".join(line for line in lines if '"c"' not in line))
    data = f"{DATA}\nis_random_sample = true"
    figures = evaluated(folder, data, 'systems = ["paper"]', YES_NO, more="has_gate = true")
    (paper,) = figures["stages"][0]["systems"]
    assert "Only some items come to this stage" in paper["shares"]["reason"]
    assert paper["stand_in"]["reason"] == "The test needs 3 annotators, and 2 labelled this stage."
    assert ",–" not in (folder / "results/tables/shares.csv").read_text()


def test_a_trained_system_predicts_the_pool_by_folds(folder: Path) -> None:
    data = f"{DATA}\nis_random_sample = true"
    figures = evaluated(folder, data, 'systems = ["bow-logreg"]', YES_NO)
    (system,) = figures["stages"][0]["systems"]
    assert system["n"] == 40
    assert system["shares"][0]["n_pool"] == 100
    rows = [json.loads(line) for line in (folder / "results/predictions.jsonl").read_text().splitlines()]
    assert sum("gold" in row for row in rows) == 40
