"""Releases over the API: asked for by an admin, made by the worker's own function, taken away as a file."""

import hashlib
import re
from collections.abc import Callable
from datetime import timedelta
from io import BytesIO
from pathlib import Path
from typing import Any
from zipfile import ZipFile

import pytest
from django.db import connection
from django.test.utils import CaptureQueriesContext
from django.utils import timezone
from rest_framework.test import APIClient

from annotation_app.models import Batch, DatasheetAnswer, Event, Membership, Release, WorkerBeat
from annotation_app.releases.run import ReleaseRun
from tests.agreement.tables import Said, fill
from tests.conftest import People
from tests.export.rows import Labelled, labelled
from tests.factories import make_beat
from tests.validation.board import Board

pytestmark = pytest.mark.django_db(transaction=True)


@pytest.fixture(autouse=True)
def media(settings: Any, tmp_path: Path) -> None:
    settings.MEDIA_ROOT = tmp_path / "media"
    settings.RUNS_DIR = tmp_path / "media" / "runs"


@pytest.fixture
def light_worker(db: None) -> WorkerBeat:
    return make_beat("light")


@pytest.fixture
def data(people: People) -> Labelled:
    return labelled(people)


@pytest.fixture
def admin(people: People, client_of: Callable[[Membership], APIClient]) -> APIClient:
    return client_of(people.admin)


@pytest.fixture
def url(people: People) -> str:
    return f"/api/projects/{people.project.uuid}/releases/"


def test_a_release_from_asking_to_the_file(
    data: Labelled, admin: APIClient, url: str, light_worker: WorkerBeat
) -> None:
    asked = admin.post(url, {"notes": "For the paper."}, format="json")
    assert asked.status_code == 201
    release = asked.json()
    identity = release["id"]
    assert (release["number"], release["state"], release["notes"]) == (1, "queued", "For the paper.")
    assert release["progress"] == {"step": "queued", "fraction": 0.0}
    assert (release["created_by"], release["filename"]) == ("Ada", "board-release-1.zip")
    early = admin.get(f"/api/releases/{identity}/file/")
    assert (early.status_code, early.json()["code"]) == (409, "not_done")

    ReleaseRun.run(Release.objects.get().pk)
    done = admin.get(f"/api/releases/{identity}/").json()
    assert (done["state"], done["progress"]) == ("done", {"step": "done", "fraction": 1.0})
    assert done["counts"]["items"] == 4
    assert done["card"].startswith("---\npretty_name: Board\n")
    assert {"path": "data/aggregated.jsonl", "lines": 4}.items() <= done["files"][0].items()
    file = admin.get(f"/api/releases/{identity}/file/")
    assert file["Content-Type"] == "application/zip"
    assert file["Content-Disposition"] == 'attachment; filename="board-release-1.zip"'
    whole = b"".join(file.streaming_content)
    assert (len(whole), hashlib.sha256(whole).hexdigest()) == (done["size"], done["sha256"])
    sums = ZipFile(BytesIO(whole)).read("board-release-1/SHA256SUMS")
    assert hashlib.sha256(sums).hexdigest() == done["content_hash"]


def test_one_at_a_time(data: Labelled, admin: APIClient, url: str, light_worker: WorkerBeat) -> None:
    assert admin.post(url, {}, format="json").status_code == 201
    refused = admin.post(url, {}, format="json")
    assert (refused.status_code, refused.json()["code"]) == (409, "release_running")
    assert "Release 1 is being made" in refused.json()["detail"]


def test_not_where_no_worker_would_make_it(data: Labelled, admin: APIClient, url: str) -> None:
    never = admin.post(url, {}, format="json")
    assert (never.status_code, never.json()["code"]) == (409, "worker_down")
    assert "it was never seen" in never.json()["detail"]
    long_ago = timezone.now() - timedelta(seconds=90)
    WorkerBeat.objects.create(name="light@test", queue="light", seen_at=long_ago, started_at=long_ago)
    assert re.search(r"last seen \d+ seconds ago", admin.post(url, {}, format="json").json()["detail"])
    assert not Release.objects.exists()


def test_not_of_nothing(people: People, admin: APIClient, url: str, light_worker: WorkerBeat) -> None:
    refused = admin.post(url, {}, format="json")
    assert (refused.status_code, refused.json()["code"]) == (409, "nothing_to_release")


