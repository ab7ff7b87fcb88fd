"""A closed phase is reopened while nothing was made from its lists."""

import json
from collections.abc import Callable
from io import BytesIO
from typing import Any
from uuid import uuid4
from zipfile import ZipFile

import pytest
from rest_framework.test import APIClient

from annotation_app.models import Membership
from tests.conftest import People
from tests.factoids.api import (
    FERRY,
    as_lines,
    change,
    close,
    define,
    factoid,
    get_list,
    import_set,
    list_in,
    open_phase,
    step,
    stored,
    upload,
)

Clients = Callable[[Membership], APIClient]


class Closed:
    """A closed definition phase of Alice and Bob."""

    def __init__(self, people: People, client_of: Clients) -> None:
        self.members = people.annotators[:2]
        self.admin, self.alice, self.bob = map(client_of, (people.admin, *self.members))
        self.set = import_set(self.admin, people.project, FERRY)
        self.phase = open_phase(self.admin, self.set, "definition", self.members)
        self.lists = [list_in(self.phase, member) for member in self.members]
        (self.a,) = define(self.alice, self.lists[0], factoid("F1", "M01-001"))
        (self.b,) = define(self.bob, self.lists[1], factoid("G1", "M01-001", "M02-001"))
        close(self.admin, self.phase)

    def reopened(self, phase: str = "") -> Any:
        return self.admin.post(f"/api/factoid-phases/{phase or self.phase['id']}/reopen/")

    def paired(self, first: str, second: str) -> str:
        body = {"first": first, "second": second}
        return str(self.admin.post(f"/api/text-sets/{self.set.uuid}/pairings/", body, format="json").json()["id"])

    def judge(self, pairing: str, relation: str) -> None:
        body = {"client_id": str(uuid4()), "a": self.a, "b": self.b, "relation": relation}
        answer = self.admin.post(f"/api/factoid-pairings/{pairing}/relations/", body, format="json")
        assert answer.status_code == 201, answer.json()


@pytest.fixture
def closed(people: People, client_of: Clients) -> Closed:
    return Closed(people, client_of)


def test_not_once_a_text_was_added(closed: Closed) -> None:
    body = {"files": [upload("s.jsonl", as_lines({"S1": ["A system says so."]}))], "is_system": True}
    added = closed.admin.post(f"/api/text-sets/{closed.set.uuid}/texts/", body, format="multipart")
    assert added.status_code == 201, added.json()
    refused = closed.reopened()
    assert (refused.status_code, refused.json()["code"]) == (409, "used")
    assert refused.json()["detail"] == "The text S1 was added since, so the lists of phase 1 must stay as they are."
    assert [text["id"] for text in get_list(closed.alice, closed.lists[0])["texts"]] == ["M01", "M02"]


def test_not_while_a_copy_of_a_discarded_draft_is_kept(closed: Closed) -> None:
    drafts = []
    for start in (closed.lists[0], None, None):
        body = {"from": start or drafts[-1]}
        made = closed.admin.post(f"/api/text-sets/{closed.set.uuid}/consensus/", body, format="json")
        assert made.status_code == 201, made.json()
        drafts.append(made.json()["id"])
    for draft in drafts:
        assert "A consensus list was made from them" in closed.reopened().json()["detail"]
        assert closed.admin.post(f"/api/factoid-lists/{draft}/discard/").status_code == 204
    assert closed.reopened().status_code == 200


def test_a_judgement_that_was_withdrawn_is_in_nobodys_way(closed: Closed) -> None:
    pairing = closed.paired(*closed.lists)
    closed.judge(pairing, "equal")
    assert "Relations between their factoids were judged" in closed.reopened().json()["detail"]
    closed.judge(pairing, "")
    export = f"/api/text-sets/{closed.set.uuid}/export/"
    assert [each["relation"] for each in exported(closed.admin.get(export))] == ["equal", None]
    assert closed.reopened().status_code == 200
    stored(closed.alice, closed.lists[0], step(1, "delete", change(None, closed.a)))
    close(closed.admin, closed.phase)
    assert closed.admin.get(f"/api/factoid-pairings/{pairing}/").json()["links"] == []
    assert exported(closed.admin.get(export)) == []


def test_judgements_of_the_phase_before_are_in_nobodys_way(closed: Closed) -> None:
    closed.judge(closed.paired(*closed.lists), "equal")
    look = open_phase(closed.admin, closed.set, "definition", step="second_look", follows=closed.phase["id"])
    close(closed.admin, look)
    pairing = closed.paired(*(list_in(look, member) for member in closed.members))
    assert closed.admin.get(f"/api/factoid-pairings/{pairing}/").json()["n_judged"] == 1
    assert closed.reopened(look["id"]).status_code == 200
    close(closed.admin, look)
    closed.judge(pairing, "equal")
    assert closed.reopened(look["id"]).json()["code"] == "used"


def exported(answer: Any) -> list[Any]:
    """Return the relations of an exported set."""
    with ZipFile(BytesIO(b"".join(answer.streaming_content))) as packed:
        name = next(each for each in packed.namelist() if each.endswith("/relations.jsonl"))
        return [json.loads(line) for line in packed.read(name).splitlines()]
