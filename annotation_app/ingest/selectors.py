"""What can be asked about imports."""

from collections.abc import Iterable
from uuid import UUID

from django.db.models import QuerySet

from annotation_app.models import Import, Project


def imports_of(project: Project) -> QuerySet[Import]:
    """Newest first."""
    return project.imports.order_by("-pk")


def import_in(projects: Iterable[int], import_uuid: UUID) -> Import | None:
    """The import, if it belongs to one of these projects."""
    return Import.objects.select_related("project").filter(uuid=import_uuid, project__in=projects).first()
