"""The prototype batch: drawn at random, labelled like any, kept apart from everything that rounds do."""

from collections import Counter
from collections.abc import Callable
from hashlib import sha256
from typing import Any

import pytest
from rest_framework.test import APIClient

from al_worker.bridge.directory import directory_of
from al_worker.formats.run_directory import ISSUED, LABELED, POOL, read_items
from annotation_app.agreement.selectors import agreement_table
from annotation_app.annotation.services import annotation_submit
from annotation_app.assignment.services import next_window
from annotation_app.export.options import ExportOptions
from annotation_app.export.stream import export_open
from annotation_app.models import Assignment, Batch, Event, Membership, Round, WorkerBeat
from annotation_app.refusals import Refused
from annotation_app.rounds.budget import budget_spent
from annotation_app.rounds.draw import uniform_draw
from annotation_app.rounds.prototype import PrototypeSpec, prototype_open
from annotation_app.rounds.services import round_cancel
from annotation_app.rounds.spec import RoundSpec
from tests.assignment.batches import at_once
from tests.conftest import People
from tests.factories import unpublish
from tests.labels import NO, YES, label_batch, submission
from tests.refusals import refusal
from tests.rounds.starting import opened, start

Spec = Callable[..., RoundSpec]
ClientOf = Callable[[Membership], APIClient]
Ask = Callable[..., Any]


@pytest.fixture
def ask(people: People, client_of: ClientOf) -> Ask:
    client = client_of(people.admin)

    def asked(method: str = "post", **changes: Any) -> Any:
        url = f"/api/projects/{people.project.uuid}/prototype/"
        body = {
            "size": 10,
            "random_state": 5,
            "annotators": [str(people.annotators[0].uuid)],
            "annotators_per_item": 1,
        }
        return client.get(url) if method == "get" else client.post(url, body | changes, "json")

    return asked


def prototype(people: People) -> Batch:
    return people.project.batches.get(kind=Batch.Kind.PROTOTYPE)


def items_of(batch: Batch) -> list[str]:
    return list(batch.batch_items.order_by("rank").values_list("item__external_id", flat=True))


def by_words(batch: Batch) -> None:
    label_batch(batch, lambda member, item: YES if "should" in item.text else NO)


def test_it_is_opened_before_any_round_and_without_a_worker(people: People, texts: list[str], ask: Ask) -> None:
    assert ask("get").json() == {"batch": None, "may_open": True, "reasons": []}
    response = ask()
    assert response.status_code == 201
    body = response.json()
    assert body["batch"] == {
        "id": str(prototype(people).uuid),
        "closed_at": None,
        "frozen_at": None,
        "number": 1,
        "size": 10,
        "done": 0,
        "total": 10,
        "n_checks": 0,
        "complete": False,
        "random_state": 5,
        "annotators_per_item": 1,
        "annotators": [{"id": str(people.annotators[0].uuid), "display_name": "Alice", "done": 0, "total": 10}],
    }
    assert body["may_open"] is False
    assert body["reasons"] == ["The prototype batch is not complete: 0 of 10 assignments are done."]
    # The draw as anyone can repeat it.
    names = sorted((f"doc_{n}_1" for n in range(40)), key=lambda name: sha256(f"5:prototype:{name}".encode()).digest())
    assert items_of(prototype(people)) == names[:10]
    assert Event.objects.get(verb="batch_opened").data["kind"] == "prototype"


def test_it_is_closed_and_opened_again_like_a_rounds_batch(
    people: People, texts: list[str], ask: Ask, client_of: ClientOf
) -> None:
    """Nobody has answered: unlike a round's batch it has no other end than this one."""
    client, shown = client_of(people.admin), ask().json()["batch"]
    project = client.get(f"/api/projects/{people.project.uuid}/").json()
    assert (project["pool_size"], project["pool_left"]) == (40, 30)
    assert (shown["id"], shown["closed_at"], shown["complete"]) == (str(prototype(people).uuid), None, False)
    assert client.post(f"/api/batches/{shown['id']}/close/").status_code == 200
    closed = ask("get").json()
    assert (closed["batch"]["complete"], closed["may_open"]) == (True, True)
    assert closed["batch"]["closed_at"] and closed["batch"]["frozen_at"] is None
    assert client.post(f"/api/batches/{shown['id']}/reopen/").status_code == 200
    assert ask("get").json()["batch"]["complete"] is False


