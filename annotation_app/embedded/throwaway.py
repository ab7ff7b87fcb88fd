"""Run one command with throw-away servers (`run`), for tests and for manual work on the data."""

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

# The command gets Ctrl-C too, and may then end in its own way within this many seconds.
ENDS_BY_ITSELF = 15.0


def run(command: Sequence[str], *, relaxed: bool, state_folder: Path | None = None) -> int:
    """Run the command and return its exit status, 130 after a stop signal.

    The caller's DATABASE_URL and REDIS_URL are not used. The servers are new, unless `state_folder` names a state to
    work on.
    """
    chosen = nullcontext(State(state_folder)) if state_folder else temporary_state()
    with Signals() as signals, chosen as state:
        state.prepare()
        try:
            with state.lock(signals.sleep, complain) as lock:
                # Tests make databases of their own. In a lasting state, the owner needs only the one.
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
    """Start both servers, and yield the command's environment, which acts as the database's owner."""
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
    """Start the command in the terminal's foreground, so that it can be debugged.

    Its whole process tree ends with this process.
    """
    guard = [sys.executable, "-m", "annotation_app.embedded.guard", "--foreground", "--", *command]
    return process.spawn(guard, death_signal=signal.SIGTERM, new_session=False, env=env, stdin=None)


def attend(child: "subprocess.Popen[bytes]", signals: Signals) -> int:
    """Wait for the command and return its exit status. A stop signal ends it: Ctrl-C after a while, others at once."""
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
    """Wait until the child ends, a second stop signal arrives, or `ENDS_BY_ITSELF` seconds pass without a signal."""
    number: signal.Signals | None = signal.SIGCHLD
    while child.poll() is None and number == signal.SIGCHLD:
        number = signals.next(ENDS_BY_ITSELF)
