"""Who works on a job. A worker's write carries the attempt it took: one that lost its lease changes nothing."""

from dataclasses import dataclass
from datetime import timedelta
from typing import Any, ClassVar, Self

from django.conf import settings
from django.db import models
from django.db.models import F, Q, QuerySet
from django.db.models.functions import Now


class LeaseLost(Exception):
    """Another worker took the job over, or a person ended it: this worker must write nothing."""


def lease_end() -> Any:
    """By the database's clock, so that hosts need not agree on the time."""
    return Now() + timedelta(seconds=settings.LEASE_SECONDS)


class LeasedModel(models.Model):
    """A job whose truth stands in this row: who works on it, until when, and the fencing token of every write."""

    # States in which a worker should be at work.
    WORKING_STATES: ClassVar[tuple[str, ...]]

    state: Any
    lease_owner = models.CharField(max_length=200, blank=True, default="")
    lease_until = models.DateTimeField(null=True, blank=True)
    attempt = models.PositiveIntegerField(default=0)

    class Meta:
        abstract = True

    @classmethod
    def waiting(cls) -> QuerySet[Self]:
        """Jobs that a worker should work on and none does."""
        lapsed = Q(lease_until__isnull=True) | Q(lease_until__lt=Now())
        return cls._default_manager.filter(lapsed, state__in=cls.WORKING_STATES)

    @classmethod
    def take(cls, *, row_id: int, owner: str, **changes: Any) -> "Lease | None":
        """Takes a job that nobody works on; None where somebody does or nothing is left to do."""
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
    """One attempt at one job."""

    rows: type[LeasedModel]
    row_id: int
    owner: str
    attempt: int

    @property
    def job(self) -> str:
        """For logs and threads: "import 12"."""
        return f"{self.rows._meta.model_name} {self.row_id}"

    def held(self) -> QuerySet[Any]:
        """The job, if this lease still holds: the filter of every write."""
        mine = self.rows._default_manager.filter(pk=self.row_id, lease_owner=self.owner, attempt=self.attempt)
        return mine.filter(Q(state__in=self.rows.WORKING_STATES))

    def renew(self, **changes: Any) -> bool:
        """Renews the lease and writes progress with it; False once it is lost."""
        return bool(self.held().update(lease_until=lease_end(), **changes))
