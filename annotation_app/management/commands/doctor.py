"""manage.py doctor: examines the installation and says what to mend."""

from typing import Any

from django.core.management.base import BaseCommand, CommandError

from annotation_app.management.examination import examined


class Command(BaseCommand):
    help = "Examines settings, database, workers, broker, storage, disk, clock and mail, and says what to mend."
    # Their faults are among the findings.
    requires_system_checks: list[str] = []
    requires_migrations_checks = False

    def handle(self, *args: Any, **given: Any) -> None:
        faults = 0
        for finding in examined():
            faults += finding.verdict == "fault"
            self.stdout.write(f"{finding.verdict:<8} {finding.part:<14} {finding.found}")
            if finding.verdict != "ok" and finding.remedy:
                self.stdout.write(f"{'':<23} {finding.remedy}")
        if faults:
            raise CommandError(f"{faults} {'fault' if faults == 1 else 'faults'} found.")
        self.stdout.write("No fault found.")
