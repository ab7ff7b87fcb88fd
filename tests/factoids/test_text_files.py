"""Texts of a set from files: JSON Lines, tables and plain texts, and all that is wrong in them at once."""

import json
from collections.abc import Callable
from typing import Any

import pytest
from rest_framework.test import APIClient

from annotation_app.models import Membership, SetSentence, SetText, TextSet
from tests.conftest import People
from tests.factoids.api import FERRY, close, import_set, open_phase, upload
from tests.factoids.rows import make_phase

Clients = Callable[[Membership], APIClient]


@pytest.fixture
def admin(people: People, client_of: Clients) -> APIClient:
    return client_of(people.admin)


def send_files(admin: APIClient, people: People, *files: tuple[str, bytes], **fields: Any) -> Any:
    body = {"name": "Ferry", "files": [upload(*file) for file in files], **fields}
    return admin.post(f"/api/projects/{people.project.uuid}/text-sets/", body, format="multipart")


def sentences() -> list[tuple[str, str, str]]:
    fields = ("set_text__external_id", "external_id", "text")
    return list(SetSentence.objects.order_by("set_text__position", "position").values_list(*fields))


def lines(*rows: object) -> bytes:
    return "\n".join(json.dumps(row) for row in rows).encode()


def test_json_lines_keep_ids_of_sentences_or_get_them(people: People, admin: APIClient) -> None:
    file = lines(
        {"id": "M01", "sentences": [{"id": "M01-s1", "text": "A ferry sank."}, {"text": "Two died."}]},
        {"id": "M02", "text": "A ferry went down near Kallsund. Dr. Berg saw it."},
    )
    answer = send_files(admin, people, ("texts.jsonl", file))
    assert answer.status_code == 201
    assert (answer.json()["n_texts"], answer.json()["n_sentences"]) == (2, 4)
    assert sentences() == [
        ("M01", "M01-s1", "A ferry sank."),
        ("M01", "M01-002", "Two died."),
        ("M02", "M02-001", "A ferry went down near Kallsund."),
        ("M02", "M02-002", "Dr. Berg saw it."),
    ]


def test_a_json_array_is_read_as_its_lines_are(people: People, admin: APIClient) -> None:
    rows = [{"id": "M01", "sentences": [{"text": "A ferry sank."}]}, {"id": "M02", "text": "It went down. Two died."}]
    assert send_files(admin, people, ("texts.json", json.dumps(rows, indent=1).encode())).status_code == 201
    assert [name for _, name, _ in sentences()] == ["M01-001", "M02-001", "M02-002"]


def test_a_text_that_is_there_twice_is_one_fault(people: People, admin: APIClient) -> None:
    file = lines(*[{"id": "M01", "sentences": [{"id": "s1", "text": "One."}, {"text": "Two."}]}] * 2)
    answer = send_files(admin, people, ("a.jsonl", file)).json()
    assert answer["detail"] == "The texts were not imported: 1 fault."
    said = "a.jsonl, line 2, id: The id M01 is that of a text in a.jsonl, line 1 too: renumber one."
    assert answer["errors"] == {"files": [said]}


def test_a_table_has_a_sentence_a_row(people: People, admin: APIClient) -> None:
    file = "text_id;sentence_id;sentence\nM01;M01-001;Über Nacht.\nM02;;Zwei starben.\nM01;M01-002;Eine Fähre.\n"
    assert send_files(admin, people, ("texts.csv", file.encode("cp1252"))).status_code == 201
    assert sentences() == [
        ("M01", "M01-001", "Über Nacht."),
        ("M01", "M01-002", "Eine Fähre."),
        ("M02", "M02-001", "Zwei starben."),
    ]


def test_a_table_has_a_text_a_row(people: People, admin: APIClient) -> None:
    file = b"text_id,text\nM01,A ferry sank. Two died.\nM02,Nobody knows why.\n"
    assert send_files(admin, people, ("texts.csv", file)).status_code == 201
    assert [name for _, name, _ in sentences()] == ["M01-001", "M01-002", "M02-001"]


def test_plain_texts_are_named_by_their_files(people: People, admin: APIClient) -> None:
    files = ("M01.txt", b"A ferry sank. Two died."), ("M02.txt", b"\xef\xbb\xbfA ferry went down.\r\n")
    assert send_files(admin, people, *files).status_code == 201
    assert sentences() == [
        ("M01", "M01-001", "A ferry sank."),
        ("M01", "M01-002", "Two died."),
        ("M02", "M02-001", "A ferry went down."),
    ]


