"""Register the formats, and find which one a file is in. A new one is a reader file and a line here."""

from collections.abc import Callable, Iterator
from dataclasses import dataclass

from annotation_app.ingest.damage import UNFORESEEN
from annotation_app.ingest.encodings import without_mark
from annotation_app.ingest.file_kinds import foreign, foreign_archive
from annotation_app.ingest.readers.convokit import read_convokit
from annotation_app.ingest.readers.csv_rows import read_csv
from annotation_app.ingest.readers.json_array import read_json
from annotation_app.ingest.readers.jsonl import read_jsonl
from annotation_app.ingest.rows import BadLine, ImportRow, Unreadable
from annotation_app.ingest.source import ZIP_MAGIC, Source

Reader = Callable[[Source], Iterator[ImportRow | BadLine]]
START = 4096


@dataclass(frozen=True)
class Format:
    """Describe a format.

    `is_archive` tells whether it comes as a folder or zip archive, and no other may. `rows` is what a row is, where the
    format says so. With `has_own_fields` no column is chosen for a field, and no row has a label. With `carries_spans`
    a row may hold a document, sources and spans as objects.
    """

    title: str
    read: Reader
    is_archive: bool = False
    rows: str | None = None
    has_own_fields: bool = False
    carries_spans: bool = False


FORMATS = {
    "convokit": Format("ConvoKit corpus", read_convokit, is_archive=True, rows="utterance", has_own_fields=True),
    "jsonl": Format("JSON Lines", read_jsonl, carries_spans=True),
    "json": Format("JSON", read_json, carries_spans=True),
    "csv": Format("CSV", read_csv),
}
READERS = {name: each.read for name, each in FORMATS.items()}
ARCHIVE = next(name for name, each in FORMATS.items() if each.is_archive)


def format_of(source: Source, asked: str) -> str:
    """Return the asked format, or with "auto" the one that the content shows.

    A folder or zip archive is ConvoKit, a text that starts with a brace is JSONL, with a bracket a JSON array, all else
    is CSV. Raises Unreadable for a file of another kind, which it names.
    """
    found = ARCHIVE if source.folder is not None else found_format(source)
    if asked not in ("auto", found) and ARCHIVE in (asked, found):
        kind = "a folder or zip archive" if found == ARCHIVE else "not a zip archive"
        raise Unreadable(source.fault(f"This is {kind}, and {asked} was asked for: choose {found}."))
    return found if asked == "auto" else asked


def found_format(source: Source) -> str:
    start = source.start(START)
    if start.startswith(ZIP_MAGIC):
        message = foreign_archive(source.file)
        if message:
            raise Unreadable(source.fault(message))
        return ARCHIVE
    if message := foreign(start):
        raise Unreadable(source.fault(message))
    text = beginning(start)
    if not text:
        raise Unreadable(source.fault("The file is empty."))
    return {"{": "jsonl", "[": "json"}.get(text[0], "csv")


def beginning(start: bytes) -> str:
    """Return the first characters that are no blanks: braces and brackets are ASCII in every encoding."""
    for mark, name in ((b"\xff\xfe\x00\x00", "utf-32-le"), (b"\xff\xfe", "utf-16-le"), (b"\xfe\xff", "utf-16-be")):
        if start.startswith(mark):
            return start.decode(name, "replace").removeprefix("\ufeff").lstrip()
    return start.decode(without_mark(start) or "utf-8", "replace").removeprefix("\ufeff").lstrip()


def read_rows(source: Source, found: str) -> Iterator[ImportRow | BadLine]:
    """Yield the file's rows.

    Errors that no reader foresaw are reported as faults of the file, with the line reached.
    """
    line: int | None = None
    try:
        for row in READERS[found](source):
            yield row
            line = row.line
    except UNFORESEEN as error:
        reached = "before its first row" if line is None else f"after line {line}"
        message = f"The file cannot be read {reached}: {type(error).__name__}, {error}."
        raise Unreadable(BadLine(source.name, line, None, message)) from error
