"""Several hosts: two web servers, two light and two model workers that share a database, a broker and a bucket only."""

import hashlib
import time
from collections.abc import Iterator
from pathlib import Path

import psycopg2
import pytest

from annotation_app.demo.paths import CORPUS
from tests.loop.annotators import TASTES, label_all
from tests.loop.client import Person
from tests.loop.hosts import HOSTS, Hosts, Wandering, running_hosts
from tests.loop.run import import_corpus, join, round_start, round_wait
from tests.s3 import bucket_make, s3_server
from tests.stack import PASSWORD

pytestmark = [pytest.mark.loop, pytest.mark.timeout(900)]
SIZE = 6
PROJECTS = 3


@pytest.fixture(scope="module")
def hosts(prepared: Path) -> Iterator[Hosts]:
    with s3_server() as server, running_hosts(prepared, bucket_make(server)) as running:
        yield running


def rows(hosts: Hosts, statement: str) -> list[tuple[object, ...]]:
    with psycopg2.connect(hosts.database) as connection, connection.cursor() as cursor:
        cursor.execute(statement)
        return list(cursor.fetchall())


def test_a_study_runs_over_all_of_them_and_nothing_is_done_twice(hosts: Hosts) -> None:
    admin = hosts.person("admin", PASSWORD)
    people: list[Person] = [hosts.person(taste.name, PASSWORD) for taste in TASTES]
    projects = [admin.post("projects/", {"name": f"Study {number}"})["id"] for number in range(PROJECTS)]
    for project in projects:
        join(admin, people, project)
        report = import_corpus(admin, project, CORPUS, say=lambda line: None)
        assert report["kept"] > SIZE
    # All at a time, so that both model workers have work.
    started = [round_start(admin, project, "random", SIZE)["id"] for project in projects]
    for each in started:
        round_wait(admin, each)
    for person, taste in zip(people, TASTES, strict=True):
        assert [label_all(person, project, taste) for project in projects] == [SIZE] * PROJECTS
    learned = [round_start(admin, project, "entropy", SIZE, model="bow-logreg")["id"] for project in projects[:2]]
    for each in learned:
        assert round_wait(admin, each)["n_training"] > 0

    downloaded = [released(admin, project) for project in projects]
    assert all(len(set(of_each_host)) == 1 for of_each_host in downloaded)

    done = dict(rows(hosts, "SELECT verb, count(*) FROM annotation_app_event GROUP BY verb"))
    assert done["import_created"] == done["import_done"] == PROJECTS
    assert done["release_done"] == PROJECTS
    assert rows(hosts, "SELECT count(*), max(attempt) FROM annotation_app_import") == [(PROJECTS, 1)]
    assert rows(hosts, "SELECT count(*), max(attempt) FROM annotation_app_round") == [(PROJECTS + 2, 1)]
    assert rows(hosts, "SELECT count(*), max(attempt) FROM annotation_app_release") == [(PROJECTS, 1)]
    assert rows(hosts, "SELECT count(*), count(DISTINCT round_id) FROM annotation_app_batch") == [
        (PROJECTS + 2, PROJECTS + 2)
    ]
    assert rows(hosts, "SELECT count(*) FROM annotation_app_annotation") == [(SIZE * PROJECTS * len(TASTES),)]
    beats = dict(rows(hosts, "SELECT queue, count(*) FROM annotation_app_workerbeat GROUP BY queue"))
    assert beats == {"light": HOSTS, "models": HOSTS}
    # What outlives a job is in the bucket: on the hosts' own disks lie scratch and caches alone.
    kept = [path for place in hosts.folders for path in (place / "media").rglob("*") if path.is_file()]
    assert kept == []


def released(admin: Wandering, project: str) -> list[str]:
    """Makes a release, and returns the hash of its file as each web server sends it, which is the stored one."""
    row = admin.post(f"projects/{project}/releases/", {"notes": ""})
    until = time.monotonic() + 120
    while row["state"] != "done":
        assert row["state"] != "failed" and time.monotonic() < until, row
        time.sleep(0.3)
        row = admin.get(f"releases/{row['id']}/")
    sent = [admin.send("GET", f"releases/{row['id']}/file/").content for _ in range(HOSTS)]
    stored = row["sha256"]
    return [*(hashlib.sha256(each).hexdigest() for each in sent), stored]


def test_sessions_and_locks_hold_at_every_web_server(hosts: Hosts) -> None:
    person = hosts.person(TASTES[1].name, PASSWORD)
    assert [person.get("me/")["username"] for _ in range(HOSTS)] == [TASTES[1].name] * HOSTS
    person.call("DELETE", "session/")
    assert [person.send("GET", "projects/").status_code for _ in range(HOSTS)] == [401] * HOSTS
    guesser = hosts.person()
    wrong = {"username": TASTES[0].name, "password": "not the password"}
    answers = [guesser.send("POST", "session/", json=wrong).status_code for _ in range(12)]
    assert answers[0] != 429
    assert answers[-HOSTS:] == [429] * HOSTS
    # Ten guesses in all, not ten at each server.
    assert answers.index(429) <= 10
