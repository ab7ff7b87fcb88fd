"""The command `evaluate` on files, with a language model behind a real server."""

import json
import os
import signal
import subprocess
import sys
import time
from pathlib import Path
from typing import Any

import pytest

from al_worker.core.__main__ import main
from al_worker.formats.run_directory import read_json
from tests.core.run_dirs import runs
from tests.language_model import ANSWER, Fault, FaultyProxy

PROMPT = "{examples}Choose of {labels}.\\nSentence: {sentence}"


@pytest.fixture
def folder(tmp_path: Path, faulty_proxy: FaultyProxy, tiny_causal: Path) -> Path:
    """A configuration with a stage of 40 items, half of which the small model gets right."""
    gold = [
        {"id": f"i{at}", "stage": "opinion", "label": label, "text": f"{words} {at}"}
        for at in range(20)
        for label, words in (("yes", "rates should rise"), ("no", "the meeting began"))
    ]
    for row in gold:
        row["id"] += row["label"]
    (tmp_path / "gold.jsonl").write_text("".join(json.dumps(row) + "\n" for row in gold))
    (tmp_path / "models.toml").write_text(
        f"""
        [models.tiny]
        kind = "openai"
        model = "{tiny_causal}"
        base_url = "{faulty_proxy.address}/v1"
        max_tokens = 60
        concurrency = 2
        requests_per_minute = 6000
        """
    )
    return tmp_path


def configured(folder: Path, run: str, prompt: str = PROMPT) -> str:
    config = folder / "evaluation.toml"
    config.write_text(
        f"""
        [data]
        gold = "gold.jsonl"
        [run]
        {run}
        [stages.opinion]
        labels = ["yes", "no"]
        prompt = "{prompt}"
        """
    )
    return str(config)


def answers(folder: Path) -> list[dict[str, Any]]:
    return [json.loads(line) for line in (folder / "results/answers-tiny.jsonl").read_text().splitlines()]


def test_every_system_has_its_figures_and_each_pair_its_test(folder: Path) -> None:
    config = configured(folder, 'systems = ["majority", "bow-logreg", "tiny"]\nmodels = "models.toml"')
    assert main(["evaluate", config, "--progress", "json"]) == 0
    (stage,) = read_json(folder / "results/figures.json")["stages"]
    systems = {system["name"]: system for system in stage["systems"]}
    accuracy = {name: system["accuracy"] for name, system in systems.items()}
    # Of two equally frequent labels the first in order; the model always answers yes.
    assert accuracy == {"majority": 0.5, "bow-logreg": 1.0, "tiny": 0.5}
    assert systems["tiny"]["ece"] == pytest.approx(0.4)
    pairs = {(pair["first"], pair["second"]): pair for pair in stage["pairs"]}
    # Of 20 items that the bag of words alone got right none went the other way: 2 / 2^20, times 2 or 1 of Holm.
    pair = pairs["bow-logreg", "tiny"]
    assert (pair["n"], pair["first_alone"], pair["second_alone"]) == (40, 20, 0)
    assert pair["p"] == pytest.approx(2 / 2**20)
    assert pair["p_holm"] == pytest.approx(3 * 2 / 2**20)
    assert pairs["majority", "tiny"]["p"] == pytest.approx(1.0)
    lines = (folder / "results/predictions.jsonl").read_text().splitlines()
    assert [json.loads(line)["system"] for line in lines] == ["majority"] * 40 + ["bow-logreg"] * 40 + ["tiny"] * 40
    written = {path.name for name in ("tables", "plots") for path in (folder / "results" / name).iterdir()}
    assert {"accuracy.csv", "weighted_f1.tex", "confusion-opinion-tiny.svg", "reliability-opinion-tiny.png"} <= written
    assert "tiny,0.5,0.35" in (folder / "results/tables/accuracy.csv").read_text()


def test_an_answer_keeps_what_reproduces_it(folder: Path, tiny_causal: Path) -> None:
    assert main(["evaluate", configured(folder, 'systems = ["tiny"]\nmodels = "models.toml"')]) == 0
    row = answers(folder)[0]
    assert row["model"] == str(tiny_causal)
    assert json.loads(row["raw"])["label"] == row["label"] == "yes"
    assert len(row["prompt_sha256"]) == 64
    assert row["tokens_in"] > 0
    assert row["problem"] is None


