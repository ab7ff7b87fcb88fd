"""Copy rows into a temporary table as they are read, and from there into the real ones in one transaction.

The temporary table costs no memory here, and holds ids and line numbers for exact messages about duplicates. Progress
can be seen while the file is read.
"""

import hashlib
import io
import json
from collections.abc import Iterable, Iterator
from contextlib import contextmanager
from itertools import groupby
from typing import Any

from django.db import connection

from al_worker.formats.words import count_words
from annotation_app.ingest.order import BY, RowPosition, document_order
from annotation_app.ingest.plan import Plan
from annotation_app.ingest.rows import BadLine, Fault, ImportRow
from annotation_app.ingest.splitter import Bounds, Splits

ENCODER = json.JSONEncoder(ensure_ascii=False, allow_nan=False)
BATCH_ROWS = 1_000
BATCH_CHARACTERS = 1_000_000
STAGED = ("staged_row", "staged_order", "staged_item", "staged_source", "staged_marks", "staged_refused")
DROP = f"DROP TABLE IF EXISTS {', '.join(f'pg_temp.{table}' for table in STAGED)}"
# A row names a source document by its id, or brings it: then text, digest and n_words are there. Of rows that were
# refused only the id is kept, to find its duplicates.
TABLES = f"""
    {DROP};
    CREATE TEMPORARY TABLE staged_row (
        line integer, external_id text, document_id text, title text, document_meta jsonb, position integer,
        speaker text, text text, n_tokens integer, sentence_starts integer[], sentence_ends integer[],
        left_out text, meta jsonb, said_at float8, reply_to text
    );
    CREATE TEMPORARY TABLE staged_order (line integer, place integer);
    CREATE TEMPORARY TABLE staged_item (line integer, number integer, start_at integer, end_at integer, text text);
    CREATE TEMPORARY TABLE staged_source (
        line integer, place integer, external_id text, title text, text text, digest text, n_words integer
    );
    CREATE TEMPORARY TABLE staged_marks (line integer, n_spans integer, spans jsonb);
    CREATE TEMPORARY TABLE staged_refused (line integer, external_id text)
"""

