"""Make rows of what other annotation tools export. Their spans are marks, with offsets checked against the text.

Tools count offsets in code points or in UTF-16 code units. Where both readings differ, the words that the file gives
for a span decide; a reading is never guessed.
"""

import json
from bisect import bisect_left
from collections.abc import Callable, Iterable, Iterator
from functools import lru_cache
from typing import Any, NamedTuple

from annotation_app.ingest.mapping import Columns, Use
from annotation_app.ingest.readers.jsonl import Given
from annotation_app.ingest.rows import BadLine, Fault, ImportRow, kind, known_id, number_text, row_of
from annotation_app.ingest.source import Source
from annotation_app.ingest.stand_off import read_spans

COLUMNS = ("id", "text", "spans")
MAPPING = Columns((Use("id", "id", "named"), Use("text", "text", "named")))


class Marked(NamedTuple):
    """Hold a text with its spans as `stand_off.read_spans` takes them, and what is kept beside it."""

    id: Any
    text: Any
    spans: list[dict[str, Any]]
    beside: dict[str, Any]


def begin(source: Source) -> None:
    """Tell the source that its fields have names of their own."""
    source.columns, source.mapping = list(COLUMNS), MAPPING


def marked_rows(
    source: Source, objects: Iterable[Given | BadLine], marked_of: Callable[[dict[str, Any]], Marked]
) -> Iterator[ImportRow | BadLine]:
    """Yield a row, or its first fault, for each object of a file. `marked_of` reads the tool's own keys."""
    begin(source)
    for given in objects:
        if isinstance(given, BadLine):
            yield given
            continue
        try:
            marked = marked_of(given.fields)
        except Fault as fault:
            yield fault.at(source.name, given.line, known_id({"id": number_text(given.fields.get("id"))}))
        else:
            yield marked_row(marked, source, given.line, given.number)


def marked_row(marked: Marked, source: Source, line: int, number: int, file: str = "") -> ImportRow | BadLine:
    """Return the row, or its first fault. `number` counts the texts, for those without an id."""
    known = {"id": number_text(marked.id), "text": marked.text}
    if source.manner.number_rows and known["id"] in (None, ""):
        known["id"] = f"{source.stem}-{number}"
    place = file or source.name
    try:
        row = row_of({name: value for name, value in known.items() if value is not None}, marked.beside, place, line)
        return row._replace(spans=read_spans({"spans": unique(marked.spans)}, row.text, ()))
    except Fault as fault:
        return fault.at(place, line, known_id(known))


def unique(spans: Iterable[dict[str, Any]]) -> list[dict[str, Any]]:
    """Return spans once: tools let people mark the same words twice with one label."""
    return list({json.dumps(span, sort_keys=True): span for span in spans}.values())


def in_code_points(text: str, start: Any, end: Any, words: Any, path: str) -> tuple[int, int]:
    """Return a range in code points, of offsets whose unit the file does not say.

    Raises Fault where `words` stand at neither reading, and where readings differ and nothing tells which is meant.
    """
    check_offsets(start, end, path)
    readings = list(dict.fromkeys([(start, end), *filter(None, [from_utf16(text, start, end)])]))
    if isinstance(words, str):
        fitting = [(low, high) for low, high in readings if text[low:high] == words]
        if not fitting:
            raise Fault(path, f"The text at {start} to {end} is not {words[:80]!r}, which the file gives for it.")
        readings = fitting
    if len(readings) > 1:
        message = f"{start} to {end} may count code points or UTF-16 units, which differ in this text: give the words."
        raise Fault(path, message)
    return readings[0]


def from_utf16(text: str, start: int, end: int) -> tuple[int, int] | None:
    """Return a range of UTF-16 code units in code points; None where it begins or ends within a character."""
    starts = wide_starts(text)
    places = []
    for at in (start, end):
        before = bisect_left(starts, at)
        is_within = before and starts[before - 1] + 1 == at
        if is_within or at > len(text) + len(starts):
            return None
        places.append(at - before)
    return places[0], places[1]


@lru_cache(maxsize=1)
def wide_starts(text: str) -> list[int]:
    """Return at which unit each character of two units begins. It is kept while the spans of one text are read."""
    if text.isascii():
        return []
    wide = (place for place, character in enumerate(text) if character > "\uffff")
    return [place + before for before, place in enumerate(wide)]


def check_offsets(start: Any, end: Any, path: str) -> None:
    for name, value in (("start", start), ("end", end)):
        if type(value) is not int or value < 0:
            told = "a number below 0" if type(value) is int else kind(value)
            raise Fault(path, f"The {name} must be a whole number from 0, not {told}.")