def test_an_answer_that_no_file_holds_is_kept_all_the_same(folder: Path, faulty_proxy: FaultyProxy) -> None:
    """A paid answer must not end the run, whatever stands in it."""
    strange = ANSWER.replace("It says so.", r"nul \u0000, half \ud83d")
    faulty_proxy.faults += [Fault(content=strange), Fault(content="\ud800"), Fault(content="[" * 5_000)]
    assert main(["evaluate", configured(folder, 'systems = ["tiny"]\nmodels = "models.toml"')]) == 0
    rows = answers(folder)
    assert len(rows) == len(faulty_proxy.requests) == 40
    assert [row["explanation"] for row in rows if "nul" in row["explanation"]] == ["nul ?, half ?"]
    assert sorted((row["problem"], row["raw"][:2]) for row in rows if row["problem"]) == [
        ("not_json", "?"),
        ("not_json", "[["),
    ]


def test_examples_are_balanced_and_come_from_other_folds(folder: Path, faulty_proxy: FaultyProxy) -> None:
    config = configured(folder, 'systems = ["tiny"]\nmodels = "models.toml"\nexamples = 4')
    assert main(["evaluate", config]) == 0
    for request in faulty_proxy.requests:
        examples, question = request["messages"][0]["content"].split("Choose of")
        assert (examples.count('Label: "yes"'), examples.count('Label: "no"')) == (2, 2)
        assert question.split("Sentence: ")[1] + "\n" not in examples


def test_a_stage_with_too_few_labels_for_examples_is_told_and_the_others_are_asked(
    folder: Path, faulty_proxy: FaultyProxy
) -> None:
    config = configured(folder, 'systems = ["majority", "tiny"]\nmodels = "models.toml"\nexamples = 2')
    with Path(config).open("a") as file:
        file.write('[stages.rare]\nlabels = ["yes", "no"]\nprompt = "{labels} {sentence}"\n[titles]\nrare = "Rare"\n')
    with (folder / "gold.jsonl").open("a") as file:
        file.write(json.dumps({"id": "r1", "stage": "rare", "label": "yes", "text": "Rarely."}) + "\n")
    assert main(["evaluate", config]) == 0
    figures = read_json(folder / "results/figures.json")
    assert [(stage["key"], [each["name"] for each in stage["systems"]]) for stage in figures["stages"]] == [
        ("opinion", ["majority", "tiny"]),
        ("rare", ["majority"]),
    ]
    assert figures["notices"] == [
        "tiny, Rare: 1 item cannot be split into 4 folds, which need 4 items and two labels. "
        "Nothing was asked, as examples need other folds."
    ]
    assert len(faulty_proxy.requests) == 40


def test_a_killed_run_asks_only_what_is_missing(folder: Path, faulty_proxy: FaultyProxy) -> None:
    config = configured(folder, 'systems = ["tiny"]\nmodels = "models.toml"')
    command = [sys.executable, "-m", "al_worker.core", "evaluate", config]
    faulty_proxy.faults += [Fault(), Fault(), Fault(), Fault(), *(Fault(waits=0.3) for _ in range(36))]
    process = subprocess.Popen(command, stdout=subprocess.DEVNULL, stderr=subprocess.DEVNULL, env=os.environ)
    path = folder / "results/answers-tiny.jsonl"
    deadline = time.monotonic() + 60
    while not path.exists() or path.read_bytes().count(b"\n") < 6:
        assert process.poll() is None
        assert time.monotonic() < deadline
        time.sleep(0.01)
    process.send_signal(signal.SIGKILL)
    process.wait()
    before = {row["id"] for row in answers(folder)}
    with path.open("a") as file:
        file.write('{"id": "half a li')
    faulty_proxy.faults.clear()
    asked_before = len(faulty_proxy.requests)
    assert subprocess.run(command, stdout=subprocess.DEVNULL, check=False).returncode == 0
    rows = answers(folder)
    assert len(rows) == len({row["id"] for row in rows}) == 40
    assert len(faulty_proxy.requests) - asked_before == 40 - len(before)


