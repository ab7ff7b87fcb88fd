"""Lease jobs to workers. Every write checks the attempt number, so a worker that lost its lease changes nothing."""

import logging
import os
import secrets
import socket
from dataclasses import dataclass
from datetime import timedelta
from functools import partial
from types import TracebackType
from typing import Any, ClassVar, Self

from django.conf import settings
from django.db import DataError, Error, IntegrityError, NotSupportedError, ProgrammingError, models, transaction
from django.db.models import F, Q, QuerySet
from django.db.models.functions import Now
from django.utils import timezone

from annotation_app.enqueue import enqueue

logger = logging.getLogger(__name__)

# Errors that would occur again at the next attempt. An unreachable database is not among them.
LASTING = (
    ArithmeticError,
    AssertionError,
    AttributeError,
    LookupError,
    OSError,
    TypeError,
    ValueError,
    DataError,
    IntegrityError,
    NotSupportedError,
    ProgrammingError,
)


class LeaseLost(Exception):
    """Signal that another worker took the job over, or a person ended it. This worker must write nothing."""


def lease_end() -> Any:
    """Return when a lease ends, by the database's clock, so that hosts need not agree on the time."""
    return Now() + timedelta(seconds=settings.LEASE_SECONDS)


class LeasedModel(models.Model):
    """Hold a job: who works on it, until when, and the attempt number, which is the fencing token of every write."""

    # The Celery task that runs the job, and its queue.
    TASK: ClassVar[str]
    QUEUE: ClassVar[str]
    # States in which a worker should be at work.
    WORKING_STATES: ClassVar[tuple[str, ...]]
    # The state of a job that was just taken; None where the job's steps have states of their own.
    TAKEN_STATE: ClassVar[str | None] = None
    # A job that ended its worker this often would do so again.
    MOST_ATTEMPTS: ClassVar[int] = 3
    # What a person may do about a job that has ended its worker too often.
    REMEDY: ClassVar[str] = ""

    state: Any
    finished_at: Any
    lease_owner = models.CharField(max_length=200, blank=True, default="")
    lease_until = models.DateTimeField(null=True, blank=True)
    attempt = models.PositiveIntegerField(default=0)
    # Attempts that do not count towards the limit: those before somebody started the job anew, or before it got on.
    attempts_before = models.PositiveIntegerField(default=0)
    # What ended the last attempt; empty where the worker was killed before it could store this.
    last_error = models.TextField(blank=True, default="")

    class Meta:
        abstract = True

    def enqueue(self) -> None:
        """Send the job to its queue once the transaction is committed."""
        transaction.on_commit(partial(enqueue, self.TASK, self.pk, self.QUEUE))

    def start_anew(self, state: str) -> None:
        """Reset the job without saving, so that it can be taken again with all its attempts."""
        self.state, self.lease_owner, self.lease_until, self.finished_at = state, "", None, None
        self.attempts_before, self.last_error = self.attempt, ""

    def end(self, state: str) -> None:
        """Set how the job ended, without saving. Whoever works on it has lost the lease."""
        self.state, self.lease_owner, self.lease_until, self.finished_at = state, "", None, timezone.now()

    @classmethod
    def waiting(cls) -> QuerySet[Self]:
        """Return the jobs that a worker should work on and none does."""
        lapsed = Q(lease_until__isnull=True) | Q(lease_until__lt=Now())
        return cls._default_manager.filter(lapsed, state__in=cls.WORKING_STATES)

    @classmethod
    def take(cls, row_id: int) -> "Lease | None":
        """Take a job that nobody works on. Return None where somebody does, or where nothing is left to do."""
        # Each lease has an owner of its own, also where one process takes two.
        owner = f"{socket.gethostname()}:{os.getpid()}:{secrets.token_hex(4)}"
        changes = {} if cls.TAKEN_STATE is None else {"state": cls.TAKEN_STATE}
        taken = (
            cls.waiting()
            .filter(pk=row_id)
            .update(lease_owner=owner, lease_until=lease_end(), attempt=F("attempt") + 1, **changes)
        )
        if not taken:
            return None
        return Lease(cls, row_id, owner, cls._default_manager.values_list("attempt", flat=True).get(pk=row_id))


@dataclass(frozen=True)
class Lease:
    """Hold one attempt at one job."""

    rows: type[LeasedModel]
    row_id: int
    owner: str
    attempt: int

    @property
    def job(self) -> str:
        """Return a name for logs and threads, such as "import 12"."""
        return f"{self.rows._meta.model_name} {self.row_id}"

    def __enter__(self) -> "Lease":
        return self

    def __exit__(self, kind: type[BaseException] | None, error: BaseException | None, at: TracebackType | None) -> None:
        """Store what ended the attempt: the message of the last attempt quotes it."""
        if error is None or isinstance(error, LeaseLost):
            return
        try:
            self.held().update(last_error=f"{type(error).__name__}: {error}"[:2000])
        except Error as unnoted:
            logger.warning("%s: what ended the attempt was not noted: %s", self.job, unnoted)

    def spent(self, row: LeasedModel) -> str:
        """Return why no further attempt at the job is made; empty while one may be made."""
        ended = self.attempt - row.attempts_before - 1
        if ended < row.MOST_ATTEMPTS:
            return ""
        last = f"The last time: {row.last_error}" if row.last_error else ""
        words = (f"Its worker stopped {ended} times while it ran: see the worker's log.", row.REMEDY, last)
        return " ".join(filter(None, words))

    def held(self) -> QuerySet[Any]:
        """Return the job's row while this lease holds, else nothing. Every write goes through this filter."""
        mine = self.rows._default_manager.filter(pk=self.row_id, lease_owner=self.owner, attempt=self.attempt)
        return mine.filter(Q(state__in=self.rows.WORKING_STATES))

    def lock(self) -> Any:
        """Return the job's row, locked until the transaction ends. Raises LeaseLost."""
        row = self.held().select_for_update(of=("self",), no_key=True).select_related("project").first()
        if row is None:
            raise LeaseLost
        return row

    def end(self, state: str, **changes: Any) -> Any:
        """End the job with these changes, within the caller's transaction, and return its row. Raises LeaseLost."""
        row = self.lock()
        for name, value in changes.items():
            setattr(row, name, value)
        row.end(state)
        row.save()
        return row

    def renew(self, **changes: Any) -> None:
        """Renew the lease and write progress with it. Raises LeaseLost."""
        if not self.held().update(lease_until=lease_end(), **changes):
            raise LeaseLost

    def give_back(self, **changes: Any) -> None:
        """Return the job to its queue, where this attempt does not count. Do nothing where the lease is lost."""
        self.held().update(lease_owner="", lease_until=None, attempts_before=F("attempt"), **changes)
