"""Track a project's annotation budget, in items issued in round batches."""

from django.db import transaction

from annotation_app.models import Batch, Item, Project, User, event_write
from annotation_app.refusals import Invalid


def budget_spent(project: Project) -> int:
    """Count the items issued in round batches."""
    rounds = {"batch_items__batch__kind": Batch.Kind.ROUND, "batch_items__is_check": False}
    return Item.objects.filter(project=project, **rounds).distinct().count()


def budget_left(project: Project) -> int | None:
    """Return how many items may still be issued; None without a budget."""
    return None if project.annotation_budget is None else project.annotation_budget - budget_spent(project)


@transaction.atomic
def budget_set(*, project: Project, annotation_budget: int | None, actor: User) -> None:
    """Set or remove the project's budget, in items. Raises Invalid for one below what is spent."""
    locked = Project.objects.select_for_update(no_key=True).get(pk=project.pk)
    spent = budget_spent(locked)
    if annotation_budget is not None and annotation_budget < spent:
        raise Invalid({"annotation_budget": [f"{spent} items are spent already: choose at least as many."]})
    if annotation_budget == locked.annotation_budget:
        return
    event_write(
        verb="budget_set",
        project=project,
        actor_id=actor.pk,
        subject=project.uuid,
        old=locked.annotation_budget,
        new=annotation_budget,
    )
    locked.annotation_budget = project.annotation_budget = annotation_budget
    locked.save(update_fields=["annotation_budget"])
