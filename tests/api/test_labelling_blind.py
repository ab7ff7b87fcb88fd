"""Blindness: of others' work a person reaches nothing, and cannot tell it from what does not exist."""

import uuid
from collections.abc import Callable

import pytest
from rest_framework.test import APIClient

from annotation_app.annotation.services import annotation_submit
from annotation_app.assignment.members import member_deactivate
from annotation_app.assignment.services import next_window
from annotation_app.models import Annotation, Assignment, Membership
from tests.api.labelling import Person, body
from tests.assignment.batches import open_batch
from tests.conftest import People
from tests.factories import make_member
from tests.labels import YES, submission

ClientOf = Callable[[Membership], APIClient]


@pytest.fixture
def theirs(people: People) -> str:
    """An answered assignment of Alice's."""
    open_batch(people.project, people.annotators)
    alice = people.annotators[0]
    row = next_window(membership=alice, ahead=1).assignments[0]
    annotation_submit(membership=alice, assignment_uuid=row.uuid, body=submission(YES))
    return str(row.uuid)


def calls(client: APIClient, assignment: str) -> list[tuple[int, bytes]]:
    answers = [
        client.get(f"/api/assignments/{assignment}/"),
        client.post(f"/api/assignments/{assignment}/annotations/", body(), format="json"),
        client.post(f"/api/assignments/{assignment}/annotations/", {"client_id": 1}, format="json"),
        client.post(f"/api/assignments/{assignment}/release/"),
    ]
    return [(answer.status_code, answer.content) for answer in answers]


@pytest.mark.parametrize("who", ["bob", "admin", "outsider", "adjudicator"])
def test_others_assignments_look_like_none(people: People, client_of: ClientOf, theirs: str, who: str) -> None:
    judge = make_member(people.project, "judge", "adjudicator")
    caller = {"bob": people.annotators[1], "admin": people.admin, "outsider": people.outsider, "adjudicator": judge}
    client = client_of(caller[who])
    assert calls(client, theirs) == calls(client, str(uuid.uuid4()))
    assert {status for status, _ in calls(client, theirs)} == {404}
    assert Annotation.objects.count() == 1


def test_a_strangers_project_looks_like_none(people: People, client_of: ClientOf, theirs: str) -> None:
    client = client_of(people.outsider)
    for path in ("next/", "assignments/?mine=done", "next/?ahead=x"):
        own = client.get(f"/api/projects/{people.project.uuid}/{path}")
        none = client.get(f"/api/projects/{uuid.uuid4()}/{path}")
        assert (own.status_code, own.content) == (404, none.content)


def test_what_others_answered_changes_nothing_that_one_sees(people: People, client_of: ClientOf, theirs: str) -> None:
    """Bob's whole view before and after Alice and Charlie answer everything they can."""
    bob = Person(client_of(people.annotators[1]), str(people.project.uuid))
    before = bob.next().content
    row = Assignment.objects.get(uuid=bob.window()["assignments"][0]["id"])
    for member in (people.annotators[0], people.annotators[2]):
        while (window := next_window(membership=member, ahead=3)).assignments:
            for each in window.assignments:
                annotation_submit(membership=member, assignment_uuid=each.uuid, body=submission(YES))
    assert bob.next().content == before
    assert bob.done() == []
    mine = bob.client.get(f"/api/assignments/{row.uuid}/").json()
    assert mine["current"] is None
    shown = before.decode() + bob.client.get(f"/api/projects/{people.project.uuid}/").content.decode()
    for other in (people.annotators[0], people.annotators[2]):
        assert str(other.uuid) not in shown
        assert str(other.user.uuid) not in shown
        assert other.user.username not in shown


def test_a_deactivated_person_reaches_nothing(people: People, client_of: ClientOf, theirs: str) -> None:
    alice = people.annotators[0]
    client = client_of(alice)
    member_deactivate(member=alice, actor=people.admin.user)
    assert {status for status, _ in calls(client, theirs)} == {401}
    again = client_of(alice)
    assert {status for status, _ in calls(again, theirs)} == {404}
    assert again.get(f"/api/projects/{people.project.uuid}/next/").status_code == 404


@pytest.mark.parametrize("role", ["admin", "adjudicator"])
def test_whoever_was_put_on_a_batch_labels(people: People, client_of: ClientOf, role: str) -> None:
    member = make_member(people.project, "extra", role)
    open_batch(people.project, [*people.annotators, member])
    person = Person(client_of(member), str(people.project.uuid))
    first = person.window()["assignments"][0]["id"]
    assert person.submit(first).status_code == 201
    assert Person(client_of(people.admin), str(people.project.uuid)).window()["state"] == "none"


def test_it_wants_a_session_and_a_csrf_token(people: People, theirs: str) -> None:
    anonymous = APIClient()
    assert {status for status, _ in calls(anonymous, theirs)} == {401}
    assert anonymous.get(f"/api/projects/{people.project.uuid}/next/").status_code == 401
    checked = APIClient(enforce_csrf_checks=True)
    checked.force_login(people.annotators[0].user)
    answer = checked.post(f"/api/assignments/{theirs}/annotations/", body(base_revision=1), format="json")
    assert answer.status_code == 403
    assert Annotation.objects.count() == 1
