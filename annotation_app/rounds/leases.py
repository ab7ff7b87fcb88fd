"""Who works on a round. A worker's write carries the attempt it took: one that lost its lease changes nothing."""

from dataclasses import dataclass
from datetime import timedelta
from typing import Any

from django.conf import settings
from django.db.models import F, Q
from django.db.models.functions import Now

from annotation_app.models import Round


@dataclass(frozen=True)
class Lease:
    round_id: int
    owner: str
    attempt: int

    def held(self) -> Any:
        """The round, if this lease still holds: the filter of every write."""
        return Round.objects.filter(
            pk=self.round_id, lease_owner=self.owner, attempt=self.attempt, state__in=Round.MACHINE_STATES
        )


def lease_end() -> Any:
    """By the database's clock, so that hosts need not agree on the time."""
    return Now() + timedelta(seconds=settings.LEASE_SECONDS)


def waiting_rounds() -> Any:
    """Rounds that a machine should work on and none does."""
    return Round.objects.filter(state__in=Round.MACHINE_STATES).filter(
        Q(lease_until__isnull=True) | Q(lease_until__lt=Now())
    )


def round_take(*, round_id: int, owner: str) -> Lease | None:
    """Takes a round that nobody works on; None where somebody does or nothing is left to do."""
    taken = (
        waiting_rounds()
        .filter(pk=round_id)
        .update(lease_owner=owner, lease_until=lease_end(), attempt=F("attempt") + 1)
    )
    if not taken:
        return None
    return Lease(round_id, owner, Round.objects.values_list("attempt", flat=True).get(pk=round_id))


def round_renew(lease: Lease, **changes: Any) -> bool:
    """Renews the lease and writes progress with it; False once it is lost (cancelled, or taken over)."""
    return bool(lease.held().update(lease_until=lease_end(), **changes))
