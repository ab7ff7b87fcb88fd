"""Configure the one Django app."""

from django.apps import AppConfig
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
