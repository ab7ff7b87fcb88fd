"""Requests to the API of text sets and factoid lists, as tests make them."""

import json
from collections.abc import Mapping, Sequence
from typing import Any
from uuid import UUID, uuid4

from django.core.files.uploadedfile import SimpleUploadedFile
from rest_framework.test import APIClient

from annotation_app.models import Membership, Project, TextSet

Json = dict[str, Any]
FERRY = {"M01": ["A ferry sank.", "Two died."], "M02": ["A ferry went down.", "Nobody knows why.", "Two are dead."]}


def as_lines(texts: Mapping[str, Sequence[str]]) -> bytes:
    """JSON Lines of {text: its sentences}, without ids of sentences."""
    rows = ({"id": name, "sentences": [{"text": each} for each in own]} for name, own in texts.items())
    return "\n".join(json.dumps(row) for row in rows).encode()


def upload(name: str, data: bytes) -> SimpleUploadedFile:
    return SimpleUploadedFile(name, data)


def import_set(client: APIClient, project: Project, texts: Mapping[str, Sequence[str]], name: str = "Ferry") -> TextSet:
    """Import a set by its route."""
    body = {"name": name, "files": [upload("texts.jsonl", as_lines(texts))]}
    answer = client.post(f"/api/projects/{project.uuid}/text-sets/", body, format="multipart")
    assert answer.status_code == 201, answer.json()
    return TextSet.objects.get(uuid=answer.json()["id"])


def open_phase(
    client: APIClient, text_set: TextSet, kind: str, members: Sequence[Membership] = (), **given: Any
) -> Json:
    body = {"kind": kind, "members": [str(member.uuid) for member in members], **given}
    answer = client.post(f"/api/text-sets/{text_set.uuid}/phases/", body, format="json")
    assert answer.status_code == 201, answer.json()
    return dict(answer.json())


def close(client: APIClient, phase: Json) -> Json:
    answer = client.post(f"/api/factoid-phases/{phase['id']}/close/")
    assert answer.status_code == 200, answer.json()
    return dict(answer.json())


def list_in(phase: Json, member: Membership) -> str:
    """Return the id of a member's list in a phase as it was answered."""
    return str(next(person["list"] for person in phase["people"] if person["member"] == str(member.uuid)))


def get_list(client: APIClient, list_id: str) -> Json:
    answer = client.get(f"/api/factoid-lists/{list_id}/")
    assert answer.status_code == 200, answer.content
    return dict(answer.json())


def factoid(name: str, *sentences: str, description: str = "", absent: Sequence[str] = ()) -> Json:
    return {"id": name, "description": description, "sentences": list(sentences), "absent": list(absent)}


def change(after: Json | None, key: UUID | str | None = None) -> Json:
    return {"key": str(key or uuid4()), "after": after}


def step(base: int, kind: str, *changes: Json, **more: Any) -> Json:
    return {"client_id": str(uuid4()), "base_revision": base, "kind": kind, "changes": list(changes), **more}


def send(client: APIClient, list_id: str, body: Json) -> Any:
    return client.post(f"/api/factoid-lists/{list_id}/revisions/", body, format="json")


def stored(client: APIClient, list_id: str, body: Json) -> Json:
    """Send a step that is to be stored, and return the answer."""
    answer = send(client, list_id, body)
    assert answer.status_code == 201, answer.json()
    return dict(answer.json())


def define(client: APIClient, list_id: str, *factoids: Json) -> list[str]:
    """Add factoids to a list, a step each, and return their keys."""
    base = get_list(client, list_id)["revision"]
    keys = [str(uuid4()) for _ in factoids]
    for number, (key, each) in enumerate(zip(keys, factoids, strict=True)):
        stored(client, list_id, step(base + number, "new", change(each, key)))
    return keys


def set_done(client: APIClient, list_id: str, *, done: bool = True) -> Any:
    return client.post(f"/api/factoid-lists/{list_id}/done/", {"done": done}, format="json")
