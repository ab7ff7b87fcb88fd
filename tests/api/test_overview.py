"""A project at a glance over HTTP; counts and times are those of the rows written here."""

from collections.abc import Callable
from datetime import datetime, timedelta
from typing import Any

import pytest
from django.db import connection
from django.test.utils import CaptureQueriesContext
from django.utils import timezone
from rest_framework.test import APIClient

from annotation_app.annotation.services import annotation_submit
from annotation_app.assignment.members import member_deactivate
from annotation_app.assignment.services import batch_open, next_window
from annotation_app.models import Assignment, Batch, Import, Item, Membership, Release, Simulation, WorkerBeat
from tests.aggregation.decided import decide, withdraw
from tests.agreement.tables import Said, at, fill
from tests.assignment.batches import more_people, open_batch
from tests.conftest import People
from tests.factories import make_beat, make_items, publish
from tests.labels import NO, submission
from tests.rounds.measured import WORKED, filled, round_of
from tests.spans import span_codebook, span_submission

ClientOf = Callable[[Membership], APIClient]
Get = Callable[[], dict[str, Any]]


@pytest.fixture
def get(people: People, client_of: ClientOf) -> Get:
    def asked() -> dict[str, Any]:
        response = client_of(people.admin).get(f"/api/projects/{people.project.uuid}/overview/")
        assert response.status_code == 200, response.json()
        return response.json()

    return asked


def do(member: Membership, count: int, *, hours_ago: float, skipped: int = 0) -> None:
    """The person finishes so many items of their open batch, the last `skipped` of them by a skip, at that time."""
    for turn in range(count):
        row = next_window(membership=member, ahead=1).assignments[0]
        annotation_submit(membership=member, assignment_uuid=row.uuid, body=submission(NO))
        state = Assignment.State.SKIPPED if turn >= count - skipped else Assignment.State.SUBMITTED
        Assignment.objects.filter(pk=row.pk).update(done_at=ago(hours_ago), state=state)


def ago(hours: float) -> datetime:
    return timezone.now() - timedelta(hours=hours)


def opened(batch: Batch, hours: float) -> Batch:
    Batch.objects.filter(pk=batch.pk).update(opened_at=ago(hours))
    return batch


def prototype(people: People, annotators: list[Membership], size: int = 2) -> Batch:
    items = make_items(people.project, [f"Prototype {n}." for n in range(size)], "prototype")
    return batch_open(
        project=people.project,
        codebook=people.project.codebooks.get(version=1),
        items=[(item.pk, None) for item in items],
        annotators=annotators,
        annotators_per_item=len(annotators),
        kind=Batch.Kind.PROTOTYPE,
        number=1,
    )


def states(body: dict[str, Any]) -> list[tuple[str, str, bool]]:
    return [(person["display_name"], person["state"], person["idle"]) for person in body["people"]]


def hours_since(person: dict[str, Any]) -> float:
    return (timezone.now() - datetime.fromisoformat(person["since"])).total_seconds() / 3600


def test_it_tells_of_an_empty_project(get: Get) -> None:
    body = get()
    assert (body["project"]["pool_size"], body["given_out"], body["n_annotators"]) == (0, 0, 3)
    assert (body["rounds"], body["batches"], body["people"], body["jobs"], body["trend"]) == ([], [], [], [], None)
    assert body["next"] == {"number": 1, "trains_model": False}
    assert body["waiting"] == {"disagreements": 0, "validations": None}


