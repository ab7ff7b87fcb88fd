"""A person searches what they did themselves in every batch, and finds nobody else's work."""

from collections.abc import Callable
from dataclasses import replace
from typing import Any

import pytest
from rest_framework.test import APIClient

from annotation_app.annotation.services import annotation_submit
from annotation_app.assignment.services import next_window
from annotation_app.models import Batch, Membership
from tests.assignment.batches import open_batch
from tests.conftest import People
from tests.labels import YES, submission

pytestmark = pytest.mark.django_db
ClientOf = Callable[[Membership], APIClient]


def answer_all(member: Membership, **more: Any) -> None:
    while rows := next_window(membership=member, ahead=5).assignments:
        for row in rows:
            annotation_submit(membership=member, assignment_uuid=row.uuid, body=replace(submission(YES), **more))


def search(client: APIClient, people: People, **asked: Any) -> Any:
    answer = client.get(f"/api/projects/{people.project.uuid}/done/", asked)
    assert answer.status_code == 200, answer.json()
    return answer.json()


def test_it_finds_own_items_of_every_batch_and_no_others(people: People, client_of: ClientOf) -> None:
    alice, bob, _ = people.annotators
    first = open_batch(people.project, [alice, bob], size=2, number=1)
    answer_all(alice)
    Batch.objects.filter(pk=first.pk).update(frozen_at=first.opened_at)
    open_batch(people.project, [alice, bob], size=2, number=2)
    [row] = next_window(membership=alice, ahead=1).assignments
    annotation_submit(membership=alice, assignment_uuid=row.uuid, body=replace(submission({}), skip_reason="No"))
    client = client_of(alice)
    found = search(client, people)
    assert [(each["batch"]["number"], each["state"]) for each in found["assignments"]] == [
        (2, "skipped"),
        (1, "submitted"),
        (1, "submitted"),
    ]
    assert found["assignments"][1]["answers"] == YES
    assert {each["codebook"] for each in found["assignments"]} == {each["id"] for each in found["codebooks"]}
    one = search(client, people, q='"sentence 1" -"batch 2"')["assignments"]
    assert [each["text"] for each in one] == ["Sentence 1 of batch 1."]
    # Bob has the same items before him, and has done none; the admin and a stranger have none of their own.
    assert search(client_of(bob), people)["assignments"] == []
    assert search(client_of(people.admin), people, q="sentence")["assignments"] == []
    assert client_of(people.outsider).get(f"/api/projects/{people.project.uuid}/done/").status_code == 404


def test_pages_go_on_from_the_last_one(people: People, client_of: ClientOf) -> None:
    [alice] = people.annotators[:1]
    open_batch(people.project, [alice], size=60)
    answer_all(alice)
    client = client_of(alice)
    first = search(client, people)
    second = search(client, people, after=first["after"])
    assert (len(first["assignments"]), len(second["assignments"]), second["after"]) == (50, 10, None)
    assert len({each["id"] for page in (first, second) for each in page["assignments"]}) == 60
    gone = client.get(f"/api/projects/{people.project.uuid}/done/", {"after": str(people.project.uuid)})
    assert gone.status_code == 400
