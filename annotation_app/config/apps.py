"""Configure the one Django app."""

from typing import Any

from django.apps import AppConfig
from django.conf import settings
from django.db.backends.signals import connection_created
from django.db.models.signals import post_migrate, pre_migrate


class QuorumConfig(AppConfig):
    name = "annotation_app"
    verbose_name = "Quorum"
    default_auto_field = "django.db.models.BigAutoField"

    def ready(self) -> None:
        from annotation_app.config import checks  # noqa: F401  registers the system checks
        from annotation_app.config.grants import role_grant
        from annotation_app.config.rules import rules_create, rules_drop

        pre_migrate.connect(rules_drop, sender=self)
        post_migrate.connect(rules_create, sender=self)
        post_migrate.connect(role_grant, sender=self)
        if settings.SLOW_STATEMENT_MS:
            connection_created.connect(statements_watched)


def statements_watched(connection: Any, **_: Any) -> None:
    from annotation_app.monitoring.logs import statements_watch

    statements_watch(connection, settings.SLOW_STATEMENT_MS / 1000)
