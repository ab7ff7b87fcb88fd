"""Map columns of a file to fields of a row: as chosen, by the field's own name, or by a usual name.

Pure: no I/O. Names are compared exactly first, then as `plain_name` writes them: `Document ID ` is `document_id`.
"""

import re
from collections.abc import Collection, Mapping, Sequence
from dataclasses import dataclass, field
from functools import lru_cache
from typing import Any, NamedTuple

# The fields that a column can be read as, each under the name that needs no choice.
FIELDS = ("id", "text", "document_id", "speaker", "position", "title", "date", "timestamp", "reply_to")
REQUIRED = ("text", "id")
# Fields that say something of a row and stay in its meta too, under the column's own name.
KEPT = ("title", "date", "timestamp", "reply_to")
# What JSON alone can hold. `document` is an object with id and title, as exports write it.
NESTED = ("document", "sources", "spans")
# Usual names, in the order in which they are looked for. A position is never guessed, since a wrong one is refused; nor
# is `user` a speaker, since tables of labels name the annotator so.
GUESSES: Mapping[str, Sequence[str]] = {
    "id": (
        *("sentence_id", "utterance_id", "item_id", "text_id", "row_id", "segment_id", "response_id", "comment_id"),
        *("tweet_id", "post_id", "message_id", "status_id", "id_str", "_id", "uuid", "guid", "doc_id", "docid"),
    ),
    "text": (
        *("sentence", "utterance", "full_text", "text_content", "raw_text", "tweet", "tweet_text", "comment_text"),
        *("message", "comment", "post", "body", "content", "paragraph", "segment", "response", "review", "abstract"),
        *("statement", "speech", "document_text", "article_text", "texts", "sentences"),
    ),
    "document_id": (
        *("doc_id", "docid", "conversation_id", "conversation", "dialogue_id", "dialog_id", "thread_id"),
        *("transcript_id", "debate_id", "meeting_id", "article_id"),
    ),
    "speaker": ("speaker_name", "speaker_id", "author", "author_name", "screen_name"),
    "title": ("headline", "document_title", "article_title"),
    "date": ("publication_date", "published_at", "pub_date"),
    "timestamp": ("created_at", "datetime", "date_time", "created_utc", "sent_at", "posted_at"),
    "reply_to": ("in_reply_to", "in_reply_to_id", "in_reply_to_status_id", "reply_to_id", "parent_id"),
}
# A nested `document` says these better than a guess.
OF_DOCUMENT = ("document_id", "title")
HOW = ("chosen", "named", "guessed")


class Use(NamedTuple):
    """Hold a field and the column that it is read from; `how` is one of HOW."""

    field: str
    column: str
    how: str


class ColumnMissing(Exception):
    """A column that was chosen for a field is not in the file."""

    def __init__(self, name: str, column: str) -> None:
        super().__init__(name, column)
        self.field, self.column = name, column


class ColumnTwice(Exception):
    """Two columns have the name of one field, and neither was chosen."""

    def __init__(self, columns: Sequence[str]) -> None:
        super().__init__(columns)
        self.columns = columns


@lru_cache(maxsize=1_000)
def plain_name(name: str) -> str:
    """Write a column's name as the known ones are written."""
    return re.sub(r"[\s-]+", "_", name.strip().lower())


@dataclass(frozen=True)
class Columns:
    """Hold how the fields of rows are read. `unused` are fields that were chosen to be read from no column."""

    uses: tuple[Use, ...]
    unused: frozenset[str] = frozenset()
    _names: tuple[tuple[str, str], ...] = field(init=False, repr=False, compare=False)

    def __post_init__(self) -> None:
        """Read further fields by their own names: later JSON rows may have fields that the first ones lack."""
        used = {plain_name(use.column) for use in self.uses}
        names = {name: name for name in FIELDS if name not in self.unused and name not in used}
        names |= {use.field: use.column for use in self.uses}
        object.__setattr__(self, "_names", tuple(names.items()))

    def column(self, name: str) -> str | None:
        """Return the column that a field is read from, None where no column is."""
        return next((use.column for use in self.uses if use.field == name), None)

    def is_named(self, name: str) -> bool:
        """Tell whether the field is read from the column of its own name."""
        return any(use.field == name and use.how == "named" for use in self.uses)

    def field_of(self, column: str) -> str | None:
        """Return the field that a column is read as, None where it is kept beside the text."""
        return next((use.field for use in self.uses if use.column == column), None)

    def split(self, fields: Mapping[str, Any]) -> tuple[dict[str, Any], dict[str, Any]]:
        """Split a row into its known fields under their own names, and its other columns."""
        keys = keys_by_field(self._names, tuple(fields))
        known = {name: fields[key] for name, key in keys.items()}
        taken = {key for name, key in keys.items() if name not in KEPT}
        return known, {name: value for name, value in fields.items() if name not in taken}


@lru_cache(maxsize=200)
def keys_by_field(names: tuple[tuple[str, str], ...], keys: tuple[str, ...]) -> dict[str, str]:
    """Return the key of each field that a row with these keys has. `names` are (field, column)."""
    plain = {plain_name(key): key for key in reversed(keys)}
    wanted = ((name, column if column in keys else plain.get(plain_name(column))) for name, column in names)
    return {name: key for name, key in wanted if key is not None}


def columns_mapped(
    columns: Sequence[str], chosen: Mapping[str, str], *, guess_id: bool = True, nested: Collection[str] = ()
) -> Columns:
    """Tell which column each field is read from. A field chosen as an empty name is read from none.

    `nested` columns hold more than text and numbers: no field is guessed to be one of them.

    Raises ColumnMissing and ColumnTwice.
    """
    uses = [Use(name, found_column(name, column, columns), "chosen") for name, column in chosen.items() if column]
    for name in FIELDS:
        free = [column for column in columns if column not in {use.column for use in uses}]
        if name not in chosen and (column := named_column(name, free)) is not None:
            uses.append(Use(name, column, "named"))
    has_document = any(plain_name(column) == "document" for column in nested)
    for name, usual in GUESSES.items():
        taken = {use.column for use in uses}
        known = name in chosen or name in {use.field for use in uses} or (name == "id" and not guess_id)
        if known or (has_document and name in OF_DOCUMENT):
            continue
        free = [column for column in columns if column not in taken and column not in nested]
        if (column := first_of(usual, free)) is not None:
            uses.append(Use(name, column, "guessed"))
    uses.sort(key=lambda use: FIELDS.index(use.field))
    return Columns(tuple(uses), frozenset(name for name, column in chosen.items() if not column))


def found_column(name: str, column: str, columns: Sequence[str]) -> str:
    found = [column] if column in columns else [each for each in columns if plain_name(each) == plain_name(column)]
    if len(found) != 1:
        raise ColumnMissing(name, column)
    return found[0]


def named_column(name: str, columns: Sequence[str]) -> str | None:
    if name in columns:
        return name
    found = [column for column in columns if plain_name(column) == name]
    if len(found) > 1:
        raise ColumnTwice(found)
    return found[0] if found else None


def first_of(names: Sequence[str], columns: Collection[str]) -> str | None:
    plain = {plain_name(column): column for column in reversed(list(columns))}
    return next((plain[name] for name in names if name in plain), None)


# Names by which the header of a table shows what separates its cells.
TELLING = frozenset(FIELDS).union(*GUESSES.values())
