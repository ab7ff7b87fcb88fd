"""Define what readers yield: a row of the file, or a bad line, each with its file and line number."""

import re
from collections.abc import Mapping
from dataclasses import dataclass
from textwrap import shorten
from typing import Any, NamedTuple

from annotation_app.ingest.order import seconds_of

# Ids are indexed: PostgreSQL's index entries end at about 2,700 bytes, and sentence numbers are added to them.
MAX_TEXT_LENGTH = 1_000_000
MAX_ID_LENGTH = 500
MAX_POSITION = 2**31 - 1
# Characters that a span without a comment counts as.
SPAN_WEIGHT = 100
UNPAIRED = re.compile("[\ud800-\udfff]")


class ImportedSource(NamedTuple):
    """Hold a source document that a row names. `text` is None where the row gives its id only."""

    id: str
    title: str = ""
    text: str | None = None


class ImportedSpan(NamedTuple):
    """Hold text[start:end] of the row, in code points.

    White space alone is no comment; `source` is an id of the row's.
    """

    start: int
    end: int
    category: str
    comment: str
    source: str | None


class ImportRow(NamedTuple):
    """Hold a checked row. `document_id` is None where the row names none: it is then a document by itself."""

    file: str
    line: int
    id: str
    text: str
    document_id: str | None
    speaker: str
    title: str
    position: int | None
    document_meta: dict[str, Any]
    meta: dict[str, Any]
    sources: tuple[ImportedSource, ...] = ()
    spans: tuple[ImportedSpan, ...] = ()
    # Of a conversation's turn: when it was said, as `seconds_of` reads it, and the id of the row that it answers.
    said_at: float | None = None
    reply_to: str | None = None

    @property
    def n_characters(self) -> int:
        """Return about how many characters it takes in memory."""
        beside = sum(len(source.text or "") for source in self.sources)
        return len(self.text) + beside + sum(SPAN_WEIGHT + len(span.comment) for span in self.spans)


@dataclass(frozen=True)
class BadLine:
    """Hold a fault, its line, and the remedy.

    `line` is None for the whole file, `row_id` where the row's id is not known.
    """

    file: str
    line: int | None
    field: str | None
    message: str
    row_id: str | None = None

    def as_dict(self) -> dict[str, Any]:
        return {"line": self.line, "file": self.file, "field": self.field, "message": self.message}


class Unreadable(Exception):
    """The file cannot be read on: nothing of it is imported, also where bad lines are skipped."""

    def __init__(self, bad: BadLine) -> None:
        super().__init__(bad.message)
        self.bad = bad


class Fault(Exception):
    """Report a fault of one row; the reader adds file and line."""

    def __init__(self, field: str | None, message: str) -> None:
        super().__init__(message)
        self.field = field
        self.message = message

    def at(self, file: str, line: int, row_id: str | None = None) -> BadLine:
        return BadLine(file, line, self.field, self.message, row_id)


def row_of(known: dict[str, Any], beside: dict[str, Any], file: str, line: int) -> ImportRow:
    """Make a row from its known fields (`mapping.FIELDS`) and what is kept beside the text, which becomes `meta`.

    `title` and `date` describe the document, which takes them from its first row.
    An object `document` says id and title as exports write them, where `document_id` and `title` do not.
    Raises Fault.
    """
    identifier = required_id(known, "id")
    text = required_text(known, "text")
    exported = exported_document(beside)
    title = optional_string(known, "title") or exported["title"]
    date = optional_string(known, "date")
    document_id = optional_string(known, "document_id", limit=MAX_ID_LENGTH) or exported["id"]
    speaker = optional_string(known, "speaker") or ""
    position = optional_position(known)
    about = {"date": date} if date else {}
    row = ImportRow(file, line, identifier, text, document_id or None, speaker, title or "", position, about, beside)
    return row._replace(**place_in_time(known.get("timestamp"), known.get("reply_to")))


def place_in_time(timestamp: Any, reply_to: Any) -> dict[str, Any]:
    """Give `said_at` and `reply_to` of a row; both stay in its meta, where a strange value does no harm."""
    named = reply_to if isinstance(reply_to, str) else str(reply_to) if type(reply_to) is int else None
    return {"said_at": seconds_of(timestamp), "reply_to": named or None}


