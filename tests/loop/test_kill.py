"""kill -9 on the product's own durability settings: nothing acknowledged is lost, a round goes on by itself."""

import json
import os
import signal
import time
import uuid
from collections import Counter
from collections.abc import Callable, Iterator
from pathlib import Path

import pytest
import requests

from annotation_app.demo.paths import CORPUS
from tests.loop.annotators import TASTES, answers, label_all
from tests.loop.client import Person
from tests.loop.run import import_corpus, join, people_sign_in, round_start, round_wait
from tests.stack import Stack, running_stack

pytestmark = [pytest.mark.loop, pytest.mark.timeout(900)]
BACK_WITHIN = 180.0


@pytest.fixture(scope="module")
def stack(prepared: Path) -> Iterator[Stack]:
    with running_stack(prepared) as stack:
        yield stack


@pytest.fixture(scope="module")
def study(stack: Stack) -> tuple[Person, list[Person], str]:
    """An admin and three annotators in a project with the demo text."""
    admin, annotators = people_sign_in(stack)
    project = admin.post("projects/", {"name": "Kill"})["id"]
    join(admin, annotators, project)
    import_corpus(admin, project, CORPUS, say=lambda line: None)
    return admin, annotators, project


def insist(action: Callable[[], requests.Response]) -> requests.Response:
    """Repeats a request as the browser's outbox does, until the server answers."""
    until = time.monotonic() + BACK_WITHIN
    while True:
        try:
            response = action()
            if response.status_code < 500:
                return response
        except requests.RequestException:
            pass
        assert time.monotonic() < until, "the server did not come back"
        time.sleep(0.2)


def killed(stack: Stack, process: str) -> None:
    """kill -9 of the topmost of our processes whose command line holds `process`."""
    os.kill(stack.pids(process)[0], signal.SIGKILL)


def test_it_runs_with_full_durability(stack: Stack) -> None:
    shown = stack.manage("shell", "-c", DURABILITY)
    settings = json.loads(shown.strip().splitlines()[-1])
    assert settings == {"fsync": "on", "synchronous_commit": "on", "full_page_writes": "on", "data_checksums": "on"}


DURABILITY = """
import json
from django.db import connection
names = ("fsync", "synchronous_commit", "full_page_writes", "data_checksums")
with connection.cursor() as cursor:
    shown = {}
    for name in names:
        cursor.execute(f"SHOW {name}")
        shown[name] = cursor.fetchone()[0]
print(json.dumps(shown))
"""


def test_it_loses_no_acknowledged_submit(stack: Stack, study: tuple[Person, list[Person], str]) -> None:
    """The database dies after the third, the web server after the sixth submit; both twice."""
    admin, annotators, project = study
    round_wait(admin, round_start(admin, project, "random", query_size=12)["id"])
    victims = {2: "bin/postgres", 5: "gunicorn", 7: "bin/postgres", 9: "gunicorn"}
    acknowledged = {}
    person, taste = annotators[0], TASTES[0]
    window = person.get(f"projects/{project}/next/?ahead=3")
    for number in range(12):
        assignment = window["assignments"][0]
        body = {
            "client_id": str(uuid.uuid4()),
            "base_revision": 0,
            "answers": answers(taste, assignment["item"]),
            "context_opened": "sentence",
            "active_ms": 1,
            "wall_ms": 1,
        }
        path = f"assignments/{assignment['id']}/annotations/"
        response = insist(lambda path=path, body=body: person.send("POST", path, json=body))
        assert response.status_code in (200, 201), response.text
        acknowledged[assignment["item"]["external_id"]] = body["answers"]
        window = response.json()["refill"]
        if number in victims:
            killed(stack, victims[number])
    for other, others_taste in list(zip(annotators, TASTES, strict=True))[1:]:
        insist(lambda other=other: other.send("GET", "me/"))
        label_all(other, project, others_taste)
    insist(lambda: admin.send("GET", "me/"))
    lines = [json.loads(line) for line in admin.lines(f"projects/{project}/export/?kind=annotations&names=true")]
    assert Counter(line["annotator"] for line in lines) == {line["annotator"]: 12 for line in lines}
    mine = {line["item_id"]: line["answers"] for line in lines if line["annotator"] == person.me["username"]}
    assert mine == acknowledged


def test_it_finishes_a_round_whose_worker_was_killed(stack: Stack, study: tuple[Person, list[Person], str]) -> None:
    """Once the whole worker, once only the process that trains."""
    admin, _, project = study
    row = round_start(admin, project, "entropy", query_size=12)
    until = time.monotonic() + 300
    while (seen := admin.get(f"rounds/{row['id']}/"))["state"] != "training" and time.monotonic() < until:
        time.sleep(0.1)
    assert seen["state"] == "training", seen
    killed(stack, "al_worker.app")
    row = round_wait(admin, row["id"])
    assert row["attempt"] >= 2
    assert row["batch"]["size"] == 12
