"""Stream the items that match as JSON Lines, CSV or Excel, out of one snapshot.

A stage has the aggregated label of the independent answers. Labels of items that the reader may still answer, or whose
answer they may still change, are left out of the file and named as hidden.
"""

import json
from collections.abc import Iterator
from typing import Any

from django.db.models import BooleanField, Case, When
from django.utils.text import slugify

from annotation_app.aggregation.selectors import codebooks_of, newest_stages
from annotation_app.dashboards.items.filters import ItemFilters, hidden_condition, items_matching
from annotation_app.dashboards.items.outcomes import NOT_INDEPENDENT, ItemOutcome, item_outcomes
from annotation_app.dashboards.log.words import batch_words
from annotation_app.export.kinds import JSONL, TABLES, Kind
from annotation_app.export.label_tables import Cells, Table, cell_of, meta_names, picked
from annotation_app.export.options import ExportOptions
from annotation_app.export.snapshot import Snapshot
from annotation_app.export.stream import Export, TableFile, export_logged

FORMATS = (JSONL.name, *TABLES)
COLUMNS = ("id", "text", "speaker", "document_id", "document_title", "batch", "done", "needed", "left_out", "hidden")
STAGE = ("label", "name", "state")
# Of each item of the query below, in its order.
DETAILS = """
    SELECT
      item.id, item.external_id, item.text, u.speaker, d.external_id, d.title, p.kind, p.number, p.done, p.needed,
      CASE item.left_out WHEN 'by_admin' THEN item.left_out_reason ELSE nullif(item.left_out, '') END,
      chosen.is_hidden, (d.meta || u.meta || item.meta)::text
    FROM ({chosen}) AS chosen (id, is_hidden)
    JOIN annotation_app_item item ON item.id = chosen.id
    JOIN annotation_app_utterance u ON u.id = item.utterance_id
    JOIN annotation_app_document d ON d.id = item.document_id
    LEFT JOIN LATERAL (
      SELECT g.kind, g.number, g.done, g.needed
      FROM rules.data_item i JOIN rules.item_progress g ON g.batch_item = i.id
      WHERE i.item_id = item.id AND g.kind <> ALL(%s)
      ORDER BY i.id DESC LIMIT 1
    ) p ON true
    ORDER BY item.id
"""
META_KEYS = """
    SELECT DISTINCT key FROM annotation_app_item item
    JOIN annotation_app_utterance u ON u.id = item.utterance_id
    JOIN annotation_app_document d ON d.id = item.document_id
    CROSS JOIN LATERAL jsonb_object_keys(d.meta || u.meta || item.meta) AS key
    WHERE item.project_id = %(project)s ORDER BY key
"""


class ItemsFile:
    """Read the records and rows of one file. `filters` are evaluated in the snapshot, but for answers just before."""

    def __init__(self, filters: ItemFilters) -> None:
        self.project = filters.reader.project
        hidden = Case(When(hidden_condition(filters.reader), then=True), default=False, output_field=BooleanField())
        chosen = items_matching(filters).order_by().annotate(is_hidden=hidden).values_list("pk", "is_hidden")
        self.chosen, self.values = chosen.query.sql_with_params()
        self.outcomes = item_outcomes(self.project)
        self.stages = newest_stages(codebooks_of(self.project))

    def total(self, snapshot: Snapshot, _: ExportOptions) -> int:
        return int(snapshot.value(f"SELECT count(*) FROM ({self.chosen}) AS chosen", self.values))

    def records(self, snapshot: Snapshot, _: ExportOptions) -> Iterator[dict[str, Any]]:
        """Yield a record an item, in the order of import."""
        kinds = [str(kind) for kind in NOT_INDEPENDENT]
        for row in snapshot.rows(DETAILS.format(chosen=self.chosen), (*self.values, kinds)):
            yield self.record(*row)

    def record(
        self,
        pk: int,
        name: str,
        text: str,
        speaker: str,
        document: str,
        title: str,
        kind: str | None,
        number: int | None,
        done: int | None,
        needed: int | None,
        left_out: str | None,
        is_hidden: bool,
        meta: str,
    ) -> dict[str, Any]:
        outcome = None if is_hidden else self.outcomes.by_item.get(pk)
        return {
            "id": name,
            "text": text,
            "speaker": speaker,
            "document": {"id": document, "title": title},
            "batch": None if kind is None else batch_words(kind, number),
            "done": done or 0,
            "needed": needed or 0,
            "left_out": left_out,
            "hidden": is_hidden,
            "labels": labels_of(outcome) if outcome else {},
            "meta": json.loads(meta),
        }

    def rows(self, snapshot: Snapshot, options: ExportOptions) -> Iterator[Cells]:
        """Yield the header, then a row an item, with the same columns in every row."""
        meta = [key for (key,) in snapshot.rows(META_KEYS, {"project": self.project.pk})]
        yield [*COLUMNS, *(f"{stage}_{part}" for stage in self.stages for part in STAGE), *meta_names(meta)]
        for record in self.records(snapshot, options):
            document = record["document"]
            flat = record | {"document_id": document["id"], "document_title": document["title"]}
            said = [record["labels"].get(stage, {}) for stage in self.stages]
            told = (cell_of(each.get(part)) for each in said for part in STAGE)
            yield [*(flat[column] for column in COLUMNS), *told, *picked(record, meta)]


def labels_of(outcome: ItemOutcome) -> dict[str, dict[str, Any]]:
    """Return the stages that apply, with the aggregated label as its type exports it, its name, state and votes."""
    return {
        key: {
            "state": "no_majority" if found.state == "tie" else found.state,
            "label": None if found.label is None else outcome.codebook.by_key[key].exported(found.label),
            "name": None if found.label is None else outcome.codebook.by_key[key].name_of(found.label),
            "votes": found.votes,
        }
        for key, found in outcome.stages.items()
        if found.state != "not_applicable"
    }


def items_open(*, filters: ItemFilters, format: str, bom: bool) -> Export:
    """Open the snapshot, count, and log who took which items out. The caller iterates or closes.

    `format` is one of FORMATS. Raises Invalid.
    """
    file = ItemsFile(filters)
    kind = Kind(lambda snapshot, options: (file.total(snapshot, options), file.records(snapshot, options)), ())
    table = TableFile(TABLES[format], Table(file.total, file.rows)) if format in TABLES else None
    project = filters.reader.project
    name = f"{slugify(project.name) or 'project'}-items.{format}"
    export = Export(kind, ExportOptions(project, bom=bom), name, table=table)
    said = {"kind": "items", "format": format, "names": False, "filters": asked_words(filters)}
    return export_logged(export, project=project, actor_id=filters.reader.user_id, **said)


def asked_words(filters: ItemFilters) -> dict[str, Any]:
    """Return the filters that are set, for the log."""
    usual = vars(ItemFilters(filters.reader))
    set_ones = {name: value for name, value in vars(filters).items() if value != usual[name]}
    return {name: value if isinstance(value, str | tuple) else str(value) for name, value in set_ones.items()}