def exported_document(beside: dict[str, Any]) -> dict[str, str | None]:
    """Take `id` and `title` out of an object `document`; its other keys stay in the row's meta."""
    document = beside.get("document")
    if not isinstance(document, dict):
        return {"id": None, "title": None}
    try:
        said = {"id": optional_string(document, "id", limit=MAX_ID_LENGTH), "title": optional_string(document, "title")}
    except Fault as fault:
        raise Fault(f"document.{fault.field}", fault.message) from fault
    beside["document"] = {name: value for name, value in document.items() if name not in said}
    if not beside["document"]:
        del beside["document"]
    return said


def required_id(fields: dict[str, Any], name: str) -> str:
    """Return the id; a number counts as the text that it is written as."""
    value = required_string({**fields, name: number_text(fields[name])} if name in fields else fields, name)
    if not value.strip():
        raise Fault(name, "Empty: every row needs an id.")
    return within(value, name, MAX_ID_LENGTH)


def known_id(fields: dict[str, Any]) -> str | None:
    """Return the id of a row in which other fields may be wrong; None where it is wrong itself."""
    try:
        identifier = required_id(fields, "id")
        check_characters(identifier)
    except Fault:
        return None
    return identifier


def required_text(fields: dict[str, Any], name: str, *, empty: str = "Empty text: there is nothing to label.") -> str:
    value = required_string(fields, name)
    if not value.strip():
        raise Fault(name, empty)
    if len(value) > MAX_TEXT_LENGTH:
        raise Fault(name, f"Longer than {MAX_TEXT_LENGTH:,} characters, which no page can show: split it.")
    return value


def required_string(fields: dict[str, Any], name: str) -> str:
    if name not in fields:
        raise Fault(name, missing(fields))
    value = fields[name]
    if type(value) is not str:
        raise Fault(name, f"Must be a string, not {kind(value)}.")
    return value


def number_text(value: Any) -> Any:
    return str(value) if type(value) in (int, float) else value


def missing(fields: Mapping[str, Any]) -> str:
    names = shorten(", ".join(printable(name) for name in fields if name.strip()), 200, placeholder=" ...")
    return f"Missing field. Fields found: {names}." if names else "Missing field."


def optional_string(fields: dict[str, Any], name: str, *, limit: int | None = None) -> str | None:
    """Return the text or None; a number counts as the text that it is written as."""
    value = number_text(fields.get(name))
    if value is not None and type(value) is not str:
        raise Fault(name, f"Must be a string or null, not {kind(value)}.")
    return value if value is None or limit is None else within(value, name, limit)


def optional_position(fields: dict[str, Any]) -> int | None:
    """Return the row's position in its document."""
    value = fields.get("position")
    if value is None or value == "":
        return None
    if type(value) is str and value.isascii() and value.isdigit():
        value = int(value[:11])
    if type(value) is not int or not 0 <= value <= MAX_POSITION:
        raise Fault("position", "Must be a whole number, 0 or more: the row's place in its document.")
    return value


def within(value: str, name: str, limit: int) -> str:
    if len(value) > limit:
        raise Fault(name, f"Longer than {limit} characters.")
    return value


def kind(value: Any) -> str:
    """Return JSON's name for the value's type."""
    if value is None:
        return "null"
    names = {bool: "true or false", int: "a number", float: "a number", list: "an array", dict: "an object"}
    return names.get(type(value), "a string")


def check_characters(value: Any, field: str | None = None) -> None:
    """Raise Fault for what a database text cannot hold, anywhere in a value: NUL, and unpaired surrogates."""
    if isinstance(value, str):
        if "\x00" in value:
            raise Fault(field, "Holds a NUL character (\\u0000): take it out.")
        if UNPAIRED.search(value):
            raise Fault(field, "Holds a lone surrogate (\\ud800 to \\udfff), half of a character: take it out.")
    elif isinstance(value, dict):
        for key, inner in value.items():
            check_characters(key, field or printable(key))
            check_characters(inner, field or key)
    elif isinstance(value, list):
        for inner in value:
            check_characters(inner, field)


def printable(key: str) -> str:
    """Return a key so that it can be shown and stored in a report."""
    return UNPAIRED.sub("\ufffd", key.replace("\x00", "\ufffd"))
