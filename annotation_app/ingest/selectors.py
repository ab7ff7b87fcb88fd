"""What can be asked about imports."""

from collections.abc import Iterable
from typing import Any
from uuid import UUID

from django.db.models import QuerySet

from annotation_app.models import Import, Project


def imports_of(project: Project) -> QuerySet[Import]:
    """Newest first."""
    return project.imports.order_by("-pk")


def import_in(projects: Iterable[Any], import_uuid: UUID) -> Import | None:
    """The import, if it belongs to one of these projects."""
    return Import.objects.select_related("project").filter(uuid=import_uuid, project__in=projects).first()


def report_of(imported: Import) -> dict[str, Any]:
    """The report of an import that ended."""
    if imported.report is None:
        raise ValueError(f"Import {imported.uuid} is {imported.state}: it has no report yet.")
    return dict(imported.report)
