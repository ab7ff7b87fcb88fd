"""Acts on many items: a preview, all or none, once, and logged. And the file of what matches."""

import csv
import io
import json
import uuid
from collections.abc import Callable
from typing import Any

import pytest
from rest_framework.test import APIClient

from annotation_app.dashboards.items.outcomes import item_outcomes
from annotation_app.models import Assignment, Batch, Event, Item, ItemAct, Membership
from annotation_app.rounds.draw import eligible_items
from tests.assignment.batches import open_batch
from tests.conftest import People
from tests.factories import make_items
from tests.labels import NO, YES, label_batch

pytestmark = pytest.mark.django_db(transaction=True)
ClientOf = Callable[[Membership], APIClient]


@pytest.fixture
def admin(people: People, client_of: ClientOf) -> APIClient:
    return client_of(people.admin)


def post(admin: APIClient, people: People, what: str, body: dict[str, Any]) -> Any:
    return admin.post(f"/api/projects/{people.project.uuid}/items/{what}/", body, "json")


def act(admin: APIClient, people: People, name: str, expected: int, **more: Any) -> Any:
    body = {"act": name, "client_id": str(uuid.uuid4()), "expected": expected, **more}
    return post(admin, people, "acts", body)


def names(rows: Any) -> list[str]:
    return list(rows.order_by("pk").values_list("external_id", flat=True))


def test_what_matches_is_left_out_and_comes_back_at_once(people: People, admin: APIClient) -> None:
    open_batch(people.project, people.annotators, size=1)
    make_items(people.project, ["Read the table.", "A sentence.", "See the table."], "a")
    filters = {"q": "table"}
    Item.objects.filter(external_id="doc-1_0_1").update(text="The table of a batch.")
    assert post(admin, people, "preview", {"act": "leave_out", "filters": filters}).json() == {
        "chosen": 3,
        "acted_on": 3,
    }
    assert act(admin, people, "leave_out", 3, filters=filters).json()["errors"]["reason"]
    done = act(admin, people, "leave_out", 3, filters=filters, reason="Captions")
    assert (done.status_code, done.json()["n"]) == (201, 3)
    assert names(eligible_items(people.project)) == ["a_1_1"]
    assert set(Item.objects.exclude(left_out="").values_list("left_out_reason", flat=True)) == {"Captions"}
    # Nobody is given the one that stood in a batch.
    assert set(Assignment.objects.values_list("state", flat=True)) == {"withdrawn"}
    [event] = Event.objects.filter(verb="items_left_out")
    assert event.data == {"items": 3, "reason": "Captions", "assignments": 3}
    again = post(admin, people, "preview", {"act": "leave_out", "filters": filters}).json()
    assert again == {"chosen": 3, "acted_on": 0}
    assert act(admin, people, "take_back", 3, filters={"state": "left_out"}).status_code == 201
    assert len(names(eligible_items(people.project))) == 3
    assert set(Assignment.objects.values_list("state", flat=True)) == {"open"}
    item = Item.objects.get(external_id="a_0_1")
    lines = admin.get(f"/api/items/{item.uuid}/history/").json()["lines"]
    assert [(line["sentence"], line["note"]) for line in lines[1:]] == [
        ("Left it out of the pool, as one of 3 items.", "Captions"),
        ("Took it back into the pool, as one of 3 items.", ""),
    ]


def test_a_retry_does_nothing_twice_and_a_stale_preview_nothing_at_all(people: People, admin: APIClient) -> None:
    rows = make_items(people.project, ["One.", "Two.", "Three."])
    chosen = [str(row.uuid) for row in rows[:2]]
    body = {"act": "leave_out", "client_id": str(uuid.uuid4()), "expected": 2, "items": chosen, "reason": "Headings"}
    first, retry = (post(admin, people, "acts", body).json() for _ in range(2))
    assert first == retry
    assert ItemAct.objects.count() == Event.objects.filter(verb="items_left_out").count() == 1
    assert post(admin, people, "acts", {**body, "reason": "Others"}).json()["code"] == "client_id_reused"
    stale = act(admin, people, "leave_out", 3, filters={}, reason="All")
    assert (stale.status_code, stale.json()["code"]) == (409, "changed")
    assert names(eligible_items(people.project)) == ["doc_2_1"]
    assert act(admin, people, "leave_out", 0, items=chosen, reason="Again").json()["code"] == "nothing"


