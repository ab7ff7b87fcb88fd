"""Lease jobs to workers. Every write checks the attempt number, so a worker that lost its lease changes nothing."""

import logging
from dataclasses import dataclass
from datetime import timedelta
from types import TracebackType
from typing import Any, ClassVar, Self

from django.conf import settings
from django.db import DataError, Error, IntegrityError, NotSupportedError, ProgrammingError, models
from django.db.models import F, Q, QuerySet
from django.db.models.functions import Now

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

    # States in which a worker should be at work.
    WORKING_STATES: ClassVar[tuple[str, ...]]

    state: Any
    lease_owner = models.CharField(max_length=200, blank=True, default="")
    lease_until = models.DateTimeField(null=True, blank=True)
    attempt = models.PositiveIntegerField(default=0)
    # Attempts made before somebody started the job anew; they do not count towards the limit.
    attempts_before = models.PositiveIntegerField(default=0)
    # What ended the last attempt; empty where the worker was killed before it could store this.
    last_error = models.TextField(blank=True, default="")

    class Meta:
        abstract = True

    def start_anew(self) -> None:
        """Reset the lease without saving, so that the job can be taken again with all its attempts."""
        self.lease_owner, self.lease_until = "", None
        self.attempts_before, self.last_error = self.attempt, ""

    @classmethod
    def waiting(cls) -> QuerySet[Self]:
        """Return the jobs that a worker should work on and none does."""
        lapsed = Q(lease_until__isnull=True) | Q(lease_until__lt=Now())
        return cls._default_manager.filter(lapsed, state__in=cls.WORKING_STATES)

    @classmethod
    def take(cls, *, row_id: int, owner: str, **changes: Any) -> "Lease | None":
        """Take a job that nobody works on. Return None where somebody does, or where nothing is left to do."""
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

    def spent(self, row: LeasedModel, most: int) -> str:
        """Return why no further attempt at the job is made, after more than `most`; empty while one may be made."""
        if self.attempt - row.attempts_before <= most:
            return ""
        last = f" The last time: {row.last_error}" if row.last_error else ""
        return f"Its worker stopped {most} times while it ran: see the worker's log.{last}"

    def held(self) -> QuerySet[Any]:
        """Return the job's row while this lease holds, else nothing. Every write goes through this filter."""
        mine = self.rows._default_manager.filter(pk=self.row_id, lease_owner=self.owner, attempt=self.attempt)
        return mine.filter(Q(state__in=self.rows.WORKING_STATES))

    def renew(self, **changes: Any) -> bool:
        """Renew the lease and write progress with it; return False once it is lost."""
        return bool(self.held().update(lease_until=lease_end(), **changes))
