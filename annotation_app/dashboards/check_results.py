"""Count how people did with the check items of batches, for admins only."""

from collections.abc import Sequence
from dataclasses import dataclass

from django.db import connection

from al_worker.formats.intervals import wilson
from al_worker.formats.paper_tables import Interval
from annotation_app.dashboards.statements import check_results_statement
from annotation_app.models import Batch


@dataclass(frozen=True)
class CheckResult:
    """Count one person's check items: `right` of those `answered`, and apart from them those `skipped`."""

    answered: int = 0
    right: int = 0
    skipped: int = 0

    @property
    def share(self) -> Interval | None:
        """Return the share of right answers with Wilson's 95 % interval; None without answers."""
        return wilson(self.right, self.answered)


def check_results(batches: Sequence[Batch]) -> dict[int, CheckResult]:
    """Return the results by membership id, of everybody who was given a check item of these batches."""
    with connection.cursor() as cursor:
        cursor.execute(check_results_statement(), {"batches": [batch.pk for batch in batches]})
        return {annotator: CheckResult(*counts) for annotator, *counts in cursor.fetchall()}
