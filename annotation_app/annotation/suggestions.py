"""Show a model's predictions to the annotators of a batch, where an admin turned that on, and record who saw them.

An annotation that was made with suggestions on the screen is not independent. Each annotation therefore names the
setting under which it was made, and the report compares answers before and after.
"""

from collections import defaultdict
from collections.abc import Mapping, Sequence
from dataclasses import dataclass
from uuid import UUID

from django.db import connection, transaction
from django.utils import timezone

from al_worker.formats.plurals import several
from annotation_app.annotation.statements import annotation_statement
from annotation_app.assignment.blinding import freeze_reason, locked_refusal, scope_check
from annotation_app.cached import Cache
from annotation_app.codebook.definition import pinned_codebook
from annotation_app.models import (
    Assignment,
    Batch,
    Evaluation,
    Membership,
    Prediction,
    Project,
    SuggestionSetting,
    User,
    event_write,
)
from annotation_app.refusals import Invalid, Refused

# States with an answer of the annotator: neither a claim nor a skip opens suggestions that follow it.
WITH_ANSWER = (Assignment.State.SUBMITTED, Assignment.State.SURPLUS)
# A setting is never changed, so that what was read once holds for ever.
settings_cache: Cache[int, SuggestionSetting] = Cache(10_000)


@dataclass(frozen=True)
class Suggestion:
    """Hold what an annotator may see of a model about one item.

    `stages` are its predictions by stage. They are None where the annotator's own answer comes first.
    """

    setting: SuggestionSetting
    stages: Mapping[str, Prediction] | None


@dataclass(frozen=True)
class OfferedSystem:
    """Hold a system that has predictions of `n` items of a batch."""

    evaluation: Evaluation
    system: str
    n: int


def setting_of(setting_id: int | None) -> SuggestionSetting | None:
    """Return the setting, or None where there is none or suggestions are off."""
    if setting_id is None:
        return None

    def load(ids: list[int]) -> dict[int, SuggestionSetting]:
        return SuggestionSetting.objects.select_related("evaluation").in_bulk(ids)

    setting = settings_cache.read([setting_id], load)[setting_id]
    return None if setting.mode == SuggestionSetting.Mode.OFF else setting


def suggestions_of(
    setting_id: int | None, rows: Sequence[Assignment], codebook_id: int | None
) -> dict[int, Suggestion]:
    """Return what is shown beside these assignments of one batch, by item id. It takes no query where they are off."""
    setting = setting_of(setting_id)
    if setting is None or codebook_id is None or not rows:
        return {}
    is_after = setting.mode == SuggestionSetting.Mode.AFTER
    shown = [row.batch_item.item_id for row in rows if row.state in WITH_ANSWER or not is_after]
    stages = pinned_codebook(codebook_id).parsed.by_key
    found: dict[int, dict[str, Prediction]] = defaultdict(dict)
    predictions = Prediction.objects.filter(evaluation=setting.evaluation, system=setting.system, item__in=shown)
    for prediction in predictions.defer("prompt", "raw"):
        # A stage may have gone since, and a question about context is predicted as yes or no.
        if prediction.stage in stages and prediction.label in stages[prediction.stage].classes:
            found[prediction.item_id][prediction.stage] = prediction
    return {
        item: Suggestion(setting, found.get(item, {}) if item in shown else None)
        for item in (row.batch_item.item_id for row in rows)
    }


def setting_shown(batch_id: int, shown: UUID | None, *, answered: bool) -> int | None:
    """Return the id of the setting whose suggestions a browser says were on the screen. Raises Invalid."""
    if shown is None:
        return None
    setting = SuggestionSetting.objects.filter(batch=batch_id, uuid=shown).exclude(mode="off").first()
    if setting is None:
        raise Invalid({"suggestions": ["This batch has no such suggestions: reload the page."]})
    if setting.mode == SuggestionSetting.Mode.AFTER and not answered:
        raise Invalid({"suggestions": ["These suggestions come after the first answer: send null with it."]})
    return setting.pk


