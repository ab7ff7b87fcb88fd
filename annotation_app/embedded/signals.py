"""Wait for signals instead of handling them at any time, so that a stop never interrupts a step."""

import signal
import time
from types import TracebackType
from typing import Self

from annotation_app.embedded.errors import StopRequested

STOP = frozenset({signal.SIGINT, signal.SIGTERM, signal.SIGHUP})


class Signals:
    """Block stop signals and SIGCHLD inside the `with` block, where only `sleep` and `next` receive them.

    A background job of a shell ignores SIGINT, and this class undoes that. SIGHUP stays ignored under `nohup`.
    """

    def __enter__(self) -> Self:
        keep_ignored = signal.getsignal(signal.SIGHUP) is signal.SIG_IGN
        self.stops = STOP - {signal.SIGHUP} if keep_ignored else STOP
        self.watched = self.stops | {signal.SIGCHLD}
        self.before = signal.pthread_sigmask(signal.SIG_BLOCK, self.watched)
        self.handlers = {number: signal.signal(number, signal.SIG_DFL) for number in self.watched}
        return self

    def __exit__(
        self, kind: type[BaseException] | None, error: BaseException | None, trace: TracebackType | None
    ) -> None:
        while signal.sigtimedwait(self.watched, 0):
            pass  # a second Ctrl-C after everything has stopped must not turn exit 0 into a death by signal
        for number, handler in self.handlers.items():
            signal.signal(number, handler)
        signal.pthread_sigmask(signal.SIG_SETMASK, self.before)

    def next(self, seconds: float) -> signal.Signals | None:
        """Return the next signal that arrives within `seconds`, or None."""
        info = signal.sigtimedwait(self.watched, max(0.0, seconds))
        return signal.Signals(info.si_signo) if info else None

    def sleep(self, seconds: float) -> None:
        """Wait for `seconds`, or until a child has ended. Raises StopRequested on a stop signal."""
        until = time.monotonic() + seconds
        number = self.next(until - time.monotonic())
        if number is not None and number in self.stops:
            raise StopRequested(number.name)
