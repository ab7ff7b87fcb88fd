"""Practices by the API, as admins set them up and people go through them."""

import uuid
from collections.abc import Callable, Mapping, Sequence
from typing import Any

from rest_framework.test import APIClient

from annotation_app.models import Membership
from tests.conftest import People
from tests.labels import NO

ClientOf = Callable[[Membership], APIClient]
NAMES = ["doc_0_1", "doc_1_1", "doc_2_1", "doc_3_1"]


class Admin:
    """What an admin does by the API."""

    def __init__(self, people: People, client: APIClient) -> None:
        self.people, self.client = people, client

    def make(self, **changes: Any) -> Any:
        body = {"title": "Stance", "pass_mark": 75, "attempts": 2, "is_required": False}
        return self.client.post(f"/api/projects/{self.people.project.uuid}/practices/", body | changes, "json")

    def add(self, practice: str, **items: Any) -> Any:
        return self.client.post(f"/api/practices/{practice}/items/", items, "json")

    def write(self, practice: str, item: str, answers: Mapping[str, str], explanation: str = "") -> Any:
        url = f"/api/practices/{practice}/items/{item}/"
        return self.client.put(url, {"answers": answers, "explanation": explanation}, "json")

    def open(self, practice: str) -> Any:
        return self.client.post(f"/api/practices/{practice}/open/")

    def opened(self, **changes: Any) -> str:
        """An open practice of four items whose key is no, and the explanation names the item."""
        practice: str = self.make(**changes).json()["practice"]["id"]
        for each in self.add(practice, source="ids", ids=NAMES).json()["items"]:
            name = each["item"]["external_id"]
            assert self.write(practice, each["item"]["id"], NO, f"About {name}.").status_code == 200
        assert self.open(practice).status_code == 200
        return practice

    def standings(self) -> dict[str, str]:
        (practice,) = self.client.get(f"/api/projects/{self.people.project.uuid}/practices/").json()["practices"]
        return {person["display_name"]: person["standing"] for person in practice["people"]}


def window(client: APIClient, people: People) -> Any:
    return client.get(f"/api/projects/{people.project.uuid}/next/", {"ahead": 10}).json()


def mine(client: APIClient, people: People) -> Any:
    return client.get(f"/api/projects/{people.project.uuid}/practices/mine/").json()["practices"]


def answer(client: APIClient, assignment: str, answers: Mapping[str, str]) -> Any:
    body = {
        "client_id": str(uuid.uuid4()),
        "base_revision": 0,
        "answers": answers,
        "context_opened": "sentence",
        "active_ms": 1000,
        "wall_ms": 1000,
    }
    return client.post(f"/api/assignments/{assignment}/annotations/", body, "json")


def go_through(client: APIClient, people: People, practice: str, given: Sequence[Mapping[str, str]]) -> Any:
    """Begins an attempt, gives these answers in turn, and returns how the person stands."""
    assert client.post(f"/api/practices/{practice}/attempts/").status_code == 201
    for each in given:
        first = window(client, people)["assignments"][0]
        assert first["batch"]["is_practice"]
        assert answer(client, first["id"], each).status_code == 201
    return mine(client, people)[0]


def go_on(client: APIClient, people: People, n: int) -> Any:
    for _ in range(n):
        answer(client, window(client, people)["assignments"][0]["id"], NO)
    return mine(client, people)[0]
