"""Notices tell what waits for a person: they are listed until it is done, and unread until they were read."""

import uuid
from collections.abc import Callable
from datetime import timedelta
from typing import Any

import pytest
from django.db import connection
from django.test.utils import CaptureQueriesContext
from django.utils import timezone
from rest_framework.test import APIClient

from annotation_app.dashboards.notices import MOST_NOTICES
from annotation_app.models import Batch, Flag, Item, Membership, Project, Release
from tests.aggregation.decided import decide
from tests.api.test_remarks import answer
from tests.assignment.batches import open_batch
from tests.conftest import People
from tests.factories import make_member
from tests.labels import NO, YES, label_batch

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


def disagreeing(member: Membership, item: Item) -> dict[str, str]:
    return YES if member.number % 2 else NO


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


def test_new_items_to_decide_are_unread_also_where_they_are_fewer_than_were_read(
    people: People, client_of: ClientOf
) -> None:
    adjudicator = make_member(people.project, "judith", "adjudicator")
    ada, judge = client_of(people.admin), client_of(adjudicator)
    first = open_batch(people.project, people.annotators[:2], size=2)
    label_batch(first, disagreeing)
    assert unread(judge) == {"decide": 2}
    assert read(judge, listed(judge)["decide"]) == 204
    assert (unread(judge), unread(ada)) == ({}, {"decide": 2, "complete": 1})
    for item in Item.objects.filter(batch_items__batch=first):
        decide(adjudicator, item, YES)
    assert listed(judge) == {}
    label_batch(open_batch(people.project, people.annotators[:2], size=1, number=2), disagreeing)
    assert unread(judge) == {"decide": 1}


def test_what_waits_is_counted_again_only_after_something_happened(people: People, client_of: ClientOf) -> None:
    judge = client_of(make_member(people.project, "judith", "adjudicator"))
    label_batch(open_batch(people.project, people.annotators[:2], size=2), disagreeing)

    def are_counted() -> bool:
        with CaptureQueriesContext(connection) as queries:
            assert "decide" in listed(judge)
        return any("latest_validation" in query["sql"] for query in queries)

    assert [are_counted(), are_counted()] == [True, False]
    decide(people.admin, Item.objects.all()[0], YES)
    assert listed(judge)["decide"]["n"] == 1


def test_only_rounds_are_told_as_complete(people: People, client_of: ClientOf) -> None:
    batch = open_batch(people.project, people.annotators[:2], size=1)
    label_batch(batch, lambda member, item: YES)
    assert unread(client_of(people.admin)) == {"complete": 1}
    for kind in (Batch.Kind.PRACTICE, Batch.Kind.PROTOTYPE, Batch.Kind.CHOSEN):
        Batch.objects.filter(pk=batch.pk).update(kind=kind)
        assert "complete" not in listed(client_of(people.admin))


def test_old_releases_are_no_longer_listed_and_all_that_are_listed_can_be_read_at_once(
    people: People, client_of: ClientOf
) -> None:
    admin, now = client_of(people.admin), timezone.now()
    for number, age in ((1, timedelta(days=31)), *((n, timedelta(minutes=n)) for n in range(2, MOST_NOTICES + 3))):
        Release.objects.create(project=people.project, number=number, state="done", finished_at=now - age)
    found = admin.get("/api/notices/").json()["notices"]
    assert [each["number"] for each in found] == list(range(2, MOST_NOTICES + 2))
    asked = [{name: each[name] for name in ("project", "key", "level")} for each in found]
    assert admin.post("/api/notices/read/", {"read": asked}, "json").status_code == 204
    left = [each["number"] for each in admin.get("/api/notices/").json()["notices"] if each["unread"]]
    assert left == [MOST_NOTICES + 2]


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
