"""A project that only marks spans, walked through the API: made, filled, its rounds opened and labelled."""

import uuid
from collections.abc import Callable
from typing import Any

from django.core.files.uploadedfile import SimpleUploadedFile
from rest_framework.test import APIClient

from al_worker.bridge.run_round import RoundRun
from annotation_app import jobs
from annotation_app.demo.paths import REPORTS
from annotation_app.models import Import, Membership, Project, Round, User
from tests.factories import make_member, make_user

ClientOf = Callable[[Membership | User], APIClient]


class Walk:
    """An admin, two annotators, and what they ask of the server."""

    def __init__(self, client_of: ClientOf) -> None:
        owner = make_user("ada")
        owner.can_create_projects = True
        owner.save()
        self.admin = client_of(owner)
        made = self.ok(self.admin.post("/api/projects/", {"name": "Reports", "codebook": "spans"}, "json"), 201)
        self.project = Project.objects.get(uuid=made["id"])
        self.url = f"/api/projects/{made['id']}"
        self.members = [make_member(self.project, name, "annotator") for name in ("alice", "bob")]
        self.annotators = [client_of(member) for member in self.members]

    @staticmethod
    def ok(answer: Any, status: int = 200) -> Any:
        assert answer.status_code == status, answer.json()
        return answer.json()

    def text_import(self) -> Any:
        upload = SimpleUploadedFile("reports.jsonl", REPORTS.read_bytes())
        self.ok(self.admin.post(f"{self.url}/imports/", {"file": upload, "unit": "document"}, format="multipart"), 202)
        jobs.import_run(Import.objects.get().pk)
        return self.ok(self.admin.get(f"{self.url}/imports/"))[0]

    def start(self, **changes: Any) -> Any:
        body = {
            "strategy": "random",
            "query_size": 3,
            "random_state": 5,
            "learning_stages": [],
            "annotators": [str(member.uuid) for member in self.members],
            "annotators_per_item": 2,
        }
        return self.admin.post(f"{self.url}/rounds/", body | changes, "json")

    def opened(self, **changes: Any) -> Round:
        row = Round.objects.get(uuid=self.ok(self.start(**changes), 201)["id"])
        RoundRun.run(row.pk)
        row.refresh_from_db()
        assert row.state == Round.State.ANNOTATING, row.failure
        return row

    def label_all(self) -> None:
        for client in self.annotators:
            while window := self.ok(client.get(f"{self.url}/next/"))["assignments"]:
                for assignment in window:
                    self.submit(client, assignment)

    def submit(self, client: APIClient, assignment: dict[str, Any]) -> None:
        sent = {
            "client_id": str(uuid.uuid4()),
            "base_revision": 0,
            "answers": {},
            "spans": first_words_marked(assignment["item"]),
            "context_opened": "sentence",
            "active_ms": 10,
            "wall_ms": 10,
        }
        self.ok(client.post(f"/api/assignments/{assignment['id']}/annotations/", sent, "json"), 201)


def first_words_marked(item: dict[str, Any]) -> list[dict[str, Any]]:
    """One standardized sentence over the first 60 characters, with the three that must lie in it."""

    def span(start: int, end: int, category: str, **more: Any) -> dict[str, Any]:
        return {"start": start, "end": end, "quote": item["text"][start:end], "category": category, **more}

    return [
        span(0, 60, "std_sentence"),
        span(0, 9, "actor"),
        span(10, 30, "act", comment="Raised rates"),
        span(31, 50, "reference", source=item["sources"][0]["id"]),
    ]
