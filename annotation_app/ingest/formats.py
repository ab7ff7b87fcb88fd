"""Register the formats, and find which one a file is in. A new one is a reader file and a line here."""

from collections.abc import Callable, Iterator
from dataclasses import dataclass
from pathlib import PurePosixPath

from annotation_app.ingest.archive import archive_opened
from annotation_app.ingest.damage import UNFORESEEN
from annotation_app.ingest.encodings import without_mark
from annotation_app.ingest.exports_told import export_format
from annotation_app.ingest.file_kinds import foreign, foreign_archive
from annotation_app.ingest.readers.brat import is_marks, read_brat
from annotation_app.ingest.readers.conll import read_conll
from annotation_app.ingest.readers.convokit import UTTERANCES, read_convokit
from annotation_app.ingest.readers.csv_rows import read_csv
from annotation_app.ingest.readers.dataset import is_table, read_dataset
from annotation_app.ingest.readers.doccano import read_doccano
from annotation_app.ingest.readers.json_array import read_json
from annotation_app.ingest.readers.jsonl import read_jsonl
from annotation_app.ingest.readers.label_studio import read_label_studio
from annotation_app.ingest.readers.parquet import read_parquet
from annotation_app.ingest.readers.texts import is_text, read_texts
from annotation_app.ingest.readers.workbook import read_workbook
from annotation_app.ingest.rows import BadLine, ImportRow, Unreadable
from annotation_app.ingest.source import ZIP_MAGIC, Source

Reader = Callable[[Source], Iterator[ImportRow | BadLine]]
START = 4096
# Of a text, to tell the exports of other tools.
LOOKED_AT = 256 * 1024
PARQUET_MAGIC = b"PAR1"
SHEETS = "xl/"


@dataclass(frozen=True)
class Format:
    """Describe a format.

    `file` says what its file is where the content alone tells that; other formats are texts, one of which may look like
    another. `rows` is what a row is, where the format says so. With `has_own_fields` no column is chosen for a field,
    and no row has a label. With `carries_spans` a row may hold a document, sources and spans as objects.
    """

    title: str
    read: Reader
    file: str = ""
    rows: str | None = None
    has_own_fields: bool = False
    carries_spans: bool = False


CORPUS = "a folder or zip archive"
FORMATS = {
    "convokit": Format(
        "ConvoKit corpus", read_convokit, f"{CORPUS} of a corpus", rows="utterance", has_own_fields=True
    ),
    "jsonl": Format("JSON Lines", read_jsonl, carries_spans=True),
    "json": Format("JSON", read_json, carries_spans=True),
    "csv": Format("CSV", read_csv),
    "xlsx": Format("Excel workbook", read_workbook, "an Excel workbook"),
    "parquet": Format("Parquet", read_parquet, "a Parquet file", carries_spans=True),
    "dataset": Format("Hugging Face dataset", read_dataset, f"{CORPUS} of a dataset", carries_spans=True),
    "texts": Format("Plain texts", read_texts, f"{CORPUS} of texts", rows="document", has_own_fields=True),
    "label_studio": Format("Label Studio export", read_label_studio, has_own_fields=True, carries_spans=True),
    "doccano": Format("doccano export", read_doccano, has_own_fields=True, carries_spans=True),
    "conll": Format("CoNLL file", read_conll, has_own_fields=True, carries_spans=True),
    "brat": Format("brat corpus", read_brat, f"{CORPUS} of brat stand-off", has_own_fields=True, carries_spans=True),
}
READERS = {name: each.read for name, each in FORMATS.items()}


def format_of(source: Source, asked: str) -> str:
    """Return the asked format, or with "auto" the one that the content shows.

    Archives, workbooks and Parquet files are told by their bytes, and archives by the names of their files. A text that
    starts with a brace is JSONL, with a bracket a JSON array, all else is CSV, but for the exports of other tools that
    nothing else looks like. Raises Unreadable for a file of another kind, which it names.
    """
    found = found_format(source)
    if asked not in ("auto", found) and (FORMATS[asked].file or FORMATS[found].file):
        kind = FORMATS[found].file or f"not {FORMATS[asked].file}"
        raise Unreadable(source.fault(f"This is {kind}, and {asked} was asked for: choose {found}."))
    return found if asked == "auto" else asked


def found_format(source: Source) -> str:
    if source.folder is not None:
        return archive_format(source)
    start = source.start(START)
    if start.startswith(ZIP_MAGIC):
        return archive_format(source)
    if start.startswith(PARQUET_MAGIC):
        return "parquet"
    if message := foreign(start):
        raise Unreadable(source.fault(message))
    text = beginning(start)
    if not text:
        raise Unreadable(source.fault("The file is empty."))
    # Chosen columns are those of plain rows: the fields of exports have names of their own.
    told = None if source.manner.columns else export_format(beginning(looked_at(source, start)))
    return told or {"{": "jsonl", "[": "json"}.get(text[0], "csv")


def looked_at(source: Source, start: bytes) -> bytes:
    """Return more of the file than its start, or just that where the file is damaged or cut: its reader says so."""
    try:
        return source.start(LOOKED_AT)
    except Unreadable:
        return start


def archive_format(source: Source) -> str:
    """Tell an archive by the names of its files. Raises Unreadable where it is damaged or of another kind."""
    with archive_opened(source) as archive:
        names = list(archive.members)
    if any(PurePosixPath(name).name == UTTERANCES for name in names):
        return "convokit"
    if any(name.startswith(SHEETS) for name in names):
        return "xlsx"
    if any(map(is_table, names)):
        return "dataset"
    if source.folder is None and (message := foreign_archive(source.file)):
        raise Unreadable(source.fault(message))
    if any(map(is_text, names)):
        return "brat" if any(map(is_marks, names)) else "texts"
    raise Unreadable(
        source.fault(f"The {archive.kind} holds no text to label: no {UTTERANCES}, no table and no .txt file.")
    )


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
