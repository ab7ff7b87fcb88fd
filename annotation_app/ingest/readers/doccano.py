"""Read a JSONL export of doccano, whose labelled ranges become marks.

doccano counts UTF-16 units (doccano/doccano#2290) and gives no words to check them by. Labels of whole texts, relations
and comments are kept beside the text.
"""

from collections.abc import Iterator
from typing import Any

from annotation_app.ingest.readers.foreign import Marked, check_offsets, from_utf16, marked_rows
from annotation_app.ingest.readers.jsonl import line_objects
from annotation_app.ingest.rows import BadLine, Fault, ImportRow
from annotation_app.ingest.source import Source

# What holds ranges, by the version of doccano; the first one that does is read.
HOLDERS = ("entities", "label", "labels")


def read_doccano(source: Source) -> Iterator[ImportRow | BadLine]:
    return marked_rows(source, line_objects(source), example_of)


def example_of(fields: dict[str, Any]) -> Marked:
    name = "text" if "text" in fields else "data"
    text = fields.get(name)
    holder = next((each for each in HOLDERS if holds_ranges(fields.get(each))), None)
    spans = []
    if holder is not None and isinstance(text, str):
        spans = [span_of(each, text, f"{holder}[{place}]") for place, each in enumerate(fields[holder])]
    beside = {key: value for key, value in fields.items() if key not in ("id", name, holder)}
    return Marked(fields.get("id"), text, spans, beside)


def holds_ranges(value: Any) -> bool:
    """Tell ranges from labels of the whole text, which are words or numbers."""
    return isinstance(value, list) and any(isinstance(each, list | dict) for each in value)


def span_of(value: Any, text: str, path: str) -> dict[str, Any]:
    if isinstance(value, dict):
        value = [value.get("start_offset"), value.get("end_offset"), value.get("label")]
    if not isinstance(value, list) or len(value) != 3 or not isinstance(value[2], str):
        raise Fault(path, "A labelled range needs a start, an end and a label.")
    start, end, label = value
    check_offsets(start, end, path)
    found = from_utf16(text, start, end)
    if found is None:
        raise Fault(path, f"{start} to {end} is no range of the text, counted in UTF-16 units as doccano does.")
    return {"start": found[0], "end": found[1], "category": label}
