"""What Prometheus reads: for the token's holder only, with the figures of requests, answers, jobs and workers."""

import re
from collections.abc import Callable
from datetime import timedelta
from typing import Any

import pytest
from django.test import Client
from django.utils import timezone
from prometheus_client.parser import text_string_to_metric_families
from rest_framework.test import APIClient

from annotation_app.models import Import, Membership, WorkerBeat
from tests.api.labelling import Person, body
from tests.assignment.batches import open_batch
from tests.conftest import People
from tests.stack import ROOT

TOKEN = "for-prometheus-only"
Figures = dict[tuple[str, tuple[tuple[str, str], ...]], float]


def scraped(client: Client) -> Figures:
    answer = client.get("/api/metrics/", headers={"Authorization": f"Bearer {TOKEN}"})
    assert answer.status_code == 200, answer.content
    assert answer["Content-Type"].startswith("text/plain")
    families = text_string_to_metric_families(answer.content.decode())
    return {
        (sample.name, tuple(sorted(sample.labels.items()))): sample.value
        for each in families
        for sample in each.samples
    }


def figure(figures: Figures, name: str, **labels: str) -> float:
    return figures.get((name, tuple(sorted(labels.items()))), 0.0)


@pytest.fixture
def token(settings: Any) -> None:
    settings.METRICS_TOKEN = TOKEN


def test_nobody_reads_it_without_the_token(db: None, client: Client, settings: Any) -> None:
    settings.METRICS_TOKEN = ""
    assert client.get("/api/metrics/", headers={"Authorization": "Bearer "}).status_code == 404
    settings.METRICS_TOKEN = TOKEN
    assert client.get("/api/metrics/").status_code == 403
    assert client.get("/api/metrics/", headers={"Authorization": "Bearer other"}).status_code == 403


@pytest.mark.usefixtures("token")
@pytest.mark.parametrize("page", ["monitoring.md", "monitoring/grafana.json", "monitoring/alerts.yml"])
def test_the_page_the_dashboard_and_the_alerts_name_figures_that_exist(db: None, client: Client, page: str) -> None:
    client.get("/api/session/")
    answer = client.get("/api/metrics/", headers={"Authorization": f"Bearer {TOKEN}"}).content.decode()
    there = {name.removesuffix("_total") for name in re.findall(r"^# TYPE (\S+)", answer, re.MULTILINE)}
    text = (ROOT / "docs" / "operate" / page).read_text(encoding="utf-8")
    named = {re.sub(r"_(bucket|total)$", "", name) for name in re.findall(r"\bquorum_[a-z_]+", text)}
    assert named <= there
    assert len(named) >= 7
    if page == "monitoring.md":
        assert named == {name for name in there if not name.endswith("_created")}


@pytest.mark.usefixtures("token")
def test_it_counts_requests_by_the_pattern_of_their_route(db: None, client: Client) -> None:
    labels = {"method": "GET", "route": "api/projects/<uuid:project_id>/next/", "status": "401"}
    before = figure(scraped(client), "quorum_http_requests_total", **labels)
    for number in range(3):
        client.get(f"/api/projects/00000000-0000-4000-8000-00000000000{number}/next/")
    client.get("/api/nowhere/at-all/")
    found = scraped(client)
    assert figure(found, "quorum_http_requests_total", **labels) == before + 3
    timed = {name: labels[name] for name in ("method", "route")}
    assert figure(found, "quorum_http_request_seconds_count", **timed) >= 3
    assert figure(found, "quorum_http_requests_total", method="GET", route="none", status="404") >= 1


@pytest.mark.usefixtures("token")
def test_a_method_that_does_not_exist_begins_no_figure_of_its_own(db: None, client: Client) -> None:
    for method in ("AAAA0001", "AAAA0002"):
        client.generic(method, "/api/session/")
    methods = {dict(labels).get("method") for _, labels in scraped(client)}
    assert "other" in methods
    assert not any("AAAA" in str(method) for method in methods)


@pytest.mark.usefixtures("token")
def test_it_counts_answers_and_those_that_came_again(
    people: People, client_of: Callable[[Membership], APIClient], client: Client
) -> None:
    open_batch(people.project, people.annotators, size=2)
    alice = Person(client_of(people.annotators[0]), str(people.project.uuid))
    before, item, sent = scraped(client), alice.window()["assignments"][0]["id"], body()
    assert alice.submit(item, sent).status_code == 201
    assert [alice.submit(item, sent).status_code for _ in range(2)] == [200, 200]
    after = scraped(client)
    counted = {
        name: figure(after, name) - figure(before, name)
        for name in ("quorum_annotations_stored_total", "quorum_annotations_replayed_total")
    }
    assert counted == {"quorum_annotations_stored_total": 1, "quorum_annotations_replayed_total": 2}


@pytest.mark.usefixtures("token")
def test_it_tells_how_jobs_and_workers_stand(people: People, client: Client, settings: Any) -> None:
    settings.LEASE_SECONDS = 12.0
    now = timezone.now()
    common = {"project": people.project, "filename": "a.csv", "format": "csv"}
    Import.objects.create(**common, state="queued", created_at=now - timedelta(seconds=90))
    Import.objects.create(**common, state="running", lease_until=now + timedelta(seconds=5))
    Import.objects.create(**common, state="failed")
    WorkerBeat.objects.create(
        name="light@a:1", queue="light", seen_at=now - timedelta(seconds=40), started_at=now - timedelta(hours=1)
    )
    found = scraped(client)
    states = {
        state: figure(found, "quorum_jobs", kind="import", state=state) for state in ("queued", "running", "failed")
    }
    assert states == {"queued": 1, "running": 1, "failed": 1}
    assert figure(found, "quorum_job_wait_seconds", kind="import") == pytest.approx(90, abs=20)
    assert figure(found, "quorum_job_lease_age_seconds", kind="import") == pytest.approx(7, abs=4)
    assert figure(found, "quorum_worker_seen_seconds", queue="light") == pytest.approx(40, abs=20)
    assert figure(found, "quorum_database_bytes") > 1_000_000
    assert figure(found, "quorum_disk_free_bytes") > 0
    assert figure(found, "quorum_rounds_opened") == 0
