"""Several processes on the shards of one run directory: the same predictions, whoever helps and whoever is killed."""

import json
import os
import signal
import subprocess
import sys
import time
from collections.abc import Iterator
from contextlib import ExitStack, contextmanager
from pathlib import Path
from typing import Any

import numpy as np
import pytest

from al_worker.core.backends.shards import Shards, scan_begin
from al_worker.formats.run_directory import Item, read_json
from tests.core.run_dirs import core, sentences, write_run

ROOT = Path(__file__).parents[2]
ALL = sentences(640)
SMALL = {"score_batch_tokens": 128, "shard_sentences": 8}


def make_run(folder: Path, model: Path, **changes: Any) -> Path:
    given: dict[str, Any] = {"strategy": "entropy", "labeled": ALL[:20], "pool": ALL[20:], "training": SMALL, **changes}
    return write_run(folder, model=str(model), **given)


def trained(folder: Path, model: Path, **changes: Any) -> Path:
    run = make_run(folder, model, **changes)
    assert core("encode", run) == core("train", run) == 0
    return run


def logits_of(run: Path) -> np.ndarray:
    with np.load(run / "predictions.npz") as arrays:
        assert "pool_vectors" not in arrays.files, "entropy needs none"
        return arrays["pool_logits"]


@contextmanager
def process(run: Path, *more: str) -> Iterator[subprocess.Popen[str]]:
    command = [sys.executable, "-m", "al_worker.core", "score", str(run), "--cache", str(run.parent / "cache")]
    started = subprocess.Popen(
        [*command, "--progress", "json", *more], cwd=ROOT, stdout=subprocess.PIPE, stderr=subprocess.PIPE, text=True
    )
    try:
        yield started
    finally:
        started.kill()
        started.wait()


def say_until(started: subprocess.Popen[str], words: str) -> None:
    assert started.stdout is not None
    for line in started.stdout:
        if words in json.loads(line)["detail"]:
            return
    raise AssertionError(f"it ended without saying {words!r}: {started.communicate()[1]}")


def stop_scan(run: Path, monkeypatch: pytest.MonkeyPatch, after: int = 3) -> Shards:
    """A scan of which some shards stand and that no process works on."""
    with monkeypatch.context() as patch:
        write = Shards.write

        def then_stop(shards: Shards, number: int, *rest: Any) -> None:
            write(shards, number, *rest)
            if len(shards.numbers()) == after:
                raise KeyboardInterrupt

        patch.setattr(Shards, "write", then_stop)
        assert core("score", run) == 130
    return Shards(run / "shards", read_json(run / "shards" / "scan.json")["scan"])


