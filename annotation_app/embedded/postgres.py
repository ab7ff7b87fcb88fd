"""Run PostgreSQL on the loopback, with its cluster, roles and database and the product's durability."""

import os
import shutil
import signal
import sys
import time
from typing import Literal

from annotation_app.embedded import process
from annotation_app.embedded.errors import LaunchError, OtherMajorVersion
from annotation_app.embedded.programs import PostgresPrograms, find_postgres, server_env
from annotation_app.embedded.server import Command, Server, Sleep, hand_over, refuse_unreachable
from annotation_app.embedded.state import State, write_private

Role = Literal["postgres", "quorum_owner", "quorum_app"]
SUPERUSER: Role = "postgres"
OWNER: Role = "quorum_owner"
APP: Role = "quorum_app"
DATABASE = "quorum"

SETTINGS = {
    "listen_addresses": "127.0.0.1",
    "unix_socket_directories": "",
    "max_connections": "150",
    "shared_buffers": "256MB",
    "max_wal_size": "2GB",
    "password_encryption": "scram-sha-256",
    "timezone": "UTC",
    "log_timezone": "UTC",
    "logging_collector": "off",
}
# An acknowledged write is on the disk. These are set on the command line, so that no file of the data folder overrides
# them.
DURABLE = {"fsync": "on", "synchronous_commit": "on", "full_page_writes": "on"}
# For unit tests only, and never where a kill is tested.
RELAXED = {"fsync": "off", "synchronous_commit": "off", "full_page_writes": "off"}

ROLES_SQL = """
SET log_statement = 'none';
SET log_min_error_statement = 'panic';
SELECT 'CREATE ROLE {role}' WHERE NOT EXISTS (SELECT FROM pg_roles WHERE rolname = '{role}') \\gexec
ALTER ROLE {role} LOGIN NOSUPERUSER {rights} PASSWORD '{password}';
"""
DATABASE_SQL = """
SELECT 'CREATE DATABASE {database} OWNER {owner}'
WHERE NOT EXISTS (SELECT FROM pg_database WHERE datname = '{database}') \\gexec
"""


