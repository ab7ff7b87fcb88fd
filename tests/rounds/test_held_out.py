"""The held-out test set: what is refused, what is kept, and that rounds are measured on it."""

import hashlib
import json
from collections.abc import Callable
from typing import Any

import pytest
from django.core.files.storage import default_storage
from django.core.files.uploadedfile import SimpleUploadedFile
from rest_framework.test import APIClient

from al_worker.bridge.directory import directory_of
from al_worker.formats.run_directory import EVALUATION, read_items
from annotation_app.models import Membership, WorkerBeat
from annotation_app.rounds.spec import RoundSpec
from tests.conftest import People
from tests.factories import make_items
from tests.rounds.held_out import LINES, by_words, jsonl
from tests.rounds.starting import opened, start

Spec = Callable[..., RoundSpec]
ClientOf = Callable[[Membership], APIClient]
Send = Callable[..., Any]


@pytest.fixture
def send(people: People, client_of: ClientOf) -> Send:
    client = client_of(people.admin)

    def sent(content: bytes | None = None, *, stage: str = "opinion", method: str = "post") -> Any:
        url = f"/api/projects/{people.project.uuid}/test-set/"
        if method != "post":
            return getattr(client, method)(url)
        data = {"stage": stage}
        return client.post(url, data | ({"file": SimpleUploadedFile("held-out.jsonl", content)} if content else {}))

    return sent


def faults(response: Any) -> list[str]:
    assert response.status_code == 400
    return response.json()["errors"]["file"]


def test_it_keeps_the_file_exactly(people: People, send: Send) -> None:
    content = jsonl(LINES)
    response = send(content)
    assert response.status_code == 201
    told = response.json()["test_set"]
    assert (told["stage"], told["n"], told["file_name"], told["notices"]) == ("opinion", 3, "held-out.jsonl", [])
    assert told["class_counts"] == {"yes": 2, "no": 1}
    assert told["sha256"] == hashlib.sha256(content).hexdigest()
    row = people.project.test_sets.get()
    with default_storage.open(row.path) as stored:
        assert stored.read() == content
    assert list(row.items.order_by("line").values_list("line", "external_id", "text", "label")) == [
        (1, "t1", "Rates should\trise 🎉 now.\r\n", "yes"),
        (2, "2", "The report was filed.", "no"),
        (3, "t3", "Policy is tight.", "yes"),
    ]
    assert send(method="get").json()["test_set"] == told


@pytest.mark.parametrize(
    ("name", "content"),
    [
        ("t.csv", "\ufeffID;Text;Label\r\nt1;Größe, steigend;yes\r\nt2;Fallend;no\r\n".encode()),
        ("t.tsv", "id\ttext\tlabel\nt1\tGröße, steigend\tyes\nt2\tFallend\tno\n".encode("utf-16")),
        ("t.csv", "label,Sentence,tweet_id\nyes,\"Größe, steigend\",t1\nno,Fallend,t2\n".encode("cp1252")),
        ("t.json", json.dumps([{"id": "t1", "text": "Größe, steigend", "label": "yes"},
                               {"id": "t2", "text": "Fallend", "label": "no"}], indent=1).encode()),
    ],
)  # fmt: skip
def test_it_takes_tables_and_arrays_as_an_import_does(people: People, send: Send, name: str, content: bytes) -> None:
    assert send(content).status_code == 201
    rows = people.project.test_sets.get().items.order_by("line").values_list("external_id", "text", "label")
    assert list(rows) == [("t1", "Größe, steigend", "yes"), ("t2", "Fallend", "no")]


@pytest.mark.parametrize(
    ("content", "told"),
    [
        (b"%PDF-1.7", "This is a PDF document"),
        (b"id,text,answer\na,x,yes\n", "label: Missing column 'label'. Columns found: id, text, answer; name the one"),
        (b"id,Aussage,label\na,x,yes\n", "Line 1: text: Missing column 'text'. Columns found: id, Aussage, label"),
        (b'[{"id": "a", "text": "x", "label": "yes"},\n{"id": }]', "Line 2: Malformed JSON: Expecting value"),
        (b'{"id": "a", "text": "x", "label": true}', "Line 1: label: Must be a string, not true or false."),
    ],
)
def test_a_file_that_is_none_is_named(send: Send, content: bytes, told: str) -> None:
    assert faults(send(content))[0].startswith(told)


def test_it_offers_the_stages_that_a_model_can_learn(send: Send) -> None:
    body = send(method="get").json()
    assert body["test_set"] is None
    assert body["stages"][0] == {"key": "opinion", "title": "Opinion", "labels": ["yes", "no"], "head_kind": "one"}
    assert "ambiguous" not in {label for stage in body["stages"] for label in stage["labels"]}


