"""`python -m al_worker.core equivalence instances` on files."""

import json
from collections.abc import Callable
from pathlib import Path
from typing import Any

import pytest

from tests.core.commands import Done, ran
from tests.equivalence.worlds import target, target_record

EVALUATIONS = [
    {"annotation": "act", "evaluation": "act", "equivalence_classes": [["cut rates", "cut"], ["held rates"]]},
    {"annotation": "mood", "evaluation": "mood", "equivalence_classes": [["good"], ["bad"]]},
]
TARGET = target("t1", "[STD SENTENCE START] It [ACT START] cut rates (Größe) [ACT END]. [STD SENTENCE END]")


@pytest.fixture
def run(tmp_path: Path, capsys: pytest.CaptureFixture[str]) -> Callable[..., Done]:
    def run(evaluations: Any, targets: list[dict[str, Any]], *more: str) -> Done:
        path = tmp_path / "evaluations.json"
        path.write_text(json.dumps(evaluations), encoding="utf-8")
        lines = "".join(json.dumps(each) + "\n" for each in targets)
        (tmp_path / "targets.jsonl").write_text(lines, encoding="utf-8")
        return ran(capsys, "equivalence", "instances", path, tmp_path / "targets.jsonl", *more)

    return run


def test_it_prints_an_instance_a_line_and_what_was_left_out(run: Callable[..., Done], tmp_path: Path) -> None:
    train = target_record(target("t0", "[ACT START] held rates [ACT END]", "train"))
    done = run(EVALUATIONS, [target_record(TARGET), train])
    assert done.returncode == 0
    assert [json.loads(line) for line in done.stdout.splitlines()] == [
        {
            "annotation": "act",
            "evaluation": "act",
            "target": "t1",
            "prefix": "[STD SENTENCE START] It [ACT START]",
            "positive": "cut rates",
            "negative": "held rates",
            "positive_class": 0,
            "negative_class": 1,
        }
    ]
    file = tmp_path / "evaluations.json"
    assert done.stderr.splitlines() == [
        "1 targets of the split train were left out; instances are of valid and test",
        f"{file}: [1].annotation: no target has a span of 'mood'; it has no instance",
        f"{file}: [0].equivalence_classes[0][1]: 'cut' occurs in no target; it is only ever a negative",
        "act | act | test: 1 instances of 1 positives, 100 negatives each; left out of 1 spans: none",
        "  target t1: 1 of 100 negatives; no more of like length were found",
    ]


def test_it_prints_what_is_not_ascii_as_it_is(run: Callable[..., Done]) -> None:
    labels = [{"annotation": "act", "evaluation": "act label", "equivalence_classes": [["Größe"], ["利率"]]}]
    done = run(labels, [target_record(TARGET)], "--style", "underscores", "--source", "code")
    assert '"prefix": "[STD_SENTENCE_START] It [ACT_START] cut rates", "positive": "(Größe)"' in done.stdout
    assert '"negative": "(利率)"' in done.stdout


@pytest.mark.parametrize(
    ("change", "message"),
    [
        ({"text": " "}, 'RunDirectoryError: targets.jsonl line 1: "text" is empty; leave the target out'),
        ({"split": "dev"}, 'RunDirectoryError: targets.jsonl line 1: "split" must be one of train, valid, validation'),
        ({"spans": None}, 'RunDirectoryError: targets.jsonl line 1: "spans" is not a list'),
        ({"spans": [{"start": 0}]}, "RunDirectoryError: targets.jsonl line 1: a span has start, end, category"),
        (
            {"spans": [{"start": 0, "end": 99, "category": "ACT"}]},
            "RunDirectoryError: targets.jsonl line 1: span 'ACT' 0 to 99: lies outside the text of 13 code points",
        ),
        ({"linear": "It cut"}, 'RunDirectoryError: targets.jsonl line 1: "linear" is not the text form of "text"'),
        ({"linear": "", "style": "x"}, 'RunDirectoryError: targets.jsonl line 1: "linear" must be a text form, and'),
        ({"id": ""}, 'RunDirectoryError: targets.jsonl line 1: "id" must be a text that is not empty'),
        ({"text": "\ud800"}, "RunDirectoryError: targets.jsonl line 1: holds half of a surrogate pair"),
    ],
)
def test_a_target_that_is_wrong_is_refused_with_its_line(
    run: Callable[..., Done], change: dict[str, Any], message: str
) -> None:
    done = run(EVALUATIONS, [target_record(TARGET) | change])
    assert (done.returncode, done.stdout) == (3, "")
    assert done.stderr.startswith(message)


def test_ids_are_unique_and_a_category_may_be_checked(run: Callable[..., Done]) -> None:
    twice = run(EVALUATIONS, [target_record(TARGET)] * 2)
    assert "targets.jsonl line 2: 't1' is the id of line 1 too" in twice.stderr
    unknown = run(EVALUATIONS, [target_record(TARGET)], "--categories", "ACT", "SCOPE")
    assert unknown.returncode == 3
    assert "[1].annotation: 'mood' is no category of the codebook; it has ACT, SCOPE" in unknown.stderr
