"""`make up` from outside: one state folder, started, hit, stopped, started again."""

import http.client
import os
import re
import signal
import socket
import subprocess
import sys
from collections.abc import Iterator
from pathlib import Path

import pytest
import requests

from annotation_app.embedded import web
from annotation_app.embedded.errors import PortBusy
from annotation_app.embedded.servers import State, temporary_state
from annotation_app.embedded.setup import fingerprint
from annotation_app.embedded.state import CLONE
from tests.embedded.launching import LAUNCHER, Launched, launch, launcher_env, processes_of, wait_for

# With the tests that run alone: real workers run here.
pytestmark = pytest.mark.loop


def up(state: State, *more: str) -> tuple[str, ...]:
    return ("up", "--no-demo", "--state-dir", str(state.folder), *more)


@pytest.fixture(scope="module")
def up_state() -> Iterator[State]:
    with temporary_state() as folder:
        yield folder


class Quorum:
    """A launcher with what it printed until it was ready."""

    def __init__(self, started: Launched, printed: str) -> None:
        self.started = started
        self.printed = printed
        address = re.search(r"http://([\d.]+):(\d+)/$", printed, re.MULTILINE)
        assert address, printed
        self.host, self.port = address.group(1), int(address.group(2))

    def health(self) -> int:
        connection = http.client.HTTPConnection(self.host, self.port, timeout=30)
        try:
            connection.request("GET", "/api/health/")
            return connection.getresponse().status
        finally:
            connection.close()


@pytest.fixture(scope="module")
def quorum(up_state: State) -> Iterator[Quorum]:
    """Started as a background job of a shell is: deaf to SIGINT until it takes it back."""
    before = signal.signal(signal.SIGINT, signal.SIG_IGN)
    started = launch(*up(up_state, "--port", "0"))
    signal.signal(signal.SIGINT, before)
    yield Quorum(started, started.hear("ready at http"))
    started.stop(signal.SIGKILL)
    assert wait_for(lambda: not processes_of(str(up_state.folder)))


def test_it_starts_all_and_prints_one_address(quorum: Quorum) -> None:
    assert quorum.health() == 200
    before = quorum.printed.split("Quorum is ready")[0]
    assert "http://" not in before
    for line in (r"PostgreSQL 18\.\d+ ready \(\d", r"Valkey 9\.[\d.]+ ready \(\d", r"Migrations: \d+ applied \(\d"):
        assert re.search(line, quorum.printed)


def test_it_prints_a_link_for_the_first_account_once_and_writes_it_down_nowhere(
    quorum: Quorum, up_state: State
) -> None:
    said = "prints a new one"
    printed = quorum.printed + ("" if said in quorum.printed else quorum.started.hear(said))
    link = re.search(r"(http://\S+)/first-account#(\S+)", printed)
    assert link, printed
    url, token = link.groups()
    first = requests.Session()
    first.get(f"{url}/api/session/", timeout=30)
    account = {"username": "first", "display_name": "First", "password": "a long pass phrase"}
    headers = {"X-CSRFToken": first.cookies["csrftoken"]}
    made, again = (
        requests.post(
            f"{url}/api/first-account/",
            json={"token": token, **account},
            cookies=first.cookies,
            headers=headers,
            timeout=30,
        )
        for _ in range(2)
    )
    assert (made.status_code, made.json()["can_create_projects"], again.status_code) == (200, True, 409)
    kept = [file for file in up_state.folder.rglob("logs/*") if token.encode() in file.read_bytes()]
    assert kept == []
    done = subprocess.run(
        [sys.executable, "manage.py", "first_link"],
        cwd=CLONE,
        env=launcher_env(QUORUM_STATE_DIR=str(up_state.folder)),
        capture_output=True,
        text=True,
        check=False,
    )
    assert (done.returncode, done.stdout) == (0, ""), done.stderr


def test_it_refuses_a_second_launcher_of_the_same_folder(quorum: Quorum, up_state: State) -> None:
    status, told = launch(*up(up_state, "--port", "0")).wait()
    assert status == 2
    address, pid = f"http://{quorum.host}:{quorum.port}/", quorum.started.process.pid
    assert f"already running from this folder at {address} (process {pid})" in told
    assert quorum.health() == 200


def test_it_refuses_a_busy_port_that_was_asked_for(quorum: Quorum) -> None:
    with temporary_state() as other:
        status, told = launch(*up(other), env=launcher_env(PORT=str(quorum.port))).wait()
        assert not (other.folder / "postgres").exists()
    assert status == 2
    assert f"Port {quorum.port} of 127.0.0.1 is taken by another program" in told


