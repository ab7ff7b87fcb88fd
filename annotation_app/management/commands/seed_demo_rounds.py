"""manage.py seed_demo_rounds: the demo's first rounds, once, while the workers run."""

from typing import Any

from django.conf import settings
from django.core.management.base import BaseCommand, CommandError

from annotation_app.management.commands.seed_demo import ADMIN, NOTES, SPANS, STAGES
from annotation_app.management.demo_rounds import DemoFailed, demo_work
from annotation_app.models import Project, User
from annotation_app.refusals import Invalid, Refused


class Command(BaseCommand):
    help = "Gives the demo projects finished rounds and open batches. A project that has a round stays as it is."
    requires_system_checks: list[str] = []

    def handle(self, *args: Any, **options: Any) -> None:
        if not settings.EMBEDDED:
            raise CommandError("The demo is made only on the servers that `make up` starts on this machine.")
        admin = User.objects.get(username=ADMIN)
        demos = [demo.name for demo in (STAGES, SPANS, NOTES)]
        new = {each.name: each for each in Project.objects.filter(created_by=admin, name__in=demos, rounds=None)}
        if not new:
            return
        try:
            demo_work(new.get(STAGES.name), new.get(SPANS.name), new.get(NOTES.name), admin)
        except (DemoFailed, Invalid, Refused) as error:
            raise CommandError(str(error)) from error
