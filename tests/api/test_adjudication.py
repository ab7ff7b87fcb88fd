"""Adjudication and second looks over HTTP: shapes, anonymity, refusals, and what an annotator learns."""

from collections.abc import Callable
from typing import Any
from uuid import uuid4

import pytest
from django.db import connection
from django.test.utils import CaptureQueriesContext
from rest_framework.test import APIClient

from annotation_app.api import adjudication as shapes
from annotation_app.models import Annotation, Batch, Evaluation, Event, Item, Membership, Prediction, Round
from tests.agreement.tables import Said, at, fill
from tests.api.decisions import body
from tests.api.labelling import same_keys
from tests.conftest import People
from tests.factories import make_member
from tests.floats import rounded
from tests.rounds.second_looks import of_round

ClientOf = Callable[[Membership], APIClient]
YES_YES = Said({"opinion": "yes", "mp": "yes"})
NO = Said({"opinion": "no"})
UNSURE = Said({"opinion": "ambiguous"})


@pytest.fixture
def row(people: People) -> Round:
    table = {"split": [YES_YES, NO, UNSURE], "agreed": [NO, NO, NO], "mild": [NO, NO, UNSURE]}
    return of_round(people, fill(people.project, people.annotators, table))


@pytest.fixture
def judge(people: People, row: Round) -> Membership:
    return make_member(people.project, "judith", "adjudicator")


@pytest.fixture
def url(people: People) -> str:
    return f"/api/projects/{people.project.uuid}/adjudication/"


def item_url(url: str, name: str) -> str:
    return f"{url}{Item.objects.get(external_id=name).uuid}/"


def test_it_lists_disagreements_as_the_schema_says(judge: Membership, url: str, client_of: ClientOf) -> None:
    page = client_of(judge).get(url).json()
    same_keys(shapes.DisagreementsOut(), page)
    assert [(each["text"], each["round"]) for each in page["items"]] == [("Text of split.", 1)]
    assert page["items"][0]["stages"] == [{"stage": "opinion", "state": "tie", "label_key": None, "differs": True}]
    assert page["counts"] == {"open": 1, "tie": 1, "no_majority": 0, "few": 0, "any": 2, "decided": 0, "revised": 0}
    assert page["stages"][0] == {
        "key": "opinion",
        "title": page["stages"][0]["title"],
        "majority": 2,
        "adjudicated": 0,
        "tie": 1,
        "no_majority": 0,
        "not_applicable": 0,
    }
    assert (page["waiting"], page["rounds"], page["second_looks"], page["n_pages"]) == (0, [1], [], 1)
    got = client_of(judge).get(url, {"kind": "any", "stage": "opinion", "round": "1"}).json()
    assert [each["text"] for each in got["items"]] == ["Text of split.", "Text of mild."]
    assert set(client_of(judge).get(url, {"kind": "x", "round": "0", "phase": "3"}).json()["errors"]) == {
        "kind",
        "round",
        "phase",
    }


def test_it_names_a_stage_that_there_is_not(judge: Membership, url: str, client_of: ClientOf) -> None:
    for each in (url, item_url(url, "split")):
        answer = client_of(judge).get(each, {"stage": "mood"})
        assert answer.status_code == 400
        assert answer.json()["errors"] == {"stage": ["No published codebook of this project has a stage 'mood'."]}


def test_it_shows_answers_side_by_side_and_names_nobody(
    people: People, judge: Membership, url: str, client_of: ClientOf
) -> None:
    Annotation.objects.filter(answers__label="ambiguous").update(comment="Could be either.")
    case = client_of(judge).get(item_url(url, "split")).json()
    same_keys(shapes.CaseOut(), case)
    assert [each["letter"] for each in case["answers"]] == ["A", "B", "C"]
    said = sorted(tuple(each["first"]["answers"].items()) for each in case["answers"])
    assert said == [(("opinion", "ambiguous"),), (("opinion", "no"),), (("opinion", "yes"), ("mp", "yes"))]
    assert [each["first"]["comment"] for each in case["answers"] if each["first"]["comment"]] == ["Could be either."]
    assert case["voted"][0]["votes"] == {"yes": 1, "no": 1, "ambiguous": 1}
    assert (case["place"], case["total"], case["previous"], case["next"]) == (1, 1, None, None)
    shown = str(case).lower()
    for member in people.annotators:
        for telling in (member.user.username, str(member.uuid), str(member.user.uuid)):
            assert telling.lower() not in shown
    for key in ("annotator", "number_of", "created_at", "active_ms", "wall_ms", "done_at", "position"):
        assert f"'{key}" not in shown
    assert not [uuid for uuid in Annotation.objects.values_list("uuid", "assignment__uuid") if str(uuid[0]) in shown]


