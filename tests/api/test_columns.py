"""Columns beside the text: an admin chooses, and nobody sees any other."""

from collections.abc import Callable
from typing import Any

import pytest
from rest_framework.test import APIClient

from annotation_app.ingest.columns import columns_of
from annotation_app.models import Event, Item, Membership
from tests.assignment.batches import open_batch
from tests.conftest import People

pytestmark = pytest.mark.django_db
ClientOf = Callable[[Membership], APIClient]
META = {"party": "left", "seats": -3, "minister": False, "tags": ["tax", 2], "label": "yes", "meta": {"tone": "dry"}}


@pytest.fixture
def labelled(people: People) -> People:
    """A batch with one person's items, each of which came with META, from a document with a date."""
    open_batch(people.project, people.annotators)
    for item in Item.objects.filter(project=people.project):
        item.meta = META
        item.save(update_fields=["meta"])
        item.document.meta = {"date": "2026-03-29"}
        item.document.save(update_fields=["meta"])
    return people


def url(people: People) -> str:
    return f"/api/projects/{people.project.uuid}/columns/"


def show(client: APIClient, people: People, *paths: list[str]) -> Any:
    return client.put(url(people), {"shown": list(paths)}, format="json")


def beside(client: APIClient, people: People) -> Any:
    answer = client.get(f"/api/projects/{people.project.uuid}/next/?ahead=1")
    return answer.json()["assignments"][0]["item"]["beside"]


def test_it_lists_what_came_with_the_texts(labelled: People, client_of: ClientOf) -> None:
    columns = client_of(labelled.admin).get(url(labelled)).json()["columns"]
    assert [(column["path"], column["name"], column["example"]) for column in columns] == [
        (["date"], "date", "2026-03-29"),
        (["label"], "label", "yes"),
        (["meta", "tone"], "tone", "dry"),
        (["minister"], "minister", "false"),
        (["party"], "party", "left"),
        (["seats"], "seats", "-3"),
        (["tags"], "tags", '["tax", 2]'),
    ]
    assert not any(column["shown"] for column in columns)


def test_nothing_is_shown_unless_chosen_and_then_only_that(labelled: People, client_of: ClientOf) -> None:
    alice, admin = client_of(labelled.annotators[0]), client_of(labelled.admin)
    assert beside(alice, labelled) == []
    assert "left" not in alice.get(f"/api/projects/{labelled.project.uuid}/next/").content.decode()
    answer = show(admin, labelled, ["seats"], ["date"], ["tags"], ["minister"], ["meta", "tone"])
    assert answer.status_code == 200
    assert {column["name"] for column in answer.json()["columns"] if column["shown"]} == {
        *("seats", "date", "tags", "minister", "tone")
    }
    # Typed as imported, in the admin's order.
    assert beside(alice, labelled) == [
        {"name": "seats", "value": -3},
        {"name": "date", "value": "2026-03-29"},
        {"name": "tags", "value": ["tax", 2]},
        {"name": "minister", "value": False},
        {"name": "tone", "value": "dry"},
    ]
    window = alice.get(f"/api/projects/{labelled.project.uuid}/next/")
    one = alice.get(f"/api/assignments/{window.json()['assignments'][0]['id']}/")
    assert one.json()["item"]["beside"] == beside(alice, labelled)
    for hidden in ("left", "party", "label"):
        assert hidden not in str([each["item"] for each in window.json()["assignments"]])
    # What an admin hides again is gone with the next answer.
    assert show(admin, labelled).status_code == 200
    assert beside(alice, labelled) == []
    assert [event.data["columns"] for event in Event.objects.filter(verb="columns_shown").order_by("pk")] == [
        "seats, date, tags, minister, tone",
        "none",
    ]


def test_what_no_text_has_is_refused(labelled: People, client_of: ClientOf) -> None:
    admin = client_of(labelled.admin)
    assert show(admin, labelled, ["party"]).status_code == 200
    for paths in ([["nothing"]], [["party", "left"]], [[]], ["party"], [["a", "b", "c"]]):
        answer = admin.put(url(labelled), {"shown": paths}, format="json")
        assert (answer.status_code, [field.split(".")[0] for field in answer.json()["errors"]]) == (400, ["shown"])
    assert [column.path for column in columns_of(labelled.project) if column.shown] == []
    labelled.project.refresh_from_db()
    assert [column.path for column in columns_of(labelled.project) if column.shown] == [("party",)]


def test_those_of_another_project_stay_apart(labelled: People, client_of: ClientOf) -> None:
    admin = client_of(labelled.outsider)
    path = f"/api/projects/{labelled.outsider.project.uuid}/columns/"
    assert admin.get(path).json() == {"columns": []}
    assert admin.put(path, {"shown": [["party"]]}, format="json").status_code == 400