def test_all_faults_are_named_at_once_and_nothing_is_stored(people: People, admin: APIClient) -> None:
    file = lines(
        {"id": "M01", "sentences": [{"id": "s1", "text": "One."}, {"id": "s1", "text": "Two."}]},
        {"id": "M01", "text": "Three."},
        {"id": "M02", "sentences": []},
        {"id": "M03", "sentences": [{"text": " "}]},
        {"text": "Four."},
        {"id": "M04"},
        {"id": "M05", "text": "Five.", "x": 1},
    )
    answer = send_files(admin, people, ("a.jsonl", file + b"\n{"))
    assert answer.status_code == 400
    assert answer.json()["detail"] == "The texts were not imported: 7 faults."
    assert answer.json()["errors"]["files"] == [
        "a.jsonl, line 1, id: The id s1 is that of a sentence in a.jsonl, line 1 too: renumber one.",
        "a.jsonl, line 2, id: The id M01 is that of a text in a.jsonl, line 1 too: renumber one.",
        "a.jsonl, line 3, sentences: Must be an array of one sentence or more.",
        "a.jsonl, line 4, sentences[0].text: Empty: there is nothing in it to link.",
        "a.jsonl, line 5, id: Missing field. Fields found: text.",
        'a.jsonl, line 6: A text is {"id", "text"} or {"id", "sentences": [{"id", "text"}]}.',
        "a.jsonl, line 8: Malformed JSON: Expecting property name enclosed in double quotes, column 2.",
    ]
    assert not TextSet.objects.exists()


@pytest.mark.parametrize(
    ("files", "fields", "field", "said"),
    [
        (
            [("a.jsonl", lines({"id": "M01", "text": "One."}))],
            {},
            "files",
            "A set has two texts or more, and here is 1",
        ),
        ([("a.csv", b"id,words\nM01,One.\n")], {}, "files", "a.csv, line 1: The header has no column text_id"),
        ([("a.pdf", b"%PDF-1.4")], {}, "files", "a.pdf: This is a PDF document"),
        ([("M01.txt", b"One."), ("M02.txt", b"")], {}, "files", "M02.txt, line 1, text: Empty: there is nothing"),
        ([("a.jsonl", b"")], {}, "files", "a.jsonl: Empty: there is nothing"),
        ([("a.json", b"[1]")], {}, "files", "a.json, line 1: Not a JSON object but a number"),
        ([("a.json", b'{\n"id": "M01"\n}')], {}, "files", "a.json, line 1: This is one JSON object over several"),
        ([("M01.txt", b" ")], {}, "files", "M01.txt, line 1, text: Empty"),
        ([("M01.txt", b"One."), ("M02.txt", b"Two.")], {"name": " "}, "name", "This field may not be blank."),
        ([("M01.txt", b"One.")], {"format": "docx"}, "format", "Choose auto or jsonl or csv or txt."),
    ],
)
def test_what_is_wrong_is_named(
    people: People, admin: APIClient, files: list[tuple[str, bytes]], fields: Any, field: str, said: str
) -> None:
    answer = send_files(admin, people, *files, **fields)
    assert answer.status_code == 400
    assert answer.json()["errors"][field][0].startswith(said)


def test_a_name_is_given_once_a_project(people: People, admin: APIClient) -> None:
    import_set(admin, people.project, FERRY)
    answer = send_files(admin, people, ("M01.txt", b"One."), ("M02.txt", b"Two."))
    said = "The project has a text set “Ferry” already: choose another name."
    assert answer.json()["errors"] == {"name": [said]}


def test_texts_are_added_while_nobody_works_and_later_only_a_systems(people: People, admin: APIClient) -> None:
    text_set = import_set(admin, people.project, FERRY)
    path = f"/api/text-sets/{text_set.uuid}/texts/"

    def add(name: str, **fields: Any) -> Any:
        return admin.post(path, {"files": [upload(name, b"A new text.")], **fields}, format="multipart")

    assert add("M03.txt").status_code == 201
    assert add("M03.txt").json()["errors"]["files"] == [
        "M03.txt, line 1, id: The id M03 is that of a text in the set already: renumber one.",
    ]
    phase = open_phase(admin, text_set, "definition", people.annotators[:1])
    assert add("S1.txt", is_system="true").json()["code"] == "phase_open"
    close(admin, phase)
    assert list(add("M04.txt").json()["errors"]) == ["is_system"]
    assert add("S1.txt", is_system="true").json()["n_texts"] == 4
    assert list(SetText.objects.order_by("position").values_list("external_id", "is_system")) == [
        ("M01", False),
        ("M02", False),
        ("M03", False),
        ("S1", True),
    ]
    # The closed phase is about the texts that the set had then.
    shown = admin.get(f"/api/factoid-lists/{phase['people'][0]['list']}/").json()
    assert [text["id"] for text in shown["texts"]] == ["M01", "M02", "M03"]
    look = make_phase(text_set, "definition", {}, step="second_look", follows=text_set.phases.get())
    later = open_phase(admin, text_set, "definition", people.annotators[:1])
    (of_set,) = admin.get(f"/api/projects/{people.project.uuid}/text-sets/").json()["sets"]
    counted = {each["id"]: each["n_texts"] for each in of_set["phases"]}
    assert counted == {phase["id"]: 3, str(look.uuid): 3, later["id"]: 4}
