"""Read a folder or zip archive of brat stand-off: each `.txt` with its `.ann`, whose text-bound lines become marks.

brat counts code points, and gives the words of each range. Relations, events, attributes and notes are kept beside the
text as they stand.
"""

import io
import re
from collections import defaultdict
from collections.abc import Iterator, Sequence
from typing import Any

from annotation_app.ingest.archive import Archive, archive_opened
from annotation_app.ingest.damage import PartEnded
from annotation_app.ingest.encodings import ESCAPE, encoding_of
from annotation_app.ingest.lines import BYTE_ORDER_MARK, check_decoded
from annotation_app.ingest.readers.foreign import Marked, begin, marked_row
from annotation_app.ingest.readers.texts import ENDING, MOST_BYTES, ids_of, is_text
from annotation_app.ingest.rows import BadLine, Fault, ImportRow, Unreadable, check_characters, known_id
from annotation_app.ingest.source import Source, length

MARKS = ".ann"
# A range that goes over a line's end has its words with a blank in the end's place.
LINE_ENDS = re.compile(r"[\r\n]")


def read_brat(source: Source) -> Iterator[ImportRow | BadLine]:
    """Yield a row for each text, in the order of the files' names. Raises Unreadable where there is none."""
    with archive_opened(source) as archive:
        names = sorted(name for name in archive.members if is_text(name))
        if not names:
            raise Unreadable(source.fault(f"The {archive.kind} holds no {ENDING} file."))
        begin(source)
        if source.folder is None:
            source.watch(source.file, length(source.file))
        marks, faults = marks_beside(names, sorted(name for name in archive.members if is_marks(name)))
        yield from faults
        n_bytes = 0
        for number, (name, own_id) in enumerate(
            zip(names, ids_of(names, is_zip=source.folder is None), strict=True), start=1
        ):
            if source.part is not None and n_bytes >= source.part.most:
                raise PartEnded
            n_bytes += archive.size(name)
            yield text_row(archive, name, marks.get(name), own_id, number)


def is_marks(name: str) -> bool:
    return name.lower().endswith(MARKS)


def marks_beside(texts: Sequence[str], marks: Sequence[str]) -> tuple[dict[str, str], list[BadLine]]:
    """Return the .ann file of each text that has one, and a fault for each .ann file that is nobody's.

    Names may differ in upper and lower case, as they do where a file system takes no account of it.
    """
    exact, alike = defaultdict(list), defaultdict(list)
    for text in texts:
        exact[text[: -len(ENDING)]].append(text)
        alike[text[: -len(ENDING)].lower()].append(text)
    found: dict[str, str] = {}
    faults = []
    for name in sorted(marks, key=lambda name: name[: -len(MARKS)] not in exact):
        stem = name[: -len(MARKS)]
        owners = exact.get(stem) or alike.get(stem.lower(), [])
        free = [text for text in owners if text not in found]
        if len(free) == 1:
            found[free[0]] = name
        elif owners:
            message = f"Whose marks these are cannot be told: rename the files that are named like {owners[0]}."
            faults.append(BadLine(name, None, None, message))
        else:
            message = f"No text belongs to this file: add {stem}{ENDING}, or take the file out."
            faults.append(BadLine(name, None, None, message))
    return found, faults


def text_row(archive: Archive, name: str, beside_it: str | None, own_id: str, number: int) -> ImportRow | BadLine:
    try:
        check_characters(own_id, "id")
        text = decoded(archive, name)
        marks = ann_lines(decoded(archive, beside_it)) if beside_it else []
        spans, others = marks_of(marks, text)
        marked = Marked(own_id, text, spans, {"brat": others} if others else {})
    except Fault as fault:
        return BadLine(name, None, fault.field, fault.message, known_id({"id": own_id}))
    found = marked_row(marked, archive.source, number, number, name)
    return found._replace(line=number) if isinstance(found, ImportRow) else found


def decoded(archive: Archive, name: str) -> str:
    data = archive.read(name, MOST_BYTES + 1)
    encoding = encoding_of(io.BytesIO(data), archive.source.manner.encoding)
    archive.source.encoding = encoding
    text = data.decode(encoding.name, ESCAPE).removeprefix(BYTE_ORDER_MARK)
    check_decoded(text, archive.source.encoding_name)
    check_characters(text, "text")
    return text


def ann_lines(text: str) -> list[str]:
    """Cut at line feeds alone: the words of a range and notes may hold other signs that end a line elsewhere."""
    return [line.removesuffix("\r") for line in text.split("\n")]


def marks_of(lines: Sequence[str], text: str) -> tuple[list[dict[str, Any]], list[str]]:
    """Return the spans, and the other lines. Raises Fault with the line of the .ann file."""
    spans, others = [], []
    for number, line in enumerate(lines, start=1):
        if line.startswith("T"):
            spans.append(span_of(line, text, f"ann line {number}"))
        elif line.strip():
            others.append(line)
    return spans, others


def span_of(line: str, text: str, path: str) -> dict[str, Any]:
    parts = line.split("\t")
    if len(parts) != 3:
        raise Fault(path, "A text-bound line needs an id, a label with its range, and the words, with tabs between.")
    label, _, ranges = parts[1].partition(" ")
    if ";" in ranges:
        raise Fault(path, f"The range {ranges[:60]} has gaps, which a span cannot have: mark its parts apart in brat.")
    numbers = ranges.split()
    if len(numbers) != 2 or not all(each.isascii() and each.isdecimal() for each in numbers):
        raise Fault(path, f"{ranges[:60]!r} is no range: two whole numbers are needed.")
    start, end = map(int, numbers)
    if LINE_ENDS.sub(" ", text[start:end]) != LINE_ENDS.sub(" ", parts[2]):
        raise Fault(path, f"The text at {start} to {end} is not {parts[2][:80]!r}, which the line gives for it.")
    return {"start": start, "end": end, "category": label}