def test_each_reader_has_their_own_order(people: People, judge: Membership, url: str, client_of: ClientOf) -> None:
    """With 20 items and two readers, the same order everywhere would be a chance of 6 to the minus 20."""
    fill(people.project, people.annotators, {f"i{n}": [YES_YES, NO, UNSURE] for n in range(20)}, number=2)

    def orders(member: Membership) -> list[str]:
        client = client_of(member)
        cases = [client.get(item_url(url, f"i{n}")).json() for n in range(20)]
        return ["".join(each["first"]["answers"]["opinion"][0] for each in case["answers"]) for case in cases]

    mine, theirs = orders(judge), orders(people.admin)
    assert mine != theirs
    assert len(set(mine)) > 1
    assert mine == orders(judge)


def test_it_takes_a_decision_a_replay_and_an_undo(judge: Membership, url: str, client_of: ClientOf) -> None:
    client, at_ = client_of(judge), item_url(url, "split")
    sent = body({"opinion": "yes", "mp": "yes"})
    first = client.post(at_, sent, format="json")
    assert (first.status_code, first.json()) == (
        201,
        {
            "revision": 1,
            "source": "adjudication",
            "labels": {"opinion": "yes", "mp": "yes"},
            "reason": "Read the rule.",
            "withdraws": False,
            "mine": True,
        },
    )
    again = client.post(at_, sent, format="json")
    assert (again.status_code, again.json()) == (200, first.json())
    stale = client.post(at_, body({"opinion": "no"}), format="json")
    assert (stale.status_code, stale.json()["code"], stale.json()["current"]) == (409, "stale", first.json())
    reused = client.post(at_, {**sent, "reason": "Another."}, format="json")
    assert (reused.status_code, reused.json()["code"]) == (409, "client_id_reused")
    closed = client.post(at_, body({"opinion": "no", "mp": "yes"}, 1), format="json")
    assert (closed.status_code, set(closed.json()["errors"])) == (400, {"labels.mp"})
    undone = client.post(at_, body({}, 1, withdraw=True), format="json")
    assert (undone.status_code, undone.json()["withdraws"]) == (201, True)
    case = client.get(at_).json()
    assert (case["decision"]["revision"], case["decision"]["withdraws"]) == (2, True)


def test_another_readers_decision_is_not_named(
    people: People, judge: Membership, url: str, client_of: ClientOf
) -> None:
    client_of(judge).post(item_url(url, "split"), body({"opinion": "no"}), format="json")
    case = client_of(people.admin).get(item_url(url, "split")).json()
    assert case["decision"]["mine"] is False
    assert "judith" not in str(case).lower()


def test_an_annotator_gets_nothing_of_it(people: People, row: Round, url: str, client_of: ClientOf) -> None:
    client = client_of(people.annotators[0])
    at_ = item_url(url, "split")
    assert client.get(url).status_code == client.get(at_).status_code == 403
    assert client.post(at_, body({"opinion": "no"}), format="json").status_code == 403
    assert client_of(people.outsider).get(at_).status_code == 404


def test_a_consensus_is_recorded_by_an_admin(
    people: People, judge: Membership, row: Round, url: str, client_of: ClientOf
) -> None:
    admin = client_of(people.admin)
    assert admin.post(f"/api/rounds/{row.uuid}/second-look/").status_code == 201
    early = admin.post(item_url(url, "split"), body({"opinion": "no"}, source="consensus"), format="json")
    assert (early.status_code, early.json()["code"]) == (409, "no_second_look")
    closed = admin.post(f"/api/rounds/{row.uuid}/second-look/close/")
    assert (closed.status_code, closed.json()["rounds"][0]["second_look"]["closed"]) == (200, True)
    assert admin.get(url).json()["second_looks"] == [1]
    consensus = body({"opinion": "no"}, source="consensus")
    assert client_of(judge).post(item_url(url, "split"), consensus, format="json").status_code == 403
    stored = admin.post(item_url(url, "split"), consensus, format="json")
    assert (stored.status_code, stored.json()["source"]) == (201, "consensus")


