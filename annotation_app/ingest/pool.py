"""Tell what may be taken out of the pool, and when: never while a round reads it."""

from annotation_app.models import Project, Round


def pool_lock(project: Project) -> None:
    """Lock until the transaction ends, so that no round starts and no prototype batch is drawn."""
    Project.objects.select_for_update(no_key=True).get(pk=project.pk)


def choosing_reason(project: Project) -> str:
    """Return why nothing may leave the pool now, empty where it may: a round may choose what it has read."""
    row = project.rounds.filter(state__in=Round.CHOOSING_STATES).only("number", "state").first()
    if row is None:
        return ""
    if row.state == Round.State.FAILED:
        return f"Round {row.number} has failed and has read the pool: restart it or cancel it first."
    return f"Round {row.number} is choosing from the pool: wait until its batch is open."
