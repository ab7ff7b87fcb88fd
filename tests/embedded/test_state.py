import os
import stat
import time
from pathlib import Path

import pytest

from annotation_app.embedded import adopt
from annotation_app.embedded.errors import AlreadyRunning
from annotation_app.embedded.state import State, default_folder, try_lock, without_servers


@pytest.fixture
def fresh(tmp_path: Path) -> State:
    state = State(tmp_path / "state")
    state.prepare()
    return state


def test_it_keeps_an_ordinary_users_state_in_the_clone_and_roots_outside() -> None:
    clone, other = Path("/home/ada/quorum"), Path("/home/ada/quorum2")
    assert default_folder(clone, as_root=False) == clone / "var"
    assert default_folder(clone, as_root=True).parent == Path("/var/lib/quorum")
    assert default_folder(clone, as_root=True) != default_folder(other, as_root=True)


def test_it_makes_a_secret_once_for_one_reader(fresh: State) -> None:
    secret = fresh.secret("session")
    assert len(secret) >= 32
    assert State(fresh.folder).secret("session") == secret
    assert fresh.secret("another") != secret
    assert stat.S_IMODE((fresh.folder / "secrets" / "session").stat().st_mode) == 0o600


def test_it_names_the_launcher_that_holds_the_folder(fresh: State) -> None:
    with fresh.lock(time.sleep, print), pytest.raises(AlreadyRunning, match=rf"process {os.getpid()}\)"):  # noqa: SIM117
        with State(fresh.folder).lock(time.sleep, print):
            pass
    with fresh.lock(time.sleep, print):
        pass


def test_it_waits_for_servers_that_a_killed_launcher_left(fresh: State) -> None:
    left = try_lock(fresh.folder / "servers.lock")
    assert left is not None
    said: list[str] = []

    def sleep(seconds: float) -> None:
        if said:
            os.close(left)

    with fresh.lock(sleep, said.append):
        assert said == ["Waiting for the servers of an earlier start to finish shutting down"]


def test_it_takes_away_what_a_launcher_sets_and_nothing_else() -> None:
    env = {"DATABASE_URL": "x", "REDIS_URL": "x", "QUORUM_EMBEDDED": "1", "QUORUM_MODELS": "bow-logreg", "PATH": "/bin"}
    assert without_servers(env) == {"QUORUM_MODELS": "bow-logreg", "PATH": "/bin"}


def test_it_lends_the_servers_to_manage_py_until_they_stop(fresh: State, monkeypatch: pytest.MonkeyPatch) -> None:
    for name in ("DATABASE_URL", "REDIS_URL"):
        monkeypatch.setenv(name, "given")  # so that what adopt sets is undone after the test
        monkeypatch.delenv(name)
    monkeypatch.setenv("QUORUM_STATE_DIR", str(fresh.folder))
    monkeypatch.setenv("SECRET_KEY", "own")
    adopt.offer(fresh, {"DATABASE_URL": "postgres://here", "REDIS_URL": "redis://here", "SECRET_KEY": "x", "HOME": "/"})
    adopt.adopt()
    assert (os.environ["DATABASE_URL"], os.environ["REDIS_URL"]) == ("postgres://here", "redis://here")
    assert os.environ["SECRET_KEY"] == "own"
    adopt.withdraw(fresh)
    monkeypatch.delenv("DATABASE_URL")
    adopt.adopt()
    assert "DATABASE_URL" not in os.environ
