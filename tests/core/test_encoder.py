"""The one code path of all encoders, on a tiny ModernBERT with random weights."""

import json
import shutil
from pathlib import Path
from typing import Any

import numpy as np
import pytest

from al_worker.formats.run_directory import Item, read_json
from tests.core.run_dirs import core, selected_ids, sentences, write_run

ALL = sentences(90)
LABELED, POOL, HELD_OUT = ALL[:20], ALL[20:70], ALL[70:]


def encoder_run(folder: Path, model: Path, **changes: Any) -> Path:
    given = {"strategy": "entropy", "labeled": LABELED, "pool": POOL, **changes}
    return write_run(folder, model=str(model), **given)


def arrays_of(run: Path) -> dict[str, np.ndarray]:
    with np.load(run / "predictions.npz") as arrays:
        return {name: arrays[name] for name in arrays.files}


@pytest.fixture(scope="module")
def cal_run(tmp_path_factory: pytest.TempPathFactory, tiny_modernbert: Path) -> Path:
    folder = tmp_path_factory.mktemp("encoder") / "run"
    run = encoder_run(
        folder,
        tiny_modernbert,
        strategy="cal",
        options={"k": 5},
        evaluation=HELD_OUT,
        training={"learning_rate": 3e-3, "epochs": 5},
    )
    assert core("round", run) == 0
    return run


def test_it_runs_a_round_with_modernbert(cal_run: Path) -> None:
    assert len(selected_ids(cal_run)) == 5
    metrics = read_json(cal_run / "metrics.json")
    assert metrics["held_out"]["n"] == 20 and metrics["held_out"]["accuracy"] > 0.8
    record = read_json(cal_run / "record.json")
    assert record["model"]["architecture"] == "ModernBertForSequenceClassification"
    assert record["model"]["dropouts"] == {
        "attention_dropout": 0.1,
        "embedding_dropout": 0.1,
        "mlp_dropout": 0.1,
        "classifier_dropout": 0.1,
    }
    losses = record["steps"]["train"]["facts"]["epoch_losses"]
    assert len(losses) == 5 and losses[-1] < losses[0]
    assert len(record["model"]["pretrained_weights_sha256"]) == 64
    assert record["hyperparameters"]["weight_decay"] == 0.05
    assert record["steps"]["score"]["facts"]["execution"]["precision"] == "fp32"


def test_it_reads_cls_though_the_checkpoint_says_mean(cal_run: Path, tiny_modernbert: Path) -> None:
    assert read_json(tiny_modernbert / "config.json")["classifier_pooling"] == "mean"
    assert read_json(cal_run / "model" / "config.json")["classifier_pooling"] == "cls"
    assert read_json(cal_run / "record.json")["model"]["classifier_pooling"] == "cls"


def test_it_gives_what_transformers_gives_one_text_at_a_time(cal_run: Path) -> None:
    """Length-sorted batches change nothing; the vector is row 0 of the last hidden state, after the final norm."""
    import torch
    from transformers import AutoModelForSequenceClassification, AutoTokenizer

    model = AutoModelForSequenceClassification.from_pretrained(cal_run / "model", dtype=torch.float32).eval()
    tokenizer = AutoTokenizer.from_pretrained(cal_run / "model")
    arrays = arrays_of(cal_run)
    assert arrays["pool_ids"].tolist() == [item.id for item in POOL]
    for part, items in (("pool", POOL), ("labeled", LABELED)):
        for row in (0, 1, 7):
            batch = tokenizer([items[row].text], return_tensors="pt")
            with torch.inference_mode():
                hidden = model.model(**batch)[0][0, 0].numpy()
                logits = model(**batch).logits[0].numpy()
            assert arrays[f"{part}_logits"][row] == pytest.approx(logits, abs=1e-5)
            assert arrays[f"{part}_vectors"][row] == pytest.approx(hidden, abs=1e-5)


@pytest.mark.parametrize("vector", ["pooled_head", "mean"])
def test_it_can_keep_other_vectors(tmp_path: Path, cal_run: Path, tiny_modernbert: Path, vector: str) -> None:
    import torch
    from transformers import AutoModelForSequenceClassification, AutoTokenizer

    run = encoder_run(tmp_path / "run", tiny_modernbert, strategy="cal", options={"k": 5, "vector": vector})
    assert core("round", run) == 0
    model = AutoModelForSequenceClassification.from_pretrained(run / "model", dtype=torch.float32).eval()
    batch = AutoTokenizer.from_pretrained(run / "model")([POOL[3].text], return_tensors="pt")
    with torch.inference_mode():
        hidden = model.model(**batch)[0]
        expected = hidden.mean(dim=1)[0] if vector == "mean" else model.head(hidden[:, 0])[0]
    assert arrays_of(run)["pool_vectors"][3] == pytest.approx(expected.numpy(), abs=1e-5)


