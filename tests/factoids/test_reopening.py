"""A closed phase is reopened while nothing was made from its lists."""

from collections.abc import Callable
from typing import Any

import pytest
from rest_framework.test import APIClient

from annotation_app.models import Membership
from tests.conftest import People
from tests.factoids.api import (
    FERRY,
    as_lines,
    close,
    define,
    factoid,
    get_list,
    import_set,
    list_in,
    open_phase,
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
