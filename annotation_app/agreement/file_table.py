"""Compute the agreement table of a file's answers.

They are loaded into a temporary table and counted by the same statements as a project's answers.
"""

import csv
import io
import json
import re
from collections.abc import Iterable, Iterator, Sequence
from dataclasses import dataclass
from itertools import islice
from typing import Any

from django.db import connection, transaction
from django.db.backends.utils import CursorWrapper

from al_worker.formats.missing import Missing, marks_read
from annotation_app.aggregation.planner import HASHED
from annotation_app.agreement.file_orders import labels_named, orders_read
from annotation_app.agreement.file_reader import SHOWN, FileAnswer, FileInvalid, file_answers
from annotation_app.agreement.selectors import Row, row_of
from annotation_app.agreement.statements import file_rows_statement
from annotation_app.ingest.source import Source

ROWS_AT_ONCE = 10_000
NUMBER = re.compile("0|[1-9][0-9]{0,14}")
CREATE = """
DROP TABLE IF EXISTS pg_temp.agreement_file;
CREATE TEMPORARY TABLE agreement_file
    (line int, item text, annotator text, stage text, label text, round text) ON COMMIT DROP
"""
COPY = "COPY agreement_file FROM STDIN WITH (FORMAT csv, FORCE_NOT_NULL (round))"
TWICE = """
SELECT array_agg(line ORDER BY line), item, annotator, stage
FROM agreement_file GROUP BY item, annotator, stage, round HAVING count(*) > 1 ORDER BY min(line) LIMIT %s
"""
LABELS = "SELECT stage, label, min(line) FROM agreement_file GROUP BY stage, label ORDER BY min(line)"


@dataclass(frozen=True)
class FileTable:
    """Hold `rows` as JSON has them: one for each stage, round and pair, and their margins.

    `notices` tell what to know.
    """

    rows: list[dict[str, Any]]
    notices: list[str]


@transaction.atomic
def file_table(name: str, file: Source, orders: Sequence[str], marks: str | None = None) -> FileTable:
    """Count the agreement of a file's answers.

    `name` is what messages call the file. `orders` are given as `a,b,c` or `stage=a,b,c`.
    `marks` are the marks of missing answers, given as `a,b,c`; None stands for the documented ones.
    Raises FileInvalid, OrderInvalid and MissingInvalid.
    """
    missing = Missing(marks_read(marks, labels_named(orders)))
    with connection.cursor() as cursor:
        cursor.execute(CREATE)
        load(cursor, file_answers(name, file, missing))
        duplicates_refuse(cursor, name)
        labels = labels_by_stage(cursor)
        read = orders_read(orders, labels)
        annotators = sorted(values_of(cursor, "annotator"))
        rounds = in_order(values_of(cursor, "round"))
        cursor.execute(HASHED)
        cursor.execute(
            file_rows_statement(),
            {
                "annotators": annotators,
                "round_names": rounds,
                "stages": list(labels),
                "measures": json.dumps(dict.fromkeys(read.by_stage, "ordinal")),
                "orders": json.dumps(read.by_stage),
                # A file has no other names for its labels.
                "names": "{}",
                "rounds": None,
                "of": "all",
                "pair": None,
            },
        )
        rows = [row_of(*row[:-3], *map(json.loads, row[-3:])) for row in cursor.fetchall()]
    # A file without rounds is one round, and the margin over all rounds says the same.
    shown_rows = [shown(row, annotators, rounds) for row in rows if row.round is None or rounds != [""]]
    return FileTable(shown_rows, [*missing.notices, *read.notices, *guess_notices(file)])


def load(cursor: CursorWrapper, answers: Iterator[FileAnswer]) -> None:
    """Copy the answers into the temporary table, ROWS_AT_ONCE at a time."""
    while part := list(islice(answers, ROWS_AT_ONCE)):
        text = io.StringIO()
        csv.writer(text).writerows(vars(answer).values() for answer in part)
        text.seek(0)
        cursor.copy_expert(COPY, text)


def duplicates_refuse(cursor: CursorWrapper, name: str) -> None:
    """Raise FileInvalid where somebody answered an item at a stage twice within a round."""
    cursor.execute(TWICE, [SHOWN])
    if found := cursor.fetchall():
        raise FileInvalid(
            [
                f"{name}:{lines[1]}: {annotator} answered {item} at {stage} on line {lines[0]} already. Keep one."
                for lines, item, annotator, stage in found
            ]
        )


def labels_by_stage(cursor: CursorWrapper) -> dict[str, dict[str, int]]:
    """Return {stage: {label: first line}}, in the order of the file."""
    cursor.execute(LABELS)
    labels: dict[str, dict[str, int]] = {}
    for stage, label, line in cursor.fetchall():
        labels.setdefault(stage, {})[label] = line
    return labels


def values_of(cursor: CursorWrapper, column: str) -> list[str]:
    """Return the distinct values of a column of the temporary table."""
    cursor.execute(f"SELECT DISTINCT {column} FROM agreement_file")
    return [value for (value,) in cursor.fetchall()]


def in_order(rounds: Iterable[str]) -> list[str]:
    """Return the rounds sorted: by number where all are numbers, else as text."""
    named = list(rounds)
    return sorted(named, key=(lambda name: (int(name), name)) if all(map(is_number, named)) else None)


def is_number(name: str) -> bool:
    """Return whether the name is a number that JSON readers hold exactly.

    It has no leading zeros, because 1 and 01 are two names.
    """
    return NUMBER.fullmatch(name) is not None


def shown(row: Row, annotators: Sequence[str], rounds: Sequence[str]) -> dict[str, Any]:
    """Return a row as JSON has it, with the file's names of annotators and rounds."""
    name = None if row.round is None else rounds[row.round - 1]
    numbers = name is not None and all(map(is_number, rounds))
    return {
        "stage": row.stage,
        "round": int(name) if name is not None and numbers else name,
        "pair": [annotators[number - 1] for number in row.pair] if row.pair else None,
        "n_items": row.n_items,
        "n_units": row.n_units,
        "fleiss_items": row.fleiss_items,
        "general_items": row.general_items,
        "general_answers": row.general_answers,
        **row.values,
        "ci": {name: list(interval) for name, interval in row.ci.items()},
        "reason": row.reason,
    }


def guess_notices(file: Source) -> list[str]:
    """Return a notice where the file's encoding was guessed."""
    if file.encoding is None or file.encoding.how != "guessed":
        return []
    return [f"Read as {file.encoding.name}, which is a guess: --encoding says another."]