def test_it_gives_the_same_with_helpers_of_which_one_is_killed(
    tmp_path: Path, tiny_modernbert: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    alone = trained(tmp_path / "alone", tiny_modernbert)
    assert core("score", alone) == 0
    run = trained(tmp_path / "run", tiny_modernbert)
    shards = stop_scan(run, monkeypatch)
    n_shards = read_json(alone / "steps" / "score.json")["facts"]["shards"]
    with process(run) as own, process(run, "--join") as first, process(run, "--join") as second:
        with ExitStack() as held:
            # No one can finish before all have come.
            assert all(held.enter_context(shards.claim(number)) for number in range(3, n_shards))
            for helper in (first, second):
                say_until(helper, "3 of")
        first.send_signal(signal.SIGKILL)
        assert second.communicate()[1] == own.communicate()[1] == ""
        assert own.returncode == second.returncode == 0
    facts = read_json(run / "steps" / "score.json")["facts"]
    # Three stood before; helpers may have finished more before the run's own process looked.
    assert 3 <= facts["shards_resumed"] <= facts["shards"] == n_shards
    assert np.array_equal(logits_of(run), logits_of(alone))
    assert sorted(path.name for path in run.iterdir() if path.name.startswith(".")) == [".lock"]
    assert not (run / "shards").exists()


def test_it_takes_over_the_shard_of_a_process_that_was_killed(
    tmp_path: Path, tiny_modernbert: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    run = trained(tmp_path / "run", tiny_modernbert)
    shards = stop_scan(run, monkeypatch)
    code = (
        "import sys, time; from pathlib import Path; from al_worker.core.backends.shards import Shards\n"
        "with Shards(Path(sys.argv[1]), sys.argv[2]).claim(5) as mine: print(mine, flush=True); time.sleep(600)"
    )
    holder = subprocess.Popen(
        [sys.executable, "-c", code, str(run / "shards"), shards.key], cwd=ROOT, stdout=subprocess.PIPE, text=True
    )
    assert holder.stdout is not None and holder.stdout.readline() == "True\n"
    with process(run) as own:
        while shards.folder.is_dir() and len(shards.numbers()) < 40 and own.poll() is None:
            time.sleep(0.02)
        assert own.poll() is None and not shards.has(5)
        holder.send_signal(signal.SIGKILL)
        holder.wait()
        assert own.communicate()[1] == "" and own.returncode == 0
    assert logits_of(run).shape == (620, 2)


def test_it_can_be_finished_by_helpers_and_gathered_later(
    tmp_path: Path, tiny_modernbert: Path, monkeypatch: pytest.MonkeyPatch, capsys: pytest.CaptureFixture[str]
) -> None:
    run = trained(tmp_path / "run", tiny_modernbert)
    stop_scan(run, monkeypatch)
    assert core("score", run, "--join") == 0
    assert "shards computed here; the run's own process gathers them" in capsys.readouterr().out
    assert not (run / "predictions.npz").exists()
    assert core("round", run) == 0
    facts = read_json(run / "steps" / "score.json")["facts"]
    assert facts["shards_resumed"] == facts["shards"] > 5
    alone = make_run(tmp_path / "alone", tiny_modernbert)
    assert core("round", alone) == 0
    assert np.array_equal(logits_of(run), logits_of(alone))
    assert (run / "selected.jsonl").read_bytes() == (alone / "selected.jsonl").read_bytes()
    assert core("score", run, "--join") == 0
    assert "up to date" in capsys.readouterr().out


def test_it_refuses_a_helper_that_would_give_other_numbers(
    tmp_path: Path, tiny_modernbert: Path, monkeypatch: pytest.MonkeyPatch, capsys: pytest.CaptureFixture[str]
) -> None:
    import torch

    monkeypatch.setenv("OMP_NUM_THREADS", "1")
    run = trained(tmp_path / "run", tiny_modernbert, training={**SMALL, "threads": 0})
    shards = stop_scan(run, monkeypatch)
    capsys.readouterr()
    for name, value, words in (
        ("threads", "2", "execution.threads is 2 here and 1 there"),
        ("torch", "9.9.0", f"torch is 9.9.0 here and {torch.__version__} there"),
    ):
        with monkeypatch.context() as patch:
            if name == "threads":
                patch.setenv("OMP_NUM_THREADS", value)
            else:
                patch.setattr(torch, "__version__", value)
            assert core("score", run, "--join") == 3
        error = capsys.readouterr().err
        assert error.startswith("ScanMismatch: ") and words in error and error.count("\n") == 1
    assert shards.numbers() == {0, 1, 2}
    (run / "model" / "model.safetensors").write_bytes(b"others")
    assert core("score", run, "--join") == 3
    assert "run the train step first" in capsys.readouterr().err


def test_it_says_when_there_is_nothing_to_join(
    tmp_path: Path, tiny_modernbert: Path, capsys: pytest.CaptureFixture[str]
) -> None:
    run = make_run(tmp_path / "run", tiny_modernbert)
    assert core("score", run, "--join") == 3
    assert capsys.readouterr().err.startswith("ConfigError: model/ is missing")
    assert core("encode", run) == core("train", run) == 0
    assert core("score", run, "--join") == 3
    assert capsys.readouterr().err.startswith("NothingToJoin: no scan is under way")
    words = write_run(tmp_path / "words", strategy="entropy", model="bow-logreg", labeled=ALL[:20], pool=ALL[20:40])
    assert core("train", words) == 0 and core("score", words, "--join") == 3
    assert capsys.readouterr().err.startswith("NothingToJoin: a bag of words")
    with pytest.raises(SystemExit) as left:
        core("select", run, "--join")
    assert left.value.code == 2


ROWS = np.arange(4)
SHARD = np.arange(8, dtype=np.float32).reshape(4, 2), np.ones((4, 3), dtype=np.float32)


def damage(shards: Shards, **arrays: np.ndarray) -> None:
    """Another content in a zip file that is whole."""
    path = shards.folder / "000000.npz"
    with np.load(path) as archive:
        stored = {name: archive[name] for name in archive.files}
    np.savez(path, **{**stored, **arrays})


def test_it_takes_a_shard_as_it_was_written(tmp_path: Path) -> None:
    shards = scan_begin(tmp_path, {"weights": "a"})
    shards.write(0, ROWS, SHARD)
    found = shards.read(0, ROWS)
    assert found is not None and np.array_equal(found[0], SHARD[0]) and np.array_equal(found[1], SHARD[1])
    shards.write(1, ROWS, (SHARD[0], None))
    found = shards.read(1, ROWS)
    assert found is not None and found[1] is None
    assert shards.read(0, ROWS + 1) is None and shards.read(2, ROWS) is None


def test_it_takes_no_shard_that_was_changed_cut_or_comes_from_another_scan(tmp_path: Path) -> None:
    shards = scan_begin(tmp_path / "a", {"weights": "a"})
    for arrays in ({"logits": SHARD[0] + 1}, {"vectors": SHARD[1] * 2}, {"checksum": np.zeros(16, dtype=np.uint8)}):
        shards.write(0, ROWS, SHARD)
        damage(shards, **arrays)
        assert shards.read(0, ROWS) is None
    shards.write(0, ROWS, SHARD)
    path, other = shards.folder / "000000.npz", scan_begin(tmp_path / "b", {"weights": "b"})
    os.link(path, other.folder / "000000.npz")
    assert shards.read(0, ROWS) is not None and other.read(0, ROWS) is None
    for size in (0, 10, path.stat().st_size - 30):
        path.write_bytes(path.read_bytes()[:size])
        assert shards.read(0, ROWS) is None


def test_it_lets_one_process_at_a_time_have_a_shard(tmp_path: Path) -> None:
    shards, same = scan_begin(tmp_path, {"weights": "a"}), Shards(tmp_path, scan_begin(tmp_path, {"weights": "a"}).key)
    with shards.claim(0) as mine:
        assert mine
        with same.claim(0) as theirs, same.claim(1) as another:
            assert not theirs and another
    with same.claim(0) as free:
        assert free


def test_it_drops_the_shards_of_other_scans(tmp_path: Path) -> None:
    first = scan_begin(tmp_path, {"weights": "a"})
    first.write(0, ROWS, SHARD)
    assert scan_begin(tmp_path, {"weights": "a"}).has(0)
    second = scan_begin(tmp_path, {"weights": "b"})
    assert not first.folder.exists() and not second.has(0)


def test_it_scores_a_changed_shard_again(
    tmp_path: Path, tiny_modernbert: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    run = trained(tmp_path / "run", tiny_modernbert, pool=[Item(item.id, item.text) for item in ALL[20:80]])
    shards = stop_scan(run, monkeypatch)
    with np.load(shards.folder / "000000.npz") as archive:
        changed = archive["logits"] + 1
    damage(shards, logits=changed)
    assert core("score", run) == 0
    assert read_json(run / "steps" / "score.json")["facts"]["shards_resumed"] == 2
    found = logits_of(run)
    assert core("score", run, "--force") == 0
    assert np.array_equal(found, logits_of(run))
