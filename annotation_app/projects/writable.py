"""Check whether a project may be changed, under the lock that archiving takes too."""

from annotation_app.models import Project
from annotation_app.refusals import Refused

ARCHIVED = "This project is archived, so nothing in it can be changed. One of its admins can restore it under Settings."


class ProjectArchived(Refused):
    """Refuse a change of a project that is read only."""

    def __init__(self) -> None:
        super().__init__("archived", ARCHIVED)


def writable_lock(project_id: int) -> Project:
    """Hold the project until the transaction ends: of an archiving and a start at once, one sees the other.

    Raises ProjectArchived.
    """
    project = Project.objects.select_for_update(no_key=True).get(pk=project_id)
    if project.archived_at is not None:
        raise ProjectArchived
    return project
