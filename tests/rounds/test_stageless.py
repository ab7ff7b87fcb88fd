"""A project that only marks spans, from its making to its second round, through the API and the worker's own code."""

import json
import uuid
from collections.abc import Callable
from datetime import timedelta
from typing import Any

import pytest
from django.core.files.uploadedfile import SimpleUploadedFile
from django.utils import timezone
from rest_framework.test import APIClient

from al_worker.bridge.drive import round_drive
from annotation_app import jobs
from annotation_app.demo.paths import REPORTS
from annotation_app.models import BatchItem, Import, Membership, Project, Round, User, WorkerBeat
from tests.factories import make_member, make_user

pytestmark = pytest.mark.django_db(transaction=True)
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
        round_drive(row.pk)
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


@pytest.fixture
def walk(db: None, client_of: ClientOf) -> Walk:
    soon = timezone.now() + timedelta(hours=1)
    for queue in ("models", "light"):
        WorkerBeat.objects.create(name=queue, queue=queue, seen_at=soon, started_at=soon)
    return Walk(client_of)


def test_rounds_run_without_a_stage(walk: Walk) -> None:
    report = walk.text_import()["report"]
    assert (report["kept"], report["sources"], report["marked_items"]) == (8, 4, 0)
    assert walk.ok(walk.admin.get(f"{walk.url}/rounds/"))["next"]["suggested_strategy"] == "random"

    first = walk.opened()
    assert (first.learning_stages, first.model, first.training_set) == ([], "none", [])
    walk.label_all()
    shown = walk.ok(walk.admin.get(f"{walk.url}/rounds/"))
    assert shown["rounds"][0]["state"] == "complete"
    assert (shown["next"]["may_start"], shown["next"]["suggested_strategy"]) == (True, "ngram_density")

    second = walk.opened(strategy="ngram_density")
    assert (second.strategy_used, second.model, second.notices) == ("ngram_density", "none", [])
    scores = list(BatchItem.objects.filter(batch=second.batch).order_by("rank").values_list("score", flat=True))
    assert len(scores) == 3
    assert all(score is not None and score > 0 for score in scores)
    assert not set(first.batch.batch_items.values_list("item_id")) & set(
        second.batch.batch_items.values_list("item_id")
    )
    record = walk.ok(walk.admin.get(f"/api/rounds/{second.uuid}/record/"))
    assert (record["learning_stages"], record["training_set"]["n"]) == ([], 0)
    assert json.dumps(record)


def test_every_admin_page_answers(walk: Walk) -> None:
    walk.text_import()
    walk.opened()
    walk.label_all()
    for page in (
        "",
        "rounds/",
        "prototype/",
        "test-set/",
        "simulations/",
        "simulations/choices/",
        "imports/",
        "codebooks/",
        "members/",
    ):
        walk.ok(walk.admin.get(f"{walk.url}/{page}"))
    insights = walk.ok(walk.admin.get(f"{walk.url}/insights/"), 409)
    assert insights["code"] == "no_stages"


def test_a_prototype_batch_is_drawn_and_labelled(walk: Walk) -> None:
    walk.text_import()
    body = {"size": 2, "random_state": 1, "annotators": [str(walk.members[0].uuid)], "annotators_per_item": 1}
    assert walk.ok(walk.admin.post(f"{walk.url}/prototype/", body, "json"), 201)["batch"]["size"] == 2
    walk.label_all()
    assert walk.ok(walk.admin.get(f"{walk.url}/prototype/"))["batch"]["complete"] is True


def test_what_needs_a_stage_is_refused_with_the_reason(walk: Walk) -> None:
    walk.text_import()
    refused = walk.ok(walk.start(strategy="entropy", model="bow-logreg", allowed_alternative="random"), 400)["errors"]
    assert refused == {"strategy": ["entropy needs a stage to learn, and the codebook has none."]}
    refused = walk.ok(walk.start(learning_stages=["opinion"]), 400)["errors"]
    assert refused == {"learning_stages": ["The codebook has no stages: send an empty list."]}
    upload = SimpleUploadedFile("test.jsonl", b'{"id": "a", "text": "x", "label": "yes"}\n')
    sent = {"stage": "opinion", "file": upload}
    refused = walk.ok(walk.admin.post(f"{walk.url}/test-set/", sent, format="multipart"), 400)["errors"]
    assert refused == {"stage": ["The codebook has no stage that a model can learn: there is nothing to test."]}