def test_it_is_one_at_a_time(people: People, texts: list[str], ask: Ask) -> None:
    ask()
    assert (ask().status_code, ask().json()["code"]) == (409, "prototype_open")
    by_words(prototype(people))
    again = ask()
    assert (again.status_code, again.json()["batch"]["number"]) == (201, 2)
    first, second = people.project.batches.order_by("number")
    assert not set(items_of(first)) & set(items_of(second))


@pytest.mark.django_db(transaction=True)
def test_it_lets_one_of_two_admins_open(people: People, texts: list[str]) -> None:
    asked = PrototypeSpec(size=10, random_state=5, annotators=(people.annotators[0].uuid,), annotators_per_item=1)

    def press() -> str:
        try:
            return f"batch {prototype_open(project=people.project, spec=asked, actor=people.admin.user).number}"
        except Refused as refused:
            return refused.code

    assert sorted(at_once([press, press])) == ["batch 1", "prototype_open"]


def test_it_names_every_fault(people: People, texts: list[str], ask: Ask) -> None:
    response = ask(size=41, annotators=[str(people.outsider.uuid)])
    assert response.status_code == 400
    errors = response.json()["errors"]
    assert set(errors) == {"size", "annotators"}
    assert errors["size"] == ["Choose 1 to 40 items: the pool has 40 that nobody was given yet."]
    seed = ask(size="many", random_state=2**53).json()["errors"]
    assert set(seed) == {"size", "random_state"}
    assert seed["random_state"] == ["Choose a whole number from 0 to 9007199254740991."]
    assert set(ask(annotators_per_item=2).json()["errors"]) == {"annotators_per_item"}
    unpublish(people.project.codebooks.all())
    assert ask().json()["code"] == "no_codebook"


def test_it_waits_while_a_round_chooses(
    people: People, texts: list[str], worker: WorkerBeat, spec: Spec, ask: Ask
) -> None:
    row = start(people, spec())
    response = ask()
    assert (response.status_code, response.json()["code"]) == (409, "round_at_work")
    Round.objects.filter(pk=row.pk).update(state=Round.State.FAILED)
    assert "restart it or cancel it first" in ask("get").json()["reasons"][0]
    round_cancel(row=row, actor=people.admin.user)
    assert ask().status_code == 201


def test_it_is_served_like_any_batch_and_blind(people: People, texts: list[str], ask: Ask, client_of: ClientOf) -> None:
    ask(annotators=[str(member.uuid) for member in people.annotators[:2]], annotators_per_item=2)
    url = f"/api/projects/{people.project.uuid}/next/"
    window = client_of(people.annotators[0]).get(url, {"ahead": 3}).json()
    assert (window["state"], len(window["assignments"])) == ("ok", 3)
    assert window["progress"] == {"done": 0, "total": 10, "withdrawn": 0, "batch_number": 1}
    shown = str(window)
    assert "Bob" not in shown
    assert "prototype" not in shown
    mine = window["assignments"][0]["id"]
    assert client_of(people.annotators[1]).get(f"/api/assignments/{mine}/").status_code == 404
    assert client_of(people.annotators[2]).get(url).json()["state"] == "none"
    assert client_of(people.annotators[0]).get(f"/api/projects/{people.project.uuid}/prototype/").status_code == 403


