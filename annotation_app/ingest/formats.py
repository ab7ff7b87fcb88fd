"""The formats there are, and which one a file is in. A new importer is one reader file and one line here."""

from collections.abc import Callable, Iterator

from annotation_app.ingest.readers.convokit import read_convokit
from annotation_app.ingest.readers.csv_rows import read_csv
from annotation_app.ingest.readers.jsonl import read_jsonl
from annotation_app.ingest.rows import BadLine, Row, Unreadable
from annotation_app.ingest.source import ZIP_MAGIC, Source

Reader = Callable[[Source], Iterator[Row | BadLine]]
READERS: dict[str, Reader] = {"convokit": read_convokit, "jsonl": read_jsonl, "csv": read_csv}


def format_of(source: Source, asked: str) -> str:
    """The asked format, or with "auto" the one that the content shows: a folder or zip archive is ConvoKit, lines that
    start with a bracket are JSONL, all else is CSV. Raises Unreadable for what is none.
    """
    if source.folder is not None:
        found = "convokit"
    else:
        start = source.start(4096).removeprefix(b"\xef\xbb\xbf").lstrip()
        if not start:
            raise Unreadable(source.fault("The file is empty."))
        found = "convokit" if start.startswith(ZIP_MAGIC) else "jsonl" if start[:1] in b"{[" else "csv"
    if asked not in ("auto", found) and "convokit" in (asked, found):
        kind = "a folder or zip archive" if found == "convokit" else "not a zip archive"
        raise Unreadable(source.fault(f"This is {kind}, and {asked} was asked for: choose {found}."))
    return found if asked == "auto" else asked
