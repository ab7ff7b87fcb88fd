"""Guard one child of the launcher: no process below the guard outlives it, and it does not outlive the launcher.

    python -m annotation_app.embedded.guard [--foreground] [--nice N] [--keep-fd N] -- COMMAND...

When told to stop, or when its parent is killed, the guard asks the child to end with TERM, then with QUIT. Then it
kills every process below it, also those in sessions of their own. When the child ends by itself, the guard asks what
the child left behind to end, and kills it after a while.
"""

import argparse
import os
import signal
import subprocess
import sys
import time
from collections.abc import Iterator, Sequence

from annotation_app.embedded import process
from annotation_app.embedded.signals import STOP

# Seconds after the first stop signal. Celery's main process waits for its task on TERM and drops it on QUIT.
QUIT_AFTER = 2.5
KILL_AFTER = 4.5
# When the launcher itself was killed, there is less time to end properly.
ORPHAN_KILL_AFTER = 1.0
# What a child that was killed left behind may still store what it has, such as an answer that was paid for.
REST_KILL_AFTER = 10.0
WATCHED = STOP | {signal.SIGQUIT, signal.SIGCHLD}


def main(arguments: Sequence[str]) -> int:
    """Run the command as the child, and return its exit status: 128 + n when signal n ended it."""
    options = parse(arguments)
    parent = os.getppid()
    signal.pthread_sigmask(signal.SIG_BLOCK, WATCHED)
    for number in WATCHED:
        signal.signal(number, signal.SIG_DFL)
    process.become_subreaper()
    os.nice(options.nice)
    child = process.spawn(
        options.command, death_signal=signal.SIGKILL, new_session=False, keep_fds=options.keep_fd, stdin=None
    )
    for fd in options.keep_fd:
        os.close(fd)
    status, stopping = attend(child, parent, ignored={signal.SIGINT} if options.foreground else set())
    kill_the_rest(0.0 if stopping else REST_KILL_AFTER)
    return status if status >= 0 else 128 - status


def parse(arguments: Sequence[str]) -> argparse.Namespace:
    parser = argparse.ArgumentParser(prog="annotation_app.embedded.guard")
    parser.add_argument("--foreground", action="store_true", help="the terminal's Ctrl-C reaches the child by itself")
    parser.add_argument("--keep-fd", type=int, action="append", default=[], help="hand this file descriptor on")
    parser.add_argument("--nice", type=int, default=0, help="let other processes go first, by this much")
    parser.add_argument("command", nargs="+")
    return parser.parse_args(arguments)


def attend(child: "subprocess.Popen[bytes]", parent: int, ignored: set[signal.Signals]) -> tuple[int, bool]:
    """Wait for the child's end; return its status, and whether a stop signal came.

    After a stop signal, press the child harder step by step.
    """
    steps: Iterator[tuple[float, signal.Signals]] = iter(())
    due: tuple[float, signal.Signals] | None = None
    stopping = False
    while child.poll() is None:
        info = signal.sigtimedwait(WATCHED, max(0.0, due[0] - time.monotonic()) if due else 60.0)
        if info and info.si_signo != signal.SIGCHLD and info.si_signo not in ignored and not stopping:
            stopping, steps = True, escalation(time.monotonic(), orphaned=os.getppid() != parent)
            due = next(steps)
        if due and time.monotonic() >= due[0]:
            press(child, due[1])
            due = next(steps, None)
        reap_adopted(child)
    return child.wait(), stopping


def escalation(start: float, *, orphaned: bool) -> Iterator[tuple[float, signal.Signals]]:
    """Yield (time, signal) for each step of stopping the child. An orphaned guard leaves out QUIT and kills sooner."""
    yield start, signal.SIGTERM
    if not orphaned:
        yield start + QUIT_AFTER, signal.SIGQUIT
    yield start + (ORPHAN_KILL_AFTER if orphaned else KILL_AFTER), signal.SIGKILL


def press(child: "subprocess.Popen[bytes]", number: signal.Signals) -> None:
    """Send the signal to the child; KILL goes to every process below the guard."""
    everyone = number == signal.SIGKILL
    process.send([child.pid, *(process.descendants(os.getpid()) if everyone else [])], number)


def reap_adopted(child: "subprocess.Popen[bytes]") -> None:
    """Collect the exit status of adopted orphans. The child's own is left for Popen."""
    while ended := os.waitid(os.P_ALL, 0, os.WEXITED | os.WNOHANG | os.WNOWAIT):
        if ended.si_pid == child.pid:
            return
        os.waitpid(ended.si_pid, 0)


def kill_the_rest(patience: float) -> None:
    """Ask the child's own children to end, and kill every process below the guard after `patience` seconds.

    Processes further below are not asked: the kernel tells those that must end with their parents. All is over once
    the guard has no child to wait for, as the orphans below it become its children.
    """
    until = time.monotonic() + patience
    if patience:
        process.send(process.children(os.getpid()), signal.SIGTERM)
    while is_left():
        if time.monotonic() >= until:
            process.send(process.descendants(os.getpid()), signal.SIGKILL)
        info = signal.sigtimedwait(WATCHED, 0.05)
        if info and info.si_signo in STOP:
            until = time.monotonic()


def is_left() -> bool:
    """Collect the exit status of what has ended, and say whether a child is left."""
    try:
        while os.waitpid(-1, os.WNOHANG)[0]:
            pass
    except ChildProcessError:
        return False
    return True


if __name__ == "__main__":
    sys.exit(main(sys.argv[1:]))
