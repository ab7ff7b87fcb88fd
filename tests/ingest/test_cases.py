"""Files as other programs write them, imported through the API as an admin does."""

import io
import json
from collections.abc import Callable
from pathlib import Path
from typing import Any

import pytest
from django.core.files.uploadedfile import SimpleUploadedFile
from rest_framework.test import APIClient
from xlsxwriter import Workbook

from annotation_app import jobs
from annotation_app.models import Import, Item, Membership
from tests.conftest import People

pytestmark = pytest.mark.django_db(transaction=True)
Send = Callable[..., Any]


@pytest.fixture
def send(
    people: People,
    client_of: Callable[[Membership], APIClient],
    light_worker: None,
    settings: Any,
    tmp_path: Path,
) -> Send:
    """Imports a file, and returns its end as the page shows it."""
    settings.MEDIA_ROOT = tmp_path / "media"
    client = client_of(people.admin)

    def run(name: str, data: bytes, **form: Any) -> Any:
        path = f"/api/projects/{people.project.uuid}/imports/"
        answer = client.post(
            path, {"file": SimpleUploadedFile(name, data), "unit": "document", **form}, format="multipart"
        )
        assert answer.status_code == 202, answer.data
        jobs.import_run(Import.objects.latest("pk").pk)
        return client.get(f"/api/imports/{answer.json()['id']}/").json()

    return run


def items() -> list[tuple[str, str]]:
    return list(Item.objects.order_by("pk").values_list("external_id", "text"))


@pytest.mark.parametrize(
    ("name", "data", "expected"),
    [
        ("ends.csv", b"id,text\rr5,One two three\rr6,Four five\r", [("r5", "One two three"), ("r6", "Four five")]),
        ("sep.csv", b'sep=;\r\nid;text\r\nr2;"One two three; four"\r\n', [("r2", "One two three; four")]),
        ("case.csv", b"\xef\xbb\xbfID, Text\nr7,One two three\n", [("r7", "One two three")]),
        ("tabs.tsv", "id\ttext\nr8\tCaf\u00e9\n".encode("utf-16"), [("r8", "Caf\u00e9")]),
        ("numbers.jsonl", b'{"id": 1, "text": "One."}\n{"id": 2, "text": "Two."}\n', [("1", "One."), ("2", "Two.")]),
        (
            "a.json",
            b'[\n {"id": "x1", "text": "One."},\n {"id": "x2", "text": "Two."}\n]',
            [("x1", "One."), ("x2", "Two.")],
        ),
    ],
)
def test_it_reads_what_other_programs_write(
    send: Send, name: str, data: bytes, expected: list[tuple[str, str]]
) -> None:
    done = send(name, data)
    assert (done["state"], done["report"]["errors"]) == ("done", [])
    assert items() == expected


def test_it_keeps_every_column(send: Send) -> None:
    meta = {"date": "2026-03-29", "party": "P1", "url": "https://example.org/1", "respondent_no": 101, "label": "yes"}
    line = json.dumps({"id": "m1", "text": "It was discussed.", "speaker": "S", **meta})
    assert send("extra.jsonl", line.encode())["state"] == "done"
    assert Item.objects.get(external_id="m1").meta == meta


def test_it_takes_a_sheet_of_a_workbook(send: Send) -> None:
    book = io.BytesIO()
    with Workbook(book) as opened:
        for title in ("notes", "poll"):
            sheet = opened.add_worksheet(title)
            sheet.write_row(0, 0, ["id", "text"])
            sheet.write_row(1, 0, [title, "Rates rose."])
    done = send("workbook.xlsx", book.getvalue(), sheet="poll")
    assert (done["state"], done["format"], done["options"]["sheet"]) == ("done", "xlsx", "poll")
    assert (done["report"]["sheet"], done["report"]["sheets"]) == ("poll", ["notes", "poll"])
    assert items() == [("poll", "Rates rose.")]


def test_it_passes_over_rows_that_the_project_has(send: Send) -> None:
    send("first.csv", b"id,text\na1,Rates rose.\na2,Rates fell.\n")
    more = b"id,text\na2,Rates fell.\na3,Rates stayed.\n"
    refused = send("more.csv", more)
    assert (refused["state"], refused["report"]["skippable"]) == ("failed", True)
    done = send("more.csv", more, skip_existing="true")
    assert (done["state"], done["report"]["existing"], done["report"]["kept"]) == ("done", 1, 1)
    assert [name for name, _ in items()] == ["a1", "a2", "a3"]
    again = send("more.csv", more, skip_existing="true")
    assert again["report"]["errors"][0]["message"] == "Nothing is new: the project has the ids of all 2 rows already."


@pytest.mark.parametrize(
    ("name", "data"),
    [
        ("talks.csv", b"text,party\nRates rose.,left\nRates fell.,right\n"),
        ("talks.jsonl", b'{"text": "Rates rose."}\n{"id": "", "text": "Rates fell."}\n'),
        ("talks.json", b'[{"text": "Rates rose."}, {"text": "Rates fell."}]'),
    ],
)
def test_it_numbers_rows_that_have_no_id(send: Send, name: str, data: bytes) -> None:
    assert send(name, data, number_rows="true")["state"] == "done"
    assert items() == [("talks-1", "Rates rose."), ("talks-2", "Rates fell.")]


@pytest.mark.parametrize(("start", "between", "end"), [("", "\n", "\n"), ("[", ",\n", "]")])
def test_rows_without_ids_are_said_once(send: Send, start: str, between: str, end: str) -> None:
    rows = between.join(f'{{"name": "n{number}", "text": "Rates rose."}}' for number in range(300))
    failed = send("rows.jsonl", f"{start}{rows}{end}".encode())
    message = (
        "Missing field 'id'. Fields found: name, text; choose the field with the ids, or name it `id`, "
        "or have the rows numbered."
    )
    assert [(error["line"], error["field"], error["message"]) for error in failed["report"]["errors"]] == [
        (1, "id", message)
    ]
    assert not failed["report"]["skippable"]


def test_one_row_without_an_id_is_one_bad_line(send: Send) -> None:
    rows = '{"text": "Rates rose."}\n{"id": "b", "text": "Rates fell."}\n'
    done = send("rows.jsonl", rows.encode(), skip_bad_lines="true")
    assert (done["state"], done["report"]["skipped_lines"], items()) == ("done", 1, [("b", "Rates fell.")])
