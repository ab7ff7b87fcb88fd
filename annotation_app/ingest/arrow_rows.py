"""Turn rows of Arrow tables, as Parquet files and Hugging Face datasets hold them, into objects as JSON has them."""

import datetime
import json
import math
from collections.abc import Iterator, Mapping
from decimal import Decimal
from itertools import chain
from typing import Any

import pyarrow

from annotation_app.ingest.readers.jsonl import Given
from annotation_app.ingest.rows import BadLine, Fault, check_characters

AT_ONCE = 500
# Where `datasets` writes the features of a table.
FEATURES = b"huggingface"


def plain_rows(batch: pyarrow.RecordBatch, file: str, before: int) -> Iterator[Given | BadLine]:
    """Yield the rows as objects, numbered after `before` others. Labels that have names get them."""
    names = label_names(batch.schema)
    pieces = (batch.slice(first, AT_ONCE).to_pylist() for first in range(0, batch.num_rows, AT_ONCE))
    for number, row in enumerate(chain.from_iterable(pieces), start=before + 1):
        try:
            fields = {key: plain(value, key) for key, value in row.items()}
            fields |= {key: named(fields[key], names[key]) for key in names}
            check_characters(fields)
        except Fault as fault:
            yield fault.at(file, number)
        else:
            yield Given(number, number, fields, sum(len(value) for value in fields.values() if isinstance(value, str)))


def plain(value: Any, field: str) -> Any:
    """Return a value as JSON has it: times in ISO 8601, decimals as texts, and null for what is no number."""
    if isinstance(value, bytes):
        try:
            return value.decode()
        except UnicodeDecodeError as error:
            message = "Holds bytes that are no UTF-8 text, such as an image: take the column out."
            raise Fault(field, message) from error
    if isinstance(value, float) and not math.isfinite(value):
        return None
    if isinstance(value, dict):
        return {str(key): plain(each, field) for key, each in value.items()}
    # A column of Arrow's type map gives a list of pairs.
    if isinstance(value, list | tuple):
        return [plain(each, field) for each in value]
    if isinstance(value, datetime.date | datetime.time):
        return value.isoformat()
    return str(value) if isinstance(value, Decimal | datetime.timedelta) else value


def label_names(schema: pyarrow.Schema) -> dict[str, list[str]]:
    """Return the names of each column of numbered labels (`ClassLabel` of the library datasets)."""
    try:
        features = json.loads((schema.metadata or {})[FEATURES])["info"]["features"]
        return {
            key: feature["names"]
            for key, feature in features.items()
            if key in schema.names and isinstance(feature, Mapping) and feature.get("_type") == "ClassLabel"
        }
    except (LookupError, ValueError, TypeError, AttributeError):
        # Without such a note, numbers stay numbers.
        return {}


def named(value: Any, names: list[str]) -> Any:
    return names[value] if isinstance(value, int) and 0 <= value < len(names) else value