def test_notes_that_cannot_be_kept_are_refused(
    data: Labelled, admin: APIClient, url: str, light_worker: WorkerBeat
) -> None:
    for notes in ("nul \x00", "x" * 10_001):
        refused = admin.post(url, {"notes": notes}, format="json")
        assert (refused.status_code, list(refused.json()["errors"])) == (400, ["notes"])


def test_the_list_says_what_is_open(data: Labelled, admin: APIClient, people: People, url: str) -> None:
    """Of round 1's 4 items with 3 slots each, 9 are done; u1_1 has a tie at its first stage, u1_2 no answer."""
    Release.objects.create(project=people.project, number=1, state="failed", failure="No room.")
    Release.objects.create(project=people.project, number=2)
    for question, text in (("purpose", "To learn."), ("funding", " \n"), ("title", "Needs none.")):
        DatasheetAnswer.objects.create(
            project=people.project, question=question, text=text, answered_by=people.admin.user
        )
    page = admin.get(url).json()
    assert [release["number"] for release in page["releases"]] == [2, 1]
    assert page["releases"][1]["failure"] == "No room."
    assert "card" not in page["releases"][0]
    assert page["nothing_yet"] is None
    batch, undecided, questions = page["unfinished"]
    assert batch == {"text": "The batch of round 1 is not complete: 9 of 12 done.", "where": "rounds"}
    assert undecided == {"text": "1 item has a stage without a majority or decision.", "where": "disagreements"}
    sheet = admin.get(f"/api/projects/{people.project.uuid}/datasheet/").json()
    words = f"{sheet['n_open']} questions of the datasheet that only people can answer are open."
    assert questions == {"text": words, "where": "datasheet"}


def test_the_list_says_beforehand_that_there_is_nothing_yet(people: People, admin: APIClient, url: str) -> None:
    assert admin.get(url).json()["nothing_yet"].startswith("Nobody has annotated an item of a round")


def test_what_is_finished_is_not_named(people: People, admin: APIClient, url: str) -> None:
    fill(people.project, people.annotators, {"i1": [Said({"opinion": "no"})] * 3})
    unfinished = admin.get(url).json()["unfinished"]
    assert [each for each in unfinished if each["where"] != "datasheet"] == []


def test_the_list_says_what_waits_to_be_validated(people: People, admin: APIClient, url: str) -> None:
    board = Board(people)

    def waits() -> list[str]:
        return [each["text"] for each in admin.get(url).json()["unfinished"] if each["where"] == "validation"]

    assert waits() == []
    for item in board.items:
        board.annotate_all(item)
    assert waits() == ["2 items of the rounds wait to be validated."]
    board.decide(board.items[0], "rejected", reason="torn")
    assert waits() == ["1 item of the rounds waits to be validated."]
    # No release holds it.
    Batch.objects.update(kind=Batch.Kind.PROTOTYPE)
    assert waits() == []


def test_the_card_can_be_read_before(data: Labelled, admin: APIClient, people: People, url: str) -> None:
    DatasheetAnswer.objects.create(
        project=people.project, question="title", text="The board", answered_by=people.admin.user
    )
    Release.objects.create(project=people.project, number=4, state="failed")
    markdown = admin.get(f"{url}card/").json()["markdown"]
    assert markdown.startswith("---\npretty_name: The board\n")
    assert "preview of release 5" in markdown
    # Without any data too.
    Batch.objects.update(kind=Batch.Kind.PRACTICE)
    assert "preview of release 5" in admin.get(f"{url}card/").json()["markdown"]


def test_a_list_asks_no_more_with_more_releases(data: Labelled, admin: APIClient, people: People, url: str) -> None:
    admin.get(url)
    counts = []
    for number in (1, 2, 3):
        Release.objects.create(project=people.project, number=number, state="failed", created_by=people.admin.user)
        with CaptureQueriesContext(connection) as captured:
            admin.get(url)
        counts.append(len(captured))
    assert len(set(counts)) == 1


def test_who_asked_is_in_the_log(
    data: Labelled, admin: APIClient, people: People, url: str, light_worker: WorkerBeat
) -> None:
    admin.post(url, {"notes": "n"}, format="json")
    event = Event.objects.get(verb="release_created")
    assert (event.actor, event.data) == (people.admin.user, {"number": 1, "notes": "n"})
