"""People who label through the API."""

import uuid
from collections.abc import Sequence
from typing import Any

from rest_framework.serializers import ListSerializer, Serializer
from rest_framework.test import APIClient

from tests.labels import NO


class Person:
    """One person at the API, in one project."""

    def __init__(self, client: APIClient, project: str) -> None:
        self.client, self.project = client, f"/api/projects/{project}"

    def next(self, ahead: Any = 3) -> Any:
        return self.client.get(f"{self.project}/next/", {"ahead": ahead})

    def window(self, ahead: int = 3) -> dict[str, Any]:
        return self.next(ahead).json()

    def done_page(self) -> dict[str, Any]:
        return self.client.get(f"{self.project}/assignments/", {"mine": "done"}).json()

    def done(self) -> list[dict[str, Any]]:
        return self.done_page()["assignments"]

    def one(self, assignment: str) -> Any:
        return self.client.get(f"/api/assignments/{assignment}/")

    def submit(self, assignment: str, sent: Any = None, *, held: Sequence[dict[str, Any]] = (), **changes: Any) -> Any:
        """Submit an item. `held` are assignments that the browser says it has."""
        url = f"/api/assignments/{assignment}/annotations/"
        query = {"held": ",".join(f"{each['id']}.{each['tag']}" for each in held)} if held else {}
        content = body(**changes) if sent is None else sent
        return self.client.post(url, content, format="json", query_params=query)


def body(**changes: Any) -> dict[str, Any]:
    return {
        "client_id": str(uuid.uuid4()),
        "base_revision": 0,
        "answers": NO,
        "spans": [],
        "comment": "",
        "context_opened": "sentence",
        "active_ms": 1200,
        "wall_ms": 3400,
        **changes,
    }


def same_keys(declared: Serializer, built: Any, path: str = "") -> None:
    """Every dictionary of an answer has exactly the declared keys, all the way down."""
    fields = declared.fields
    assert set(built) == {name for name, field in fields.items() if field.required or name in built}, path
    for name, field in fields.items():
        value = built.get(name)
        if isinstance(field, Serializer) and value is not None:
            same_keys(field, value, f"{path}.{name}")
        elif isinstance(field, ListSerializer):
            for each in value:
                same_keys(field.child, each, f"{path}.{name}")
