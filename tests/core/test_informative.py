"""Is a model informative? Each sign on numbers worked by hand, and what a round does about it."""

from pathlib import Path
from typing import Any

import pytest

from al_worker.core.evaluation.informative import doubts, majority_macro_f1, minority_not_predicted
from al_worker.core.run.config import HeadSettings
from al_worker.formats.run_directory import METRICS, RECORD, Item, read_json
from tests.core.run_dirs import core, selected_ids, sentences, write_run

HEAD = HeadSettings(name="", labels=("no", "yes"))
WIDE = {"q05": 0.31, "max": 0.998}


def training(no: tuple[int, float], yes: tuple[int, float], macro_f1: float) -> dict[str, Any]:
    """Figures on the training items: (n, recall) of each label."""
    per_label = {label: {"n": n, "recall": recall} for label, (n, recall) in (("no", no), ("yes", yes))}
    return {"per_label": per_label, "macro_f1": macro_f1}


def pool(yes: float, entropy: dict[str, float] = WIDE) -> dict[str, Any]:
    return {"predicted_share": {"no": 1 - yes, "yes": yes}, "entropy_over_ln_c": entropy}


def kinds(*figures: Any) -> list[str]:
    return [doubt.kind for doubt in doubts(HEAD, *figures)]


def test_it_gives_the_majority_its_hand_worked_macro_f1() -> None:
    # 113 of 150: F1 of the majority 226 / 263, of the other label 0.
    assert majority_macro_f1({"no": 113, "yes": 37}) == pytest.approx(226 / 263 / 2)
    assert majority_macro_f1({"a": 2, "b": 1, "c": 1, "d": 0}) == pytest.approx(4 / 6 / 3)


def test_it_trusts_a_model_that_learned() -> None:
    assert kinds(training((113, 0.9), (37, 0.8), 0.82), pool(0.2), [0.69, 0.5, 0.41]) == []


@pytest.mark.parametrize(
    ("yes", "macro_f1"), [pytest.param(2 / 600, 0.455, id="lr 2e-4"), pytest.param(0.020, 0.451, id="lr 2.3e-4")]
)
def test_it_notices_a_model_that_nearly_collapsed(yes: float, macro_f1: float) -> None:
    """598 of 600 items get one label: a share of 1.0 is not reached, and one odd sentence must not silence it."""
    assert kinds(training((113, 1.0), (37, 1 / 37), macro_f1), pool(yes)) == ["minority_not_predicted"]


def test_it_counts_a_tenth_of_the_training_share() -> None:
    counts, found = {"no": 90, "yes": 10}, {"no": {"recall": 1.0}, "yes": {"recall": 0.4}}
    assert minority_not_predicted(counts, found, {"no": 0.9899, "yes": 0.0101}) is None
    assert minority_not_predicted(counts, found, {"no": 0.9901, "yes": 0.0099}) is not None


def test_it_believes_that_a_label_is_rare_where_the_model_finds_it_in_training() -> None:
    assert kinds(training((75, 0.95), (75, 0.9), 0.92), pool(0.03)) == []


def test_it_names_every_sign() -> None:
    whole = {"q05": 0.9975, "max": 1.0}
    constant = training((113, 1.0), (37, 0.0), 226 / 263 / 2)
    assert kinds(constant, pool(0.0, whole)) == ["no_better_than_majority", "one_label", "flat_scores"]
    assert kinds(training((10, 1.0), (0, 0.0), 1.0), None) == ["one_class"]
    assert kinds(training((113, 0.9), (37, 0.8), 0.82), pool(0.2), [1.96, 7.0, 13.8]) == ["loss_rises"]
    # Sure of nearly everything is not flat: what it is unsure of stands out.
    assert kinds(training((113, 0.9), (37, 0.8), 0.82), pool(0.2, {"q05": 0.0, "max": 0.6})) == []


def blind_run(folder: Path, **options: Any) -> Path:
    """A model of one label: it can't tell anything apart."""
    items = sentences(40)
    return write_run(
        folder,
        strategy="entropy",
        model="bow-logreg",
        pool=items[10:],
        labeled=[Item(i.id, i.text, "no") for i in items[:10]],
        options=options,
        model_table={"labels": ["no", "yes"]},
    )