# Documents of several rows: those that positions order, and those whose rows say nothing of their place.
ORDERED_OTHERWISE = """
    SELECT count(*) FILTER (WHERE placed), count(*) FILTER (WHERE NOT placed AND NOT told)
    FROM (
        SELECT bool_or(position IS NOT NULL) AS placed, bool_or(said_at IS NOT NULL OR reply_to IS NOT NULL) AS told
        FROM staged_row GROUP BY coalesce(document_id, external_id) HAVING count(*) > 1
    ) documents
"""
TO_ORDER = """
    SELECT document, line, external_id, said_at, reply_to
    FROM (
        SELECT coalesce(document_id, external_id) AS document, line, external_id, said_at, reply_to,
               bool_or(position IS NOT NULL) OVER alike AS placed,
               bool_or(said_at IS NOT NULL OR reply_to IS NOT NULL) OVER alike AS told, count(*) OVER alike AS n
        FROM staged_row
        WINDOW alike AS (PARTITION BY coalesce(document_id, external_id))
    ) rows
    WHERE told AND NOT placed AND n > 1
    ORDER BY document, line
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
                cursor.execute(DROP)


def batches(rows: Iterable[ImportRow]) -> Iterator[list[ImportRow]]:
    """Group rows, bounded in number and in characters, so that memory is bounded too."""
    batch: list[ImportRow] = []
    characters = 0
    for row in rows:
        batch.append(row)
        characters += row.n_characters
        if len(batch) >= BATCH_ROWS or characters >= BATCH_CHARACTERS:
            yield batch
            batch, characters = [], 0
    if batch:
        yield batch


def stage(rows: list[ImportRow], plan: Plan, splitter: Splits | None) -> list[BadLine]:
    """Copy a batch into the staging tables. Rows that the splitter cannot take are returned as bad lines."""
    bad: list[BadLine] = []
    if splitter is not None:
        bad = [
            too_long(row, splitter).at(row.file, row.line, row.id)
            for row in rows
            if len(row.text) > splitter.max_length
        ]
        rows = [row for row in rows if len(row.text) <= splitter.max_length]
    bounds = splitter.bounds([row.text for row in rows]) if splitter else [[(0, len(row.text))] for row in rows]
    pairs = list(zip(rows, bounds, strict=True))
    copy("staged_row", (row_values(row, found, plan) for row, found in pairs))
    copy("staged_item", (values for row, found in pairs for values in item_values(row, found, plan)))
    copy("staged_source", (values for row in rows for values in source_values(row)))
    copy("staged_marks", (marks_values(row) for row in rows if row.spans))
    return bad


def order_stage() -> dict[str, int]:
    """Write the places of rows whose times or replies order their document; nothing where their position does.

    Returns how many documents of several rows each of `order.BY` ordered. `moved` of them stood in another order in the
    file, and `incomplete` ones have a time in some rows only.
    """
    with connection.cursor() as cursor:
        cursor.execute(ORDERED_OTHERWISE)
        counts = dict.fromkeys((*BY, "moved", "incomplete"), 0)
        counts["position"], counts["file"] = cursor.fetchone()
    with connection.chunked_cursor() as cursor:
        cursor.execute(TO_ORDER)
        for _, rows in groupby(cursor, key=lambda row: row[0]):
            places = [RowPosition(*row[1:]) for row in rows]
            ordered = document_order(places)
            counts[ordered.by] += 1
            counts["incomplete"] += ordered.incomplete
            if ordered.lines != [place.line for place in places]:
                counts["moved"] += 1
                copy("staged_order", ((line, place) for place, line in enumerate(ordered.lines)))
    return counts


def refused_stage(refused: Iterable[BadLine]) -> None:
    """Keep the ids of bad lines, where they are known."""
    copy("staged_refused", ((bad.line, bad.row_id) for bad in refused if bad.row_id is not None))


def too_long(row: ImportRow, splitter: Splits) -> Fault:
    return Fault("text", f"{len(row.text):,} characters: the splitter {splitter.name} takes {splitter.max_length:,}.")


def row_values(row: ImportRow, bounds: Bounds, plan: Plan) -> tuple[Any, ...]:
    n_tokens = count_words(row.text)
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
        row.said_at,
        row.reply_to,
    )


def item_values(row: ImportRow, bounds: Bounds, plan: Plan) -> Iterator[tuple[Any, ...]]:
    """Yield sentences with their 1-based number, or the row itself, whose text is not copied twice."""
    if not plan.makes_sentences:
        yield row.line, None, 0, len(row.text), None
        return
    for number, (start, end) in enumerate(bounds, start=1):
        yield row.line, number, start, end, row.text[start:end]


def source_values(row: ImportRow) -> Iterator[tuple[Any, ...]]:
    for place, source in enumerate(row.sources):
        if source.text is None:
            yield row.line, place, source.id, "", None, None, None
        else:
            digest = hashlib.sha256(source.text.encode()).hexdigest()
            yield row.line, place, source.id, source.title, source.text, digest, count_words(source.text)


def marks_values(row: ImportRow) -> tuple[Any, ...]:
    """Return spans as `ImportedSpans.spans` stores them: no comment is null."""
    spans = [span._asdict() | {"comment": span.comment or None} for span in row.spans]
    return row.line, len(spans), ENCODER.encode(spans)


def jsonb(value: dict[str, Any]) -> str:
    return ENCODER.encode(value) if value else "{}"


def array(numbers: Iterable[int]) -> str:
    return "{" + ",".join(map(str, numbers)) + "}"


def copy(table: str, rows: Iterable[tuple[Any, ...]]) -> None:
    """Run PostgreSQL's COPY in its text format."""
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


def lines_drop(listed: str) -> None:
    """Take the lines that the temporary table `listed` names out of the staging tables."""
    with connection.cursor() as cursor:
        for table in STAGED:
            cursor.execute(f"DELETE FROM pg_temp.{table} USING pg_temp.{listed} bad WHERE {table}.line = bad.line")
