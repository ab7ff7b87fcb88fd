"""The baseline, and with it the steps of a round: what is skipped, redone and refused."""

from pathlib import Path

import numpy as np
import pytest

from al_worker.core.acquisition.probabilities import log_softmax
from al_worker.core.pipeline import Pipeline
from al_worker.formats.run_directory import Item, read_items, read_json, write_items
from tests.core.run_dirs import core, selected_ids, sentences, write_run

ALL = sentences(80)
LABELED, POOL, HELD_OUT = ALL[:30], ALL[30:60], ALL[60:]


def bow_run(folder: Path, **changes: object) -> Path:
    given = {"strategy": "entropy", "model": "bow-logreg", "labeled": LABELED, "pool": POOL, **changes}
    return write_run(folder, **given)  # type: ignore[arg-type]


def test_it_learns_and_reports_held_out_and_training_figures_apart(tmp_path: Path) -> None:
    run = bow_run(tmp_path / "run", evaluation=HELD_OUT, model_table={"positive_labels": ["yes"]})
    assert core("round", run) == 0
    metrics = read_json(run / "metrics.json")
    assert metrics["labels"] == ["no", "yes"]
    assert metrics["held_out"]["n"] == 20 and metrics["held_out"]["macro_f1"] == 1.0
    assert metrics["held_out"]["confusion"]["matrix"] == [[10, 0], [0, 10]]
    assert metrics["training"]["n"] == 30 and "not held-out" in metrics["training"]["measured_on"]
    assert metrics["pool"]["predicted_positive_share"] == 0.5
    assert 0 <= metrics["pool"]["entropy_over_ln_c"]["median"] <= 1


def test_it_has_no_held_out_figures_without_held_out_items(tmp_path: Path) -> None:
    run = bow_run(tmp_path / "run")
    assert core("round", run) == 0
    assert read_json(run / "metrics.json")["held_out"] is None


def test_it_gives_the_probabilities_of_scikit_learn(tmp_path: Path) -> None:
    from sklearn.feature_extraction.text import CountVectorizer
    from sklearn.linear_model import LogisticRegression

    for labels in (["yes", "no"], ["yes", "no", "other"]):
        labeled = [Item(i.id, i.text, labels[n % len(labels)]) for n, i in enumerate(LABELED)]
        run = bow_run(tmp_path / str(len(labels)), labeled=labeled)
        assert core("round", run) == 0
        vectorizer = CountVectorizer(stop_words="english", min_df=5, max_features=1000)
        x = vectorizer.fit_transform([i.text for i in labeled])
        model = LogisticRegression(C=1.0, class_weight="balanced", max_iter=1000).fit(x, [i.label for i in labeled])
        expected = model.predict_proba(vectorizer.transform([i.text for i in POOL]))
        with np.load(run / "predictions.npz") as arrays:
            found = np.exp(log_softmax(arrays["pool_logits"].astype(np.float64)))
            assert arrays["pool_ids"].tolist() == [i.id for i in POOL]
        assert found == pytest.approx(expected, abs=1e-6)


def test_it_predicts_one_class_where_only_one_was_seen(tmp_path: Path) -> None:
    labeled = [Item(i.id, i.text, "no") for i in LABELED]
    run = bow_run(tmp_path / "run", labeled=labeled, model_table={"labels": ["no", "yes", "maybe"]})
    assert core("round", run) == 0
    record = read_json(run / "record.json")
    kinds = [doubt["kind"] for doubt in record["metrics"]["doubts"]]
    assert kinds == ["one_class", "one_label", "flat_scores"]
    with np.load(run / "predictions.npz") as arrays:
        assert arrays["pool_logits"].shape == (30, 3) and np.isfinite(arrays["pool_logits"]).all()


def test_it_says_when_it_had_to_use_rare_words(tmp_path: Path) -> None:
    run = bow_run(tmp_path / "run", labeled=[Item("x", "growth slows", "yes"), Item("y", "prices rise", "no")])
    assert core("round", run) == 0
    assert any("min_df 1 instead of 5" in notice for notice in read_json(run / "record.json")["notices"])


