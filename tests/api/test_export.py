"""Downloads over HTTP; the last tests through the real web server, whose connection must break where the data do."""

import http.client
import json
import os
import socket
import subprocess
import sys
import time
from collections.abc import Callable, Iterator
from contextlib import contextmanager
from urllib.parse import urlencode, urlsplit

import pytest
from django.conf import settings
from django.db import connection
from rest_framework.test import APIClient

from annotation_app.export.kinds import KINDS, takers_words
from annotation_app.models import Membership
from tests.agreement.tables import at, fill
from tests.conftest import People
from tests.export.rows import Labelled, labelled

pytestmark = pytest.mark.django_db(transaction=True)
EVERY_KIND = f"Choose {' or '.join(KINDS)}."
ClientOf = Callable[[Membership], APIClient]


@pytest.fixture
def data(people: People) -> Labelled:
    return labelled(people)


@pytest.fixture
def url(people: People) -> str:
    return f"/api/projects/{people.project.uuid}/export/"


@pytest.mark.parametrize(("kind", "n"), [("aggregated", 4), ("annotations", 10)])
def test_it_streams_a_file_of_the_lines_announced(
    data: Labelled, people: People, client_of: ClientOf, url: str, kind: str, n: int
) -> None:
    response = client_of(people.admin).get(url, {"kind": kind, "format": "jsonl"})
    assert response.status_code == 200
    assert response.streaming
    assert response["Content-Type"] == "application/x-ndjson; charset=utf-8"
    assert response["Content-Disposition"] == f'attachment; filename="board-{kind}.jsonl"'
    assert response["X-Total-Lines"] == str(n)
    lines = b"".join(response).decode().split("\n")
    assert lines.pop() == ""
    assert len([json.loads(line) for line in lines]) == n


@pytest.mark.parametrize(("form", "start"), [("csv", b"id,text,speaker"), ("xlsx", b"PK")])
def test_it_streams_a_table(
    data: Labelled, people: People, client_of: ClientOf, url: str, form: str, start: bytes
) -> None:
    response = client_of(people.admin).get(url, {"kind": "aggregated", "format": form})
    assert response["Content-Disposition"] == f'attachment; filename="board-aggregated.{form}"'
    assert response["X-Total-Lines"] == "4"
    assert b"".join(response).startswith(start)


def test_it_takes_the_options(data: Labelled, people: People, client_of: ClientOf, url: str) -> None:
    response = client_of(people.admin).get(url, {"kind": "annotations", "names": "1", "revisions": "all"})
    lines = [json.loads(line) for line in b"".join(response).splitlines()]
    assert len(lines) == 11
    assert {line["annotator"] for line in lines} == {"alice", "bob", "charlie", "late"}


def test_the_audit_log_says_who_took_what_out(data: Labelled, people: People, client_of: ClientOf, url: str) -> None:
    client = client_of(people.admin)
    client.get(url, {"kind": "annotations", "names": "1", "revisions": "all"}).close()
    assert client.get(url, {"kind": "annotations", "of": "all"}).status_code == 400
    event = people.project.events.get(verb="export_made")
    assert (event.actor, event.subject) == (people.admin.user, str(people.project.uuid))
    file = "board-annotations-all-revisions-names.jsonl"
    asked = {"kind": "annotations", "format": "jsonl", "names": True, "revisions": "all"}
    assert event.data == {"file": file, "lines": 11, **asked}


