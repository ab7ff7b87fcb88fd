"""Comments, skips with reasons and flags: what admins see of them, and when."""

import csv
import io
import uuid
from collections.abc import Callable
from typing import Any

import pytest
from rest_framework.test import APIClient

from annotation_app.models import Assignment, Event, Membership
from tests.assignment.batches import open_batch
from tests.conftest import People

pytestmark = pytest.mark.django_db(transaction=True)
ClientOf = Callable[[Membership], APIClient]
TIMES = {"context_opened": "sentence", "active_ms": 1, "wall_ms": 2}


def answer(client: APIClient, project: str, **body: Any) -> dict[str, Any]:
    """Answers the person's next item; returns the assignment."""
    row = client.get(f"/api/projects/{project}/next/").json()["assignments"][0]
    said = {"answers": {} if body.get("skip_reason") else {"opinion": "no"}, **body}
    whole = {"client_id": str(uuid.uuid4()), "base_revision": 0, **TIMES, **said}
    sent = client.post(f"/api/assignments/{row['id']}/annotations/", whole, "json")
    assert sent.status_code == 201, sent.content
    return dict(row)


@pytest.fixture
def remarks(people: People, client_of: ClientOf) -> Callable[..., Any]:
    open_batch(people.project, people.annotators[:2], size=3)
    alice, project = client_of(people.annotators[0]), str(people.project.uuid)
    answer(alice, project, comment="=Is this an opinion?")
    row = answer(alice, project, skip_reason="The text is cut off")
    assert alice.post(f"/api/assignments/{row['id']}/flag/", {"note": "Look at the source"}, "json").status_code == 201

    def read(reader: Membership = people.admin, **asked: Any) -> Any:
        return client_of(reader).get(f"/api/projects/{project}/remarks/", asked)

    return read


def test_they_are_listed_with_who_and_where(people: People, remarks: Callable[..., Any]) -> None:
    page = remarks().json()
    assert [(each["kind"], each["words"], each["who"]) for each in page["remarks"]] == [
        ("flag", "Look at the source", "Alice"),
        ("skip", "The text is cut off", "Alice"),
        ("comment", "=Is this an opinion?", "Alice"),
    ]
    assert (page["n"], page["hidden"], page["remarks"][0]["batch_number"]) == (3, 0, 1)
    assert [each["kind"] for each in remarks(kind="skip").json()["remarks"]] == ["skip"]
    assert [each["kind"] for each in remarks(q="OPINION?").json()["remarks"]] == ["comment"]
    assert remarks(person=str(people.annotators[1].uuid)).json()["n"] == 0
    assert remarks(batch=page["batches"][0]["id"]).json()["n"] == 3
    assert remarks(kind="sigh").status_code == 400


def test_one_is_resolved_and_opened_again_and_both_are_logged(
    people: People, client_of: ClientOf, remarks: Callable[..., Any]
) -> None:
    admin, first = client_of(people.admin), remarks().json()["remarks"][0]
    url = f"/api/projects/{people.project.uuid}/remarks/{first['id']}/"
    assert admin.post(url, {"resolved": True}, "json").status_code == 204
    assert [each["kind"] for each in remarks().json()["remarks"]] == ["skip", "comment"]
    [done] = remarks(state="resolved").json()["remarks"]
    assert (done["id"], done["resolved"], done["resolved_by"]) == (first["id"], True, "Ada")
    assert admin.post(url, {"resolved": False}, "json").status_code == 204
    assert remarks().json()["n"] == 3
    verbs = Event.objects.filter(verb__startswith="remark").order_by("pk").values_list("verb", flat=True)
    assert list(verbs) == ["remark_resolved", "remark_reopened"]


def test_a_changed_comment_is_a_new_remark(people: People, client_of: ClientOf, remarks: Callable[..., Any]) -> None:
    [before] = remarks(kind="comment").json()["remarks"]
    url = f"/api/projects/{people.project.uuid}/remarks/{before['id']}/"
    client_of(people.admin).post(url, {"resolved": True}, "json")
    row = Assignment.objects.get(current__uuid=before["id"])
    body = {"client_id": str(uuid.uuid4()), "base_revision": 1, "answers": {"opinion": "no"}, "comment": "Or is it?"}
    client_of(people.annotators[0]).post(f"/api/assignments/{row.uuid}/annotations/", {**body, **TIMES}, "json")
    [after] = remarks(kind="comment").json()["remarks"]
    assert (after["words"], after["resolved"]) == ("Or is it?", False)


def test_an_admin_who_annotates_sees_none_of_others_before_their_own_answer_is_final(
    people: People, client_of: ClientOf
) -> None:
    batch = open_batch(people.project, [people.annotators[0], people.admin], size=1)
    project = str(people.project.uuid)
    answer(client_of(people.annotators[0]), project, comment="Surely none")
    admin = client_of(people.admin)
    url = f"/api/projects/{project}/remarks/"
    hidden = admin.get(url).json()
    assert (hidden["remarks"], hidden["hidden"]) == ([], 1)
    # The number tells nothing of what they say: neither words, kinds nor people change it.
    for asked in ({"q": "Surely"}, {"q": "other"}, {"kind": "skip"}, {"state": "resolved"}):
        assert admin.get(url, asked).json()["hidden"] == 1
    assert admin.get(url, {"person": str(people.admin.uuid)}).json()["hidden"] == 1
    assert "Surely none" not in admin.get(f"{url}csv/").content.decode()
    answer(admin, project, comment="Mine")
    assert [each["words"] for each in admin.get(url).json()["remarks"]] == ["Mine"]
    type(batch).objects.update(frozen_at=batch.opened_at)
    assert {each["words"] for each in admin.get(url).json()["remarks"]} == {"Mine", "Surely none"}


def test_annotators_see_none_and_flag_only_what_was_given_to_them(
    people: People, client_of: ClientOf, remarks: Callable[..., Any]
) -> None:
    assert remarks(people.annotators[0]).status_code == 403
    assert remarks(people.outsider).status_code == 404
    own = Assignment.objects.filter(annotator=people.annotators[0]).first()
    assert own is not None
    assert client_of(people.annotators[1]).post(f"/api/assignments/{own.uuid}/flag/", {}, "json").status_code == 404


def test_the_file_is_safe_to_open(people: People, client_of: ClientOf, remarks: Callable[..., Any]) -> None:
    sent = client_of(people.admin).get(f"/api/projects/{people.project.uuid}/remarks/csv/", {"state": "all"})
    rows = list(csv.DictReader(io.StringIO(sent.content.decode())))
    assert [row["words"] for row in rows] == ["Look at the source", "The text is cut off", "'=Is this an opinion?"]
    assert Event.objects.get(verb="export_made").data["lines"] == 4
