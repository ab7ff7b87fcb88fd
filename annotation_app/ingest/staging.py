"""Rows to the database in two strides: a temporary table as they are read, then the real ones in one transaction.

The temporary table costs no memory here, holds ids and line numbers for exact messages about duplicates, and lets
progress be seen while the file is read.
"""

import io
import json
from collections.abc import Iterable, Iterator
from contextlib import contextmanager
from typing import Any

from django.db import connection

from annotation_app.ingest.options import Plan
from annotation_app.ingest.rows import BadLine, Fault, Row
from annotation_app.ingest.splitter import Bounds, Splitter

ENCODER = json.JSONEncoder(ensure_ascii=False, allow_nan=False)
BATCH_ROWS = 1_000
BATCH_CHARACTERS = 1_000_000
TABLES = """
    DROP TABLE IF EXISTS pg_temp.staged_row, pg_temp.staged_item;
    CREATE TEMPORARY TABLE staged_row (
        line integer, external_id text, document_id text, title text, document_meta jsonb, position integer,
        speaker text, text text, n_tokens integer, sentence_starts integer[], sentence_ends integer[],
        left_out text, meta jsonb
    );
    CREATE TEMPORARY TABLE staged_item (line integer, number integer, start_at integer, end_at integer, text text)
"""


@contextmanager
def staging_tables() -> Iterator[None]:
    with connection.cursor() as cursor:
        cursor.execute(TABLES)
    try:
        yield
    finally:
        if connection.connection is not None and connection.is_usable():
            with connection.cursor() as cursor:
                cursor.execute("DROP TABLE IF EXISTS pg_temp.staged_row, pg_temp.staged_item")


def batches(rows: Iterable[Row]) -> Iterator[list[Row]]:
    """Bounded in rows and in characters, so that memory is too."""
    batch: list[Row] = []
    characters = 0
    for row in rows:
        batch.append(row)
        characters += len(row.text)
        if len(batch) >= BATCH_ROWS or characters >= BATCH_CHARACTERS:
            yield batch
            batch, characters = [], 0
    if batch:
        yield batch


def stage(rows: list[Row], plan: Plan, splitter: Splitter | None) -> list[BadLine]:
    """Copies a batch into the staging tables. The rows that the splitter cannot take come back as bad lines."""
    bad: list[BadLine] = []
    if splitter is not None:
        bad = [too_long(row, splitter).at(row.file, row.line) for row in rows if len(row.text) > splitter.max_length]
        rows = [row for row in rows if len(row.text) <= splitter.max_length]
    bounds = splitter.bounds([row.text for row in rows]) if splitter else [[(0, len(row.text))] for row in rows]
    pairs = list(zip(rows, bounds, strict=True))
    copy("staged_row", (row_values(row, found, plan) for row, found in pairs))
    copy("staged_item", (values for row, found in pairs for values in item_values(row, found, plan)))
    return bad


def too_long(row: Row, splitter: Splitter) -> Fault:
    return Fault("text", f"{len(row.text):,} characters: the splitter {splitter.name} takes {splitter.max_length:,}.")


def row_values(row: Row, bounds: Bounds, plan: Plan) -> tuple[Any, ...]:
    n_tokens = len(row.text.split())
    return (
        row.line,
        row.id,
        row.document_id,
        row.title,
        jsonb(row.document_meta),
        row.position,
        row.speaker,
        row.text,
        n_tokens,
        array(start for start, _ in bounds),
        array(end for _, end in bounds),
        plan.left_out(n_tokens),
        jsonb(row.meta),
    )


def item_values(row: Row, bounds: Bounds, plan: Plan) -> Iterator[tuple[Any, ...]]:
    """Sentences with their 1-based number; or the row itself, whose text is not copied twice."""
    if not plan.makes_sentences:
        yield row.line, None, 0, len(row.text), None
        return
    for number, (start, end) in enumerate(bounds, start=1):
        yield row.line, number, start, end, row.text[start:end]


def jsonb(value: dict[str, Any]) -> str:
    return ENCODER.encode(value) if value else "{}"


def array(numbers: Iterable[int]) -> str:
    return "{" + ",".join(map(str, numbers)) + "}"


def copy(table: str, rows: Iterable[tuple[Any, ...]]) -> None:
    """PostgreSQL's COPY in its text format."""
    lines = ["\t".join(map(field, values)) for values in rows]
    if lines:
        data = io.BytesIO(("\n".join(lines) + "\n").encode("utf-8"))
        with connection.cursor() as cursor:
            cursor.copy_expert(f"COPY pg_temp.{table} FROM STDIN WITH (FORMAT text, ENCODING 'UTF8')", data)


def field(value: Any) -> str:
    if type(value) is not str:
        return "\\N" if value is None else str(value)
    if "\\" in value:
        value = value.replace("\\", "\\\\")
    if value.isprintable():
        return value
    return value.replace("\t", "\\t").replace("\n", "\\n").replace("\r", "\\r")
