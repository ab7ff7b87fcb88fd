"""Predictions that were made elsewhere: checked line by line, and each model a system of the evaluation."""

import io
import json
from collections.abc import Callable
from typing import Any

import pytest
from django.core.files.uploadedfile import SimpleUploadedFile
from rest_framework.test import APIClient

from annotation_app.models import Batch, Evaluation, Membership, Prediction
from tests.conftest import People
from tests.evaluation.conftest import asked
from tests.factories import make_items

Lines = list[dict[str, Any]]
GOOD: Lines = [
    {"id": "unanimous", "stage": "opinion", "label": "yes", "confidence": 0.9, "model": "mine", "explanation": "So."},
    {"id": "closed", "stage": "opinion", "label": None, "model": "mine"},
    {"id": "unanimous", "stage": "mp_context", "label": "no", "model": "mine"},
    {"id": "unanimous", "stage": "opinion", "label": "no", "model": "other-2.1"},
    {"id": "pool_0_1", "stage": "opinion", "label": "no", "model": "other-2.1"},
]


@pytest.fixture
def post(people: People, client_of: Callable[[Membership], APIClient], labelled: Batch, worker: object) -> Any:
    make_items(people.project, ["Nobody was given this."], document="pool")
    client = client_of(people.admin)

    def send(lines: Lines | bytes, **changes: Any) -> Any:
        content = lines if isinstance(lines, bytes) else "".join(json.dumps(line) + "\n" for line in lines).encode()
        spec = json.dumps(asked(stages=["opinion", "mp_context"], **{"systems": [], **changes}))
        form = {"spec": spec, "predictions": SimpleUploadedFile("predictions.jsonl", content)}
        return client.post(f"/api/projects/{people.project.uuid}/evaluations/", form, format="multipart")

    return send


def test_each_model_of_the_file_is_a_system(post: Any) -> None:
    made = post(GOOD, systems=["majority"])
    assert made.status_code == 201, made.content
    spec = made.json()["spec"]
    assert spec["systems"] == ["majority", "mine", "other-2.1"]
    assert spec["kinds"] == {"majority": "majority", "mine": "imported", "other-2.1": "imported"}
    stored = Prediction.objects.order_by("pk").values_list(
        "system", "stage", "item__external_id", "label", "confidence", "problem", "explanation"
    )
    assert list(stored) == [
        ("mine", "opinion", "unanimous", "yes", 0.9, "", "So."),
        ("mine", "opinion", "closed", None, None, "no_label", ""),
        ("mine", "mp_context", "unanimous", "no", None, "", ""),
        ("other-2.1", "opinion", "unanimous", "no", None, "", ""),
        ("other-2.1", "opinion", "pool_0_1", "no", None, "", ""),
    ]
    systems = {each["name"]: each for each in made.json()["progress"]["systems"]}
    assert (systems["mine"]["total"], systems["mine"]["answered"], systems["mine"]["not_compliant"]) == (3, 3, 1)


@pytest.mark.parametrize(
    ("change", "said"),
    [
        ({"id": "nobody"}, 'Line 6: id: The project has no item "nobody".'),
        ({"stage": "mp"}, 'Line 6: stage: "mp" is not evaluated: there are opinion, mp_context.'),
        ({"label": "ambiguous"}, 'Line 6: label: "ambiguous" is no label of opinion: use yes, no, or null'),
        ({"label": 1}, 'Line 6: label: "a number" is no label of opinion'),
        ({"id": "unanimous"}, "Line 6: id: mine has predicted this item at opinion in line 1."),
        ({"confidence": 1.5}, "Line 6: confidence: Must be a number from 0 to 1"),
        ({"confidence": True}, "Line 6: confidence: Must be a number from 0 to 1"),
        ({"confidence": None}, "Line 6: confidence: Give one in each line of mine at opinion or in none: see line 1."),
        ({"model": "majority"}, "Line 6: model: Another system is called majority: choose another name."),
        ({"model": "../mine"}, "Line 6: model: Use letters, digits, dots, hyphens and _, 100 at most."),
        ({"certainty": 1}, "Line 6: certainty: Not read here"),
    ],
)
def test_a_fault_names_its_line_and_nothing_is_stored(post: Any, change: dict[str, Any], said: str) -> None:
    line = {"id": "majority", "stage": "opinion", "label": "yes", "confidence": 0.9, "model": "mine"} | change
    answer = post([*GOOD, line])
    assert answer.status_code == 400, answer.content
    [fault] = answer.json()["errors"]["predictions"]
    assert fault.startswith(said)
    assert not Evaluation.objects.exists() and not Prediction.objects.exists()


def test_every_fault_is_named_and_so_are_files_that_cannot_be_read(post: Any) -> None:
    lines = b'{"id": "unanimous"}\nnot json\n[1]\n'
    faults = post(lines).json()["errors"]["predictions"]
    assert [fault[:8] for fault in faults] == ["Line 1: ", "Line 2: ", "Line 3: "]
    assert post(b"").json()["errors"]["predictions"] == [
        "There is no prediction in the file: a line holds id, stage, label and model."
    ]
    many = [{"id": f"nobody {n}", "stage": "opinion", "label": "yes", "model": "mine"} for n in range(30)]
    faults = post(many).json()["errors"]["predictions"]
    assert len(faults) == 21 and faults[-1] == "... and 10 more."


def test_the_form_needs_a_file_and_a_spec(
    people: People, client_of: Callable[[Membership], APIClient], worker: object
) -> None:
    client, path = client_of(people.admin), f"/api/projects/{people.project.uuid}/evaluations/"
    no_file = client.post(path, {"spec": json.dumps(asked())}, format="multipart")
    assert (no_file.status_code, list(no_file.json()["errors"])) == (400, ["predictions"])
    file = io.BytesIO(b"{}\n")
    no_spec = client.post(path, {"spec": "{", "predictions": file}, format="multipart")
    assert (no_spec.status_code, list(no_spec.json()["errors"])) == (400, ["spec"])