def test_a_round_runs_what_was_asked_and_says_that_it_is_as_good_as_random(tmp_path: Path) -> None:
    run = blind_run(tmp_path / "run")
    assert core("round", run) == 0
    record, metrics = read_json(run / RECORD), read_json(run / METRICS)
    assert record["strategy"] == {"asked": "entropy", "used": "entropy", "options": {}}
    assert not metrics["informative"] and metrics["doubts"][0]["kind"] == "one_class"
    said = [notice for notice in record["notices"] if notice.startswith("The model is not informative yet")]
    assert len(said) == 1 and 'as good as random: every training item is labelled "no"' in said[0]


def test_a_round_uses_the_alternative_that_was_allowed(tmp_path: Path) -> None:
    run, plain = blind_run(tmp_path / "run", alternative="random"), tmp_path / "plain"
    assert core("round", run) == 0
    record = read_json(run / RECORD)
    assert record["strategy"] == {
        "asked": "entropy",
        "used": "random",
        "options": {},
        "alternative": "random",
        "reason": "the model is not informative: see metrics, doubts",
    }
    assert any(notice.startswith("asked for entropy, used random") for notice in record["notices"])
    items = sentences(40)
    write_run(plain, strategy="random", pool=items[10:], labeled=[Item(i.id, i.text, "no") for i in items[:10]])
    assert core("round", plain) == 0
    assert selected_ids(run) == selected_ids(plain)


def test_a_round_keeps_its_strategy_where_the_model_is_informative(tmp_path: Path) -> None:
    items = sentences(60)
    run = write_run(
        tmp_path / "run",
        strategy="entropy",
        model="bow-logreg",
        pool=items[40:],
        labeled=items[:40],
        options={"alternative": "random"},
    )
    assert core("round", run) == 0
    assert read_json(run / METRICS)["doubts"] == []
    assert read_json(run / RECORD)["strategy"]["used"] == "entropy"


def test_it_refuses_an_alternative_that_needs_a_model(tmp_path: Path, capsys: pytest.CaptureFixture[str]) -> None:
    assert core("round", blind_run(tmp_path / "run", alternative="cal")) == 3
    assert "[strategy] alternative = 'cal' is not one of random, ngram_density" in capsys.readouterr().err


def test_it_refuses_a_positive_label_that_no_item_has_before_it_trains(
    tmp_path: Path, capsys: pytest.CaptureFixture[str]
) -> None:
    items = [Item(i.id, i.text, "0") for i in sentences(60)]
    table = {"positive_labels": ["1"]}
    run = write_run(
        tmp_path / "run", strategy="entropy", model="bow-logreg", pool=items[40:], labeled=items[:40], model_table=table
    )
    assert core("round", run) == 3
    assert 'ConfigError: config.toml: [model] positive_labels holds "1"; the labels are 0' in capsys.readouterr().err
    assert not (run / "model").exists() and not (run / METRICS).exists()


TOPICS = HeadSettings(name="topics", labels=("jobs", "rates"), kind="several")


def of_sets(jobs: tuple[int, float], rates: tuple[int, float], macro_f1: float) -> dict[str, Any]:
    """Figures on ten training items: (n, recall) of each label of a set."""
    return {
        "n": 10,
        "macro_f1": macro_f1,
        "per_label": {"jobs": {"n": jobs[0], "recall": jobs[1]}, "rates": {"n": rates[0], "recall": rates[1]}},
    }


@pytest.mark.parametrize(
    ("figures", "shares", "expected"),
    [
        (of_sets((8, 1.0), (3, 0.7), 0.9), (0.6, 0.2), []),
        (of_sets((10, 1.0), (0, 0.0), 1.0), (0.6, 0.2), ["one_class"]),
        # Jobs for all: F1 16 / 18, of rates 0, so that the mean is 4 / 9.
        (of_sets((8, 1.0), (3, 0.0), 4 / 9), (0.6, 0.2), ["no_better_than_majority"]),
        (of_sets((8, 1.0), (3, 0.7), 0.9), (1.0, 0.0), ["one_label"]),
        (of_sets((8, 0.2), (3, 0.3), 0.5), (0.05, 0.02), ["minority_not_predicted"]),
    ],
)
def test_it_names_the_reasons_of_a_head_of_sets(
    figures: dict[str, Any], shares: tuple[float, float], expected: list[str]
) -> None:
    in_pool = {"predicted_share": dict(zip(TOPICS.labels, shares, strict=True)), "entropy_over_ln_c": WIDE}
    assert [doubt.kind for doubt in doubts(TOPICS, figures, in_pool)] == expected
