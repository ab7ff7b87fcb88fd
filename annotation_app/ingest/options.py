"""Check the settings of an import, and derive from them the plan for one file.

`unit` is what an item is, `rows` is what each row of the file is (the same by default; ConvoKit rows are utterances).
"""

import re
from dataclasses import asdict, dataclass, field
from typing import Any

from annotation_app.ingest.delimited import DELIMITERS
from annotation_app.ingest.encodings import AUTO, is_encoding
from annotation_app.ingest.formats import FORMATS as FORMATS_READ
from annotation_app.ingest.mapping import FIELDS
from annotation_app.ingest.plan import Plan
from annotation_app.ingest.source import ReadingOptions
from annotation_app.refusals import Invalid

FORMATS = (AUTO, *FORMATS_READ)
DELIMITER_NAMES = (AUTO, *DELIMITERS)
# Finest first: rows are the unit or coarser, never finer.
UNITS = ("sentence", "utterance", "document")
BLANK, SENTENCIZER = "blank", "sentencizer"
# `blank`, or `blank:` and the code of a language.
RULED = re.compile(rf"{BLANK}(?::([a-z]{{2,3}}))?")
# The paper's filter (OP-FED 3.1): utterances with fewer than 4 or more than 500 words (`count_words`) leave the pool.
MIN_TOKENS, MAX_TOKENS = 4, 500
TOKENS_CAP = 1_000_000_000
# The name of an installed distribution, never a path: a pipeline's folder may name code to run.
PIPELINE_NAME = re.compile(r"[A-Za-z][A-Za-z0-9_.-]{0,99}")


@dataclass(frozen=True)
class ImportOptions:
    """Raise Invalid that names every bad option."""

    format: str = "auto"
    unit: str = "sentence"
    rows: str | None = None
    min_tokens: int | None = None
    max_tokens: int | None = None
    splitter: str = BLANK
    skip_bad_lines: bool = False
    encoding: str = AUTO
    delimiter: str = AUTO
    number_rows: bool = False
    skip_existing: bool = False
    # The title of a workbook's sheet; empty: the first one.
    sheet: str = ""
    # Field -> the column that was chosen for it; an empty name: none is. Other fields are told by the file.
    columns: dict[str, str] = field(default_factory=dict)
    # Label of the file's spans -> the category that it becomes; empty: its spans are left out.
    categories: dict[str, str] = field(default_factory=dict)

    def __post_init__(self) -> None:
        faults = [*choice_faults(self), *limit_faults(self), *splitter_faults(self), *encoding_faults(self)]
        faults += [*column_faults(self.columns), *category_faults(self.categories)]
        if not faults:
            faults = row_faults(self, self.format)
        raise_faults(faults)

    def plan(self, found_format: str) -> Plan:
        """Return the plan for a file whose format is known. Raises Invalid where settings do not go together."""
        raise_faults(row_faults(self, found_format))
        rows = rows_of(self, found_format)
        return Plan(unit=self.unit, rows=rows, limits=limits_of(self, rows))

    @property
    def manner(self) -> ReadingOptions:
        return ReadingOptions(self.encoding, self.delimiter, self.number_rows, self.columns, self.sheet)

    def as_dict(self) -> dict[str, Any]:
        return asdict(self)


def raise_faults(faults: list[tuple[str, str]]) -> None:
    if faults:
        errors: dict[str, list[str]] = {}
        for name, message in faults:
            errors.setdefault(name, []).append(message)
        raise Invalid(errors)


def choice_faults(options: ImportOptions) -> list[tuple[str, str]]:
    choices = [
        ("format", FORMATS, options.format),
        ("unit", UNITS, options.unit),
        ("delimiter", DELIMITER_NAMES, options.delimiter),
    ]
    if options.rows is not None:
        choices.append(("rows", UNITS, options.rows))
    return [
        (name, f"{value!r} is not one of {', '.join(allowed)}.")
        for name, allowed, value in choices
        if value not in allowed
    ]


def limit_faults(options: ImportOptions) -> list[tuple[str, str]]:
    limits = {"min_tokens": options.min_tokens, "max_tokens": options.max_tokens}
    return [
        (name, "A whole number, 0 or more.")
        for name, value in limits.items()
        if value is not None and (type(value) is not int or not 0 <= value <= TOKENS_CAP)
    ]


