"""What waits for a person: derived from rows, listed until it is done, unread until it was read."""

import uuid
from collections.abc import Callable
from typing import Any

import pytest
from django.utils import timezone
from rest_framework.test import APIClient

from annotation_app.models import Flag, Membership, Project, Release
from tests.api.test_remarks import answer
from tests.assignment.batches import open_batch
from tests.conftest import People

pytestmark = pytest.mark.django_db(transaction=True)
ClientOf = Callable[[Membership], APIClient]


def listed(client: APIClient) -> dict[str, dict[str, Any]]:
    """The notices by their kind; each kind occurs once here."""
    found = client.get("/api/notices/").json()["notices"]
    assert len({each["kind"] for each in found}) == len(found)
    return {each["kind"]: each for each in found}


def unread(client: APIClient) -> dict[str, int]:
    return {kind: each["n"] for kind, each in listed(client).items() if each["unread"]}


def read(client: APIClient, notice: dict[str, Any], **changed: Any) -> int:
    body = {name: notice[name] for name in ("project", "key", "level")} | changed
    return int(client.post("/api/notices/read/", {"read": [body]}, "json").status_code)


def test_each_side_of_a_thread_is_told_of_the_other(people: People, client_of: ClientOf) -> None:
    open_batch(people.project, people.annotators[:2], size=2)
    alice, bob, admin = (client_of(each) for each in (*people.annotators[:2], people.admin))
    project = str(people.project.uuid)
    assert (unread(alice), unread(admin)) == ({"batch": 2}, {})
    row = answer(alice, project)
    alice.post(f"/api/assignments/{row['id']}/flag/", {"note": "Why?"}, "json")
    assert (unread(alice), unread(bob), unread(admin)) == ({}, {"batch": 2}, {"question": 1})
    flag = Flag.objects.get()
    say = f"/api/projects/{project}/flags/{flag.uuid}/messages/"
    assert admin.post(say, {"client_id": str(uuid.uuid4()), "words": "So."}, "json").status_code == 201
    assert (unread(alice), unread(admin)) == ({"answer": 1}, {})
    alice.post(f"/api/projects/{project}/flags/{flag.uuid}/read/", {"n_seen": 1}, "json")
    admin.post(f"/api/projects/{project}/codebook-notes/", {"words": "So it is."}, "json")
    assert (unread(alice), unread(bob), unread(admin)) == ({"note": 1}, {"batch": 2, "note": 1}, {})


def test_what_was_read_stays_listed_and_is_unread_again_once_there_is_more(people: People, client_of: ClientOf) -> None:
    open_batch(people.project, people.annotators[:1], size=2)
    alice, admin, project = client_of(people.annotators[0]), client_of(people.admin), str(people.project.uuid)
    for n in (1, 2):
        row = answer(alice, project)
        alice.post(f"/api/assignments/{row['id']}/flag/", {}, "json")
        notice = listed(admin)["question"]
        assert (notice["n"], notice["unread"]) == (n, True)
        assert read(admin, notice) == 204
        assert not listed(admin)["question"]["unread"]
    assert unread(admin) == {"complete": 1}


def test_an_admin_hears_of_rounds_and_releases_and_an_archived_project_is_silent(
    people: People, client_of: ClientOf
) -> None:
    admin, alice = client_of(people.admin), client_of(people.annotators[0])
    Release.objects.create(project=people.project, number=3, state="done", finished_at=timezone.now())
    notice = listed(admin)["release"]
    assert (notice["number"], notice["project_name"]) == (3, people.project.name)
    assert listed(alice) == {}
    Project.objects.filter(pk=people.project.pk).update(archived_at=timezone.now())
    assert listed(admin) == {}


def test_nobody_reads_for_others(people: People, client_of: ClientOf) -> None:
    open_batch(people.project, people.annotators[:1], size=1)
    alice = client_of(people.annotators[0])
    notice = listed(alice)["batch"]
    assert read(client_of(people.outsider), notice) == 404
    assert read(alice, notice, level=-1) == 400
    assert listed(alice)["batch"]["unread"]


def test_an_admin_who_annotates_is_told_of_no_flag_on_an_item_that_they_may_still_answer(
    people: People, client_of: ClientOf
) -> None:
    open_batch(people.project, [people.annotators[0], people.admin], size=1)
    alice, project = client_of(people.annotators[0]), str(people.project.uuid)
    row = answer(alice, project)
    alice.post(f"/api/assignments/{row['id']}/flag/", {"note": "Surely no?"}, "json")
    assert unread(client_of(people.admin)) == {"batch": 1}
