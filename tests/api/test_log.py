"""The audit log over HTTP: who sees it, what a line says, pages, filters, and the files."""

import csv
import io
import json
from collections.abc import Callable
from typing import Any
from uuid import UUID, uuid4

import pytest
from django.db import connection
from django.test.utils import CaptureQueriesContext
from rest_framework.test import APIClient

from annotation_app.api.log import LogOut
from annotation_app.models import Assignment, Event, Import, Item, Membership, TestSet, event_write
from tests.agreement.tables import at, fill
from tests.agreement.worked import WORKED
from tests.api.labelling import body, same_keys
from tests.api.routes import simulation_make
from tests.assignment.batches import open_batch
from tests.conftest import People
from tests.rounds.second_looks import of_round

ClientOf = Callable[[Membership], APIClient]


@pytest.fixture
def url(people: People) -> str:
    return f"/api/projects/{people.project.uuid}/events/"


@pytest.fixture
def ada(people: People, client_of: ClientOf) -> APIClient:
    return client_of(people.admin)


def write(people: People, verb: str, actor: Membership | None = None, subject: object = "", **data: Any) -> int:
    actor_id = None if actor is None else actor.user_id
    event_write(verb=verb, project=people.project, actor_id=actor_id, subject=subject, **data)
    return Event.objects.latest("pk").pk


def sentences(client: APIClient, url: str, **asked: object) -> list[str]:
    answer = client.get(url, asked)
    assert answer.status_code == 200
    return [line["sentence"] for line in answer.json()["lines"]]


def test_it_tells_what_services_wrote_newest_first(people: People, ada: APIClient, url: str) -> None:
    bob = people.annotators[1]
    ada.patch(f"/api/members/{bob.uuid}/", {"role": "adjudicator"}, format="json")
    ada.post(f"/api/members/{bob.uuid}/deactivate/")
    ada.patch(f"/api/projects/{people.project.uuid}/", {"annotation_budget": 1050}, format="json")
    page = ada.get(url).json()
    same_keys(LogOut(), page)
    assert [(line["who"], line["kind"], line["sentence"]) for line in page["lines"]] == [
        ("Ada", "setup", "Set the annotation budget: 1,050 items (before: none)."),
        ("Ada", "members", "Deactivated Bob."),
        ("Ada", "members", "Withdrew 0 assignments of Bob, not answered yet."),
        ("Ada", "members", "Changed the role of Bob: adjudicator (before: annotator)."),
    ]
    last = page["lines"][-1]
    assert (last["person"], last["verb"], last["subject"]) == (
        str(people.admin.uuid),
        "member_role_set",
        str(bob.uuid),
    )
    assert last["data"] == {"old": "annotator", "new": "adjudicator"}
    assert page["older"] is None


def test_annotations_are_left_out_unless_asked_for_and_hold_no_labels(
    people: People, ada: APIClient, client_of: ClientOf, url: str
) -> None:
    alice = people.annotators[0]
    open_batch(people.project, [alice], size=1)
    client = client_of(alice)
    (given,) = client.get(f"/api/projects/{people.project.uuid}/next/").json()["assignments"]
    answers = {"opinion": "yes", "mp": "no"}
    sent = client.post(f"/api/assignments/{given['id']}/annotations/", body(answers=answers), format="json")
    assert sent.status_code == 201
    assert sentences(ada, url) == ["Opened the batch of round 1: 1 item for 1 annotator, 1 an item."]
    lines = ada.get(url, {"kind": "annotations"}).json()["lines"]
    assert [(line["who"], line["sentence"]) for line in lines] == [
        ("Alice", "Annotated item doc-1_0_1."),
        ("Alice", "Was given 1 item."),
    ]
    assert lines[0]["data"] == {"revision": 1, "skipped": False, "claimed": 0}
    assert len(sentences(ada, url, kind="all")) == 3


