import os
import signal
import subprocess
import sys
import time
from pathlib import Path

import pytest

from annotation_app.embedded import guard, process
from annotation_app.embedded.state import CLONE
from tests.embedded.launching import PATIENCE, processes_of, wait_for

# A child that is deaf to polite signals, with a grandchild that left for a session of its own.
DEAF = """
trap '' TERM QUIT INT
setsid sleep {mark} &
echo started
while :; do sleep {mark}; done
"""


def guarded(*command: str) -> "subprocess.Popen[str]":
    return subprocess.Popen(
        [sys.executable, "-m", guard.__name__, "--", *command], cwd=CLONE, stdout=subprocess.PIPE, text=True
    )


@pytest.fixture
def mark(request: pytest.FixtureRequest) -> str:
    """An argument of `sleep` that no other process of this machine has."""
    return f"86400.{os.getpid()}{abs(hash(request.node.name)) % 10_000}"


def start_deaf(mark: str) -> "subprocess.Popen[str]":
    started = guarded("bash", "-c", DEAF.format(mark=mark))
    assert started.stdout
    assert started.stdout.readline() == "started\n"
    assert wait_for(lambda: len(processes_of(f"sleep {mark}")) >= 2)
    return started


def test_it_hands_on_the_exit_status() -> None:
    assert guarded("sh", "-c", "exit 7").wait(PATIENCE) == 7
    assert guarded("sh", "-c", "kill -9 $$").wait(PATIENCE) == 128 + 9


def test_it_kills_what_the_child_left_behind(mark: str) -> None:
    assert guarded("sh", "-c", f"setsid sleep {mark} & exit 3").wait(PATIENCE) == 3
    assert processes_of(mark) == []


# A process whose main thread has ended before its other thread, as one that is being killed. Its child lives on.
HALF_ENDED = """
import ctypes, subprocess, sys, threading, time
threading.Thread(target=time.sleep, args=(86400,)).start()
subprocess.Popen(["sleep", sys.argv[1]])
SYS_EXIT = 60
ctypes.CDLL(None).syscall(SYS_EXIT, 0)
"""


def test_what_is_below_a_process_in_the_middle_of_its_end_is_found(mark: str) -> None:
    with subprocess.Popen([sys.executable, "-c", HALF_ENDED, mark]) as started:
        assert wait_for(lambda: any(each.pid == started.pid and each.state == "Z" for each in process.table()))
        assert wait_for(lambda: processes_of(f"sleep {mark}") != [])
        below = process.descendants(os.getpid())
        [child] = [int(each.split()[0]) for each in processes_of(f"sleep {mark}")]
        process.send([started.pid, child], signal.SIGKILL)
        started.wait(PATIENCE)
    assert {started.pid, child} <= set(below)
    assert wait_for(lambda: processes_of(f"sleep {mark}") == [])


def test_it_asks_before_it_kills(tmp_path: Path) -> None:
    told = tmp_path / "told"
    script = f"trap 'echo TERM > {told}; exit 0' TERM; echo started; while :; do sleep 0.05; done"
    started = guarded("bash", "-c", script)
    assert started.stdout
    started.stdout.readline()
    started.terminate()
    assert started.wait(PATIENCE) == 0
    assert told.read_text() == "TERM\n"


def test_it_ends_a_deaf_tree_after_its_time_of_grace(mark: str) -> None:
    started = start_deaf(mark)
    begun = time.monotonic()
    started.terminate()
    assert started.wait(PATIENCE) == 128 + 9
    assert time.monotonic() - begun >= guard.KILL_AFTER
    assert processes_of(mark) == []


@pytest.mark.parametrize("number", [signal.SIGTERM, signal.SIGKILL])
def test_it_does_not_outlive_its_parent(mark: str, number: signal.Signals) -> None:
    """The parent here stands for the launcher: it starts the guard the way the launcher does, then dies."""
    script = f"""
import signal, sys, time
from annotation_app.embedded import guard, process
process.spawn([sys.executable, "-m", guard.__name__, "--", "bash", "-c", {DEAF.format(mark=mark)!r}],
              death_signal=signal.SIGTERM)
time.sleep(600)
"""
    parent = subprocess.Popen([sys.executable, "-c", script], cwd=CLONE, stdout=subprocess.DEVNULL)
    assert wait_for(lambda: len(processes_of(f"sleep {mark}")) >= 2)
    parent.send_signal(number)
    parent.wait(PATIENCE)
    assert wait_for(lambda: not processes_of(mark))


def test_it_says_how_something_ended() -> None:
    assert process.ending(-9) == "ended by SIGKILL"
    assert process.ending(128 + 15) == "ended by SIGTERM"
    assert process.ending(1) == "ended with status 1"