def test_it_works_without_a_single_usable_word(tmp_path: Path) -> None:
    run = bow_run(tmp_path / "run", labeled=[Item("x", "the of", "yes"), Item("y", "and", "no")])
    assert core("round", run) == 0
    assert any("nothing to tell apart" in notice for notice in read_json(run / "record.json")["notices"])
    assert len(selected_ids(run)) == 5


@pytest.mark.parametrize("kind", ["one", "ordered"])
def test_it_names_the_label_that_it_predicts_without_words(tmp_path: Path, kind: str) -> None:
    """Most items lie above a, but no more than half of these above b: a scale's model predicts b, though a is more."""
    labeled = [Item(f"x{n}", "the of", label) for n, label in enumerate("aaaabbbccc")]
    run = bow_run(tmp_path / "run", labeled=labeled, model_table={"labels": ["a", "b", "c"], "kind": kind})
    assert core("round", run) == 0
    expected = {"one": 0, "ordered": 1}[kind]
    with np.load(run / "predictions.npz") as arrays:
        assert set(arrays["pool_logits"].argmax(axis=1).tolist()) == {expected}
    notices = read_json(run / "record.json")["notices"]
    assert [n for n in notices if "nothing to tell apart" in n] == [
        f'the model predicts "{"abc"[expected]}" for everything: nothing to tell apart'
    ]


def test_it_serves_cal_with_word_counts_as_vectors(tmp_path: Path) -> None:
    run = bow_run(tmp_path / "run", strategy="cal", options={"k": 5})
    assert core("round", run) == 0
    with np.load(run / "predictions.npz") as arrays:
        assert arrays["pool_vectors"].shape[0] == 30 and arrays["labeled_vectors"].shape[0] == 30


def test_it_keeps_vectors_only_where_the_strategy_needs_them(tmp_path: Path) -> None:
    run = bow_run(tmp_path / "run")
    assert core("round", run) == 0
    with np.load(run / "predictions.npz") as arrays:
        assert sorted(arrays.files) == ["labeled_ids", "labeled_logits", "pool_ids", "pool_logits"]


def test_it_leaves_out_steps_whose_outputs_stand(tmp_path: Path, capsys: pytest.CaptureFixture[str]) -> None:
    run = bow_run(tmp_path / "run")
    assert core("round", run) == 0
    before = {path.name: path.stat().st_mtime_ns for path in run.iterdir() if path.is_file()}
    first = capsys.readouterr().out
    assert "up to date" not in first
    assert core("round", run) == 0
    assert capsys.readouterr().out.count("up to date") == 4
    assert {path.name: path.stat().st_mtime_ns for path in run.iterdir() if path.is_file()} == before


@pytest.mark.parametrize(
    ("change", "redone"),
    [
        (lambda run: (run / "selected.jsonl").unlink(), ["select"]),
        (lambda run: (run / "scores.npz").write_bytes(b"damaged"), ["select"]),
        (lambda run: write_items(run / "issued.jsonl", POOL[:1]), ["select"]),
        (lambda run: (run / "predictions.npz").unlink(), ["encode", "score"]),
        (lambda run: write_items(run / "pool.jsonl", POOL[1:]), ["encode", "score", "select"]),
        (lambda run: write_items(run / "labeled.jsonl", LABELED[2:]), ["encode", "train", "score", "select"]),
        (lambda run: (run / "steps" / "train.json").unlink(), []),
    ],
)
def test_it_redoes_what_a_change_concerns(
    tmp_path: Path, capsys: pytest.CaptureFixture[str], change: object, redone: list[str]
) -> None:
    run = bow_run(tmp_path / "run")
    assert core("round", run) == 0
    capsys.readouterr()
    change(run)  # type: ignore[operator]
    assert core("round", run) == 0
    lines = capsys.readouterr().out.splitlines()
    assert [line.split()[0] for line in lines if line.split()[1:3] == ["100%", "done"]] == redone


def test_it_needs_no_weights_once_the_pool_is_scored(tmp_path: Path) -> None:
    import shutil

    run = bow_run(tmp_path / "run")
    assert core("round", run) == 0
    chosen = selected_ids(run)
    shutil.rmtree(run / "model")
    (run / "selected.jsonl").unlink()
    assert core("round", run) == 0
    assert selected_ids(run) == chosen and not (run / "model").exists()


