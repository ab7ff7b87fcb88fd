"""Read the imported columns of a project, and choose which of them annotators see beside a text.

A column is a path: its name, or for a column that holds an object, its name and a name within it.
"""

import json
from collections.abc import Sequence
from typing import Any, NamedTuple

from django.db import connection, transaction

from annotation_app.models import Item, Project, User, event_write
from annotation_app.refusals import Invalid

MOST = 300
MOST_SHOWN = 20
EXAMPLE_CHARACTERS = 80
Path = tuple[str, ...]
COLUMNS = """
    WITH given AS (
        SELECT e.key, e.value FROM annotation_app_document d CROSS JOIN LATERAL jsonb_each(d.meta) e
        WHERE d.project_id = %(project)s
      UNION ALL
        SELECT e.key, e.value FROM annotation_app_document d
        JOIN annotation_app_utterance u ON u.document_id = d.id CROSS JOIN LATERAL jsonb_each(u.meta) e
        WHERE d.project_id = %(project)s
      UNION ALL
        SELECT e.key, e.value FROM annotation_app_item i CROSS JOIN LATERAL jsonb_each(i.meta) e
        WHERE i.project_id = %(project)s
    ), paths AS (
        SELECT ARRAY[key] AS path, value FROM given WHERE jsonb_typeof(value) <> 'object'
      UNION ALL
        SELECT ARRAY[given.key, e.key], e.value FROM given
        CROSS JOIN LATERAL jsonb_each(CASE jsonb_typeof(given.value) WHEN 'object' THEN given.value ELSE '{}' END) e
    )
    SELECT path, min(left(value #>> '{}', %(characters)s))
    FROM paths WHERE value NOT IN ('null', '""') GROUP BY path ORDER BY path LIMIT %(most)s
"""


class Column(NamedTuple):
    path: Path
    name: str
    example: str
    shown: bool


def columns_of(project: Project) -> list[Column]:
    """Return the columns in alphabetical order.

    Columns that are empty everywhere are left out, unless they are shown.
    """
    with connection.cursor() as cursor:
        cursor.execute(COLUMNS, {"project": project.pk, "characters": EXAMPLE_CHARACTERS, "most": MOST})
        found = {tuple(path): example for path, example in cursor.fetchall()}
    shown = shown_paths(project)
    found |= {path: "" for path in shown if path not in found}
    return [Column(path, name_of(path), example, path in shown) for path, example in sorted(found.items())]


def shown_paths(project: Project) -> tuple[Path, ...]:
    return tuple(tuple(json.loads(stored)) for stored in project.shown_columns)


@transaction.atomic
def columns_show(*, project: Project, actor: User, paths: Sequence[Path]) -> None:
    """Set which columns are seen, in this order. Raises Invalid."""
    project = Project.objects.select_for_update(no_key=True).get(pk=project.pk)
    known = {column.path for column in columns_of(project)}
    unknown = [name_of(path) for path in paths if path not in known]
    if unknown:
        raise Invalid({"shown": [f"No text of this project has a column {unknown[0]!r}."]})
    if len(paths) > MOST_SHOWN:
        raise Invalid({"shown": [f"At most {MOST_SHOWN} columns can be shown beside a text."]})
    stored = list(dict.fromkeys(json.dumps(list(path), ensure_ascii=False) for path in paths))
    if stored == project.shown_columns:
        return
    project.shown_columns = stored
    project.save(update_fields=["shown_columns"])
    names = ", ".join(name_of(path) for path in paths) or "none"
    event_write(verb="columns_shown", project=project, actor_id=actor.pk, subject=project.uuid, columns=names)


def name_of(path: Path) -> str:
    """Name a column of `meta` in a ConvoKit corpus by its own name."""
    return ": ".join(path[1:] if len(path) > 1 and path[0] == "meta" else path)


def beside_of(item: Item, paths: Sequence[Path]) -> list[dict[str, Any]]:
    """Name and value of each of these columns that the item has; it comes with its document and utterance."""
    if not paths:
        return []
    meta = item.document.meta | item.utterance.meta | item.meta
    values = ((name_of(path), value_at(meta, path)) for path in paths)
    return [{"name": name, "value": value} for name, value in values if value not in (None, "")]


def all_beside(item: Item) -> list[dict[str, Any]]:
    """Name and value of every column that the item has, for those who may see them all."""
    meta = item.document.meta | item.utterance.meta | item.meta
    paths = [
        path
        for key, value in sorted(meta.items())
        for path in ([(key, name) for name in sorted(value)] if isinstance(value, dict) else [(key,)])
    ]
    return beside_of(item, paths)


def value_at(meta: Any, path: Path) -> Any:
    for key in path:
        meta = meta.get(key) if isinstance(meta, dict) else None
    return meta
