"""Draw the stopping set once a project: pool items on which successive models' predictions are compared."""

from al_worker.formats.run_directory import STOPPING
from annotation_app.models import Project, Round, RoundFile, StoppingSet
from annotation_app.rounds.draw import eligible_items, uniform_draw

SIZE = 2_000


def stopping_set_ensure(*, project: Project) -> StoppingSet:
    """Draw it before the first round that learns, within the project's lock. What is issued or imported later changes
    nothing: the set must stay the same for models to be compared on it.
    """
    found = StoppingSet.objects.filter(project=project).first()
    if found is not None:
        return found
    return StoppingSet.objects.create(
        project=project,
        items=uniform_draw(project=project, key=f"{project.uuid}:stopping", size=SIZE),
        pool_size=eligible_items(project).count(),
    )


def previous_stopping(row: Round, stage: str) -> RoundFile | None:
    """Return the predictions on the set by the last model that learned the stage.

    The file may hold other stages too.
    """
    files = RoundFile.objects.filter(
        name=STOPPING,
        round__project=row.project_id,
        round__number__lt=row.number,
        round__learning_stages__contains=[stage],
    )
    return files.select_related("round").order_by("-round__number").first()
