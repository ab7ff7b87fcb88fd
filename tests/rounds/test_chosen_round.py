"""A round of items that an admin chose: it counts as every round does, and says how its items came about."""

import uuid
from collections.abc import Callable
from typing import Any

import pytest

from al_worker.bridge.directory import directory_of
from al_worker.formats.run_directory import LABELED, read_items
from annotation_app.aggregation.selectors import codebooks_of
from annotation_app.agreement.selectors import agreement_table
from annotation_app.dashboards.insights import followed_stage
from annotation_app.dashboards.overview import overview
from annotation_app.export.options import ExportOptions
from annotation_app.export.stream import export_open
from annotation_app.models import Event, Membership, Round, WorkerBeat
from annotation_app.releases.counts import counts_of
from annotation_app.releases.datasheet import datasheet_read
from annotation_app.rounds.budget import budget_spent
from annotation_app.rounds.draw import eligible_items
from annotation_app.rounds.services import round_cancel
from annotation_app.rounds.spec import RoundSpec
from tests.conftest import People
from tests.rounds.held_out import by_words
from tests.rounds.practices import Admin
from tests.rounds.starting import opened, start

Spec = Callable[..., RoundSpec]
Choose = Callable[..., Any]
NAMES = [f"doc_{n}_1" for n in range(8, 16)]


@pytest.fixture
def choose(people: People, admin: Admin) -> Choose:
    """Opens the next round with these items, as the page Items does."""

    def sent(names: list[str], **more: Any) -> Any:
        rows = people.project.items.filter(external_id__in=names)
        body = {
            "act": "open_batch",
            "client_id": str(uuid.uuid4()),
            "items": [str(row.uuid) for row in rows],
            "expected": len(names),
            "annotators": [str(member.uuid) for member in people.annotators],
            "annotators_per_item": 3,
            "as_round": True,
        }
        return admin.client.post(f"/api/projects/{people.project.uuid}/items/acts/", body | more, "json")

    return sent


@pytest.mark.django_db(transaction=True)
def test_it_counts_as_every_round_does(
    people: People, texts: list[str], worker: WorkerBeat, spec: Spec, choose: Choose
) -> None:
    project = people.project
    client_id = str(uuid.uuid4())
    made = [choose(NAMES, client_id=client_id) for _ in range(2)]
    assert [answer.status_code for answer in made] == [201, 201]
    row = Round.objects.get()
    assert (row.strategy_used, row.state, row.number, row.query_size) == ("chosen", "annotating", 1, 8)
    assert [each["id"] for each in row.record["selected"]] == sorted(NAMES, key=lambda name: int(name.split("_")[1]))
    by_words(row)
    rows = agreement_table(project=project, scope="all").rows
    everyone = [row for row in rows if row.stage == "opinion" and row.pair is None]
    assert {(row.round, row.n_items) for row in everyone} == {(1, 8), (None, 8)}
    assert budget_spent(project) == 8
    for kind, n in (("aggregated", 8), ("annotations", 24)):
        assert len(b"".join(export_open(kind=kind, options=ExportOptions(project))).splitlines()) == n
    assert counts_of(project)["items"] == 8
    assert overview(membership=people.admin).rounds[0].strategy == "Chosen by an admin"
    # The first round that a strategy is asked for is drawn at random all the same; the next one learns from both.
    second = opened(people, spec(strategy="entropy", allowed_alternative="random"))
    assert (second.number, second.strategy_used) == (2, "random")
    by_words(second)
    third = opened(people, spec(strategy="entropy"))
    learned = {item.id for item in read_items(directory_of(third) / LABELED)}
    assert set(NAMES) <= learned and len(learned) == 16


def test_insights_follow_the_stage_that_the_last_strategy_learns(
    people: People, texts: list[str], worker: WorkerBeat, spec: Spec, choose: Choose
) -> None:
    by_words(opened(people, spec()))
    free = list(eligible_items(people.project).order_by("pk").values_list("external_id", flat=True)[:2])
    assert choose(free).status_code == 201
    # A chosen round stores no stage where its codebook names none to learn.
    Round.objects.filter(number=1).update(learning_stages=["mp"])
    Round.objects.filter(number=2).update(learning_stages=[])
    codebooks = codebooks_of(people.project)
    assert followed_stage(people.project, codebooks) == "mp"
    Round.objects.filter(number=2).update(learning_stages=["opinion"])
    assert followed_stage(people.project, codebooks) == "mp"


def test_a_release_says_that_an_admin_chose(
    people: People, texts: list[str], worker: WorkerBeat, spec: Spec, choose: Choose
) -> None:
    by_words(opened(people, spec()))
    free = list(eligible_items(people.project).order_by("pk").values_list("external_id", flat=True)[:2])
    assert choose(free).status_code == 201
    by_words(Round.objects.get(number=2))
    said = {each.key: each.computed or "" for each in datasheet_read(project=people.project).questions}
    assert "- Round 2: 2 items, chosen by an admin of the project, by no sampling." in said["sampling"]
    assert "Round 2 was chosen by an admin, so that shares of labels over all rounds" in said["sample"]


def test_it_stands_in_the_place_of_a_round(
    people: People, texts: list[str], worker: WorkerBeat, spec: Spec, choose: Choose, admin: Admin
) -> None:
    """It waits for an open round, can be cancelled, keeps to the budget and asks for required practice."""
    waiting = start(people, spec())
    assert choose(NAMES).status_code == 409
    round_cancel(row=waiting, actor=people.admin.user)
    assert choose(NAMES, shares={str(people.annotators[0].uuid): 1}).status_code == 400
    assert choose(NAMES, shares={"nobody": 1}).status_code == 400
    assert choose(NAMES).status_code == 201
    row = Round.objects.get(strategy_used="chosen")
    refused = choose(["doc_1_1"])
    assert (refused.status_code, refused.json()["code"]) == (409, "batch_open")
    round_cancel(row=row, actor=people.admin.user)
    assert eligible_items(people.project).filter(external_id__in=NAMES).count() == 8
    people.project.annotation_budget = 7
    people.project.save()
    assert "7 of 7" in choose(NAMES).json()["errors"]["items"][0]
    people.project.annotation_budget = None
    people.project.save()
    admin.opened(is_required=True)
    assert "has to be passed first" in choose(NAMES).json()["errors"]["annotators"][0]
    assert Event.objects.filter(verb="round_started").count() == 2


def test_its_answers_are_dealt_out_by_shares(people: People, texts: list[str], choose: Choose) -> None:
    alice, bob, charlie = (str(member.uuid) for member in people.annotators)
    made = choose(NAMES, annotators_per_item=1, shares={alice: 2, bob: 1, charlie: 1})
    assert made.status_code == 201
    rows = Membership.objects.filter(assignments__batch_item__batch__kind="round")
    assert [rows.filter(pk=member.pk).count() for member in people.annotators] == [4, 2, 2]
