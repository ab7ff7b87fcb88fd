"""Read a text set with its closed work, and write it as a folder of files: for its own export, and in releases."""

from collections.abc import Mapping, Sequence
from dataclasses import dataclass

from al_worker.formats.paper_tables import Cell, Column, Table
from annotation_app.export.lines import json_line
from annotation_app.factoids.tables import agreement_table
from annotation_app.models import TextSet
from annotation_app.releases.factoid_records import READ, ClosedWork, Record, whole_list
from annotation_app.releases.folder import Folder
from annotation_app.releases.markdown import inline

HOLDS = {
    "texts": "The texts of the set, each with its sentences",
    "phases": "The phases of work: who worked, and when",
    "lists": "The factoid lists of closed phases, and the published ones",
    "factoids": "The factoids of each list, with the sentences that have them",
    "links": "The links between two lists that were paired",
    "relations": "What people said two factoids are to each other, with all that was said before",
    "items": "What second looks and consensus phases asked, with the answers and notes",
    "decisions": "The steps that decided items: who answered what, with the answer and note before",
    "agreement": "Agreement of annotation and of definition, by phase",
    "consensus": "The factoids of the published lists, with their weights",
    "scores": "The scores of the texts by the lists that stand for everyone",
}


@dataclass(frozen=True)
class SetFiles:
    """Hold what the files of a set say: records by file, whole lists by name, and agreement as a table."""

    records: Mapping[str, Sequence[Record]]
    lists: Mapping[str, Record]
    agreement: Table


def set_read(text_set: TextSet) -> SetFiles:
    """Read a set with pseudonyms in place of names. The caller holds one snapshot."""
    work = ClosedWork(text_set)
    return SetFiles(
        records={name: list(read(work)) for name, read in READ.items()},
        lists={str(work.name_of(pk)): whole_list(work, row) for pk, row in work.lists.items()},
        agreement=agreement_table(work.agreement),
    )


def set_write(folder: Folder, files: SetFiles, *, under: str = "") -> None:
    """Write the files; `under` is the path before each name."""
    for name, records in files.records.items():
        folder.write(f"{under}{name}.jsonl", map(json_line, records), records=True)
    for name, record in files.lists.items():
        folder.write(f"{under}lists/{name}.json", [json_line(record)])


def table_markdown(table: Table) -> str:
    """Return a table of figures, or why there is none."""
    if table.missing:
        return table.missing
    heads = [inline(column.title) for column in table.columns]
    lines = ["---:" if column.kind == "number" else "---" for column in table.columns]
    rows = [[shown(cell, column) for cell, column in zip(row, table.columns, strict=True)] for row in table.rows]
    notes = "".join(f"\n\n{inline(note)}" for note in table.notes)
    return "\n".join(f"| {' | '.join(row)} |" for row in (heads, lines, *rows)) + notes


def shown(cell: Cell, column: Column) -> str:
    text = " ".join(filter(None, (cell.text, cell.bracketed)))
    return text if column.kind == "number" else inline(text)