@pytest.mark.parametrize(
    ("query", "errors"),
    [
        ({}, {"kind": [EVERY_KIND]}),
        (
            {"kind": "all"},
            {"kind": [EVERY_KIND]},
        ),
        ({"kind": "aggregated", "format": "rds"}, {"format": ["Choose jsonl or conll or csv or xlsx."]}),
        ({"kind": "spans", "format": "csv"}, {"format": ["Kind spans is written as jsonl."]}),
        ({"kind": "aggregated", "bom": "1"}, {"bom": ["Only CSV takes it: choose format=csv."]}),
        (
            {"kind": "aggregated", "format": "conll"},
            {"format": ["Kind aggregated is written as jsonl or csv or xlsx."]},
        ),
        ({"kind": "conll", "format": "jsonl"}, {"format": ["Kind conll is written as conll."]}),
        ({"kind": "spans", "of": "mine"}, {"of": ["Choose all or annotators or validated."]}),
        ({"kind": "text", "style": "xml"}, {"style": ["Choose spaces or underscores or angle."]}),
        ({"kind": "annotations", "revisions": "some"}, {"revisions": ["Choose current or all."]}),
        ({"kind": "aggregated", "phase": "3"}, {"phase": ["Choose 1 or 2."]}),
        ({"kind": "spans", "names": "perhaps"}, {"names": ["Must be a valid boolean."]}),
        ({"kind": "targets", "random_state": "x"}, {"random_state": ["A valid integer is required."]}),
        ({"kind": "targets", "random_state": ""}, {"random_state": ["A valid integer is required."]}),
        ({"kind": "text", "style": ""}, {"style": ["Choose spaces or underscores or angle."]}),
        ({"kind": "spans", "of": ""}, {"of": ["Choose all or annotators or validated."]}),
        ({"kind": ["spans", "text"]}, {"kind": ["Give this parameter only once."]}),
        (
            {"kind": "spans", "round": "9"},
            {"round": ["Kind spans does not take it; no kind does. Allowed here: kind, format, names, of."]},
        ),
        (
            {"kind": "annotations", "Round": "x", "of": "all"},
            {
                "Round": [
                    "Kind annotations does not take it; no kind does. "
                    "Allowed here: kind, format, bom, names, revisions."
                ],
                "of": [
                    f"Kind annotations does not take it; these do: {takers_words('of')}. "
                    "Allowed here: kind, format, bom, names, revisions."
                ],
            },
        ),
    ],
)
def test_it_names_what_there_is(
    people: People, client_of: ClientOf, url: str, query: dict[str, str | list[str]], errors: dict[str, list[str]]
) -> None:
    response = client_of(people.admin).get(url, query)
    assert (response.status_code, response.json()["errors"]) == (400, errors)


def test_it_is_for_admins_of_the_project(people: People, client_of: ClientOf, url: str) -> None:
    query = {"kind": "annotations"}
    assert client_of(people.annotators[0]).get(url, query).status_code == 403
    assert client_of(people.outsider).get(url, query).status_code == 404
    assert APIClient().get(url, query).status_code == 401


def free_port() -> int:
    with socket.socket() as probe:
        probe.bind(("127.0.0.1", 0))
        return int(probe.getsockname()[1])


@contextmanager
def web_server() -> Iterator[int]:
    """The web server as it is run for users, on the test's database."""
    port = free_port()
    url = urlsplit(os.environ["DATABASE_URL"])._replace(path=f"/{connection.settings_dict['NAME']}").geturl()
    command = ["gunicorn", "--worker-class", "gthread", "--threads", "4", "--bind", f"127.0.0.1:{port}"]
    server = subprocess.Popen(
        [sys.executable, "-m", *command, "annotation_app.config.wsgi:application"],
        cwd=settings.BASE_DIR,
        env={**os.environ, "DATABASE_URL": url},
        stderr=subprocess.DEVNULL,
    )
    try:
        until = time.monotonic() + 120
        while time.monotonic() < until:
            with socket.socket() as probe:
                if probe.connect_ex(("127.0.0.1", port)) == 0:
                    break
            time.sleep(0.1)
        yield port
    finally:
        server.terminate()
        server.wait(timeout=30)


def download(port: int, path: str, client: APIClient) -> http.client.HTTPResponse:
    cookies = "; ".join(f"{name}={morsel.value}" for name, morsel in client.cookies.items())
    caller = http.client.HTTPConnection("127.0.0.1", port, timeout=60)
    caller.request("GET", path, headers={"Cookie": cookies})
    return caller.getresponse()


def kill_exports() -> int:
    """Ends the connections that stand in a transaction: the export's, which waits for a reader."""
    with connection.cursor() as cursor:
        cursor.execute(
            "SELECT count(*) FILTER (WHERE pg_terminate_backend(pid)) FROM pg_stat_activity "
            "WHERE datname = current_database() AND pid <> pg_backend_pid() AND state = 'idle in transaction'"
        )
        return int(cursor.fetchone()[0])


def test_it_breaks_the_connection_where_the_database_goes_away(people: People, client_of: ClientOf, url: str) -> None:
    """With so much text that the server must wait for the reader before it is done."""
    fill(people.project, people.annotators[:1], at("opinion", {f"i{n}": "Y" for n in range(400)}))
    with connection.cursor() as cursor:
        cursor.execute("UPDATE annotation_app_item SET text = repeat(external_id || ' ', 20000)")
    path = f"{url}?{urlencode({'kind': 'annotations'})}"
    with web_server() as port:
        client = client_of(people.admin)
        whole = download(port, path, client)
        assert (whole.status, whole.read().count(b"\n")) == (200, 400)
        broken = download(port, path, client)
        assert broken.read(1000)
        assert kill_exports() == 1
        with pytest.raises(http.client.IncompleteRead):
            broken.read()