def test_it_names_every_bad_line(people: People, send: Send) -> None:
    first, second, third = LINES
    bad = [
        first,
        "{not json",
        second | {"label": "maybe"},
        second | {"id": "a", "label": "ambiguous"},
        third | {"id": "t1"},
        {"id": "b", "label": "yes"},
        {"id": "c", "text": " ", "label": "yes"},
        {"id": "d", "text": "x"},
        [1],
    ]
    messages = faults(send(jsonl(bad)))
    assert messages == [
        "Line 2: Malformed JSON: Expecting property name enclosed in double quotes, column 2.",
        'Line 3: label: "maybe" is not a label of this stage: use yes, no.',
        'Line 4: label: the model does not learn "ambiguous", so it cannot be right: leave the line out.',
        'Line 5: id: "t1" was already given on line 1: ids must differ.',
        "Line 6: text: Missing field. Fields found: id, label.",
        "Line 7: text: Empty text: there is nothing to label.",
        "Line 8: label: Missing field.",
        "Line 9: Not a JSON object but an array: every row is one {...} with id and text.",
    ]
    assert not people.project.test_sets.exists()


def test_it_lists_the_first_faults_and_counts_the_rest(send: Send) -> None:
    messages = faults(send(jsonl([{"id": str(n), "text": "x", "label": "?"} for n in range(30)])))
    assert len(messages) == 21
    assert messages[-1] == "... and 10 more."


@pytest.mark.parametrize("content", [b"\n", b" \n\n"])
def test_it_refuses_an_empty_file(send: Send, content: bytes) -> None:
    assert "The file is empty" in faults(send(content))[0]


def test_it_refuses_a_stage_that_no_model_can_learn(send: Send) -> None:
    response = send(jsonl(LINES), stage="tone")
    assert response.json()["errors"] == {"stage": ["'tone' is not a stage that a model can learn: choose another."]}
    assert send(None).json()["errors"] == {"file": ["No file was submitted."]}


def test_it_refuses_items_that_annotators_may_be_handed(people: People, texts: list[str], send: Send) -> None:
    """One by its text, one by its id; the pool's ids are doc_0_1 and so on."""
    leaking = [*LINES, {"id": "t4", "text": texts[5], "label": "no"}, {"id": "doc_3_1", "text": "New.", "label": "no"}]
    (message,) = faults(send(jsonl(leaking)))
    assert message.startswith("2 of 5 items stand in the project's pool or were handed out")
    assert "t4 (line 4), doc_3_1 (line 5)" in message
    assert not people.project.test_sets.exists()
    make_items(people.outsider.project, [LINES[0]["text"]])
    assert send(jsonl(LINES)).status_code == 201


def test_it_notes_what_makes_figures_odd(send: Send) -> None:
    same = [{"id": str(n), "text": "The same.", "label": "yes"} for n in range(2)]
    notices = send(jsonl(same)).json()["test_set"]["notices"]
    assert notices[0].startswith("2 items share their text")
    assert notices[1].startswith('Every item is labelled "yes"')


def test_it_measures_later_rounds_and_keeps_what_past_ones_were_measured_on(
    people: People, texts: list[str], worker: WorkerBeat, spec: Spec, send: Send
) -> None:
    by_words(opened(people, spec(query_size=12)))
    send(jsonl(LINES))
    first = people.project.test_sets.get()
    second = opened(people, spec(strategy="entropy"))
    assert [item.id for item in read_items(directory_of(second) / EVALUATION, need_label=True)] == ["t1", "2", "t3"]
    assert second.metrics["held_out"]["n"] == 3
    assert second.record["test_set"] == {
        "stage": "opinion",
        "file_name": "held-out.jsonl",
        "sha256": first.sha256,
        "items": 3,
        "n": 3,
    }
    by_words(second)
    send(jsonl(LINES[:2]))
    assert send(method="get").json()["test_set"]["n"] == 2
    third = opened(people, spec(strategy="entropy"))
    assert third.metrics["held_out"]["n"] == 2
    assert send(method="delete").status_code == 204
    by_words(third)
    fourth = opened(people, spec(strategy="entropy"))
    assert (fourth.metrics["held_out"], fourth.record["test_set"]) == (None, None)
    second.refresh_from_db()
    assert second.test_set == first
    assert first.items.count() == 3


def test_it_leaves_out_what_was_imported_since(
    people: People, texts: list[str], worker: WorkerBeat, spec: Spec, send: Send
) -> None:
    by_words(opened(people, spec(query_size=12)))
    send(jsonl(LINES))
    make_items(people.project, [LINES[0]["text"]], document="later")
    row = opened(people, spec(strategy="entropy"))
    assert row.metrics["held_out"]["n"] == 2
    assert "1 of 3 test items stand in the pool by now: they are not measured on." in row.notices
    assert (row.record["test_set"]["items"], row.record["test_set"]["n"]) == (3, 2)


def test_it_measures_no_round_that_learns_another_stage_or_nothing(
    people: People, texts: list[str], worker: WorkerBeat, spec: Spec, send: Send
) -> None:
    send(jsonl(LINES), stage="mp")
    first = opened(people, spec(query_size=12))
    assert first.test_set is None
    by_words(first)
    assert start(people, spec(strategy="entropy")).test_set is None
