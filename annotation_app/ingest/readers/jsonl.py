"""Read JSON Lines, plain or as .gz: one object a line, `id` and `text` required.

Known fields are document_id, speaker, position, title, date; document {id, title}, sources and spans, which CSV cannot
carry. Every other field becomes meta. Empty lines are skipped.
"""

from collections.abc import Iterator
from itertools import chain
from typing import Any, NamedTuple

from annotation_app.ingest.damage import PartEnded
from annotation_app.ingest.lines import numbered_lines
from annotation_app.ingest.mapped import columns_found, placed
from annotation_app.ingest.mapping import NESTED, REQUIRED, plain_name
from annotation_app.ingest.objects import object_of
from annotation_app.ingest.rows import BadLine, Fault, ImportRow, Unreadable, known_id, missing, row_of
from annotation_app.ingest.source import Source
from annotation_app.ingest.stand_off import STAND_OFF, read_sources, read_spans

# Objects that are looked at before the first row, to tell what fields there are, and the most of their characters.
LOOKED_AT = 100
LOOKED_AT_CHARACTERS = 16 * 1024**2
SPREAD = (
    "This is one JSON object over several lines: write one object a line (JSON Lines), or an array of objects, [...]."
)


class Given(NamedTuple):
    """Hold a JSON object of a file. `number` counts the objects from 1."""

    line: int
    number: int
    fields: dict[str, Any]
    n_characters: int


def read_jsonl(source: Source) -> Iterator[ImportRow | BadLine]:
    return object_rows(line_objects(source), source)


def object_rows(given: Iterator[Given | BadLine], source: Source) -> Iterator[ImportRow | BadLine]:
    """Yield the rows of JSON objects; the first ones tell which fields there are.

    Raises Unreadable once, for the whole file, where none of them has an id or a text.
    """
    held: list[Given | BadLine] = []
    ended: Exception | None = None
    weight = 0
    try:
        for each in given:
            held.append(each)
            weight += each.n_characters if isinstance(each, Given) else 0
            if len(held) >= LOOKED_AT or weight >= LOOKED_AT_CHARACTERS:
                break
    except (PartEnded, Unreadable) as error:
        ended = error
    fields = [pair for each in held if isinstance(each, Given) for pair in each.fields.items()]
    if fields:
        nested = {name for name, value in fields if not (value is None or type(value) in (str, int, float))}
        columns_found(source, [*dict(fields)], held[0].line or 1, "field", nested)
    for each in chain(held, given if ended is None else ()):
        yield each if isinstance(each, BadLine) else object_row(each, source)
    if ended is not None:
        raise ended


def line_objects(source: Source) -> Iterator[Given | BadLine]:
    number = 0
    for line in numbered_lines(source.text(), source.name):
        if isinstance(line, BadLine):
            yield line
        elif line.text.strip():
            number += 1
            if number == 1 and line.text.strip() == "{":
                raise Unreadable(BadLine(source.name, line.number, None, SPREAD))
            try:
                fields = object_of(line.text, source.encoding_name)
            except Fault as fault:
                yield fault.at(source.name, line.number)
            else:
                yield Given(line.number, number, as_imported(fields), len(line.text))


def as_imported(fields: dict[str, Any]) -> dict[str, Any]:
    """Return a line of an export as it was imported: columns under `meta` come back where they were."""
    if not {"annotator", "state"} <= fields.keys() or not isinstance(fields.get("meta"), dict):
        return fields
    meta = {name: value for name, value in fields["meta"].items() if name not in fields or name == "meta"}
    return {name: value for name, value in fields.items() if name != "meta"} | meta


def object_row(given: Given, source: Source) -> ImportRow | BadLine:
    row_id = None
    try:
        known, beside = source.mapping.split(given.fields)
        if source.manner.number_rows and known.get("id") in (None, ""):
            known["id"] = f"{source.stem}-{given.number}"
        row_id = known_id(known)
        for name in reversed(REQUIRED):
            if name not in known:
                raise Fault(name, missing(given.fields))
        nested = nested_of(beside)
        row = row_of(known, beside, source.name, given.line)
        sources = read_sources(nested)
        return row._replace(sources=sources, spans=read_spans(nested, row.text, sources))
    except Fault as fault:
        return placed(fault, source).at(source.name, given.line, row_id)


def nested_of(beside: dict[str, Any]) -> dict[str, Any]:
    """Take `sources` and `spans` out of what is beside a text, and give `document` its own name there."""
    for name in [name for name in beside if name not in NESTED and plain_name(name) in NESTED]:
        beside.setdefault(plain_name(name), beside[name])
        if beside[plain_name(name)] is beside[name]:
            del beside[name]
    return {name: beside.pop(name, None) for name in STAND_OFF}
