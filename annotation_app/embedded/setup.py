"""Prepare the database: apply migrations before the web server starts, and make the demo project."""

import hashlib
import signal
import subprocess
import sys
from pathlib import Path

from annotation_app.embedded import process
from annotation_app.embedded.console import step, tail
from annotation_app.embedded.errors import LaunchError, StopRequested
from annotation_app.embedded.postgres import DATABASE, PostgresServer
from annotation_app.embedded.signals import Signals
from annotation_app.embedded.state import CLONE, State

MARK = "migrations "
# Backups of earlier versions that stay in the state folder.
UPGRADES_KEPT = 3


def migrate(postgres: PostgresServer | None, state: State, env: dict[str, str], signals: Signals) -> None:
    """Apply migrations as the owner of the database. Skip this when the database's mark says that they are applied.

    Data of an earlier version are backed up first. Raises LaunchError for data of a later one.
    """
    mark = MARK + fingerprint()
    if postgres and applied(postgres) == mark:
        return
    if postgres:
        upgrade_prepare(postgres, state, env, signals)
    with step("Migrations applied") as line:
        log = manage("migrate", state, env | {"DATABASE_URL": env["DATABASE_OWNER_URL"]}, signals, "--noinput")
        line.title = f"Migrations: {log.count('Applying ')} applied"
    if postgres:
        postgres.sql(f"COMMENT ON DATABASE {DATABASE} IS '{mark}'")


def applied(postgres: PostgresServer) -> str:
    """Return the mark of the last migrations. It is a comment on the database, so it disappears with the database."""
    return postgres.sql(f"SELECT shobj_description(oid, 'pg_database') FROM pg_database WHERE datname = '{DATABASE}'")


def upgrade_prepare(postgres: PostgresServer, state: State, env: dict[str, str], signals: Signals) -> None:
    """Refuse data of a later version, and back up those of an earlier one into the state folder."""
    if postgres.sql("SELECT to_regclass('django_migrations')") == "":
        return
    names = postgres.sql("SELECT string_agg(name, ' ') FROM django_migrations WHERE app = 'annotation_app'").split()
    known = {file.stem for file in (CLONE / "annotation_app" / "migrations").glob("0*.py")}
    if unknown := sorted(set(names) - known):
        raise LaunchError(
            f"A later version of Quorum made the data in {state.folder}: this one does not know {unknown[-1]}. Start "
            "that version, or name another folder with --state-dir."
        )
    if not names or known <= set(names):
        return
    folder = state.folder / "backups"
    folder.mkdir(mode=0o700, exist_ok=True)
    with step("Backup before the upgrade") as line:
        said = manage("backup", state, env, signals, "--into", str(folder), "--keep", str(UPGRADES_KEPT)).splitlines()
        line.title = f"Backup before the upgrade: {said[0]}"


def fingerprint(clone: Path = CLONE) -> str:
    """Return a hash that changes with the migrations, with what follows each of them, and with the pinned libraries."""
    app = clone / "annotation_app"
    files = [*(app / "migrations").rglob("*.py"), *(app / "migrations").rglob("*.sql")]
    files += [*(app / "db").rglob("*.sql"), app / "config" / "rules.py", app / "models" / "roles.py"]
    files += [app / "config" / "grants.py", clone / "requirements.txt"]
    digest = hashlib.sha256()
    for file in sorted(files):
        digest.update(f"{file.relative_to(clone)}\0".encode())
        digest.update(hashlib.sha256(file.read_bytes()).digest())
    return digest.hexdigest()


def seed_demo(state: State, env: dict[str, str], signals: Signals) -> str:
    """Make the demo project where it is missing, and return the sign-ins to show."""
    with step("Demo project ready"):
        return manage("seed_demo", state, env, signals).strip()


def close_demo(state: State, env: dict[str, str], signals: Signals) -> None:
    """Switch off demo accounts of an earlier start, because their passwords were printed on the terminal."""
    manage("seed_demo", state, env, signals, "--off")


def first_link(state: State, env: dict[str, str], signals: Signals) -> str:
    """Return the lines with the link of the first account, which no log keeps; "" where somebody runs this server."""
    try:
        return manage("first_link", state, env, signals).strip()
    finally:
        (state.logs / "first_link.out").unlink(missing_ok=True)


def seed_demo_rounds(state: State, env: dict[str, str], signals: Signals) -> str:
    """Make the demo's first rounds, which needs the workers. Return what to say where this failed."""
    try:
        with step("Demo rounds ready"):
            manage("seed_demo_rounds", state, env, signals)
    except LaunchError as error:
        return f"The demo has no finished round: start one on its page Rounds. {error}"
    return ""


def manage(action: str, state: State, env: dict[str, str], signals: Signals, *arguments: str) -> str:
    """Run `manage.py ACTION` and return what it printed. Raises LaunchError with the end of its log."""
    output, log = state.logs / f"{action}.out", state.log(action)
    with output.open("wb") as out, log.open("ab") as err:
        child = process.spawn(
            [sys.executable, "manage.py", action, *arguments],
            death_signal=signal.SIGKILL,
            env=env,
            cwd=CLONE,
            stdout=out,
            stderr=err,
        )
        wait(child, signals)
    printed = output.read_text(errors="replace")
    if child.returncode != 0:
        raise LaunchError(
            f"`manage.py {action}` {process.ending(child.returncode)}:\n{tail(output)}\n{tail(log)}\n"
            f"The whole output is in {output} and {log}."
        )
    return printed


def wait(child: "subprocess.Popen[bytes]", signals: Signals) -> None:
    """Wait for the child's end. A stop signal kills the child, and StopRequested is raised again."""
    try:
        while child.poll() is None:
            signals.sleep(60.0)
    except StopRequested:
        child.kill()
        child.wait()
        raise
