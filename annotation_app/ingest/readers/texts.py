"""Read a folder or zip archive of plain texts: each file .txt is a row, and its name is the row's id.

`speeches/may.txt` is the row `speeches/may` with the title `may` and, beside its text, the folder `speeches`. Where all
files lie in one folder of a zip archive, that folder's name is left out, so that the folder itself gives the same ids.
"""

import io
from collections.abc import Iterator, Sequence
from pathlib import PurePosixPath

from annotation_app.ingest.archive import Archive, archive_opened
from annotation_app.ingest.damage import PartEnded
from annotation_app.ingest.encodings import ESCAPE, encoding_of
from annotation_app.ingest.lines import BYTE_ORDER_MARK, check_decoded
from annotation_app.ingest.mapping import Columns, Use
from annotation_app.ingest.rows import (
    MAX_TEXT_LENGTH,
    BadLine,
    Fault,
    ImportRow,
    Unreadable,
    check_characters,
    known_id,
    row_of,
)
from annotation_app.ingest.source import Source, length

ENDING = ".txt"
COLUMNS = ("file", "text")
MAPPING = Columns((Use("id", "file", "named"), Use("text", "text", "named")))
# No character takes more than four bytes.
MOST_BYTES = 4 * MAX_TEXT_LENGTH


def read_texts(source: Source) -> Iterator[ImportRow | BadLine]:
    """Yield a row for each text, in the order of the files' names. Raises Unreadable where there is none."""
    with archive_opened(source) as archive:
        names = sorted(name for name in archive.members if is_text(name))
        if not names:
            raise Unreadable(source.fault(f"The {archive.kind} holds no {ENDING} file."))
        source.columns, source.mapping = list(COLUMNS), MAPPING
        if source.folder is None:
            source.watch(source.file, length(source.file))
        ids = ids_of(names, is_zip=source.folder is None)
        n_bytes = 0
        for number, (name, own_id) in enumerate(zip(names, ids, strict=True), start=1):
            if source.part is not None and n_bytes >= source.part.most:
                raise PartEnded
            n_bytes += archive.size(name)
            yield text_row(archive, name, own_id, number)


def is_text(name: str) -> bool:
    return name.lower().endswith(ENDING)


def ids_of(names: Sequence[str], *, is_zip: bool) -> list[str]:
    tops = {PurePosixPath(name).parts[0] for name in names}
    has_top = is_zip and len(tops) == 1 and all("/" in name for name in names)
    return [(name.partition("/")[2] if has_top else name)[: -len(ENDING)] for name in names]


def text_row(archive: Archive, name: str, own_id: str, number: int) -> ImportRow | BadLine:
    source = archive.source
    data = archive.read(name, MOST_BYTES + 1)
    source.encoding = encoding_of(io.BytesIO(data), source.manner.encoding)
    text = data.decode(source.encoding.name, ESCAPE).removeprefix(BYTE_ORDER_MARK)
    known, place = {"id": own_id, "text": text}, PurePosixPath(own_id)
    folder = place.parent.as_posix()
    try:
        check_characters(own_id, "id")
        check_decoded(text, source.encoding_name)
        check_characters(text, "text")
        row = row_of(known | {"title": place.name}, {} if folder == "." else {"folder": folder}, name, number)
    except Fault as fault:
        return BadLine(name, None, fault.field, fault.message.replace("of the line", "of the file"), known_id(known))
    return row
