"""`run`: throw-away servers around one command, for tests and for work on the data by hand."""

import os
import signal
import subprocess
import sys
from collections.abc import Iterator, Sequence
from contextlib import contextmanager, nullcontext
from pathlib import Path

from annotation_app.embedded import process
from annotation_app.embedded.errors import StopRequested
from annotation_app.embedded.postgres import DATABASE, OWNER
from annotation_app.embedded.servers import PostgresServer, ValkeyServer, postgres_env, state_env
from annotation_app.embedded.signals import Signals
from annotation_app.embedded.state import State, temporary_state, without_servers

# After Ctrl-C the command, which got it too, may end in its own way for this long.
ENDS_BY_ITSELF = 15.0


def run(command: Sequence[str], *, relaxed: bool, state_folder: Path | None = None) -> int:
    """Returns the command's exit status. DATABASE_URL and REDIS_URL of the caller are not used: these servers are new,
    unless `state_folder` names a state to work on."""
    chosen = nullcontext(State(state_folder)) if state_folder else temporary_state()
    with Signals() as signals, chosen as state:
        state.prepare()
        try:
            with state.lock(signals.sleep, complain) as lock:
                # Tests make databases of their own; in a state that lasts, the owner keeps to his one.
                postgres = PostgresServer(
                    state, relaxed=relaxed, may_create_databases=state_folder is None, keep_fds=(lock,)
                )
                with servers(postgres, ValkeyServer(state, keep_fds=(lock,)), signals) as env:
                    return attend(guarded(command, env), signals)
        except StopRequested:
            return 130


def complain(line: str) -> None:
    os.write(2, f"{line}\n".encode())


@contextmanager
def servers(postgres: PostgresServer, valkey: ValkeyServer, signals: Signals) -> Iterator[dict[str, str]]:
    """Starts both and yields the command's environment, in which everything is done as the database's owner."""
    try:
        postgres.start(signals.sleep)
        valkey.start(signals.sleep)
        yield {
            **without_servers(os.environ),
            **postgres_env(postgres),
            **state_env(postgres.state),
            **postgres.client_env(DATABASE, OWNER),
            "DATABASE_URL": postgres.url(OWNER),
            "REDIS_URL": valkey.url,
        }
    finally:
        valkey.stop()
        postgres.stop()


def guarded(command: Sequence[str], env: dict[str, str]) -> "subprocess.Popen[bytes]":
    """The command in the terminal's foreground, so that it can be debugged; its whole tree ends with this process."""
    guard = [sys.executable, "-m", "annotation_app.embedded.guard", "--foreground", "--", *command]
    return process.spawn(guard, death_signal=signal.SIGTERM, new_session=False, env=env, stdin=None)


def attend(child: "subprocess.Popen[bytes]", signals: Signals) -> int:
    """Waits for the command; a stop signal ends it, at once for TERM, after a while for Ctrl-C."""
    try:
        while child.poll() is None:
            signals.sleep(60.0)
    except StopRequested as stop:
        if stop.args == (signal.SIGINT.name,):
            wait_a_while(child, signals)
        child.terminate()
        child.wait()
        return 130
    return child.wait()


def wait_a_while(child: "subprocess.Popen[bytes]", signals: Signals) -> None:
    number: signal.Signals | None = signal.SIGCHLD
    while child.poll() is None and number == signal.SIGCHLD:
        number = signals.next(ENDS_BY_ITSELF)
