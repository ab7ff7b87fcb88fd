"""The recipe of the study of interpreting sources, on a small copy in the corpora's own forms."""

import gzip
import json
import subprocess
import sys
from pathlib import Path
from typing import Any

import pytest

from al_worker.core.interpretation.run.config import read_interpretation
from tests.stack import ROOT

SCRIPTS = ROOT / "simulations"
DAYS = [f"2020{month:02}{day:02}" for month in range(1, 11) for day in (1, 15)]
ANSWERS = {"0": "inflation and prices matter to us " * 12, "1": "jobs and wages matter to us " * 12}
SENTENCES = (
    "The staff thought that inflation and prices rose again over the past year.",
    "Hiring slowed, and so jobs and wages had declined in most parts.",
    "The meeting was held in the offices of the Board of Governors.",
)


def run(script: str, *arguments: str | Path) -> subprocess.CompletedProcess[str]:
    command = [sys.executable, str(SCRIPTS / script), *map(str, arguments)]
    return subprocess.run(command, capture_output=True, text=True, check=False)


def rows_of(path: Path) -> list[dict[str, Any]]:
    return [json.loads(line) for line in path.read_text(encoding="utf-8").splitlines()]


def build(folder: Path, days: list[str]) -> subprocess.CompletedProcess[str]:
    """Make the data of meetings with two answers, a question, and three sentences of minutes each."""
    conferences = folder / "conferences"
    conferences.mkdir(parents=True)
    speakers = {"CHAIR.": {"meta": {"chair": True}}, "PRESS.": {"meta": {"chair": False}}}
    (conferences / "speakers.json").write_text(json.dumps(speakers))
    turns = [
        {"id": f"{day}_{number}", "conversation_id": day, "speaker": speaker, "text": text}
        for day in days
        for number, speaker, text in (
            *((n, "CHAIR.", text) for n, text in ANSWERS.items()),
            ("2", "PRESS.", ANSWERS["0"]),
        )
    ]
    (conferences / "utterances.jsonl").write_text("".join(json.dumps(turn) + "\n" for turn in turns))
    with gzip.open(folder / "pool.jsonl.gz", "wt") as file:
        for day in days:
            for number, text in enumerate(SENTENCES):
                name = f"minutes-{day}"
                file.write(json.dumps({"id": f"{name}_{number}", "document_id": name, "text": text}) + "\n")
    places = ["--conferences", conferences, "--pool", folder / "pool.jsonl.gz", "--out", folder / "out"]
    return run("interpretation_study.py", *places)


@pytest.fixture(scope="module")
def made(tmp_path_factory: pytest.TempPathFactory) -> Path:
    folder = tmp_path_factory.mktemp("study")
    done = build(folder, DAYS)
    assert done.returncode == 0, done.stderr
    assert done.stdout == "20 meetings, 40 sources, targets: {'train': 30, 'valid': 4, 'test': 6}\n"
    return folder / "out"


def test_a_rule_marks_who_speaks_the_first_direction_and_the_time(made: Path) -> None:
    first, second = rows_of(made / "targets.jsonl")[:2]
    marked = {
        target["id"]: [(each["category"], target["text"][each["start"] : each["end"]], each["comment"])
                       for each in target["spans"]]
        for target in (first, second)
    }  # fmt: skip
    assert marked == {
        "minutes-20200101_0": [
            ("STD SENTENCE", SENTENCES[0], None),
            ("ACTOR", "The staff", None),
            ("DIRECTION", "rose", "Up"),
            ("SCOPE", "over the past year", None),
        ],
        "minutes-20200101_1": [("STD SENTENCE", SENTENCES[1], None), ("DIRECTION", "slowed", "Down")],
    }


def test_a_sentence_goes_to_the_likest_answer_and_the_last_meetings_are_the_test(made: Path) -> None:
    targets = rows_of(made / "targets.jsonl")
    assert all(each["sources"] == [each["id"].removeprefix("minutes-")] for each in targets)
    splits = {each["id"].removeprefix("minutes-")[:8]: each["split"] for each in targets}
    assert splits == dict.fromkeys(DAYS[:15], "train") | dict.fromkeys(DAYS[15:17], "valid") | dict.fromkeys(
        DAYS[17:], "test"
    )


def test_a_control_gives_each_source_the_text_of_another_meeting_of_its_split(made: Path) -> None:
    sources, others = rows_of(made / "sources.jsonl"), rows_of(made / "other-sources.jsonl")
    assert [each["id"] for each in others] == [each["id"] for each in sources]
    test = {each["id"]: each["sentences"] for each in others[-6:]}
    # Half of six sources is three: the first of the first meeting has the text of the second of the second.
    assert test[f"{DAYS[17]}_0"] == [ANSWERS["1"]]
    assert test[f"{DAYS[18]}_1"] == [ANSWERS["0"]]


def test_few_targets_leave_out_training_targets_only(made: Path) -> None:
    targets, few = rows_of(made / "targets.jsonl"), rows_of(made / "few-targets.jsonl")
    assert few == targets[:30:4] + targets[30:]


def test_too_few_meetings_for_the_control_are_refused(tmp_path: Path) -> None:
    assert "one meeting has half of the split valid or more; give more meetings" in build(tmp_path, DAYS[:10]).stderr


def test_a_baseline_scores_by_the_counts_of_training_targets(tmp_path: Path) -> None:
    """Three training spans: increased twice, fell once. One is added to each count, and to their sum of four."""
    text = "Prices increased."
    span = {"start": 7, "end": 16, "category": "DIRECTION", "comment": "Up"}
    fell = {"text": "Prices fell.", "spans": [{**span, "end": 11, "comment": "Down"}]}
    targets = [{"split": "train", "text": text, "spans": [span]}] * 2 + [{"split": "train", **fell}]
    targets += [{"split": "test", **fell}] * 5
    instances = [
        {"annotation": "direction", "positive": "fell", "negative": "increased"},
        {"annotation": "direction", "positive": "(Up)", "negative": "(Unchanged)"},
    ]
    for name, rows in (("targets", targets), ("instances", instances)):
        (tmp_path / name).write_text("".join(json.dumps(row) + "\n" for row in rows))
    done = run("interpretation_baseline.py", tmp_path / "instances", tmp_path / "targets")
    scored = [json.loads(line) for line in done.stdout.splitlines()]
    # Logarithms of 2/4, 3/4, 3/4 and 1/4.
    assert [row["log_p_positive"] for row in scored] == pytest.approx([-0.693147, -0.287682], abs=1e-6)
    assert [row["log_p_negative"] for row in scored] == pytest.approx([-0.287682, -1.386294], abs=1e-6)


def test_ready_configurations_are_read() -> None:
    found = {path.stem: read_interpretation(path) for path in sorted((SCRIPTS / "interpretation").glob("*.toml"))}
    assert {name: list(settings.systems) for name, settings in found.items()} == {
        "minilm": ["minilm-lead"],
        "small": ["small-lead", "small-oracle"],
        "small-other": ["small-other"],
    }
    assert {settings.results.parent for settings in found.values()} == {
        (SCRIPTS / "interpretation" / "../../var/interpretation")
    }