def test_another_projects_items_are_not_touched(people: People, admin: APIClient) -> None:
    [theirs] = make_items(people.outsider.project, ["Elsewhere."])
    refused = act(admin, people, "leave_out", 1, items=[str(theirs.uuid)], reason="Mine?")
    assert refused.status_code == 409
    assert names(eligible_items(people.outsider.project)) == ["doc_0_1"]


def test_a_batch_is_opened_of_what_is_chosen(people: People, admin: APIClient) -> None:
    open_batch(people.project, people.annotators, size=1)
    make_items(people.project, ["Rates.", "Other.", "Rates again."], "a")
    alice, bob, charlie = people.annotators
    filters = {"q": "rates"}
    who = {"annotators": [str(alice.uuid), str(bob.uuid)], "annotators_per_item": 2}
    assert act(admin, people, "open_batch", 2, filters=filters).json()["errors"]["annotators"]
    made = act(admin, people, "open_batch", 2, filters=filters, **who)
    assert (made.status_code, made.json()["batch"]["number"]) == (201, 1)
    batch = Batch.objects.get(kind="chosen")
    assert names(Item.objects.filter(batch_items__batch=batch)) == ["a_0_1", "a_2_1"]
    assert Assignment.objects.filter(batch_item__batch=batch, annotator=charlie).count() == 0
    # It counts in no round, and its labels show in the list all the same.
    Batch.objects.exclude(pk=batch.pk).update(frozen_at=batch.opened_at)
    label_batch(batch, lambda member, item: YES if item.external_id == "a_0_1" else NO)
    labelled = admin.get(f"/api/projects/{people.project.uuid}/items/", {"stage": "opinion", "label": "yes"}).json()
    assert [each["item_id"] for each in labelled["items"]] == ["a_0_1"]
    assert item_outcomes(people.project).by_item
    none_left = post(admin, people, "preview", {"act": "open_batch", "filters": filters}).json()
    assert none_left == {"chosen": 2, "acted_on": 0}
    assert admin.get(f"/api/projects/{people.project.uuid}/overview/").status_code == 200


def test_the_file_has_what_matches_with_labels(people: People, admin: APIClient) -> None:
    label_batch(open_batch(people.project, people.annotators, size=2), lambda *_: YES)
    open_batch(people.project, [*people.annotators, people.admin], size=1, number=2)
    extra = make_items(people.project, ["=1+1"], "pool")
    extra[0].meta = {"party": "left"}
    extra[0].save()
    url = f"/api/projects/{people.project.uuid}/items/export/"
    lines = [json.loads(line) for line in b"".join(admin.get(url).streaming_content).splitlines()]
    assert [(each["id"], each["batch"], each["hidden"]) for each in lines] == [
        ("doc-1_0_1", "the batch of round 1", False),
        ("doc-1_1_1", "the batch of round 1", False),
        ("doc-2_0_1", "the batch of round 2", True),
        ("pool_0_1", None, False),
    ]
    said = lines[0]["labels"]["opinion"]
    assert (said["label"], said["state"], said["votes"]) == ("yes", "majority", {"yes": 3})
    assert (lines[2]["labels"], lines[3]["meta"]) == ({}, {"party": "left"})
    table = b"".join(admin.get(url, {"format": "csv", "state": "pool"}).streaming_content).decode()
    [row] = csv.DictReader(io.StringIO(table))
    assert (row["id"], row["text"], row["opinion_label"], row["meta_party"]) == ("pool_0_1", "'=1+1", "", "left")
    assert Event.objects.filter(verb="export_made", data__filters={"state": "pool"}).count() == 1
