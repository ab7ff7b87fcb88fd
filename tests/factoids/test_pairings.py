"""Pairings of two lists over the API: their links, what people judge, and the list that is proposed from it."""

import uuid
from collections.abc import Callable
from typing import Any

import pytest
from rest_framework.test import APIClient

from annotation_app.models import FactoidPairing, FactoidRelation, Membership, TextSet
from tests.conftest import People
from tests.factoids.api import close, define, factoid, get_list, import_set, list_in, open_phase, send, step
from tests.factories import make_member

Client = Callable[[Membership], APIClient]
# The paper's P26, P27 and F9.9, with three texts of two sentences.
TEXTS = {name: ["One.", "Two."] for name in ("M01", "M02", "M03")}


class Paired:
    """A closed definition phase of Alice and Bob, and an admin who pairs their lists."""

    def __init__(self, people: People, client_of: Client) -> None:
        self.people, self.client = people, client_of(people.admin)
        self.set: TextSet = import_set(self.client, people.project, TEXTS)
        self.members = people.annotators[:2]
        self.phase = open_phase(self.client, self.set, "definition", self.members)
        self.lists = [list_in(self.phase, member) for member in self.members]
        own = (
            [
                factoid("P26", "M01-001", "M02-001", "M03-001", description="elections"),
                factoid("P27", "M01-001", "M02-001", description="they are free"),
                factoid("P1", "M03-002"),
            ],
            [
                factoid("F9.9", "M01-001", "M02-001", "M03-001", description="Free elections"),
                factoid("P1", "M01-002", description="somebody else's"),
            ],
        )
        self.a, self.b = (
            dict(zip([each["id"] for each in factoids], define(client_of(member), which, *factoids), strict=True))
            for member, which, factoids in zip(self.members, self.lists, own, strict=True)
        )

    def close(self) -> "Paired":
        self.phase = close(self.client, self.phase)
        return self

    def pair(self, **given: Any) -> Any:
        body = {"first": self.lists[0], "second": self.lists[1], **given}
        return self.client.post(f"/api/text-sets/{self.set.uuid}/pairings/", body, format="json")


@pytest.fixture
def paired(people: People, client_of: Client) -> Paired:
    return Paired(people, client_of)


def judge(client: APIClient, pairing: str, a: str, b: str, relation: str, client_id: str | None = None) -> Any:
    body = {"client_id": client_id or str(uuid.uuid4()), "a": a, "b": b, "relation": relation}
    return client.post(f"/api/factoid-pairings/{pairing}/relations/", body, format="json")


def view(client: APIClient, pairing: str) -> dict[str, Any]:
    answer = client.get(f"/api/factoid-pairings/{pairing}/")
    assert answer.status_code == 200, answer.content
    return dict(answer.json())


def test_a_pairing_shows_links_judgements_and_figure_4(paired: Paired) -> None:
    made = paired.close().pair()
    assert made.status_code == 201, made.json()
    head = made.json()
    names = [(head[side]["name"], head[side]["phase_number"], head[side]["list"]) for side in ("first", "second")]
    assert names == [("Alice", 1, paired.lists[0]), ("Bob", 1, paired.lists[1])]
    assert (head["threshold"], head["description_weight"]) == (0.8, 0)
    assert (head["n_judged"], head["n_strong"], head["n_weak"]) == (0, 1, 1)
    a, b, client = paired.a, paired.b, paired.client
    for pair in ((a["P26"], b["F9.9"], "subsumed"), (a["P27"], b["F9.9"], "subsumed"), (a["P1"], b["P1"], "equal")):
        assert judge(client, head["id"], *pair).status_code == 201
    found = view(client, head["id"])
    # P26 has F9.9's sentences; P27 has two of its three: F = 2 * 2 / (2 + 3).
    assert found["links"] == [
        {"a": a["P26"], "b": b["F9.9"], "f": 1.0, "direction": None, "relation": "subsumed"},
        {"a": a["P27"], "b": b["F9.9"], "f": 0.8, "direction": "A->B", "relation": "subsumed"},
        {"a": a["P1"], "b": b["P1"], "f": 0.0, "direction": "none", "relation": "equal"},
    ]
    assert found["unlinked"] == {"a": [a["P1"]], "b": [b["P1"]]}
    nothing = {"strong": 0, "A<-B": 0, "A->B": 0, "unlinked": 0}
    assert found["comparison"] == {
        "table": {
            "equal": nothing | {"unlinked": 1},
            "subsumes": nothing,
            "subsumed": nothing | {"strong": 1, "A->B": 1},
            "related": nothing,
            "unrelated": nothing,
        },
        "rates": {
            "equal_strong": 0.0,
            "equal_unlinked": 1.0,
            "subsumption_linked": 1.0,
            "strong_unrelated": 0.0,
            "weak_unrelated": 0.0,
        },
        "n_not_judged": 0,
    }
    assert [each["id"] for each in found["first_factoids"]] == ["P1", "P26", "P27"]
    assert found["second_factoids"][0]["sentences"] == ["M01-001", "M02-001", "M03-001"]
    assert [text["id"] for text in found["texts"]] == ["M01", "M02", "M03"]
    assert (found["set"]["name"], found["is_frozen"], found["n_judged"]) == ("Ferry", False, 3)