def test_a_second_look_shows_the_own_answer_and_where_others_differ(
    people: People, row: Round, client_of: ClientOf
) -> None:
    """Alice said yes and yes to split; nobody else was asked about mp, so that she differs at opinion only."""
    client_of(people.admin).post(f"/api/rounds/{row.uuid}/second-look/")
    alice = client_of(people.annotators[0])
    window = alice.get(f"/api/projects/{people.project.uuid}/next/").json()
    by_text = {each["item"]["text"]: each for each in window["assignments"]}
    assert set(by_text) == {"Text of split.", "Text of mild."}
    split = by_text["Text of split."]
    assert split["first_look"] == {
        "answers": {"opinion": "yes", "mp": "yes"},
        "comment": "",
        "context_opened": "sentence",
        "differs": ["opinion"],
    }
    assert split["current"] is None
    one = alice.get(f"/api/assignments/{split['id']}/").json()
    assert one["first_look"] == split["first_look"]
    # Nothing of the others: no label but her own, no name.
    assert "ambiguous" not in str([{**each, "codebook": None} for each in window["assignments"]])
    assert "Bob" not in str(window)
    sent = {
        "client_id": str(uuid4()),
        "base_revision": 0,
        "answers": {"opinion": "no"},
        "spans": [],
        "context_opened": "sentence",
        "active_ms": 10,
        "wall_ms": 10,
    }
    assert alice.post(f"/api/assignments/{split['id']}/annotations/", sent, format="json").status_code == 201
    looks = client_of(people.admin).get(f"/api/projects/{people.project.uuid}/second-looks/").json()
    [place] = looks["rounds"]
    assert (place["n_differing"], place["may_open"], place["second_look"]["done"]) == (2, False, 1)
    case = client_of(people.admin).get(
        f"/api/projects/{people.project.uuid}/adjudication/{Item.objects.get(external_id='split').uuid}/"
    )
    seconds = [each["second"]["answers"] for each in case.json()["answers"] if each["second"]]
    assert seconds == [{"opinion": "no"}]


def test_agreement_is_asked_for_by_phase(people: People, row: Round, client_of: ClientOf) -> None:
    admin, url = client_of(people.admin), f"/api/projects/{people.project.uuid}/agreement/"
    assert (admin.get(url).json()["phase"], admin.get(url).json()["second_looks"]) == (1, [])
    admin.post(f"/api/rounds/{row.uuid}/second-look/")
    later = admin.get(url, {"phase": "2"}).json()
    assert (later["phase"], later["second_looks"]) == (2, [1])
    assert rounded(later["rows"]) == rounded(admin.get(url).json()["rows"])
    assert admin.get(url, {"phase": "3"}).status_code == 400


def test_the_rounds_page_says_what_there_is_to_learn_from(
    people: People, judge: Membership, row: Round, url: str, client_of: ClientOf
) -> None:
    client_of(judge).post(item_url(url, "split"), body({"opinion": "no"}), format="json")
    client_of(judge).post(item_url(url, "mild"), body({"opinion": "no"}), format="json")
    client_of(judge).post(item_url(url, "mild"), body({}, 1, withdraw=True), format="json")
    page = client_of(people.admin).get(f"/api/projects/{people.project.uuid}/rounds/").json()
    assert (page["next"]["n_adjudicated"], page["next"]["second_looks"]) == (1, 0)
    [shown] = page["rounds"]
    assert (shown["label_phase"], shown["use_adjudicated"]) == (1, False)


def test_it_asks_as_often_for_many_items_as_for_few(
    people: People, judge: Membership, url: str, client_of: ClientOf
) -> None:
    client = client_of(judge)

    def asked(path: str) -> int:
        with CaptureQueriesContext(connection) as captured:
            assert client.get(path).status_code == 200
        return len(captured)

    # With a neighbour from the start.
    one = f"{item_url(url, 'split')}?kind=any"
    asked(one)
    few = asked(url), asked(one)
    fill(people.project, people.annotators, at("opinion", {f"i{n}": "YNA" for n in range(120)}), number=2)
    assert (asked(url), asked(one)) == few
    assert Batch.objects.count() == 2


def predict(row: Round, name: str, **changes: Any) -> Evaluation:
    evaluation = Evaluation.objects.create(
        project=row.project, number=1, name="Small", codebook=row.codebook, created_by=row.created_by, **changes
    )
    item = Item.objects.get(external_id=name)
    for system in ("small", "other"):
        Prediction.objects.create(
            evaluation=evaluation, system=system, item=item, stage="opinion", label="yes", confidence=0.75
        )
    return evaluation


def test_a_model_stands_beside_the_votes_only_where_an_admin_lets_it_and_each_look_is_logged(
    row: Round, judge: Membership, url: str, client_of: ClientOf
) -> None:
    evaluation = predict(row, "split")
    page = client_of(judge).get(item_url(url, "split")).json()
    assert page["predictions"] == []
    assert not Event.objects.filter(verb="predictions_shown").exists()
    evaluation.shown_to_adjudicators = ["small"]
    evaluation.save()
    page = client_of(judge).get(item_url(url, "split")).json()
    same_keys(shapes.CaseOut(), page)
    said = {"label": "yes", "confidence": 0.75, "explanation": ""}
    assert page["predictions"] == [{"system": "small", "evaluation": 1, "stages": {"opinion": said}}]
    # It is no vote.
    [opinion] = [each for each in page["voted"] if each["stage"] == "opinion"]
    assert opinion["votes"] == {"yes": 1, "no": 1, "ambiguous": 1}
    event = Event.objects.get(verb="predictions_shown")
    assert (event.actor_id, event.data) == (judge.user_id, {"systems": ["small of evaluation 1"]})
