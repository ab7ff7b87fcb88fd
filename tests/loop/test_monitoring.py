"""A real start with figures and logs as JSON: all processes add up, and a job is found by its request's id."""

import json
from collections.abc import Iterator
from pathlib import Path
from typing import Any

import pytest
import requests
from prometheus_client.parser import text_string_to_metric_families

from annotation_app.demo.paths import CORPUS
from tests.loop.client import Person
from tests.loop.run import import_corpus
from tests.stack import PASSWORD, Stack, running_stack

pytestmark = [pytest.mark.loop, pytest.mark.timeout(600)]

TOKEN = "for-prometheus-only"
N = 60


@pytest.fixture(scope="module")
def stack(prepared: Path) -> Iterator[Stack]:
    env = {"QUORUM_METRICS_TOKEN": TOKEN, "QUORUM_LOG_FORMAT": "json", "QUORUM_SLOW_STATEMENT_MS": "1"}
    with running_stack(prepared, **env) as stack:
        yield stack


def lines(stack: Stack, log: str) -> list[dict[str, Any]]:
    """The lines of a log; what the servers' libraries write before logging is set up is left out."""
    written = (stack.folder / "logs" / f"{log}.log").read_text().splitlines()
    return [json.loads(line) for line in written if line.startswith("{")]


def scraped(stack: Stack) -> dict[str, float]:
    answer = requests.get(f"{stack.url}/api/metrics/", headers={"Authorization": f"Bearer {TOKEN}"}, timeout=60)
    assert answer.status_code == 200, answer.text
    samples = [sample for each in text_string_to_metric_families(answer.text) for sample in each.samples]
    return {f"{each.name} {each.labels.get('route', each.labels.get('queue', ''))}": each.value for each in samples}


def test_both_processes_of_the_web_server_add_up(stack: Stack) -> None:
    name = "quorum_http_requests_total api/session/"
    before = scraped(stack).get(name, 0)
    # Each has a connection of its own, so that both processes get some of them.
    answers = [requests.get(f"{stack.url}/api/session/", timeout=60).status_code for _ in range(N)]
    assert answers == [200] * N
    found = scraped(stack)
    assert found[name] == before + N
    assert found["quorum_worker_seen_seconds light"] < 60


def test_a_job_is_found_in_the_workers_log_by_its_requests_id(stack: Stack) -> None:
    admin = Person(stack.url, "admin", PASSWORD)
    project = admin.post("projects/", {"name": "Watched"})["id"]
    import_corpus(admin, project, CORPUS, print)
    asked = [line for line in lines(stack, "web") if line.get("route") == "api/projects/<uuid:project_id>/imports/"]
    identity = next(line["request"] for line in asked if line["method"] == "POST")
    said = [line["message"] for line in lines(stack, "light") if line["request"] == identity]
    assert any("import_run" in message for message in said), said
    texts = "".join(path.read_text(errors="replace") for path in (stack.folder / "logs").glob("*.log"))
    assert "quorum.statements" in texts
    first = json.loads((CORPUS / "utterances.jsonl").read_text().splitlines()[0])["text"]
    assert first[:40] not in texts
