"""Admins see each annotator's figures over HTTP, and a person sees their own pace."""

from collections.abc import Callable
from datetime import UTC, datetime

import pytest
from django.utils import timezone
from rest_framework.test import APIClient

from annotation_app.models import Annotation, Assignment, Batch, Membership
from tests.agreement.tables import Row, Said, at, fill
from tests.conftest import People
from tests.factories import make_items
from tests.labels import NO, YES
from tests.rounds.practices import Admin, go_through

ClientOf = Callable[[Membership], APIClient]
SKIPPED = Said(state=Assignment.State.SKIPPED, active_ms=500)


@pytest.fixture
def url(people: People) -> str:
    return f"/api/projects/{people.project.uuid}/annotators/"


def table() -> dict[str, Row]:
    yes, no = Said({"opinion": "yes"}), Said({"opinion": "no"})
    return {"a": [yes, yes, no], "b": [no, no, no], "c": [SKIPPED, yes, None]}


def test_an_admin_sees_what_everybody_did(people: People, client_of: ClientOf, url: str) -> None:
    alice, bob, charlie = people.annotators
    fill(people.project, people.annotators, table())
    trial = fill(people.project, [alice], at("opinion", {"t": "Y"}), kind=Batch.Kind.PROTOTYPE)
    body = client_of(people.admin).get(url).json()
    assert [(batch["kind"], batch["number"]) for batch in body["batches"]] == [("round", 1), ("prototype", 1)]
    assert body["few_items"] == 20
    assert body["stages"][0] == {"key": "opinion", "title": "Opinion", "coefficient": "Krippendorff’s α"}
    told = {each["number"]: each for each in body["annotators"]}
    # An admin may annotate as well.
    assert set(told) == {member.number for member in (people.admin, *people.annotators)}
    ours = told[alice.number]
    assert (ours["done"], ours["skipped"], ours["active_ms"]) == (3, 1, 3500)
    assert (told[charlie.number]["done"], told[people.admin.number]["done"]) == (2, 0)
    opinion = ours["agreement"][0]
    assert (opinion["stage"], opinion["n"], opinion["percent_agreement"]) == ("opinion", 2, 0.75)
    shares = {"own": 0.5, "others": 0.25, "much_more": False}
    assert ours["labels"][0]["labels"][0] == {"label": "yes", "name": "Yes"} | shares
    empty = told[people.admin.number]["agreement"][0]
    assert (empty["value"], empty["reason"]) == (None, "nobody else answered these items")
    both = client_of(people.admin).get(url, {"batch": "all"}).json()
    assert {each["number"]: each["done"] for each in both["annotators"]}[alice.number] == 4
    one = client_of(people.admin).get(url, {"batch": str(trial.uuid)}).json()
    assert {each["number"]: each["done"] for each in one["annotators"]}[bob.number] == 0
    wrong = client_of(people.admin).get(url, {"batch": "nothing"})
    assert (wrong.status_code, list(wrong.json()["errors"])) == (400, ["batch"])


def test_an_admin_who_can_still_answer_sees_nobodys_labels_there(people: People, client_of: ClientOf, url: str) -> None:
    alice, bob, _ = people.annotators
    done = fill(people.project, [alice, bob], at("opinion", {"t": "YY"}))
    batch = fill(people.project, [alice, bob], at("opinion", {"u": "NN"}), number=2)
    waiting = Assignment.objects.create(batch_item=batch.batch_items.get(), annotator=people.admin, position=1)
    admin = client_of(people.admin)

    def told(**query: str) -> tuple[list[int], list[int], list[int]]:
        body = admin.get(url, query).json()
        person = next(each for each in body["annotators"] if each["number"] == alice.number)
        compared = [row["n"] for row in person["agreement"] if row["stage"] == "opinion"]
        labels = [row["n"] for row in person["labels"] if row["stage"] == "opinion"]
        return [row["number"] for row in body["hidden"]], compared, labels

    assert told() == ([2], [1], [1])
    assert told(batch="all") == ([2], [1], [1])
    assert told(batch=str(done.uuid)) == ([], [1], [1])
    hidden, compared, labels = told(batch=str(batch.uuid))
    assert (hidden, compared) == ([2], [0])
    assert labels in ([], [0])
    waiting.answers_revealed_at = timezone.now()
    waiting.save()
    assert told(batch=str(batch.uuid)) == ([], [1], [1])


def test_practice_stands_beside_it(people: People, client_of: ClientOf, url: str) -> None:

    make_items(people.project, [f"Text number {n} of the record." for n in range(8)])
    practice = Admin(people, client_of(people.admin)).opened()
    go_through(client_of(people.annotators[0]), people, practice, [NO, YES])
    told = client_of(people.admin).get(url).json()["annotators"]
    [mine] = next(each for each in told if each["number"] == people.annotators[0].number)["practices"]
    assert (mine["title"], mine["standing"], mine["attempts"][0]["right"]) == ("Stance", "working", 1)
    # What was practised is not among the items that were done.
    assert {each["done"] for each in told} == {0}
    assert client_of(people.annotators[0]).get(f"/api/projects/{people.project.uuid}/pace/").json()["done"] == 0


def test_a_person_sees_their_own_pace_alone(people: People, client_of: ClientOf) -> None:
    alice, bob, _ = people.annotators
    fill(people.project, people.annotators, table())
    people.project.time_zone = "Pacific/Auckland"
    people.project.save()
    late = datetime(2025, 6, 30, 13, 0, tzinfo=UTC)  # 1 July in Auckland
    Annotation.objects.filter(assignment__annotator=alice).update(created_at=late)
    body = client_of(alice).get(f"/api/projects/{people.project.uuid}/pace/").json()
    assert (body["done"], body["active_ms"]) == (3, 3500)
    assert body["days"] == [{"day": "2025-07-01", "done": 3, "active_ms": 3500}]
    assert [(batch["kind"], batch["number"], batch["done"]) for batch in body["batches"]] == [("round", 1, 3)]
    # Nothing else is told, and nothing of anybody else.
    assert set(body) == {"done", "active_ms", "batches", "days"}
    Annotation.objects.filter(assignment__annotator=bob).update(created_at=timezone.now())
    assert client_of(alice).get(f"/api/projects/{people.project.uuid}/pace/").json() == body
    nothing = client_of(people.admin).get(f"/api/projects/{people.project.uuid}/pace/").json()
    assert nothing == {"done": 0, "active_ms": 0, "batches": [], "days": []}
