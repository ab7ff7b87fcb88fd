"""Logs as JSON: one object a line, with the request's id, and without anything that people wrote."""

import io
import json
import logging
from collections.abc import Callable, Iterator
from typing import Any

import pytest
from celery.app.task import Context
from django.db import IntegrityError, connection, transaction
from django.test import Client
from rest_framework.test import APIClient

from annotation_app.enqueue import job_named
from annotation_app.models import Annotation, Membership
from annotation_app.monitoring.logs import JsonLines, NameRequest, slow_logged
from annotation_app.request_ids import named, request_id
from tests.api.labelling import Person
from tests.assignment.batches import open_batch
from tests.conftest import People

SECRET = "a comment that no log may have"


class Lines:
    """Hold what was logged, as a program that collects logs reads it."""

    def __init__(self) -> None:
        self.stream = io.StringIO()
        self.handler = logging.StreamHandler(self.stream)
        self.handler.setFormatter(JsonLines())
        self.handler.addFilter(NameRequest())

    def read(self, name: str) -> list[dict[str, Any]]:
        lines = [json.loads(line) for line in self.stream.getvalue().splitlines()]
        return [line for line in lines if line["logger"] == name]


@pytest.fixture
def lines() -> Iterator[Lines]:
    lines = Lines()
    logging.getLogger().addHandler(lines.handler)
    yield lines
    logging.getLogger().removeHandler(lines.handler)


def test_a_request_is_logged_with_its_id_and_nothing_that_it_carries(
    people: People, client_of: Callable[[Membership], APIClient], lines: Lines, settings: Any
) -> None:
    settings.LOG_FORMAT = "json"
    open_batch(people.project, people.annotators, size=2)
    alice = Person(client_of(people.annotators[0]), str(people.project.uuid))
    item = alice.window()["assignments"][0]["id"]
    answer = alice.submit(item, comment=SECRET)
    line = lines.read("quorum.requests")[-1]
    assert line | {"ms": 0, "time": ""} == {
        "time": "",
        "level": "INFO",
        "logger": "quorum.requests",
        "message": line["message"],
        "request": answer["X-Request-ID"],
        "method": "POST",
        "route": "api/assignments/<uuid:assignment_id>/annotations/",
        "status": 201,
        "ms": 0,
        "user": people.annotators[0].user_id,
    }
    assert SECRET not in lines.stream.getvalue()
    assert item not in lines.stream.getvalue()


@pytest.mark.parametrize(
    ("sent", "is_taken"), [("from-the-proxy.17", True), ("short", False), ('with "quotes" in it', False)]
)
def test_an_id_that_a_proxy_sends_is_taken_where_it_is_well_formed(
    db: None, client: Client, sent: str, is_taken: bool
) -> None:
    answer = client.get("/api/session/", headers={"X-Request-ID": sent})
    assert (answer["X-Request-ID"] == sent) is is_taken
    assert len(answer["X-Request-ID"]) >= 8
    assert request_id() == ""


def test_only_slow_requests_are_logged_as_lines_for_people(
    db: None, client: Client, lines: Lines, settings: Any
) -> None:
    settings.LOG_FORMAT = "line"
    client.get("/api/session/")
    assert lines.read("quorum.requests") == []


def test_an_exception_is_logged_without_the_values_that_its_message_has(people: People, lines: Lines) -> None:
    (batch_item, *_) = open_batch(people.project, people.annotators, size=1).batch_items.all()
    assignment = batch_item.assignments.first()
    row = {"assignment": assignment, "revision": 0, "base_revision": -1, "comment": SECRET, "codebook_id": 1}
    try:
        with transaction.atomic():
            Annotation.objects.create(**row, context_opened="nowhere", active_ms=1, wall_ms=1)
    except IntegrityError as error:
        assert SECRET in str(error)
        logging.getLogger("quorum.test").exception("A job failed")
    (line,) = lines.read("quorum.test")
    assert line["message"] == "A job failed"
    assert "test_logs.py" in line["exc_info"]
    assert "IntegrityError" in line["exc_info"]
    assert SECRET not in lines.stream.getvalue()


def test_a_slow_statement_is_logged_without_its_parameters(db: None, lines: Lines) -> None:
    with named("request-17"), connection.execute_wrapper(slow_logged(0.05)), connection.cursor() as cursor:
        cursor.execute("SELECT pg_sleep(0.06),\n  %s::text", [SECRET])
        cursor.execute("SELECT 1")
    (line,) = lines.read("quorum.statements")
    assert line["request"] == "request-17"
    assert line["message"].endswith("ms: SELECT pg_sleep(0.06), %s::text")
    assert SECRET not in lines.stream.getvalue()


def test_a_job_is_logged_under_the_request_that_started_it(monkeypatch: pytest.MonkeyPatch) -> None:
    class Started:
        request = Context({"X-Request-ID": "request-17"})

    class Swept:
        request = Context()

    with named("before"):
        job_named(task=Started)
        assert request_id() == "request-17"
        job_named(task=Swept)
        assert len(request_id()) >= 8
        assert request_id() != "request-17"
