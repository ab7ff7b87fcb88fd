"""The API of equivalence classes as a browser uses it."""

import json
from typing import Any
from uuid import uuid4

from rest_framework.test import APIClient

from annotation_app.models import Project


class Classes:
    """Hold a signed-in client and the project's routes."""

    def __init__(self, client: APIClient, project: Project) -> None:
        self.client, self.base = client, f"/api/projects/{project.uuid}/equivalence/"

    def get(self, path: str = "", status: int = 200, **query: Any) -> Any:
        answer = self.client.get(self.base + path, query)
        assert answer.status_code == status, answer.json()
        return answer.json()

    def post(self, path: str = "", status: int = 200, **body: Any) -> Any:
        answer = self.client.post(self.base + path, body, format="json")
        assert answer.status_code == status, answer.json()
        return answer.json()

    def put(self, path: str, status: int = 200, **body: Any) -> Any:
        answer = self.client.put(self.base + path, body, format="json")
        assert answer.status_code == status, answer.json()
        return answer.json()

    def lines(self, path: str, **query: Any) -> list[dict[str, Any]]:
        answer: Any = self.client.get(self.base + path, query)
        assert answer.status_code == 200, answer.json()
        return [json.loads(line) for line in b"".join(answer.streaming_content).decode().split("\n")[:-1]]

    def create(self, name: str = "acts", category: str = "act", part: str = "words", **more: Any) -> Any:
        body = {"in_depth": False, "client_id": str(uuid4()), **more}
        return self.post(status=201, category=category, name=name, part=part, **body)

    def save(self, evaluation: Any, classes: list[dict[str, Any]], status: int = 200, **more: Any) -> Any:
        """Store these classes of an evaluation as the API gave it."""
        kept = {key: evaluation[key] for key in ("name", "part", "in_depth")}
        body = {"action": "Moved", "base_revision": evaluation["revision"], "client_id": str(uuid4()), **kept, **more}
        return self.put(f"{evaluation['id']}/", status, classes=classes, **body)

    def act(self, evaluation: Any, what: str, status: int = 200, **more: Any) -> Any:
        body = {"base_revision": evaluation["revision"], "client_id": str(uuid4()), **more}
        return self.post(f"{evaluation['id']}/{what}/", status, **body)

    def upload(self, data: bytes, status: int = 200, dry_run: bool = False) -> Any:
        from django.core.files.uploadedfile import SimpleUploadedFile

        file = SimpleUploadedFile("classes.json", data)
        answer = self.client.post(f"{self.base}file/{'?dry_run=1' if dry_run else ''}", {"file": file})
        assert answer.status_code == status, answer.json()
        return answer.json()

    def download(self) -> bytes:
        answer = self.client.get(f"{self.base}file/")
        assert answer.status_code == 200
        return bytes(answer.content)


def made(name: str, *members: str, key: str | None = None) -> dict[str, Any]:
    return {"key": key or str(uuid4()), "name": name, "members": list(members)}


def says(evaluation: Any) -> list[tuple[str, list[str]]]:
    return [(each["name"], each["members"]) for each in evaluation["classes"]]