def test_it_selects_the_same_when_run_again(tmp_path: Path, tiny_modernbert: Path) -> None:
    runs = [encoder_run(tmp_path / name, tiny_modernbert) for name in ("a", "b")]
    assert [core("round", run) for run in runs] == [0, 0]
    first, second = (arrays_of(run) for run in runs)
    assert np.array_equal(first["pool_logits"], second["pool_logits"])
    for name in ("selected.jsonl", "model/model.safetensors"):
        assert (runs[0] / name).read_bytes() == (runs[1] / name).read_bytes()


def test_it_trains_anew_with_another_state_and_from_the_pretrained_weights(
    tmp_path: Path, tiny_modernbert: Path
) -> None:
    before = (tiny_modernbert / "model.safetensors").read_bytes()
    runs = [
        encoder_run(tmp_path / "a", tiny_modernbert, round={"random_state": 1}),
        encoder_run(tmp_path / "b", tiny_modernbert, round={"random_state": 2}),
    ]
    assert [core("round", run) for run in runs] == [0, 0]
    assert not np.array_equal(arrays_of(runs[0])["pool_logits"], arrays_of(runs[1])["pool_logits"])
    assert (tiny_modernbert / "model.safetensors").read_bytes() == before
    seeds = [read_json(run / "record.json")["steps"]["train"]["facts"]["seeds"] for run in runs]
    assert set(seeds[0]) == {"head", "shuffle", "dropout"} and seeds[0] != seeds[1]


def test_it_trains_on_one_class_and_says_so(tmp_path: Path, tiny_modernbert: Path) -> None:
    labeled = [Item(item.id, item.text, "no") for item in LABELED]
    run = encoder_run(tmp_path / "run", tiny_modernbert, labeled=labeled, model_table={"labels": ["no", "yes"]})
    assert core("round", run) == 0
    assert read_json(run / "record.json")["metrics"]["doubts"][0]["kind"] == "one_class"
    assert arrays_of(run)["pool_logits"].shape == (50, 2)
    run = encoder_run(tmp_path / "undeclared", tiny_modernbert, labeled=labeled)
    assert core("round", run) == 0 and arrays_of(run)["pool_logits"].shape == (50, 1)


def test_it_trains_on_a_single_label(tmp_path: Path, tiny_modernbert: Path) -> None:
    run = encoder_run(tmp_path / "run", tiny_modernbert, labeled=LABELED[:1], model_table={"labels": ["no", "yes"]})
    assert core("round", run) == 0 and len(selected_ids(run)) == 5


def test_it_cuts_texts_at_the_position_limit(tmp_path: Path, tiny_modernbert: Path) -> None:
    long = Item("long", "growth " * 500)
    run = encoder_run(tmp_path / "run", tiny_modernbert, pool=[*POOL, long])
    assert core("round", run) == 0
    facts = read_json(run / "record.json")["steps"]["encode"]["facts"]
    assert facts["max_tokens"] == 64 and facts["n_truncated_or_full"] == 1


def test_it_scores_each_distinct_text_once(tmp_path: Path, tiny_modernbert: Path) -> None:
    pool = [*POOL[:10], *(Item(f"again{n}", item.text) for n, item in enumerate(POOL[:10]))]
    run = encoder_run(tmp_path / "run", tiny_modernbert, pool=pool)
    assert core("round", run) == 0
    assert read_json(run / "record.json")["steps"]["score"]["facts"]["n_texts"] == 10 + len(LABELED)
    logits = arrays_of(run)["pool_logits"]
    assert np.array_equal(logits[:10], logits[10:])


