"""Run leased jobs: imports, releases, rounds and simulations are all taken, run, repeated and failed here."""

import logging
from typing import Any, ClassVar

from django.db import OperationalError, connection

from annotation_app.disk import fault_words, is_full
from annotation_app.models import LASTING, Lease, LeasedModel, LeaseLost

logger = logging.getLogger(__name__)


class LeasedJob:
    """Hold one attempt at a job. A subclass for each kind of job says how to run it and how to fail it."""

    model: ClassVar[type[LeasedModel]]
    # Exceptions whose message is the reason for which the job fails.
    reasons: ClassVar[tuple[type[Exception], ...]] = ()

    def __init__(self, row: Any, lease: Lease) -> None:
        self.row, self.lease = row, lease

    def execute(self) -> None:
        """Do the work and record it as done. Raises LeaseLost."""
        raise NotImplementedError

    def fail(self, reason: str) -> None:
        """Record that the job failed. Raises LeaseLost."""
        raise NotImplementedError

    @classmethod
    def run(cls, row_id: int) -> None:
        """Run a job in the worker. Do nothing where another worker has it, or where nothing is left to do."""
        lease = cls.model.take(row_id)
        if lease is None:
            return
        job = cls(cls.model._default_manager.get(pk=row_id), lease)
        try:
            if spent := lease.spent(job.row):
                job.fail(spent)
            else:
                job.attempt()
        except LeaseLost:
            logger.warning("%s was taken over by another worker, or cancelled.", lease.job)

    def attempt(self) -> None:
        """Run the job, and fail it for a reason that would stop the next attempt too. Raises LeaseLost.

        Any other exception leaves the lease to lapse, after which the next worker tries again.
        """
        try:
            with self.lease:
                self.execute()
        except self.reasons as error:
            self.fail(str(error))
        except OperationalError as error:
            if not is_full(error):
                raise
            self.fail_unforeseen(error)
        except LASTING as error:
            self.fail_unforeseen(error)

    def fail_unforeseen(self, error: Exception) -> None:
        logger.error("%s failed", self.lease.job, exc_info=error)
        self.fail(fault_words(error))

    def run_here(self) -> None:
        """Run the job once in this process, for a command. Raises LeaseLost, and KeyboardInterrupt after failing it."""
        try:
            self.attempt()
        except OperationalError as error:
            connection.close_if_unusable_or_obsolete()
            self.fail_unforeseen(error)
        except KeyboardInterrupt:
            self.fail("Stopped by the keyboard.")
            raise
        self.row.refresh_from_db()

    @classmethod
    def waiting(cls) -> list[tuple[int, int]]:
        """Return (id, attempt) of the jobs that a worker should take now, oldest first, for the worker's sweep."""
        return list(cls.model.waiting().order_by("pk").values_list("pk", "attempt"))