class PostgresServer(Server):
    """Run one cluster with the database `quorum`, which quorum_owner owns and quorum_app may use.

    `relaxed` trades durability for speed. `may_create_databases` lets the owner create databases, since unit tests
    make their own.
    """

    name = "PostgreSQL"
    # A fast shutdown, then an immediate one, after which the next start recovers from the log.
    stop_signals = ((signal.SIGINT, 30.0), (signal.SIGQUIT, 5.0))

    def __init__(
        self,
        state: State,
        *,
        relaxed: bool = False,
        may_create_databases: bool = False,
        programs: PostgresPrograms | None = None,
        port: int | None = None,
        keep_fds: tuple[int, ...] = (),
    ) -> None:
        super().__init__(state, port=port, keep_fds=keep_fds)
        self.programs = programs or find_postgres(self.user)
        self.relaxed = relaxed
        self.may_create_databases = may_create_databases
        self.data = state.folder / "postgres"

    def url(self, role: Role = OWNER) -> str:
        return f"postgres://{role}:{self.password(role)}@127.0.0.1:{self.port}/{DATABASE}"

    def password(self, role: Role) -> str:
        return self.state.secret(role)

    def start(self, sleep: Sleep = time.sleep) -> None:
        super().start(sleep)
        self.make_roles()

    def prepare(self) -> None:
        refuse_unreachable(self.data, self.user)
        if not self.data.exists():
            self.initialise()
        written = (self.data / "PG_VERSION").read_text().strip()
        if written != str(self.programs.major):
            raise OtherMajorVersion(self.other_version_message(written))
        hand_over(self.data, self.user)

    def initialise(self) -> None:
        """Run initdb in a neighbouring folder, and rename that when done. So an incomplete cluster is never used."""
        beside = self.data.with_name("postgres.new")
        shutil.rmtree(beside, ignore_errors=True)
        beside.mkdir(mode=0o700)
        password_file = beside / "password"
        write_private(password_file, self.password(SUPERUSER))
        hand_over(beside, self.user)
        command: Command = [
            self.programs.path("initdb"),
            "-D",
            beside / "data",
            "-U",
            SUPERUSER,
            "--pwfile",
            password_file,
        ]
        command += ["--auth=scram-sha-256", "--encoding=UTF8", "--locale=C.UTF-8", "--data-checksums"]
        self.run(command + (["--no-sync"] if self.relaxed else []))
        (beside / "data").rename(self.data)
        shutil.rmtree(beside)

    def run(self, command: Command) -> None:
        done = process.finish(command, env=server_env(), user=self.user)
        if done.returncode != 0:
            raise LaunchError(f"{os.fspath(command[0])} failed:\n{done.stdout}{done.stderr}")

    def command(self) -> Command:
        settings = SETTINGS | (RELAXED if self.relaxed else DURABLE) | {"port": str(self.port)}
        options = [part for name, value in settings.items() for part in ("-c", f"{name}={value}")]
        return [self.programs.path("postgres"), "-D", self.data, *options]

    def is_ready(self) -> bool:
        """Return whether postmaster.pid, written by this process, says "ready". That is also what pg_ctl reads."""
        try:
            lines = (self.data / "postmaster.pid").read_text().splitlines()
        except FileNotFoundError:
            return False
        return len(lines) > 7 and lines[0] == str(self.pid) and lines[7].strip() == "ready"

    def make_roles(self) -> None:
        """Create the two roles with their passwords, and the database. This may be repeated."""
        rights = {OWNER: "CREATEDB" if self.may_create_databases else "NOCREATEDB", APP: "NOCREATEDB"}
        statements = [
            ROLES_SQL.format(role=role, rights=right, password=self.password(role)) for role, right in rights.items()
        ]
        if self.may_create_databases:
            # Tests answer requests with the rights of the application.
            statements.append(f"GRANT {APP} TO {OWNER};")
        self.sql("".join(statements) + DATABASE_SQL.format(database=DATABASE, owner=OWNER), database="postgres")

    def sql(self, statements: str, *, database: str = DATABASE, role: Role = SUPERUSER) -> str:
        """Run SQL through psql and return its bare output. Raises LaunchError with the server's message."""
        command: Command = [self.programs.path("psql"), "-X", "-q", "-A", "-t", "-v", "ON_ERROR_STOP=1"]
        done = process.finish(command, env=server_env() | self.client_env(database, role), text=statements)
        if done.returncode != 0:
            raise LaunchError(f"PostgreSQL refused a statement of the launcher: {done.stderr.strip()}")
        return done.stdout.strip()

    def client_env(self, database: str, role: Role) -> dict[str, str]:
        """Return the environment with which psql and other clients connect."""
        where = {"PGHOST": "127.0.0.1", "PGPORT": str(self.port), "PGDATABASE": database, "PGUSER": role}
        return where | {"PGPASSWORD": self.password(role), "PGCONNECT_TIMEOUT": "10"}

    def version(self) -> str:
        return self.sql("SHOW server_version").split()[0]

    def other_version_message(self, written: str) -> str:
        run = f"{sys.executable} -m annotation_app.embedded run --state-dir {self.state.folder} --"
        old = f"/usr/lib/postgresql/{written}/bin"
        return f"""\
The data in {self.data} were written by PostgreSQL {written}; the programs here are of version {self.programs.version}
(from {self.programs.source}: {self.programs.folder}). Nothing was changed.
Either go on with programs of version {written}, wherever they are:
    QUORUM_PG_BIN={old} make up
or carry the data over, once, in this order:
    QUORUM_PG_BIN={old} {run} {old}/pg_dump --format=custom --file=quorum.dump
    mv {self.data} {self.data}.{written}
    {run} {self.programs.path("pg_restore")} --no-owner --exit-on-error --dbname={DATABASE} quorum.dump
    make up"""
