"""Run long jobs of models, which wait for rounds and give way to them."""

import time
from collections.abc import Iterable

from django.db.models import Q
from django.db.models.functions import Now

from al_worker.bridge.process import Progress
from annotation_app.leased_jobs import LeasedJob
from annotation_app.models import Lease, Round

# How often the lease is renewed and a waiting round is looked for.
LOOK_SECONDS = 1.0
GIVES_WAY = "Rounds go first: it goes on after the round."


def rounds_wait() -> bool:
    """Tell whether a round of any project waits for a worker. It goes first, because people wait for its batch."""
    return Round.waiting().exists()


class AfterRounds(LeasedJob):
    """Hold one attempt at a job of the core. One of its kind runs at a time, and none while a round waits."""

    def __init__(self, row: object, lease: Lease) -> None:
        super().__init__(row, lease)
        self.renewed = float("-inf")

    @classmethod
    def run(cls, row_id: int) -> None:
        """Run the job, unless a round waits."""
        if not rounds_wait():
            super().run(row_id)

    @classmethod
    def waiting(cls) -> list[tuple[int, int]]:
        """Return the oldest waiting job; none while a round waits or another job of the kind runs."""
        working = Q(state__in=cls.model.WORKING_STATES)
        at_work = cls.model._default_manager.filter(working, lease_until__gte=Now())
        return [] if rounds_wait() or at_work.exists() else super().waiting()[:1]

    def gives_way(self, core: Iterable[Progress | None]) -> bool:
        """Follow the core to its end, and return False; return True as soon as a round waits. Raises LeaseLost."""
        return any(self.follow(reported) and rounds_wait() for reported in core)

    def follow(self, reported: Progress | None) -> bool:
        """Take up progress; return False where nothing was written because the last renewal is recent."""
        if reported is not None:
            self.take_up(reported)
        if time.monotonic() - self.renewed < LOOK_SECONDS / 2:
            return False
        self.renew()
        return True

    def take_up(self, reported: Progress) -> None:
        """Note what the core reports."""
        raise NotImplementedError

    def renew(self) -> None:
        """Renew the lease, write progress and set `renewed`. Raises LeaseLost."""
        raise NotImplementedError
