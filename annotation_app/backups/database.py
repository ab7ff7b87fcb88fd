"""Dump the database and restore it with PostgreSQL's own programs, which come with the packages."""

import os
import subprocess
from collections.abc import Iterator
from contextlib import contextmanager
from pathlib import Path

from django.db import connection, transaction
from django.db.migrations.loader import MigrationLoader

from annotation_app.backups.faults import BackupFault
from annotation_app.embedded.errors import LaunchError
from annotation_app.embedded.programs import find_postgres

APP = "annotation_app"


@contextmanager
def snapshot() -> Iterator[str]:
    """Yield the name of a snapshot of the database. Within it the default connection sees the same rows."""
    with transaction.atomic(durable=True), connection.cursor() as cursor:
        cursor.execute("SET TRANSACTION ISOLATION LEVEL REPEATABLE READ, READ ONLY")
        cursor.execute("SELECT pg_export_snapshot()")
        yield str(cursor.fetchone()[0])


def server_major() -> int:
    """Return the major version of the server."""
    connection.ensure_connection()
    return int(connection.connection.server_version) // 10_000


def migrations_applied() -> list[str]:
    """Return the names of this program's migrations that the database has, in order."""
    loader = MigrationLoader(connection)
    return sorted(name for app, name in loader.applied_migrations or {} if app == APP)


def migrations_known() -> set[str]:
    """Return the names of the migrations that this program brings."""
    loader = MigrationLoader(None)
    return {name for app, name in loader.disk_migrations or {} if app == APP}


def database_dump(target: Path, snapshot_name: str) -> None:
    """Write the database, as it stood at the snapshot, to a file. Raises BackupFault with the program's message."""
    run("pg_dump", "--format=custom", "--no-owner", f"--snapshot={snapshot_name}", f"--file={target}")


def database_load(source: Path) -> None:
    """Fill an empty database from a dump: all of it, or nothing. Raises BackupFault with the program's message."""
    database = str(connection.settings_dict["NAME"])
    # Who may do what is granted anew by the migrations that follow.
    options = ("--no-owner", "--no-privileges", "--exit-on-error", "--single-transaction")
    run("pg_restore", *options, f"--dbname={database}", str(source))


def run(program: str, *arguments: str) -> None:
    """Run a program of PostgreSQL on the default database. The password is in its environment, not in its command."""
    given = connection.settings_dict
    names = {"PGHOST": "HOST", "PGPORT": "PORT", "PGUSER": "USER", "PGPASSWORD": "PASSWORD", "PGDATABASE": "NAME"}
    env = os.environ | {name: str(given[key]) for name, key in names.items() if given.get(key)}
    options = given.get("OPTIONS", {})
    env |= {f"PG{key.upper()}": str(options[key]) for key in ("sslmode", "sslrootcert") if key in options}
    done = subprocess.run([program_path(program), *arguments], env=env, capture_output=True, text=True, check=False)
    if done.returncode != 0:
        raise BackupFault(f"{program} failed: {done.stderr.strip() or f'exit status {done.returncode}'}")


def program_path(name: str) -> Path:
    """Find a program of PostgreSQL that is not older than the server. Raises BackupFault."""
    try:
        programs = find_postgres(None)
    except LaunchError as error:
        raise BackupFault(str(error)) from error
    if not programs.path(name).exists():
        raise BackupFault(f"The folder {programs.folder} has no {name}: name another one with QUORUM_PG_BIN.")
    if (needed := server_major()) > programs.major:
        raise BackupFault(
            f"The server is PostgreSQL {needed}, and {name} of {programs.source} is {programs.version}, which can't "
            f"read it: name a folder with programs of PostgreSQL {needed} with QUORUM_PG_BIN."
        )
    return programs.path(name)