def test_it_counts_by_person_and_says_who_is_idle(people: People, get: Get) -> None:
    """Opened 30 hours ago: four items each. Alice is through; Bob did two, 25 hours ago; Charlie began nothing."""
    alice, bob, charlie = people.annotators
    batch = opened(open_batch(people.project, people.annotators, size=4), 30)
    do(alice, 4, hours_ago=26, skipped=1)
    do(bob, 2, hours_ago=25)
    body = get()
    (shown,) = body["batches"]
    assert (shown["id"], shown["kind"], shown["number"], shown["size"]) == (str(batch.uuid), "round", 1, 4)
    assert (shown["done"], shown["total"], shown["complete"]) == (6, 12, False)
    assert body["idle_after_hours"] == 24
    assert states(body) == [("Charlie", "not_begun", True), ("Bob", "working", True), ("Alice", "finished", False)]
    charlie_shown, bob_shown, alice_shown = body["people"]
    assert [(each["done"], each["total"]) for each in body["people"]] == [(0, 4), (2, 4), (4, 4)]
    assert alice_shown["batches"] == [{"batch": shown["id"], "done": 4, "skipped": 1, "total": 4}]
    assert (hours_since(charlie_shown), hours_since(bob_shown)) == (
        pytest.approx(30, abs=0.1),
        pytest.approx(25, abs=0.1),
    )
    assert (charlie_shown["last_done_at"], body["given_out"]) == (None, 4)
    do(bob, 1, hours_ago=23)
    member_deactivate(member=charlie, actor=people.admin.user)
    body = get()
    assert states(body) == [("Bob", "working", False), ("Alice", "finished", False), ("Charlie", "left", False)]
    assert [(each["done"], each["total"]) for each in body["people"]] == [(3, 4), (4, 4), (0, 0)]


def test_new_work_makes_nobody_idle(people: People, get: Get) -> None:
    """Bob was through with his round 40 hours ago and has had a prototype batch for one hour."""
    _, bob, charlie = people.annotators
    opened(open_batch(people.project, [bob, charlie], size=1), 50)
    do(bob, 1, hours_ago=40)
    opened(prototype(people, [bob]), 1)
    body = get()
    assert [(each["kind"], each["done"], each["total"]) for each in body["batches"]] == [
        ("round", 1, 2),
        ("prototype", 0, 2),
    ]
    assert states(body) == [("Charlie", "not_begun", True), ("Bob", "working", False)]
    assert hours_since(body["people"][1]) == pytest.approx(1, abs=0.1)
    assert [part["total"] for part in body["people"][1]["batches"]] == [1, 2]
    assert len(body["people"][0]["batches"]) == 1


def test_of_k_of_n_it_counts_what_can_still_be_had(people: People, get: Get) -> None:
    """Three items for one of two people: Alice has one done and a window of three in hand at most."""
    alice, bob, _ = people.annotators
    open_batch(people.project, [alice, bob], size=3, k=1)
    do(alice, 1, hours_ago=0)
    in_hand = Assignment.objects.filter(annotator=alice, state="claimed").count()
    by_name = {person["display_name"]: person for person in get()["people"]}
    assert (by_name["Alice"]["done"], by_name["Alice"]["total"]) == (1, 3)
    assert (by_name["Bob"]["done"], by_name["Bob"]["total"]) == (0, 3 - 1 - in_hand)


def test_frozen_batches_are_not_open(people: People, get: Get) -> None:
    batch = open_batch(people.project, people.annotators, size=1)
    Batch.objects.filter(pk=batch.pk).update(frozen_at=timezone.now())
    body = get()
    assert (body["batches"], body["people"], body["given_out"]) == ([], [], 1)