def test_another_threshold_and_the_descriptions_give_other_links(paired: Paired) -> None:
    pairing = paired.close().pair(threshold=0.9).json()["id"]
    address = f"/api/factoid-pairings/{pairing}/"
    answer = paired.client.patch(address, {"threshold": 1, "description_weight": 0.5}, format="json")
    assert (answer.status_code, answer.json()["n_strong"], answer.json()["n_weak"]) == (200, 0, 0)
    # "elections" is one of the two words of F9.9: F = .5 * 1 + .5 * 2 * 1 / (1 + 2).
    answer = paired.client.patch(address, {"threshold": 0.8}, format="json")
    assert (answer.json()["n_strong"], answer.json()["description_weight"]) == (1, 0.5)
    assert answer.json()["links"][0]["f"] == pytest.approx(5 / 6)
    assert view(paired.client, pairing) == answer.json()
    refused = paired.client.patch(address, {"threshold": 1.1}, format="json")
    assert (refused.status_code, list(refused.json()["errors"])) == (400, ["threshold"])


def test_the_newest_judgement_counts_and_a_retry_is_no_second_one(paired: Paired) -> None:
    pairing = paired.close().pair().json()["id"]
    a, b, sent = paired.a["P26"], paired.b["F9.9"], str(uuid.uuid4())
    for _ in range(2):
        answer = judge(paired.client, pairing, a, b, "equal", sent)
        assert (answer.status_code, answer.json()) == (201, {"a": a, "b": b, "relation": "equal"})
    assert FactoidRelation.objects.count() == 1
    reused = judge(paired.client, pairing, a, b, "related", sent)
    assert (reused.status_code, reused.json()["code"]) == (409, "client_id_reused")
    judge(paired.client, pairing, a, b, "related")
    assert view(paired.client, pairing)["links"][0]["relation"] == "related"
    judge(paired.client, pairing, a, b, "")
    assert (view(paired.client, pairing)["links"][0]["relation"], FactoidRelation.objects.count()) == (None, 3)
    swapped = judge(paired.client, pairing, b, a, "equal")
    assert (swapped.status_code, list(swapped.json()["errors"])) == (400, ["a", "b"])
    assert judge(paired.client, pairing, a, b, "the same").json()["errors"]["relation"] == [
        "Choose equal, subsumes, subsumed, related or unrelated."
    ]


def test_an_open_phase_is_neither_paired_nor_judged(paired: Paired) -> None:
    assert (paired.pair().status_code, paired.pair().json()["code"]) == (409, "phase_open")
    pairing = paired.close().pair().json()["id"]
    reopened = paired.client.post(f"/api/factoid-phases/{paired.phase['id']}/reopen/")
    assert reopened.status_code == 200
    judged = judge(paired.client, pairing, paired.a["P26"], paired.b["F9.9"], "equal")
    assert (judged.status_code, judged.json()["code"]) == (409, "phase_open")
    assert paired.client.get(f"/api/factoid-pairings/{pairing}/").json()["code"] == "phase_open"
    (head,) = paired.client.get(f"/api/text-sets/{paired.set.uuid}/pairings/").json()["pairings"]
    assert (head["n_strong"], head["n_weak"]) == (None, None)
    close(paired.client, paired.phase)
    assert judge(paired.client, pairing, paired.a["P26"], paired.b["F9.9"], "equal").status_code == 201
    refused = paired.client.post(f"/api/factoid-phases/{paired.phase['id']}/reopen/")
    assert "Relations between their factoids were judged" in refused.json()["detail"]


def test_two_lists_of_one_definition_phase_are_paired_once(paired: Paired) -> None:
    paired.close()
    assert paired.pair(second=paired.lists[0]).json()["errors"] == {
        "second": ["Choose another list: these are one and the same."]
    }
    assert list(paired.pair(second=str(uuid.uuid4())).json()["errors"]) == ["second"]
    other = open_phase(paired.client, paired.set, "definition", paired.members)
    second = list_in(close(paired.client, other), paired.members[1])
    assert paired.pair(second=second).json()["errors"] == {"second": ["Choose two lists of one phase."]}
    assert paired.pair().status_code == 201
    again = paired.pair(first=paired.lists[1], second=paired.lists[0])
    assert (again.status_code, again.json()["code"]) == (409, "paired_already")
    assert FactoidPairing.objects.count() == 1