def splitter_faults(options: ImportOptions) -> list[tuple[str, str]]:
    if isinstance(options.splitter, str) and any(
        pattern.fullmatch(options.splitter) for pattern in (RULED, PIPELINE_NAME)
    ):
        return []
    names = f"{BLANK!r}, '{BLANK}:de' for another language, {SENTENCIZER!r}"
    return [("splitter", f"{names} or the name of an installed spaCy pipeline such as en_core_web_sm, not a path.")]


def encoding_faults(options: ImportOptions) -> list[tuple[str, str]]:
    if options.encoding == AUTO or is_encoding(options.encoding):
        return []
    return [("encoding", f"{options.encoding!r} is no encoding: give auto, or a name such as utf-8, utf-16 or cp1252.")]


def column_faults(columns: Any) -> list[tuple[str, str]]:
    if not isinstance(columns, dict) or not all(isinstance(each, str) for pair in columns.items() for each in pair):
        return [("columns", "Give the name of a column for each field, as in text=Sentence.")]
    faults = [
        f"{name!r} is no field: choose columns for {', '.join(FIELDS)}." for name in columns if name not in FIELDS
    ]
    named = [column for column in columns.values() if column]
    twice = next((column for column in named if named.count(column) > 1), None)
    if twice is not None:
        both = " and ".join(name for name, column in columns.items() if column == twice)
        faults.append(f"{both} cannot both be read from the column {twice!r}: choose another one for one of them.")
    if columns.get("text") == "":
        faults.append("Choose the column with the texts.")
    return [("columns", fault) for fault in faults]


def category_faults(categories: Any) -> list[tuple[str, str]]:
    if isinstance(categories, dict) and all(isinstance(each, str) for pair in categories.items() for each in pair):
        return []
    return [("categories", "Give the key of a category, or nothing, for each label of the file, as in PER=person.")]


def rows_of(options: ImportOptions, found_format: str) -> str:
    own = None if found_format == AUTO else FORMATS_READ[found_format].rows
    return options.rows or own or options.unit


def row_faults(options: ImportOptions, found_format: str) -> list[tuple[str, str]]:
    """Return why rows and unit do not go together. Nothing is known before the format is."""
    rows, unit = rows_of(options, found_format), options.unit
    if found_format == AUTO and options.rows is None:
        return []
    known = FORMATS_READ.get(found_format)
    if known is not None and known.has_own_fields and options.columns:
        return [("columns", f"The fields of a {known.title} have names of their own: choose no columns.")]
    if known is not None and known.rows is not None:
        allowed = UNITS[: UNITS.index(known.rows) + 1]
        if rows != known.rows:
            return [("rows", f"The rows of a {known.title} are {known.rows}s.")]
        if unit not in allowed:
            return [("unit", f"The rows of a {known.title} are {known.rows}s: choose {' or '.join(allowed)}.")]
    if UNITS.index(rows) < UNITS.index(unit):
        return [("rows", f"Rows that are {rows}s hold no {unit}s: rows must be as large as the unit, or larger.")]
    if (rows, unit) == ("document", "utterance"):
        return [("rows", "The text of a document does not say where a turn ends: give one row an utterance.")]
    low, high = limits_of(options, rows) or (0, TOKENS_CAP)
    return [("min_tokens", f"{low} is more than max_tokens, {high}.")] if low > high else []


def limits_of(options: ImportOptions, rows: str) -> tuple[int, int] | None:
    """Return the limits of words a row.

    They are the paper's where utterances are split into sentences, its upper one for rows that are sentences, and
    elsewhere only the chosen ones.
    """
    whole = options.unit == "sentence" and rows in ("utterance", "sentence")
    if not whole and options.min_tokens is None and options.max_tokens is None:
        return None
    low, high = (MIN_TOKENS if rows == "utterance" else 0, MAX_TOKENS) if whole else (0, TOKENS_CAP)
    return (
        low if options.min_tokens is None else options.min_tokens,
        high if options.max_tokens is None else options.max_tokens,
    )
