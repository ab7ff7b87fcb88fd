"""The command as a process of its own: kill -9 in each step, what it prints, and who it dies with."""

import json
import signal
import subprocess
import sys
import time
from pathlib import Path

import numpy as np
import pytest

from al_worker.formats.run_directory import Item, read_json
from tests.core.run_dirs import core, runs, sentences, write_run

ROOT = Path(__file__).parents[2]
ALL = sentences(60)


def start(run: Path, *more: str) -> subprocess.Popen[str]:
    command = [sys.executable, "-m", "al_worker.core", "round", str(run), "--cache", str(run.parent / "cache"), *more]
    return subprocess.Popen(command, cwd=ROOT, stdout=subprocess.PIPE, stderr=subprocess.PIPE, text=True)


def kill_in(run: Path, step: str) -> None:
    """kill -9 as soon as the process says that it is in the step."""
    process = start(run, "--progress", "json")
    assert process.stdout is not None
    for line in process.stdout:
        said = json.loads(line)
        if said["step"] == step and said["fraction"] < 1.0:
            process.send_signal(signal.SIGKILL)
            break
    process.communicate()
    assert process.returncode == -signal.SIGKILL, f"the process ended before the step {step}"


def test_it_selects_the_same_after_kill_9_in_every_step(tmp_path: Path, tiny_modernbert: Path) -> None:
    # Many items of few texts: quick to score, and long enough to select from that the kill is in time.
    pool = [Item(f"p{n}", ALL[20 + n % 40].text) for n in range(20_000)]

    def make(name: str) -> Path:
        return write_run(tmp_path / name, strategy="entropy", model=str(tiny_modernbert), labeled=ALL[:20], pool=pool)

    undisturbed, run = make("undisturbed"), make("killed")
    assert core("round", undisturbed) == 0
    for step in ("encode", "train", "score"):
        kill_in(run, step)
        assert not (run / "predictions.npz").exists()
    assert core("train", run) == core("score", run) == 0
    kill_in(run, "select")
    assert not (run / "selected.jsonl").exists()
    assert core("round", run) == 0
    assert (run / "selected.jsonl").read_bytes() == (undisturbed / "selected.jsonl").read_bytes()
    with np.load(run / "predictions.npz") as found, np.load(undisturbed / "predictions.npz") as expected:
        assert np.array_equal(found["pool_logits"], expected["pool_logits"])
    assert set(read_json(run / "record.json")["steps"]) == {"encode", "train", "score", "select"}
    assert sorted(path.name for path in run.iterdir() if path.name.startswith(".")) == [".lock"]


def test_it_ends_with_the_process_that_started_it(tmp_path: Path, tiny_modernbert: Path) -> None:
    run = write_run(
        tmp_path / "run",
        strategy="entropy",
        model=str(tiny_modernbert),
        labeled=ALL[:20],
        pool=ALL[20:],
        training={"epochs": 100_000},
    )
    command = [sys.executable, "-m", "al_worker.core", "round", str(run), "--progress", "json", "--die-with-parent"]
    code = (
        "import subprocess, sys; p = subprocess.Popen(sys.argv[1:], stdout=subprocess.PIPE, text=True)\n"
        "print(p.pid, flush=True)\nfor line in p.stdout:\n  print(line, end='', flush=True)"
    )
    parent = subprocess.Popen(
        [sys.executable, "-c", code, *command, "--cache", str(tmp_path / "cache")],
        cwd=ROOT,
        stdout=subprocess.PIPE,
        text=True,
    )
    assert parent.stdout is not None
    child = int(parent.stdout.readline())
    assert any('"epoch ' in line for line in parent.stdout)
    parent.kill()
    parent.wait()
    deadline = time.monotonic() + 60
    while time.monotonic() < deadline and runs(child):
        time.sleep(0.05)
    assert not runs(child)


@pytest.mark.parametrize(
    ("arguments", "code", "words"),
    [
        (["guess", "x"], 2, "invalid choice"),
        (["round"], 2, "RUN_DIR"),
        (["round", "/nowhere"], 3, "RunDirectoryError: /nowhere: no such folder"),
    ],
)
def test_it_leaves_with_a_code_and_one_clear_line(arguments: list[str], code: int, words: str) -> None:
    done = subprocess.run(
        [sys.executable, "-m", "al_worker.core", *arguments], cwd=ROOT, capture_output=True, text=True
    )
    assert done.returncode == code
    assert words in done.stderr and "Traceback" not in done.stderr and done.stdout == ""