def test_a_second_look_starts_with_the_relations_before_and_freezes_them(paired: Paired, client_of: Client) -> None:
    before = paired.close().pair().json()["id"]
    a, b = paired.a, paired.b
    judge(paired.client, before, a["P27"], b["F9.9"], "subsumed")
    judge(paired.client, before, a["P26"], b["F9.9"], "equal")
    judge(paired.client, before, a["P1"], b["P1"], "related")
    judge(paired.client, before, a["P1"], b["P1"], "")
    look = open_phase(paired.client, paired.set, "definition", follows=paired.phase["id"], step="second_look")
    frozen = judge(paired.client, before, a["P26"], b["F9.9"], "related")
    assert (frozen.status_code, frozen.json()["code"]) == (409, "frozen")
    assert paired.client.patch(f"/api/factoid-pairings/{before}/", {"threshold": 1}, format="json").status_code == 409
    assert view(paired.client, before)["is_frozen"] is True
    look = close(paired.client, look)
    # Paired the other way round, Bob's list first.
    first, second = (list_in(look, member) for member in reversed(paired.members))
    after = paired.pair(first=first, second=second).json()["id"]
    found = {(link["a"], link["b"]): link["relation"] for link in view(paired.client, after)["links"]}
    assert found[b["F9.9"], a["P27"]] == "subsumes"
    assert found[b["F9.9"], a["P26"]] == "equal"
    assert set(found.values()) == {"subsumes", "equal"}
    assert judge(paired.client, after, b["F9.9"], a["P26"], "subsumes").status_code == 201


def test_a_consensus_list_is_proposed_from_relations_and_freezes_them_once_published(
    paired: Paired, client_of: Client
) -> None:
    pairing = paired.close().pair().json()["id"]
    a, b, client = paired.a, paired.b, paired.client
    judge(client, pairing, a["P26"], b["F9.9"], "equal")
    judge(client, pairing, a["P27"], b["F9.9"], "subsumed")
    address = f"/api/text-sets/{paired.set.uuid}/consensus/"
    made = client.post(address, {"pairing": pairing}, format="json")
    assert made.status_code == 201, made.json()
    draft = made.json()
    assert [(each["key"], each["id"], each["description"], each["sentences"]) for each in draft["factoids"]] == [
        (b["P1"], "B-P1", "somebody else's", ["M01-002"]),
        (a["P1"], "P1", "", ["M03-002"]),
        (a["P26"], "P26", "elections", ["M01-001", "M02-001", "M03-001"]),
        (a["P27"], "P27", "they are free", ["M01-001", "M02-001"]),
    ]
    assert draft["may_edit"] is True
    body = step(draft["revision"], "describe", {"key": a["P1"], "after": factoid("P1", "M03-002", description="new")})
    assert send(client, draft["id"], body).status_code == 201
    assert judge(client, pairing, a["P1"], b["P1"], "related").status_code == 201
    assert client.post(f"/api/factoid-lists/{draft['id']}/publish/").json()["version"] == 1
    assert view(client, pairing)["is_frozen"] is True
    assert judge(client, pairing, a["P1"], b["P1"], "equal").json()["code"] == "frozen"
    assert get_list(client, draft["id"])["state"] == "published"
    both = client.post(address, {"pairing": pairing, "from": draft["id"]}, format="json")
    assert (both.status_code, list(both.json()["errors"])) == (400, ["from"])
    strange = client.post(address, {"pairing": str(uuid.uuid4())}, format="json")
    assert strange.json()["errors"] == {"pairing": ["This text set has no such pairing."]}


def test_adjudicators_judge_and_annotators_do_not(paired: Paired, people: People, client_of: Client) -> None:
    pairing = paired.close().pair().json()["id"]
    judge_of = client_of(make_member(people.project, "judge", "adjudicator"))
    pair = (paired.a["P26"], paired.b["F9.9"], "equal")
    assert judge(judge_of, pairing, *pair).status_code == 201
    assert view(judge_of, pairing)["links"][0]["relation"] == "equal"
    assert len(judge_of.get(f"/api/text-sets/{paired.set.uuid}/pairings/").json()["pairings"]) == 1
    assert judge_of.patch(f"/api/factoid-pairings/{pairing}/", {"threshold": 1}, format="json").status_code == 403
    alice, olga = client_of(people.annotators[0]), client_of(people.outsider)
    for client, status in ((alice, 403), (olga, 404)):
        assert judge(client, pairing, *pair).status_code == status
        assert client.get(f"/api/factoid-pairings/{pairing}/").status_code == status
        assert client.get(f"/api/text-sets/{paired.set.uuid}/pairings/").status_code == status