def test_it_goes_on_with_a_scan_that_was_stopped(
    tmp_path: Path, tiny_modernbert: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    from al_worker.core.backends.shards import Shards

    small = {"training": {"score_batch_tokens": 128, "shard_sentences": 8}}
    whole = encoder_run(tmp_path / "whole", tiny_modernbert, **small)
    assert core("round", whole) == 0
    run = encoder_run(tmp_path / "run", tiny_modernbert, **small)
    assert core("encode", run) == core("train", run) == 0
    write, written = Shards.write, []

    def stop_after_three(shards: Shards, number: int, *rest: Any) -> None:
        write(shards, number, *rest)
        written.append(shards.folder / f"{number:06d}.npz")
        if len(written) == 3:
            raise KeyboardInterrupt

    monkeypatch.setattr(Shards, "write", stop_after_three)
    assert core("score", run) == 130
    monkeypatch.undo()
    written[1].write_bytes(written[1].read_bytes()[:-40])
    assert core("round", run) == 0
    facts = read_json(run / "steps" / "score.json")["facts"]
    assert facts["shards_resumed"] == 2 and facts["shards"] > 5
    assert np.array_equal(arrays_of(run)["pool_logits"], arrays_of(whole)["pool_logits"])
    assert (run / "selected.jsonl").read_bytes() == (whole / "selected.jsonl").read_bytes()
    assert not (run / "shards").exists()


def test_it_takes_no_shard_of_other_weights(tmp_path: Path, tiny_modernbert: Path) -> None:
    run = encoder_run(tmp_path / "run", tiny_modernbert)
    assert core("round", run) == 0
    stale = run / "shards" / "0123456789abcdef01234567"
    stale.mkdir(parents=True)
    (stale / "000000.npz").write_bytes(b"of another model")
    assert core("round", run, "--force") == 0
    assert read_json(run / "steps" / "score.json")["facts"]["shards_resumed"] == 0


def test_it_stops_when_the_loss_is_no_number(
    tmp_path: Path, tiny_modernbert: Path, capsys: pytest.CaptureFixture[str]
) -> None:
    run = encoder_run(
        tmp_path / "run", tiny_modernbert, training={"learning_rate": 1e30, "clip_norm": 0.0, "epochs": 4}
    )
    assert core("round", run) == 3
    assert capsys.readouterr().err.startswith("NonFiniteScores: ")
    assert not (run / "model").exists() and not (run / "predictions.npz").exists()


def drop_parameter(folder: Path, name: str) -> None:
    from safetensors.torch import load_file, save_file

    weights = load_file(folder / "model.safetensors")
    del weights[name]
    save_file(weights, folder / "model.safetensors", metadata={"format": "pt"})


def change_config(folder: Path, **values: Any) -> None:
    path = folder / "config.json"
    path.write_text(json.dumps({**json.loads(path.read_text()), **values}))


@pytest.mark.parametrize(
    ("break_it", "words"),
    [
        (lambda folder: (folder / "model.safetensors").rename(folder / "pytorch_model.bin"), "no *.safetensors in"),
        (lambda folder: (folder / "config.json").unlink(), "no config.json in"),
        (lambda folder: (folder / "config.json").write_text('{"model_type": "homemade"}'), "not of a known kind"),
        (lambda folder: (folder / "model.safetensors").write_bytes(b"cut off"), "not an encoder that can classify"),
        (lambda folder: (folder / "tokenizer.json").unlink(), "tokenizer"),
        (lambda folder: drop_parameter(folder, "layers.1.attn.Wo.weight"), "lacks 1 of its parameters"),
        (lambda folder: change_config(folder, hidden_size=64), "lacks"),
    ],
)
def test_it_says_why_a_model_cannot_be_used(
    tmp_path: Path, tiny_modernbert: Path, capsys: pytest.CaptureFixture[str], break_it: Any, words: str
) -> None:
    broken = tmp_path / "broken"
    shutil.copytree(tiny_modernbert, broken)
    break_it(broken)
    run = encoder_run(tmp_path / "run", broken)
    assert core("round", run) == 3
    error = capsys.readouterr().err
    assert error.startswith("ModelUnavailable: ") and words in error and error.count("\n") == 1


@pytest.mark.parametrize(
    ("name", "words"),
    [
        ("answerdotai/ModernBERT-base", 'or choose "all-MiniLM-L6-v2", which is installed'),
        ("/nowhere/at/all", "neither a folder on this machine nor a hub name"),
        ("none", '[model] name is "none"'),
    ],
)
def test_it_says_what_to_do_when_a_model_is_not_here(
    tmp_path: Path,
    capsys: pytest.CaptureFixture[str],
    monkeypatch: pytest.MonkeyPatch,
    name: str,
    words: str,
) -> None:
    monkeypatch.setenv("HF_HUB_CACHE", str(tmp_path / "empty"))
    run = encoder_run(tmp_path / "run", Path("x"))
    config = (run / "config.toml").read_text().replace('name = "x"', f'name = "{name}"')
    (run / "config.toml").write_text(config)
    assert core("round", run) == 3
    error = capsys.readouterr().err
    assert error.startswith("ModelUnavailable: ") and words in error


def test_its_progress_is_a_share_of_tokens_since_the_longest_texts_come_first(
    tmp_path: Path, tiny_modernbert: Path, monkeypatch: pytest.MonkeyPatch, capsys: pytest.CaptureFixture[str]
) -> None:
    """Two long texts hold most of the tokens: with these done, most of the work is."""
    monkeypatch.setattr("al_worker.core.run.progress.LEAST_SECONDS", 0.0)
    long = [Item(f"long{number}", f"{number} " + "the outlook is good " * 25) for number in range(2)]
    pool = [*POOL[:20], *long]
    run = encoder_run(tmp_path / "run", tiny_modernbert, pool=pool, training={"score_batch_tokens": 256})
    assert core("round", run, "--progress", "json") == 0
    said = [json.loads(line) for line in capsys.readouterr().out.splitlines()]
    scanned = [each for each in said if each["step"] == "score" and each["detail"].endswith("the longest first")]
    shares = {int(each["detail"].split()[0]): (each["fraction"] - 0.05) / 0.9 for each in scanned}
    # The labelled texts are scored beside the pool's.
    n = len(pool) + len(LABELED)
    assert max(shares) == n and shares[n] == pytest.approx(1.0, abs=1e-3)
    first = min(shares)
    assert first <= 2 and shares[first] > 3 * first / n
    assert [shares[rows] for rows in sorted(shares)] == sorted(shares.values())
