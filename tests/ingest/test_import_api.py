"""Imports from the browser: upload, progress, report; and what is refused."""

import gzip
import json
from collections.abc import Callable
from pathlib import Path
from typing import Any

import pytest
from django.core.files.uploadedfile import SimpleUploadedFile
from rest_framework.test import APIClient

from annotation_app import jobs
from annotation_app.models import Event, Import, Item, Membership
from tests.conftest import People
from tests.shared import shared_file

pytestmark = pytest.mark.django_db(transaction=True)
ClientOf = Callable[[Membership], APIClient]
ROW = b'{"id": "a", "text": "One row."}\n'


@pytest.fixture(autouse=True)
def media(settings: Any, tmp_path: Path) -> Path:
    settings.MEDIA_ROOT = tmp_path / "media"
    return tmp_path / "media"


def upload(client: APIClient, people: People, data: bytes, name: str = "rows.jsonl", **form: Any) -> Any:
    file = SimpleUploadedFile(name, data)
    return client.post(f"/api/projects/{people.project.uuid}/imports/", {"file": file, **form}, format="multipart")


def test_it_takes_an_upload_and_shows_it_until_its_report(
    people: People, client_of: ClientOf, light_worker: None, media: Path
) -> None:
    client = client_of(people.admin)
    answer = upload(client, people, ROW, format="auto", unit="sentence", rows="", min_tokens="", skip_bad_lines="true")
    assert answer.status_code == 202, answer.data
    queued = answer.json()
    assert queued["state"] == "queued"
    assert queued["options"]["rows"] is queued["options"]["min_tokens"] is None
    assert queued["options"]["skip_bad_lines"] is True
    assert (queued["progress"]["step"], queued["report"], queued["finished_at"]) == ("queued", None, None)
    assert len([path for path in media.rglob("*") if path.is_file()]) == 1

    jobs.import_run(Import.objects.get().pk)
    done = client.get(f"/api/imports/{queued['id']}/").json()
    assert (done["state"], done["format"], done["filename"]) == ("done", "jsonl", "rows.jsonl")
    assert done["progress"] == {"step": "done", "fraction": 1.0, "rows": 1}
    assert (done["report"]["kept"], done["report"]["errors"], done["report"]["splitter"]) == (1, [], None)
    assert client.get(f"/api/projects/{people.project.uuid}/imports/").json() == [done]
    assert [path for path in media.rglob("*") if path.is_file()] == []
    event = Event.objects.get(verb="import_done")
    assert (event.actor_id, event.subject) == (people.admin.user_id, queued["id"])


@pytest.mark.parametrize("packed", [False, True])
def test_it_gives_dirty_text_back_character_for_character(
    people: People, client_of: ClientOf, light_worker: None, packed: bool
) -> None:
    data = shared_file("fomc-pressconf/pressconf-dirty.jsonl").read_bytes()
    upload(client_of(people.admin), people, gzip.compress(data) if packed else data)
    jobs.import_run(Import.objects.get().pk)
    source = [json.loads(line) for line in data.decode("utf-8").split("\n") if line]
    stored = Item.objects.order_by("id").values_list("external_id", "text", "utterance__speaker")
    assert list(stored) == [(row["id"], row["text"], row["speaker"]) for row in source]


def test_it_shows_the_errors_of_a_failed_import(people: People, client_of: ClientOf, light_worker: None) -> None:
    client = client_of(people.admin)
    shown = upload(client, people, ROW + b'{"id": "b"}\n').json()
    jobs.import_run(Import.objects.get().pk)
    failed = client.get(f"/api/imports/{shown['id']}/").json()
    assert failed["state"] == "failed"
    assert failed["report"]["errors"] == [
        {"line": 2, "file": "rows.jsonl", "field": "text", "message": "Missing field. Fields found: id."}
    ]
    assert not Item.objects.exists()


def test_it_refuses_an_upload_that_no_worker_would_import(people: People, client_of: ClientOf, media: Path) -> None:
    answer = upload(client_of(people.admin), people, ROW)
    assert answer.status_code == 409
    assert answer.json()["code"] == "worker_down"
    assert "start it" in answer.json()["detail"]
    assert not Import.objects.exists()
    assert [path for path in media.rglob("*") if path.is_file()] == []


@pytest.mark.parametrize(
    ("form", "field"),
    [
        ({"format": "pdf"}, "format"),
        ({"unit": "paragraph"}, "unit"),
        ({"min_tokens": "-1"}, "min_tokens"),
        ({"max_tokens": "many"}, "max_tokens"),
        ({"splitter": "../../etc"}, "splitter"),
        ({"splitter": "no_such_pipeline"}, "splitter"),
        ({"format": "jsonl", "unit": "document", "rows": "sentence"}, "rows"),
    ],
)
def test_it_names_the_bad_option_of_an_upload(
    people: People, client_of: ClientOf, light_worker: None, form: dict[str, str], field: str
) -> None:
    answer = upload(client_of(people.admin), people, ROW, **form)
    assert answer.status_code == 400
    assert list(answer.json()["errors"]) == [field]
    assert not Import.objects.exists()


@pytest.mark.parametrize("sent_as", ["multipart", "json"])
def test_it_wants_a_file(people: People, client_of: ClientOf, light_worker: None, sent_as: str) -> None:
    answer = client_of(people.admin).post(f"/api/projects/{people.project.uuid}/imports/", {}, format=sent_as)
    assert (answer.status_code, list(answer.json()["errors"])) == (400, ["file"])


def test_it_refuses_a_file_over_the_cap(people: People, client_of: ClientOf, light_worker: None, settings: Any) -> None:
    settings.UPLOAD_MAX_BYTES = 1000
    for size in (1001, 200_000):
        answer = upload(client_of(people.admin), people, b"x" * size)
        assert answer.status_code == 413
        assert "import_corpus" in answer.json()["errors"]["file"][0]


def test_it_never_stores_an_upload_under_its_own_name(
    people: People, client_of: ClientOf, light_worker: None, media: Path
) -> None:
    upload(client_of(people.admin), people, ROW, name="../../../evil.jsonl")
    imported = Import.objects.get()
    assert imported.filename == "evil.jsonl"
    assert [path.relative_to(media) for path in media.rglob("*") if path.is_file()] == [
        Path(f"imports/{imported.uuid}")
    ]
