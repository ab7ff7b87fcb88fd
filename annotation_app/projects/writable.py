"""Check whether a project may be changed, under the lock that archiving takes too."""

from annotation_app.models import Project

ARCHIVED = "This project is archived: nothing in it can be changed. An admin of it can restore it under Settings."


class ProjectArchived(Exception):
    """The project is read only."""

    def __init__(self) -> None:
        super().__init__(ARCHIVED)


def writable_lock(project_id: int) -> Project:
    """Hold the project until the transaction ends: of an archiving and a start at once, one sees the other.

    Raises ProjectArchived.
    """
    project = Project.objects.select_for_update(no_key=True).get(pk=project_id)
    if project.archived_at is not None:
        raise ProjectArchived
    return project