def suggestions_reveal(row: Assignment, reader: Membership) -> None:
    """Record that a model's prediction is shown to the annotator after their own answer. Raises Refused."""
    setting = setting_of(row.batch_item.batch.suggestions_id)
    if setting is not None and setting.mode == SuggestionSetting.Mode.AFTER and row.state in WITH_ANSWER:
        if row.suggestions_shown_at is None:
            scope_check(reader)
        Assignment.objects.filter(pk=row.pk, suggestions_shown_at__isnull=True).update(
            suggestions_shown_at=timezone.now()
        )


def to_compare(setting_id: int | None, membership_id: int) -> list[tuple[UUID, int]]:
    """Return (assignment, position) of the person's answers that differ from suggestions they have not looked at yet.

    Only the mode `after` has any. Frozen batches have none, because nothing in them can be revised.
    """
    setting = setting_of(setting_id)
    if setting is None or setting.mode != SuggestionSetting.Mode.AFTER:
        return []
    with connection.cursor() as cursor:
        values = {
            "member": membership_id,
            "batch": setting.batch_id,
            "evaluation": setting.evaluation_id,
            "model": setting.system,
        }
        cursor.execute(annotation_statement("differs_from_suggestion"), values)
        return list(cursor.fetchall())


@transaction.atomic
def suggestions_set(
    *, batch: Batch, mode: str, actor: User, evaluation: Evaluation | None = None, system: str = ""
) -> SuggestionSetting:
    """Show the annotators of a batch what a system predicts, from now on, or stop showing it.

    Raises Invalid where the system predicted no item of the batch, and Refused for a frozen batch or a second look.
    """
    batch = Batch.objects.select_for_update(no_key=True).get(pk=batch.pk)
    if batch.frozen_at is not None:
        raise locked_refusal(freeze_reason(batch.pk))
    if batch.kind == Batch.Kind.SECOND_LOOK:
        raise Refused("second_look", "A second look is about people's own answers: it has no suggestions.")
    if batch.kind == Batch.Kind.PRACTICE:
        raise Refused("practice", "A practice shows its key: it has no suggestions.")
    if mode == SuggestionSetting.Mode.OFF:
        evaluation, system = None, ""
    elif evaluation is None or not predicted(batch, evaluation, system):
        raise Invalid({"system": ["Choose a system that has predicted items of this batch."]})
    elif n := checks_unpredicted(batch, evaluation, system):
        raise Invalid(
            {
                "system": [
                    f"This system predicted no label for {several(n, 'check item')} of the batch, which would so be "
                    "told from the other items. Let it predict the whole batch first."
                ]
            }
        )
    setting = SuggestionSetting.objects.create(
        batch=batch, mode=mode, evaluation=evaluation, system=system, set_by=actor
    )
    batch.suggestions = setting
    batch.save(update_fields=["suggestions"])
    event_write(
        verb="suggestions_set",
        project=batch.project,
        actor_id=actor.pk,
        subject=batch.uuid,
        kind=batch.kind,
        number=batch.number,
        mode=str(mode),
        evaluation=evaluation.number if evaluation else None,
        system=system,
    )
    return setting


def predicted(batch: Batch, evaluation: Evaluation, system: str) -> bool:
    rows = Prediction.objects.filter(evaluation=evaluation, system=system, evaluation__project=batch.project_id)
    return rows.filter(item__batch_items__batch=batch, label__isnull=False).exists()


def checks_unpredicted(batch: Batch, evaluation: Evaluation, system: str) -> int:
    """Count the check items of the batch that have no prediction: they must not stand out from the others."""
    rows = Prediction.objects.filter(evaluation=evaluation, system=system, label__isnull=False)
    return batch.batch_items.filter(is_check=True).exclude(item__in=rows.values("item")).count()


def has_suggestions(project: Project) -> bool:
    """Tell whether any batch of the project has ever shown its annotators what a model predicts."""
    return SuggestionSetting.objects.filter(batch__project=project).exclude(mode=SuggestionSetting.Mode.OFF).exists()


def systems_offered(batch: Batch) -> list[OfferedSystem]:
    """Return the systems that have predicted items of the batch, those with the most items first."""
    with connection.cursor() as cursor:
        cursor.execute(annotation_statement("systems_with_predictions"), {"batch": batch.pk})
        rows = cursor.fetchall()
    evaluations = Evaluation.objects.in_bulk([pk for pk, _, _ in rows])
    return [OfferedSystem(evaluations[pk], system, n) for pk, system, n in rows]
