"""manage.py evaluate: the same start as the page's, and a table of accuracies at the end."""

import json
import threading
import time
from io import StringIO
from pathlib import Path
from typing import Any

import pytest
from django.core.files.base import ContentFile
from django.core.files.storage import default_storage
from django.core.management import CommandError, call_command
from django.db import connection

from annotation_app.management.commands.evaluate import accuracy_lines
from annotation_app.models import Batch, Evaluation, EvaluationFile
from tests.conftest import People


def evaluate(*options: str, project: str = "Board") -> str:
    out = StringIO()
    call_command("evaluate", project, "--stages", "opinion", "mp", *options, stdout=out, stderr=StringIO())
    return out.getvalue()


def test_it_starts_what_the_page_would_start(people: People, labelled: Batch, worker: object, tmp_path: Path) -> None:
    path = tmp_path / "mine.jsonl"
    path.write_text(json.dumps({"id": "closed", "stage": "opinion", "label": "no", "model": "mine"}), encoding="utf-8")
    said = evaluate("--systems", "majority", "--as", "ada", "--limit", "5", "--predictions", str(path))
    row = Evaluation.objects.get()
    assert said == f"Evaluation 1 of Board was started: {row.uuid}\n"
    assert (row.spec["systems"], row.spec["stages"]) == (["majority", "mine"], ["opinion", "mp"])
    assert (row.spec["limit"], row.created_by, row.name) == (5, people.admin.user, "Evaluation")
    evaluate("--systems", "majority", "--adjudicated")
    newer = Evaluation.objects.latest("number")
    assert newer.created_by == people.project.created_by
    assert newer.spec["gold"] == {"kind": "labels", "phase": 1, "adjudicated": True, "number": None}


@pytest.mark.parametrize(
    ("options", "said"),
    [
        (["--systems", "oracle"], r"systems\[0\]: 'oracle' is no system of this server"),
        ([], "systems: Choose at least one system"),
        (["--systems", "majority", "--release", "3"], "There is no finished release 3"),
        (["--systems", "majority", "--as", "alice"], "alice is no admin of Board"),
        (["--systems", "majority", "--as", "nobody"], "There is no account named nobody"),
        (["--predictions", "/nowhere.jsonl"], "/nowhere.jsonl cannot be read"),
        (["--systems", "majority", "--folds", "1"], "folds: Give a whole number from 2"),
    ],
)
def test_what_is_wrong_is_said_before_anything_is_made(
    people: People, labelled: Batch, worker: object, options: list[str], said: str
) -> None:
    with pytest.raises(CommandError, match=said):
        evaluate(*options)
    assert not Evaluation.objects.exists()


def test_it_needs_a_worker(people: People, labelled: Batch) -> None:
    with pytest.raises(CommandError, match="The model worker does not run"):
        evaluate("--systems", "majority")


FIGURES: dict[str, Any] = {
    "stages": [
        {
            "key": "opinion",
            "n": 1042,
            "systems": [
                {"name": "majority", "n": 1042, "accuracy": 0.52, "accuracy_low": 0.489, "accuracy_high": 0.55},
                {"name": "small", "n": 1000, "accuracy": 0.8, "accuracy_low": 0.77, "accuracy_high": 0.82},
            ],
        },
        {
            "key": "mp",
            "n": 9,
            "systems": [{"name": "majority", "n": 9, "accuracy": 1.0, "accuracy_low": 0.7, "accuracy_high": 1.0}],
        },
    ]
}
PRINTED = [
    "System    opinion (n = 1,042)            mp (n = 9)",
    "majority  0.52 [0.49, 0.55]              1.00 [0.70, 1.00]",
    "small     0.80 [0.77, 0.82] (n = 1,000)  –",
]


def test_accuracies_stand_in_a_table() -> None:
    assert list(accuracy_lines(FIGURES)) == PRINTED


def end_soon(state: str) -> None:
    """End the evaluation as a worker does, in a transaction of its own."""
    while (row := Evaluation.objects.first()) is None:
        time.sleep(0.05)
    if state == "done":
        path = default_storage.save("evaluations/figures.json", ContentFile(json.dumps(FIGURES).encode()))
        EvaluationFile.objects.create(evaluation=row, name="figures.json", path=path, sha256="", size=1)
    row.failure = "The key is wrong." if state == "failed" else ""
    row.end(state)
    row.save()
    connection.close()


@pytest.mark.django_db(transaction=True)
@pytest.mark.parametrize("state", ["done", "failed"])
def test_it_waits_for_the_end(people: People, labelled: Batch, worker: object, state: str) -> None:
    ending = threading.Thread(target=end_soon, args=(state,))
    ending.start()
    try:
        if state == "done":
            said = evaluate("--systems", "majority", "--wait")
            assert said.splitlines()[1:] == PRINTED
        else:
            with pytest.raises(CommandError, match=r"Evaluation 1 is failed. The key is wrong\."):
                evaluate("--systems", "majority", "--wait")
    finally:
        ending.join()
