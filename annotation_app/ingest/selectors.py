"""Read imports, and the source documents that came with items."""

from collections import defaultdict
from collections.abc import Sequence
from typing import Any

from django.db.models import QuerySet

from annotation_app.models import Import, ItemSource, Project, SourceDocument


def imports_of(project: Project) -> QuerySet[Import]:
    """Return the imports, newest first."""
    return project.imports.select_related("created_by", "undone_by").order_by("-pk")


def report_of(imported: Import) -> dict[str, Any]:
    """Return the report of an import that ended."""
    if imported.report is None:
        raise ValueError(f"Import {imported.uuid} is {imported.state}: it has no report yet.")
    return dict(imported.report)


def sources_of(item_ids: Sequence[int], *, with_text: bool = False) -> dict[int, list[SourceDocument]]:
    """Return source documents by item id, in the order in which the item named them, in one query."""
    links = ItemSource.objects.filter(item__in=item_ids).select_related("source_document").order_by("position")
    found: dict[int, list[SourceDocument]] = defaultdict(list)
    for link in links if with_text else links.defer("source_document__text", "source_document__meta"):
        found[link.item_id].append(link.source_document)
    return dict(found)
