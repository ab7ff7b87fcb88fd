"""Collect the bad lines of an import: all are counted, the first thousand listed."""

from typing import Any

from annotation_app.ingest.rows import BadLine


class BadLineList:
    LISTED = 1_000

    def __init__(self) -> None:
        self.count = 0
        self._listed: list[BadLine] = []

    def add(self, bad: BadLine) -> None:
        self.count += 1
        if len(self._listed) < self.LISTED:
            self._listed.append(bad)

    def show(self, bad: BadLine) -> None:
        """List one without counting it: the caller counted already."""
        self._listed.append(bad)

    def as_dicts(self) -> list[dict[str, Any]]:
        """Return the first LISTED by line; faults of the whole file come last."""
        ordered = sorted(self._listed, key=lambda bad: (bad.line is None, bad.line or 0))
        return [bad.as_dict() for bad in ordered[: self.LISTED]]