def test_it_names_what_a_line_is_about(people: People, ada: APIClient, url: str) -> None:
    row = of_round(people, fill(people.project, people.annotators, at("opinion", WORKED)))
    item, assignment = Item.objects.order_by("pk")[0], Assignment.objects.order_by("pk")[0]
    source = Import.objects.create(project=people.project, filename="board.csv", format="csv")
    held = TestSet.objects.create(
        project=people.project,
        stage="opinion",
        file_name="test.jsonl",
        sha256="0" * 64,
        n=1,
        class_counts={},
        notices=[],
        attached_by=people.admin.user,
    )
    ada.post(f"/api/projects/{people.project.uuid}/invites/", {"role": "adjudicator"}, format="json")
    invite = people.project.invites.get()
    write(people, "round_cancelled", subject=row.uuid)
    write(people, "second_look_closed", subject=row.batch.uuid)
    write(people, "validation_submitted", subject=item.uuid, decision="rejected", revision=1)
    write(people, "item_released", subject=assignment.uuid)
    write(people, "import_done", subject=source.uuid, items=1200)
    write(people, "simulation_cancelled", subject=simulation_make(people).uuid)
    write(people, "invite_revoked", subject=invite.uuid)
    write(people, "test_set_removed", subject=held.uuid)
    write(people, "member_activated", subject=people.annotators[2].uuid)
    write(people, "datasheet_answered", subject="purpose")
    write(people, "member_activated", subject=uuid4())
    name = item.external_id
    assert sentences(ada, url, kind="all")[::-1] == [
        "Made a link that invites one adjudicator.",
        "Cancelled round 1.",
        "Closed the batch of round 1.",
        f"Rejected all annotations of item {name}.",
        f"Gave item {name} back.",
        "The import of board.csv was finished: 1,200 items.",
        "Cancelled the simulation “A study”.",
        "Revoked a link that invites one adjudicator.",
        "Removed the test set test.jsonl.",
        "Activated Charlie.",
        "Answered a question of the datasheet: purpose.",
        "Activated (not recorded).",
    ]


def test_it_goes_back_by_pages_that_meet(people: People, ada: APIClient, url: str) -> None:
    ids = [write(people, "release_done", people.admin, number=number) for number in range(1, 202)]
    event_write(verb="release_done", project=people.outsider.project, actor_id=None, number=9)
    seen, before, sizes = [], {}, []
    for _ in range(3):
        page = ada.get(url, before).json()
        seen += [line["id"] for line in page["lines"]]
        sizes.append(len(page["lines"]))
        before = {"before": page["older"]}
    assert (seen, sizes, page["older"]) == (ids[::-1], [100, 100, 1], None)
    # Lines that are written meanwhile come before what was asked for.
    write(people, "release_done", number=202)
    assert sentences(ada, url, before=ids[1]) == ["Release 1 was finished."]
    assert ada.get(url, {"before": ids[100]}).json()["older"] is None


def test_it_filters_by_kind_and_person(people: People, ada: APIClient, url: str) -> None:
    alice = people.annotators[0]
    write(people, "round_failed", step="scoring", reason="No disk.", subject="")
    write(people, "member_activated", people.admin, subject=alice.uuid)
    write(people, "budget_set", alice, old=None, new=10)
    assert sentences(ada, url, kind="members") == ["Activated Alice."]
    assert sentences(ada, url, person=alice.uuid) == ["Set the annotation budget: 10 items (before: none)."]
    assert sentences(ada, url, person=alice.uuid, kind="members") == []
    lines = ada.get(url, {"person": "system"}).json()["lines"]
    assert [(line["who"], line["person"], line["sentence"]) for line in lines] == [
        ("the system", None, "Round (not recorded) failed at step scoring: No disk.")
    ]


@pytest.mark.parametrize("route", ["", "export/"])
@pytest.mark.parametrize(
    ("query", "field"),
    [
        ({"kind": "votes"}, "kind"),
        ({"kind": ""}, "kind"),
        ({"kind": ["main", "all"]}, "kind"),
        ({"person": "alice"}, "person"),
        ({"person": ""}, "person"),
        ({"person": str(UUID(int=7))}, "person"),
        ({"persons": "system"}, "persons"),
    ],
)
def test_it_names_a_parameter_that_is_wrong(
    ada: APIClient, url: str, route: str, query: dict[str, Any], field: str
) -> None:
    answer = ada.get(url + route, query)
    assert (answer.status_code, list(answer.json()["errors"])) == (400, [field])