def test_the_trend_is_that_of_the_agreement_and_of_the_insights(people: People, get: Get, client_of: ClientOf) -> None:
    """Worked by hand: alpha 9/14 over four items with two answers; majorities Y, N, Y, Y, and none."""
    first = {"i1": "YYY", "i2": "NNN", "i3": "YNY", "i4": "YY-", "i5": "N--"}
    filled(people, {"p1": "YYY", "p2": "NNN", "p3": "NNN", "p4": "NNY"}, kind=Batch.Kind.PROTOTYPE)
    round_of(people, filled(people, first), "random")
    frozen = people.project.batches.filter(kind=Batch.Kind.ROUND)
    frozen.update(frozen_at=timezone.now())
    round_of(people, filled(people, WORKED, number=2))
    trend = get()["trend"]
    assert (trend["stage"], trend["title"], trend["positive"]) == ("opinion", "Opinion", ["Yes"])
    base, one, two = trend["batches"]
    assert [(each["kind"], each["number"]) for each in trend["batches"]] == [
        ("prototype", 1),
        ("round", 1),
        ("round", 2),
    ]
    assert one["agreement"]["alpha"] == pytest.approx(9 / 14)
    assert (one["agreement"]["n_units"], one["agreement"]["reason"]) == (4, "")
    assert (one["positives"]["count"], one["positives"]["n"], one["positives"]["share"]) == (3, 4, 0.75)
    assert (base["positives"]["count"], base["positives"]["n"], trend["baseline"]["share"]) == (1, 4, 0.25)
    url = f"/api/projects/{people.project.uuid}"
    rows = client_of(people.admin).get(f"{url}/agreement/").json()["rows"]
    for batch in (one, two):
        (row,) = [
            row for row in rows if (row["stage"], row["round"], row["pair"]) == ("opinion", batch["number"], None)
        ]
        agreement = batch["agreement"]
        assert agreement["alpha"] == pytest.approx(row["alpha_nominal"])
        assert [agreement["low"], agreement["high"]] == pytest.approx(row["ci"]["alpha_nominal"])
    told = client_of(people.admin).get(f"{url}/insights/").json()
    for mine, theirs in zip(trend["batches"], told["batches"], strict=True):
        assert mine["positives"] == {key: theirs["positives"][key] for key in mine["positives"]}
        assert mine["agreement"]["alpha"] == theirs["agreement"]["alpha"]
    assert trend["baseline"] == told["baseline"]


def test_an_answer_more_is_in_the_trend(people: People, get: Get) -> None:
    batch = open_batch(people.project, people.annotators, size=1)
    do(people.annotators[0], 1, hours_ago=0)
    (line,) = get()["trend"]["batches"]
    assert (line["agreement"]["n_units"], line["agreement"]["reason"]) == (0, "fewer than two raters")
    do(people.annotators[1], 1, hours_ago=0)
    (line,) = get()["trend"]["batches"]
    assert (line["agreement"]["n_units"], line["positives"]["n"]) == (1, 1)
    assert batch.batch_items.count() == 1


def test_disagreements_are_those_of_their_list(people: People, get: Get, client_of: ClientOf) -> None:
    """Open: i4 without a majority, and i1 and i5, whose majority yes opens questions that nobody answered."""
    round_of(people, filled(people, WORKED), "random")
    url = f"/api/projects/{people.project.uuid}/adjudication/"
    item = Item.objects.get(external_id__startswith="i4")

    def both() -> tuple[int, int]:
        return get()["waiting"]["disagreements"], client_of(people.admin).get(url).json()["counts"]["open"]

    assert both() == (3, 3)
    decide(people.admin, item, {"opinion": "no"})
    assert both() == (2, 2)
    withdraw(people.admin, item)
    assert both() == (3, 3)
    decide(people.admin, item, {"opinion": "yes"})
    assert both() == (3, 3)


def test_disagreements_wait_for_the_last_answer(people: People, get: Get) -> None:
    table = at("opinion", {"i1": "YNA"}) | {"i2": [Said({"opinion": "yes"}), Said({"opinion": "no"}), Said({}, "open")]}
    batch = fill(people.project, people.annotators, table)
    assert get()["waiting"]["disagreements"] == 1
    Assignment.objects.filter(batch_item__batch=batch, state="open").update(state="withdrawn")
    assert get()["waiting"]["disagreements"] == 2


def test_of_spans_it_counts_what_waits_for_a_validator(people: People, get: Get) -> None:
    people.project.codebooks.all().delete()
    codebook = publish(people.project, span_codebook())
    open_batch(people.project, people.annotators[:1], size=2, codebook=codebook)
    row = next_window(membership=people.annotators[0], ahead=1).assignments[0]
    skip = span_submission([], skip_reason="no")
    annotation_submit(membership=people.annotators[0], assignment_uuid=row.uuid, body=skip)
    body = get()
    assert body["waiting"] == {"disagreements": None, "validations": 1}
    assert (body["trend"], body["people"][0]["done"]) == (None, 1)