def test_it_stays_out_of_training_release_budget_and_all_rounds(
    people: People, texts: list[str], worker: WorkerBeat, spec: Spec, ask: Ask
) -> None:
    people.project.annotation_budget = 16
    people.project.save()
    ask(annotators=[str(member.uuid) for member in people.annotators], annotators_per_item=3)
    by_words(prototype(people))
    before = agreement_table(project=people.project, scope="all").rows
    assert {row.n_items for row in before} == {0}
    first = opened(people, spec())
    assert first.strategy_used == "random"
    by_words(first.batch)
    second = opened(people, spec(strategy="entropy"))
    drawn = set(items_of(prototype(people)))
    directory = directory_of(second)
    named = {name: {item.id for item in read_items(directory / name)} for name in (LABELED, ISSUED, POOL)}
    assert drawn <= named[ISSUED]
    assert not drawn & (named[LABELED] | named[POOL])
    assert named[LABELED] == set(items_of(first.batch))
    assert not drawn & set(items_of(second.batch))
    assert budget_spent(people.project) == 16
    rows = agreement_table(project=people.project, scope="all").rows
    everyone = [row for row in rows if row.stage == "opinion" and row.pair is None]
    assert {(row.round, row.n_items) for row in everyone} == {(1, 8), (None, 8)}
    for kind in ("aggregated", "annotations"):
        text = b"".join(export_open(kind=kind, options=ExportOptions(people.project))).decode()
        assert not any(f'"{name}"' in text for name in drawn)


def test_it_goes_on_beside_rounds_until_it_is_complete(
    people: People, texts: list[str], worker: WorkerBeat, spec: Spec, ask: Ask
) -> None:
    """The start of a round freezes what it trains on; a prototype batch only once everyone is through."""
    alice = people.annotators[0]
    by_words(opened(people, spec()).batch)
    ask()
    second = opened(people, spec(strategy="entropy"))
    assert prototype(people).frozen_at is None
    window = next_window(membership=alice, ahead=1)
    assert window.batch_id == prototype(people).pk
    by_words(prototype(people))
    by_words(second.batch)
    assert next_window(membership=alice, ahead=1).progress.state == "finished"
    opened(people, spec(strategy="entropy"))
    assert prototype(people).frozen_at is not None
    mine = Assignment.objects.filter(annotator=alice, batch_item__batch=prototype(people)).first()
    assert mine is not None
    with refusal("closed"):
        annotation_submit(membership=alice, assignment_uuid=mine.uuid, body=submission(YES, base_revision=1))


def test_it_keeps_a_prototype_annotator_who_became_an_adjudicator(
    people: People, texts: list[str], ask: Ask, client_of: ClientOf
) -> None:
    ask()
    by_words(prototype(people))
    Membership.objects.filter(pk=people.annotators[0].pk).update(role="adjudicator")
    body = client_of(people.admin).get(f"/api/projects/{people.project.uuid}/insights/").json()
    counted = Counter({label: n for label, n in body["batches"][0]["class_counts"].items() if n})
    assert counted.total() == 10
    assert "no_majority" not in counted
    assert body["baseline"]["source"] == "prototype"
    assert body["budget"] == {"total": None, "spent": 0, "left": None}


def test_it_draws_uniformly(people: People, texts: list[str], ask: Ask) -> None:
    """Over 40 seeds each of 40 items is drawn about 40 x 5 / 40 = 5 times; no item far more, most at least once."""
    counts: Counter[int] = Counter()
    for seed in range(40):
        drawn = uniform_draw(project=people.project, key=f"{seed}:prototype", size=5)
        assert len(set(drawn)) == 5
        counts.update(drawn)
    assert len(counts) >= 36
    assert max(counts.values()) <= 15


def test_it_changes_the_budget(
    people: People, texts: list[str], worker: WorkerBeat, spec: Spec, client_of: ClientOf
) -> None:
    client, url = client_of(people.admin), f"/api/projects/{people.project.uuid}/"
    response = client.patch(url, {"annotation_budget": 20}, "json")
    assert (response.status_code, response.json()["annotation_budget"]) == (200, 20)
    opened(people, spec())
    refused = client.patch(url, {"annotation_budget": 7}, "json")
    assert refused.json()["errors"] == {"annotation_budget": ["8 items are spent already: choose at least as many."]}
    insights = client.get(f"{url}insights/").json()
    assert insights["budget"] == {"total": 20, "spent": 8, "left": 12}
    assert client.patch(url, {"annotation_budget": None}, "json").json()["annotation_budget"] is None
    assert client.patch(url, {}, "json").status_code == 400
    assert Event.objects.filter(verb="budget_set").count() == 2
