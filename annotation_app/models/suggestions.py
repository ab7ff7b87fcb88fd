"""Store whether annotators of a batch see what a model predicts, and when."""

from django.conf import settings
from django.db import models
from django.utils import timezone

from annotation_app.models.base import PublicModel
from annotation_app.models.evaluations import Evaluation
from annotation_app.models.rounds import Batch


class SuggestionSetting(PublicModel):
    """Store one setting of a batch: whose predictions its annotators see, and in which mode.

    A change adds a row, so that each annotation can name the setting under which it was made. `Batch.suggestions` is
    the setting in force; a batch without one has never shown any.
    """

    class Mode(models.TextChoices):
        OFF = "off"
        # Shown with the item, before anything is answered.
        BEFORE = "before"
        # Shown only once the annotator's own first answer is stored.
        AFTER = "after"

    batch = models.ForeignKey(Batch, on_delete=models.PROTECT, related_name="suggestion_settings")
    mode = models.CharField(max_length=10, choices=Mode.choices)
    evaluation = models.ForeignKey(Evaluation, on_delete=models.PROTECT, null=True, related_name="+")
    system = models.CharField(max_length=100, blank=True, default="")
    set_by = models.ForeignKey(settings.AUTH_USER_MODEL, on_delete=models.PROTECT, related_name="+")
    set_at = models.DateTimeField(default=timezone.now)

    class Meta:
        constraints = [
            models.CheckConstraint(
                condition=models.Q(mode="off", evaluation__isnull=True)
                | (~models.Q(mode="off") & models.Q(evaluation__isnull=False)),
                name="suggestions_name_an_evaluation",
            )
        ]

    @property
    def system_title(self) -> str:
        """Return what people call the system; empty where none is shown."""
        return self.evaluation.title_of(self.system) if self.evaluation else ""
