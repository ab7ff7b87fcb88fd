"""manage.py seed_demo_rounds: the demo's first rounds, once, while the workers run."""

from typing import Any

from django.conf import settings
from django.core.management.base import BaseCommand, CommandError

from annotation_app.management.commands.seed_demo import ADMIN, SPANS, STAGES
from annotation_app.management.demo_rounds import DemoFailed, spans_work, stages_work
from annotation_app.models import Project
from annotation_app.refusals import Invalid, Refused

WORK = {STAGES.name: stages_work, SPANS.name: spans_work}


class Command(BaseCommand):
    help = "Gives the demo projects a finished round and open batches. A project that has a round stays as it is."
    requires_system_checks: list[str] = []

    def handle(self, *args: Any, **options: Any) -> None:
        if not settings.EMBEDDED:
            raise CommandError("The demo is made only on the servers that `make up` starts on this machine.")
        for project in Project.objects.filter(name__in=WORK, created_by__username=ADMIN, rounds=None):
            assert project.created_by is not None
            try:
                WORK[project.name](project, project.created_by)
            except (DemoFailed, Invalid, Refused) as error:
                raise CommandError(str(error)) from error