def test_it_gives_the_same_by_single_steps(tmp_path: Path, capsys: pytest.CaptureFixture[str]) -> None:
    whole, apart = bow_run(tmp_path / "whole"), bow_run(tmp_path / "apart")
    assert core("score", apart) == 3
    assert "run the train step first" in capsys.readouterr().err
    assert [core(step, apart) for step in ("encode", "train", "score", "select")] == [0, 0, 0, 0]
    assert core("round", whole) == 0
    for name in ("selected.jsonl", "metrics.json"):
        assert (whole / name).read_bytes() == (apart / name).read_bytes()


def test_it_goes_on_after_a_stop_between_any_two_writes(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    """Every durable write of a round is once the last thing that a process does."""
    from al_worker.core.scoring import predictions
    from al_worker.formats import run_directory

    class Stopped(BaseException):
        pass

    whole = bow_run(tmp_path / "whole")
    assert core("round", whole) == 0
    replace, stops = run_directory.replace_durably, 0
    for last in range(1, 20):
        run, left = bow_run(tmp_path / f"stop{last}"), [last]

        def stopping(temporary: Path, path: Path, left: list[int] = left) -> None:
            replace(temporary, path)
            left[0] -= 1
            if left[0] == 0:
                raise Stopped

        monkeypatch.setattr(run_directory, "replace_durably", stopping)
        monkeypatch.setattr(predictions, "replace_durably", stopping)
        try:
            Pipeline(run=run, cache=tmp_path / "cache").round()
        except Stopped:
            stops += 1
        monkeypatch.undo()
        assert core("round", run) == 0
        for name in ("selected.jsonl", "metrics.json", "scores.npz"):
            assert (run / name).read_bytes() == (whole / name).read_bytes()
        assert not list(run.glob(".*.tmp"))
        if left[0] > 0:
            break
    assert stops == 10 and left[0] > 0, "writes: bow.json, 4 markers, predictions, metrics, scores, selected, record"


def test_it_refuses_labels_that_were_not_declared(tmp_path: Path, capsys: pytest.CaptureFixture[str]) -> None:
    run = bow_run(tmp_path / "run", model_table={"labels": ["yes", "maybe"]})
    assert core("round", run) == 3
    assert 'ConfigError: config.toml: [model] labels lacks "no"' in capsys.readouterr().err
    run = bow_run(tmp_path / "held", evaluation=[Item("e", "x", "other")])
    assert core("round", run) == 3
    assert 'evaluation.jsonl: label "other" of "e" is not among those the model knows' in capsys.readouterr().err


def test_it_names_the_line_of_a_training_item_without_label(tmp_path: Path, capsys: pytest.CaptureFixture[str]) -> None:
    run = bow_run(tmp_path / "run", labeled=[*LABELED, Item("x", "no label")])
    assert core("round", run) == 3
    assert "labeled.jsonl line 31" in capsys.readouterr().err


def test_it_records_what_was_done(tmp_path: Path) -> None:
    run = bow_run(tmp_path / "run", evaluation=HELD_OUT)
    assert core("round", run) == 0
    record = read_json(run / "record.json")
    assert record["strategy"] == {"asked": "entropy", "used": "entropy", "options": {}}
    assert record["model"]["name"] == "bow-logreg"
    assert record["hyperparameters"]["min_df"] == 5
    assert record["training_set"]["items"] == [{"id": i.id, "label": i.label} for i in LABELED]
    assert [entry["id"] for entry in record["selected"]] == selected_ids(run)
    assert record["metrics"] == read_json(run / "metrics.json")
    assert set(record["steps"]) == {"encode", "train", "score", "select"}
    assert all(step["seconds"] >= 0 for step in record["steps"].values())
    assert record["versions"]["numpy"] == np.__version__
    assert record["round"]["random_state"] == 13
    assert [i.id for i in read_items(run / "labeled.jsonl")] == [i.id for i in LABELED]


def test_it_redoes_a_step_by_force(tmp_path: Path, capsys: pytest.CaptureFixture[str]) -> None:
    run = bow_run(tmp_path / "run")
    assert core("round", run) == 0
    capsys.readouterr()
    assert core("round", run, "--force") == 0
    assert "up to date" not in capsys.readouterr().out