def test_it_brings_back_a_killed_web_server_and_a_killed_database(quorum: Quorum, up_state: State) -> None:
    database = up_state.recorded()["postgresql"]
    web_server = [line for line in processes_of(str(up_state.folder)) if " -m gunicorn " in line]
    master = min(int(line.split()[0]) for line in web_server if "embedded.guard" not in line)
    os.kill(master, signal.SIGKILL)
    quorum.started.hear("The web server ended by SIGKILL; starting it again in")
    # The address stays claimed: the request waits for the new web server, and is not refused.
    assert quorum.health() == 200
    os.kill(database["pid"], signal.SIGKILL)
    quorum.started.hear("The PostgreSQL server ended by SIGKILL; starting it again in")
    # For a moment an orphaned backend still answers: only the record says that the new server is up.
    assert wait_for(lambda: up_state.recorded()["postgresql"]["pid"] != database["pid"])
    assert wait_for(lambda: quorum.health() == 200)
    assert up_state.recorded()["postgresql"]["port"] == database["port"]


def test_it_stops_all_on_ctrl_c_and_says_so(quorum: Quorum, up_state: State) -> None:
    status, told = quorum.started.stop(signal.SIGINT)
    assert status == 0
    assert told.rstrip().endswith("Stopped. The data are kept.")
    assert processes_of(str(up_state.folder)) == []
    assert not (up_state.folder / "secrets" / "environment.json").exists()


def test_it_keeps_the_data_and_stops_when_its_parent_is_killed(up_state: State) -> None:
    """The parent stands for make, whose recipe's shell becomes the launcher."""
    command = " ".join([*LAUNCHER, *up(up_state, "--port", "0"), "--parent", "$PPID"])
    shell = f"import subprocess; subprocess.run(['sh', '-c', 'exec {command}'])"
    parent = Launched([sys.executable, "-c", shell], launcher_env())
    printed = parent.hear("ready at http")
    assert "Migrations" not in printed
    parent.stop(signal.SIGKILL)
    assert wait_for(lambda: not processes_of(str(up_state.folder)))
    assert "Stopped. The data are kept." in parent.output.read()


def test_it_leaves_nothing_when_it_is_killed(up_state: State) -> None:
    started = launch(*up(up_state, "--port", "0"))
    started.hear("ready at http")
    started.stop(signal.SIGKILL)
    assert wait_for(lambda: not processes_of(str(up_state.folder)))


def test_it_takes_the_next_free_port_when_none_was_asked_for(monkeypatch: pytest.MonkeyPatch) -> None:
    with socket.create_server(("127.0.0.1", 0)) as taken:
        port = taken.getsockname()[1]
        monkeypatch.setattr(web, "DEFAULT_PORT", port)
        with web.claim("127.0.0.1", None) as listener:
            assert port < listener.getsockname()[1] < port + web.PORTS_TRIED
        with pytest.raises(PortBusy, match=f"Port {port} of 127.0.0.1 is taken"):
            web.claim("127.0.0.1", port)
    with pytest.raises(PortBusy, match=r"Cannot listen at 192\.0\.2\.1:8000"):
        web.claim("192.0.2.1", 8000)


def test_it_sees_a_changed_migration(tmp_path: Path) -> None:
    migrations = tmp_path / "annotation_app" / "migrations"
    migrations.mkdir(parents=True)
    for folder in ("config", "models", "db/rules", "db/functions"):
        (tmp_path / "annotation_app" / folder).mkdir(parents=True)
    files = [
        migrations / "0001_initial.py",
        tmp_path / "annotation_app/db/rules/majority_takes.sql",
        tmp_path / "annotation_app/db/functions/recount.sql",
        tmp_path / "annotation_app/config/rules.py",
        tmp_path / "annotation_app/models/roles.py",
        tmp_path / "annotation_app/config/grants.py",
        tmp_path / "requirements.txt",
    ]
    for file in files:
        file.write_text("before")
    seen = {fingerprint(tmp_path), fingerprint(tmp_path)}
    assert len(seen) == 1
    for number, file in enumerate(files):
        file.write_text("after")
        seen.add(fingerprint(tmp_path))
        assert len(seen) == number + 2
    (migrations / "0002_more.py").write_text("")
    assert fingerprint(tmp_path) not in seen
