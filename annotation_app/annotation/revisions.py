"""Tell what a new revision is among those that are stored: a retry, a stale one, or the next one."""

from collections.abc import Sequence
from dataclasses import dataclass
from typing import Any, Generic, Protocol, TypeVar
from uuid import UUID

from annotation_app.refusals import Refused

STALE_DECISION = "Somebody decided about this item after this page was loaded."
DECISION_NOT_STORED = "The decision was not stored."


class Revision(Protocol):
    """Describe a stored row of an append-only series. `body_hash` is the SHA-256 of everything that was sent."""

    revision: int
    client_id: UUID
    body_hash: str


class Body(Protocol):
    """Describe what a browser sends. `client_id` names this sending, `base_revision` the revision its author saw."""

    @property
    def client_id(self) -> UUID: ...

    @property
    def base_revision(self) -> int: ...

    @property
    def body_hash(self) -> str: ...


Row = TypeVar("Row", bound=Revision)


class Stale(Exception):
    """Signal a revision that was made from one that is no longer the latest. `latest` is None where there is none."""

    def __init__(self, message: str, latest: Any) -> None:
        super().__init__(message)
        self.latest = latest


@dataclass(frozen=True)
class Revisions(Generic[Row]):
    """Hold the stored revisions of one thing, in their order; its rows are locked by the caller."""

    rows: Sequence[Row]

    @property
    def latest(self) -> Row | None:
        return self.rows[-1] if self.rows else None

    @property
    def next_number(self) -> int:
        return self.rows[-1].revision + 1 if self.rows else 1

    def same_id(self, body: Body) -> Row | None:
        return next((row for row in self.rows if row.client_id == body.client_id), None)

    def replayed(self, body: Body) -> Row | None:
        """Return what the same sending stored before: an answer that was lost on its way is given again."""
        same = self.same_id(body)
        return same if same is not None and same.body_hash == body.body_hash else None

    def check(self, body: Body, stale: str) -> None:
        """Raise Refused for an id that came with another body, and Stale with this text for another base revision."""
        if self.same_id(body) is not None:
            raise Refused("client_id_reused", "This client_id was already used for another body. Send a new one.")
        if body.base_revision != self.next_number - 1:
            raise Stale(stale, self.latest)
