"""Write a text set with its closed work as a folder of files that `datasets` loads, packed as a ZIP file."""

from collections.abc import Mapping, Sequence
from datetime import datetime
from functools import cache
from pathlib import Path
from tempfile import TemporaryDirectory
from typing import BinaryIO

from django.template import Context, Engine, Template
from django.utils import timezone
from django.utils.text import slugify

from al_worker.formats.paper_tables import Cell, Column, Table
from al_worker.formats.plurals import several
from annotation_app.aggregation.planner import one_snapshot
from annotation_app.export.lines import json_line
from annotation_app.factoids.agreement import set_agreement
from annotation_app.factoids.events import event_of
from annotation_app.factoids.tables import agreement_table
from annotation_app.models import TextSet, User, event_write
from annotation_app.releases.factoid_records import FIELDS, READ, ClosedWork, Record, whole_list
from annotation_app.releases.features import features
from annotation_app.releases.folder import CARD, Folder, folder_zip
from annotation_app.releases.head import size_of, yaml_block
from annotation_app.releases.markdown import code, inline

TEMPLATES = Path(__file__).parent / "templates"
HOLDS = {
    "texts": "The texts of the set, each with its sentences",
    "phases": "The phases of work: who worked, and when",
    "lists": "The factoid lists of closed phases, and the published ones",
    "factoids": "The factoids of each list, with the sentences that have them",
    "links": "The links between two lists that were paired",
    "relations": "What people said two factoids are to each other, with all that was said before",
    "items": "What second looks and consensus phases asked, with the answers and notes",
    "agreement": "Agreement of annotation and of definition, by phase",
    "consensus": "The factoids of the published lists, with their weights",
    "scores": "The scores of the texts by the lists that stand for everyone",
}


def text_set_zip(*, text_set: TextSet, actor: User) -> tuple[str, BinaryIO]:
    """Return the name and the open ZIP file of a set, as it was at one moment. Names are pseudonyms.

    The audit log notes who exported it.
    """
    root = f"{slugify(text_set.name) or 'text-set'}-factoids"
    with one_snapshot():
        work, day = ClosedWork(text_set), timezone.now()
        files = {name: list(read(work)) for name, read in READ.items()}
        lists = {work.name_of(pk): whole_list(work, row) for pk, row in work.lists.items()}
        card = card_markdown(text_set, files, agreement_table(set_agreement(text_set, pseudonyms=True)), day)
    with TemporaryDirectory(prefix="factoids-") as place:
        folder, packed = Folder(Path(place) / "folder"), Path(place) / "set.zip"
        for name, records in files.items():
            folder.write(f"{name}.jsonl", map(json_line, records), records=True)
        for list_name, record in lists.items():
            folder.write(f"lists/{list_name}.json", [json_line(record)])
        folder.write(CARD, [card.encode()])
        folder_zip(folder, packed, root=root)
        # The open file can be read after its name is gone.
        opened = packed.open("rb")
    event_write(
        verb="export_made",
        **event_of(text_set, actor),
        kind="factoids",
        file=f"{root}.zip",
        lines=sum(map(len, files.values())),
        names=False,
    )
    return f"{root}.zip", opened


def card_markdown(text_set: TextSet, files: Mapping[str, Sequence[Record]], agreement: Table, day: datetime) -> str:
    """Return the dataset card, with the YAML head by which `datasets` loads the files."""
    # An empty file cannot be loaded.
    configs = [name for name, records in files.items() if records]
    head = {
        "pretty_name": text_set.name,
        "license": "unknown",
        "size_categories": [size_of(len(files["factoids"]))],
        "configs": [
            {"config_name": name, "data_files": f"{name}.jsonl"} | ({"default": True} if name == "factoids" else {})
            for name in configs
        ],
        "dataset_info": [{"config_name": name, "features": features(FIELDS[name])} for name in configs],
    }
    rows = [f"| {code(f'{name}.jsonl')} | {HOLDS[name]} | {len(records):,} |" for name, records in files.items()]
    parts = {
        "head": yaml_block(head),
        "title": inline(text_set.name),
        "n_texts": several(len(files["texts"]), "text"),
        "day": f"{day:%d %B %Y}".removeprefix("0"),
        "configs": configs,
        "files": "\n".join(["| File | What it holds | Lines |", "|---|---|---:|", *rows]),
        "agreement": agreement.missing or table_markdown(agreement),
    }
    return template().render(Context(parts, autoescape=False)).strip() + "\n"


@cache
def template() -> Template:
    return Engine(dirs=[str(TEMPLATES)], autoescape=False).get_template("factoid_set.md")


def table_markdown(table: Table) -> str:
    heads = [inline(column.title) for column in table.columns]
    lines = ["---:" if column.kind == "number" else "---" for column in table.columns]
    rows = [[shown(cell, column) for cell, column in zip(row, table.columns, strict=True)] for row in table.rows]
    notes = "".join(f"\n\n{inline(note)}" for note in table.notes)
    return "\n".join(f"| {' | '.join(row)} |" for row in (heads, lines, *rows)) + notes


def shown(cell: Cell, column: Column) -> str:
    text = " ".join(filter(None, (cell.text, cell.bracketed)))
    return text if column.kind == "number" else inline(text)
