"""A simulation on the real worker: rounds go first, cancel is quick, a killed worker costs nothing."""

import json
import os
import signal
import time
from collections.abc import Callable, Iterator
from pathlib import Path
from typing import Any

import pytest

from annotation_app.demo.paths import CORPUS
from tests.core.run_dirs import sentences
from tests.loop.client import Person
from tests.loop.run import import_corpus, join, people_sign_in, round_start, round_wait
from tests.stack import Stack, running_stack

pytestmark = [pytest.mark.loop, pytest.mark.timeout(900)]
PATIENCE = 600.0
# It takes some seconds; a slow machine that does other things beside may need longer.
STOPPED_WITHIN = 60.0
SPEC = {
    "name": "Beside the rounds",
    "source": {"kind": "upload"},
    "strategies": [{"key": name, "name": name} for name in ("random", "entropy", "ngram_density")],
    "models": ["bow-logreg"],
    "seeds": [1, 2],
    "batch_sizes": [5],
    "batches": 8,
}
# Three strategies, two seeds, eight batches; full supervision once.
TRAININGS = 49


@pytest.fixture(scope="module")
def stack(prepared: Path) -> Iterator[Stack]:
    with running_stack(prepared) as stack:
        yield stack


@pytest.fixture(scope="module")
def study(stack: Stack) -> tuple[Person, str]:
    """An admin and a project with the demo text and three annotators."""
    admin, annotators = people_sign_in(stack)
    project = admin.post("projects/", {"name": "Simulated"})["id"]
    join(admin, annotators, project)
    import_corpus(admin, project, CORPUS, say=lambda line: None)
    return admin, project


def started(admin: Person, project: str) -> str:
    items = [{"id": item.id, "text": item.text, "label": item.label} for item in sentences(150)]
    files = {name: jsonl(part) for name, part in (("train", items[:100]), ("test", items[100:]))}
    body = admin.call("POST", f"projects/{project}/simulations/", data={"spec": json.dumps(SPEC)}, files=files)
    return str(body["id"])


def jsonl(items: list[dict[str, str | None]]) -> tuple[str, bytes]:
    return "texts.jsonl", "".join(json.dumps(item) + "\n" for item in items).encode()


def seen(admin: Person, simulation: str, until: Callable[[dict[str, Any]], bool]) -> dict[str, Any]:
    """The simulation as soon as it is as wished."""
    end = time.monotonic() + PATIENCE
    while time.monotonic() < end:
        row = dict(admin.get(f"simulations/{simulation}/"))
        if until(row):
            return row
        assert row["state"] != "failed", row["failure"]
        time.sleep(0.2)
    raise AssertionError(f"Not seen within {PATIENCE:.0f} s; it is {row['state']}, {row['progress']}")


def at_work(row: dict[str, Any]) -> bool:
    return row["state"] == "running" and row["progress"]["batches"] >= 8


def results(admin: Person, simulation: str) -> list[dict[str, Any]]:
    lines = [json.loads(line) for line in admin.lines(f"simulations/{simulation}/results/")]
    return sorted(lines, key=lambda line: (line["strategy"], line["seed"], line["batch"]))


def test_it_makes_room_for_a_round_and_survives_its_workers_death(stack: Stack, study: tuple[Person, str]) -> None:
    admin, project = study
    simulation = started(admin, project)
    before = seen(admin, simulation, at_work)
    row = round_start(admin, project, "random", query_size=4)
    round_wait(admin, row["id"])
    after = admin.get(f"simulations/{simulation}/")
    assert after["state"] != "done", "the round waited for the whole simulation"
    again = seen(admin, simulation, lambda row: row["state"] == "running" and row["attempt"] > before["attempt"])
    assert again["progress"]["batches"] >= before["progress"]["batches"]
    os.kill(stack.pids("al_worker.app")[0], signal.SIGKILL)
    done = seen(admin, simulation, lambda row: row["state"] == "done")
    assert done["attempt"] > again["attempt"]
    assert done["progress"]["batches"] == len(results(admin, simulation)) == TRAININGS
    undisturbed = started(admin, project)
    seen(admin, undisturbed, lambda row: row["state"] == "done")
    assert results(admin, undisturbed) == results(admin, simulation)


def test_it_stops_within_seconds_of_a_cancel(stack: Stack, study: tuple[Person, str]) -> None:
    admin, project = study
    simulation = started(admin, project)
    seen(admin, simulation, at_work)
    assert stack.pids("al_worker.core simulate")
    admin.post(f"simulations/{simulation}/cancel/")
    cancelled = time.monotonic()
    while stack.pids("al_worker.core simulate"):
        assert time.monotonic() - cancelled < STOPPED_WITHIN, "the core still runs"
        time.sleep(0.1)
    assert admin.get(f"simulations/{simulation}/")["state"] == "cancelled"


def test_it_goes_on_after_the_server_was_stopped_and_started(stack: Stack, study: tuple[Person, str]) -> None:
    admin, project = study
    simulation = started(admin, project)
    before = seen(admin, simulation, at_work)
    stack.stop()
    stack.start()
    admin.url = stack.url
    done = seen(admin, simulation, lambda row: row["state"] == "done")
    assert done["attempt"] > before["attempt"]
    assert done["progress"]["batches"] == len(results(admin, simulation)) == TRAININGS