def test_a_stopped_run_keeps_the_answers_under_way(folder: Path, faulty_proxy: FaultyProxy) -> None:
    config = configured(folder, 'systems = ["tiny"]\nmodels = "models.toml"')
    command = [sys.executable, "-m", "al_worker.core", "evaluate", config]
    faulty_proxy.faults += [Fault(waits=0.5) for _ in range(40)]
    process = subprocess.Popen(command, stdout=subprocess.DEVNULL, stderr=subprocess.DEVNULL, env=os.environ)
    deadline = time.monotonic() + 60
    while len(faulty_proxy.requests) < 5:
        assert process.poll() is None
        assert time.monotonic() < deadline
        time.sleep(0.01)
    process.terminate()
    assert process.wait(timeout=20) == -signal.SIGTERM
    asked = len(faulty_proxy.requests)
    assert len(answers(folder)) == asked < 40
    faulty_proxy.faults.clear()
    assert subprocess.run(command, stdout=subprocess.DEVNULL, check=False).returncode == 0
    assert len(faulty_proxy.requests) == len(answers(folder)) == 40


def test_it_keeps_the_answers_under_way_when_its_parent_is_killed(folder: Path, faulty_proxy: FaultyProxy) -> None:
    config = configured(folder, 'systems = ["tiny"]\nmodels = "models.toml"')
    command = [sys.executable, "-m", "al_worker.core", "evaluate", config, "--die-with-parent"]
    faulty_proxy.faults += [Fault(waits=0.5) for _ in range(40)]
    code = "import subprocess, sys; p = subprocess.Popen(sys.argv[1:]); print(p.pid, flush=True); p.wait()"
    parent = subprocess.Popen([sys.executable, "-c", code, *command], stdout=subprocess.PIPE, text=True)
    assert parent.stdout is not None
    child = int(parent.stdout.readline())
    deadline = time.monotonic() + 60
    while len(faulty_proxy.requests) < 5:
        assert parent.poll() is None
        assert time.monotonic() < deadline
        time.sleep(0.01)
    parent.kill()
    parent.wait()
    while runs(child):
        assert time.monotonic() < deadline
        time.sleep(0.05)
    # What had been asked is paid: each of it is on disk, and nothing more was asked.
    assert len(answers(folder)) == len(faulty_proxy.requests) < 40


def test_another_prompt_is_asked_anew(folder: Path, faulty_proxy: FaultyProxy) -> None:
    run = 'systems = ["tiny"]\nmodels = "models.toml"'
    assert main(["evaluate", configured(folder, run)]) == 0
    assert main(["evaluate", configured(folder, run)]) == 0
    assert len(faulty_proxy.requests) == 40
    assert main(["evaluate", configured(folder, run, "Now choose of {labels}: {sentence}")]) == 0
    assert len(faulty_proxy.requests) == 80


def test_answers_that_came_before_a_failure_are_kept(
    folder: Path, faulty_proxy: FaultyProxy, capsys: pytest.CaptureFixture[str]
) -> None:
    faulty_proxy.faults += [Fault(), Fault(), Fault(), Fault(status=401)]
    config = configured(folder, 'systems = ["tiny"]\nmodels = "models.toml"')
    assert main(["evaluate", config]) == 3
    assert "KeyRejected: tiny: the provider does not accept the key" in capsys.readouterr().err
    assert len(answers(folder)) >= 3
    assert main(["evaluate", config]) == 0
    assert len(answers(folder)) == 40


@pytest.mark.parametrize(
    ("run", "prompt", "message"),
    [
        ('systems = ["other"]', PROMPT, '[run] systems names "other"; there are majority'),
        (
            'systems = ["tiny"]\nmodels = "models.toml"',
            "Of {label}?",
            "[stages.opinion] prompt, line 1, column 4: {label} is no variable",
        ),
        ('systems = ["majority"]\nfolds = 1', PROMPT, "[run] folds = 1 is outside"),
        ('models = "none.toml"', PROMPT, "none.toml: the file of language models cannot be read"),
    ],
)
def test_a_faulty_configuration_is_named_with_its_place(
    folder: Path, capsys: pytest.CaptureFixture[str], run: str, prompt: str, message: str
) -> None:
    assert main(["evaluate", configured(folder, run, prompt)]) == 3
    assert message in capsys.readouterr().err


def test_a_label_that_the_stage_does_not_have_is_named(folder: Path, capsys: pytest.CaptureFixture[str]) -> None:
    with (folder / "gold.jsonl").open("a") as file:
        file.write(json.dumps({"id": "x", "stage": "opinion", "label": "maybe", "text": "So."}))
    assert main(["evaluate", configured(folder, "")]) == 3
    assert "gold.jsonl line 41: 'maybe' is no label of the stage 'opinion'" in capsys.readouterr().err