@pytest.mark.parametrize(
    ("route", "query"), [("", {"before": "0"}), ("", {"before": "x"}), ("export/", {"before": "5"})]
)
def test_it_names_a_cursor_that_is_wrong(ada: APIClient, url: str, route: str, query: dict[str, str]) -> None:
    answer = ada.get(url + route, query)
    assert (answer.status_code, list(answer.json()["errors"])) == (400, ["before"])


def test_it_knows_the_people_of_no_other_project(people: People, ada: APIClient, url: str) -> None:
    assert ada.get(url, {"person": people.outsider.uuid}).status_code == 400


def test_it_is_for_admins(people: People, client_of: ClientOf, url: str) -> None:
    for route in (url, f"{url}export/"):
        answers = [client_of(each).get(route) for each in (people.annotators[0], people.outsider)]
        assert [answer.status_code for answer in answers] == [403, 404]
        assert APIClient().get(route).status_code == 401
    assert not Event.objects.filter(verb="export_made").exists()


@pytest.mark.parametrize("asked", [{}, {"kind": "members"}])
def test_it_asks_the_database_as_often_whatever_there_is(
    people: People, ada: APIClient, url: str, asked: dict[str, str]
) -> None:
    for number in (1, 150):
        for _ in range(number):
            write(people, "member_activated", people.admin, subject=people.annotators[0].uuid)
        with CaptureQueriesContext(connection) as captured:
            assert len(sentences(ada, url, **asked)) == min(number, 100)
        assert len(captured) == 4


@pytest.mark.django_db(transaction=True)
def test_it_is_a_file_of_json_lines(people: People, ada: APIClient, url: str) -> None:
    first = write(people, "member_activated", people.admin, subject=people.annotators[0].uuid)
    write(people, "items_claimed", people.annotators[0], items=3)
    answer = ada.get(f"{url}export/", {"format": "jsonl"})
    assert answer["Content-Type"] == "application/x-ndjson; charset=utf-8"
    assert answer["Content-Disposition"] == 'attachment; filename="board-log.jsonl"'
    (line,) = map(json.loads, b"".join(answer).splitlines())
    assert answer["X-Total-Lines"] == "1"
    at = line.pop("at")
    assert at.endswith("Z")
    assert line == {
        "id": first,
        "who": "Ada",
        "username": "ada",
        "kind": "members",
        "verb": "member_activated",
        "sentence": "Activated Alice.",
        "subject": str(people.annotators[0].uuid),
        "data": {},
    }
    event = Event.objects.get(verb="export_made")
    assert (event.actor, event.subject) == (people.admin.user, str(people.project.uuid))
    asked = {"kind": "main", "person": None}
    assert event.data == {"file": "board-log.jsonl", "kind": "log", "names": True, "lines": 1, "log": asked}
    assert sentences(ada, url)[0] == "Exported this log, with names: 1 line as board-log.jsonl."


@pytest.mark.django_db(transaction=True)
def test_it_is_a_file_for_spreadsheets_that_runs_nothing(people: People, ada: APIClient, url: str) -> None:
    people.annotators[0].user.display_name = "=HYPERLINK(0)"
    people.annotators[0].user.save()
    write(people, "project_created", people.annotators[0], name='A "B", C\nD')
    asked = {"format": "csv", "kind": "all", "person": people.annotators[0].uuid}
    answer = ada.get(f"{url}export/", asked)
    assert answer["Content-Type"] == "text/csv; charset=utf-8"
    assert answer["Content-Disposition"] == 'attachment; filename="board-log-everything-annotator-2.csv"'
    header, row = csv.reader(io.StringIO(b"".join(answer).decode(), newline=""))
    assert header == ["id", "at", "who", "username", "kind", "verb", "sentence", "subject", "data"]
    assert row[2:4] == ["'=HYPERLINK(0)", "alice"]
    assert row[6] == 'Created the project “A "B", C\nD”.'
    assert json.loads(row[8]) == {"name": 'A "B", C\nD'}
    assert answer["X-Total-Lines"] == "2"


@pytest.mark.django_db(transaction=True)
def test_a_file_that_was_asked_for_wrongly_is_not_logged(ada: APIClient, url: str) -> None:
    answer = ada.get(f"{url}export/", {"format": "xlsx"})
    assert (answer.status_code, answer.json()["errors"]) == (400, {"format": ["Choose jsonl or csv."]})
    assert not Event.objects.filter(verb="export_made").exists()