def test_it_says_what_runs_and_what_waits(people: People, get: Get) -> None:
    assert [get()["workers"][queue] for queue in ("models", "light")] == [{"alive": False, "seen_at": None}] * 2
    now = timezone.now()
    make_beat("models")
    WorkerBeat.objects.create(name="b", queue="light", seen_at=ago(1), started_at=ago(2))
    made = {"project": people.project, "created_by": people.admin.user}
    Import.objects.create(**made, filename="pool.jsonl", format="jsonl", created_at=ago(3))
    Import.objects.create(**made, filename="old.jsonl", format="jsonl", state="done", created_at=ago(9))
    Simulation.objects.create(**made, name="A study", state="running", lease_until=now + timedelta(minutes=1))
    Release.objects.create(**made, number=2, created_at=ago(2), state="running", lease_until=ago(1))
    body = get()
    assert body["workers"]["models"] == {"alive": True, "seen_at": None}
    assert body["workers"]["light"]["alive"] is False
    assert datetime.fromisoformat(body["workers"]["light"]["seen_at"]) == WorkerBeat.objects.get(name="b").seen_at
    assert [(job["kind"], job["name"], job["at_work"]) for job in body["jobs"]] == [
        ("import", "pool.jsonl", False),
        ("release", "Release 2", False),
        ("simulation", "A study", True),
    ]


def test_it_answers_304_until_something_changes(people: People, client_of: ClientOf) -> None:
    open_batch(people.project, people.annotators, size=2)
    client, url = client_of(people.admin), f"/api/projects/{people.project.uuid}/overview/"
    first = client.get(url)
    assert first.headers["Cache-Control"] == "private, no-cache"
    again = client.get(url, headers={"If-None-Match": first.headers["ETag"]})
    assert (again.status_code, again.content) == (304, b"")
    do(people.annotators[0], 1, hours_ago=0)
    later = client.get(url, headers={"If-None-Match": first.headers["ETag"]})
    assert (later.status_code, later.json()["batches"][0]["done"]) == (200, 1)


def test_it_takes_the_same_queries_however_much_there_is(people: People, client_of: ClientOf) -> None:
    client = client_of(people.admin)

    def queries() -> int:
        with CaptureQueriesContext(connection) as captured:
            assert client.get(f"/api/projects/{people.project.uuid}/overview/").status_code == 200
        return len([query for query in captured if "SAVEPOINT" not in query["sql"]])

    def more(number: int) -> None:
        round_of(people, filled(people, WORKED, number=number), "random")
        people.project.batches.filter(number=number).update(frozen_at=timezone.now())

    more(1)
    open_batch(people.project, people.annotators, size=1, number=20)
    few = queries()
    for number in range(2, 6):
        more(number)
    open_batch(people.project, more_people(people.project, 5), size=5, number=21)
    assert queries() == few == 69


@pytest.mark.django_db(transaction=True)
def test_what_did_not_change_is_not_counted_again(people: People, client_of: ClientOf) -> None:
    """Outside of a test's transaction, where a process remembers."""
    client, url = client_of(people.admin), f"/api/projects/{people.project.uuid}/overview/"
    batch = open_batch(people.project, people.annotators, size=2)

    def asked() -> tuple[list[int], bool]:
        with CaptureQueriesContext(connection) as captured:
            body = client.get(url).json()
        counted = any("handed_out" in query["sql"] for query in captured)
        return sorted(person["done"] for person in body["people"]), counted

    assert asked() == ([0, 0, 0], True)
    assert asked() == ([0, 0, 0], False)
    row = next_window(membership=people.annotators[0], ahead=1).assignments[0]
    annotation_submit(membership=people.annotators[0], assignment_uuid=row.uuid, body=submission(NO))
    assert asked() == ([0, 0, 1], True)
    member_deactivate(member=people.annotators[2], actor=people.admin.user)
    assert asked() == ([0, 0, 1], True)
    assert asked() == ([0, 0, 1], False)
    Batch.objects.filter(pk=batch.pk).update(frozen_at=timezone.now())
    assert client.get(url).json()["batches"] == []
