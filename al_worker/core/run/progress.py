"""Report what a step does, on stdout: JSON lines for programs, plain lines for people."""

import json
import os
import sys
import time
from collections.abc import Mapping
from dataclasses import dataclass, field
from typing import TextIO

LEAST_SECONDS = 0.5


@dataclass(slots=True)
class Progress:
    """Report how far one step is. `form` is "json" or "text".

    At most two reports a second are written, and always the last one. Where nobody reads them any more, none is.
    """

    step: str
    form: str = "text"
    stream: TextIO = field(default_factory=lambda: sys.stdout)
    started: float = field(default_factory=time.monotonic)
    reported: float = -1.0

    def report(self, fraction: float, detail: str, **more: float | str | None) -> None:
        """Report how far the step is, as a fraction from 0 to 1. Programs are told `more` too."""
        now = time.monotonic()
        if fraction < 1.0 and now - self.reported < LEAST_SECONDS:
            return
        self.reported = now
        try:
            self.stream.write(self._line(min(max(fraction, 0.0), 1.0), detail, more) + "\n")
            self.stream.flush()
        except BrokenPipeError:
            # Whoever read it has ended. Answers that are under way are still stored.
            os.dup2(os.open(os.devnull, os.O_WRONLY), self.stream.fileno())

    @property
    def seconds(self) -> float:
        return time.monotonic() - self.started

    def _line(self, fraction: float, detail: str, more: Mapping[str, float | str | None]) -> str:
        if self.form == "json":
            line = {
                "step": self.step,
                "fraction": round(fraction, 4),
                "detail": detail,
                "seconds": round(self.seconds, 2),
                **more,
            }
            return json.dumps(line, ensure_ascii=False)
        return f"{self.step:7} {fraction:4.0%}  {detail}  ({self.seconds:.1f} s)"
