"""The agreement table of a file's answers: loaded into a temporary table, counted by the statements for projects."""

import csv
import io
import json
import re
from collections.abc import Iterable, Iterator, Sequence
from itertools import islice
from typing import Any, TextIO

from django.db import connection, transaction
from django.db.backends.utils import CursorWrapper

from annotation_app.aggregation.planner import HASHED
from annotation_app.aggregation.statements import statement
from annotation_app.agreement.file_orders import orders_read
from annotation_app.agreement.file_reader import SHOWN, FileAnswer, FileInvalid, file_answers
from annotation_app.agreement.selectors import Row, row_of
from annotation_app.agreement.statements import COUNTED, SQL, STATISTICS, TABLE

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


@transaction.atomic
def file_table(name: str, file: TextIO, orders: Sequence[str]) -> list[dict[str, Any]]:
    """A row for each stage, round and pair and their margins, as JSON shows it.

    `name` is what messages call the file. `orders` are given as `a,b,c` or `stage=a,b,c`.
    Raises FileInvalid and OrderInvalid.
    """
    with connection.cursor() as cursor:
        cursor.execute(CREATE)
        load(cursor, file_answers(name, file))
        duplicates_refuse(cursor, name)
        labels = labels_by_stage(cursor)
        read = orders_read(orders, labels)
        annotators = sorted(values_of(cursor, "annotator"))
        rounds = in_order(values_of(cursor, "round"))
        cursor.execute(HASHED)
        cursor.execute(
            statement({"patterns": SQL / "patterns_file.sql"} | COUNTED | TABLE, SQL / "rows.sql"),
            {
                "annotators": annotators,
                "round_names": rounds,
                "stages": list(labels),
                "orders": json.dumps(read),
                # A file has no other names for its labels.
                "names": "{}",
                "rounds": None,
                "of": "all",
                "pair": None,
            },
        )
        rows = [row_of(*row[:-3], *map(json.loads, row[-3:])) for row in cursor.fetchall()]
    # A file without rounds is one round, which only its margin shows.
    return [shown(row, annotators, rounds) for row in rows if row.round is None or rounds != [""]]


def load(cursor: CursorWrapper, answers: Iterator[FileAnswer]) -> None:
    while part := list(islice(answers, ROWS_AT_ONCE)):
        text = io.StringIO()
        csv.writer(text).writerows(vars(answer).values() for answer in part)
        text.seek(0)
        cursor.copy_expert(COPY, text)


def duplicates_refuse(cursor: CursorWrapper, name: str) -> None:
    cursor.execute(TWICE, [SHOWN])
    if found := cursor.fetchall():
        raise FileInvalid(
            [
                f"{name}:{lines[1]}: {annotator} answered {item} at {stage} on line {lines[0]} already. Keep one."
                for lines, item, annotator, stage in found
            ]
        )


def labels_by_stage(cursor: CursorWrapper) -> dict[str, dict[str, int]]:
    """{stage: {label: first line}}, in the order of the file."""
    cursor.execute(LABELS)
    labels: dict[str, dict[str, int]] = {}
    for stage, label, line in cursor.fetchall():
        labels.setdefault(stage, {})[label] = line
    return labels


def values_of(cursor: CursorWrapper, column: str) -> list[str]:
    cursor.execute(f"SELECT DISTINCT {column} FROM agreement_file")
    return [value for (value,) in cursor.fetchall()]


def in_order(rounds: Iterable[str]) -> list[str]:
    """By number where all are numbers."""
    named = list(rounds)
    return sorted(named, key=(lambda name: (int(name), name)) if all(map(is_number, named)) else None)


def is_number(name: str) -> bool:
    """One that JSON readers hold exactly; 1 and 01 are two names."""
    return NUMBER.fullmatch(name) is not None


def shown(row: Row, annotators: Sequence[str], rounds: Sequence[str]) -> dict[str, Any]:
    name = None if row.round is None else rounds[row.round - 1]
    numbers = name is not None and all(map(is_number, rounds))
    values = {name: row.values[name] for name in STATISTICS}
    return {
        "stage": row.stage,
        "round": int(name) if name is not None and numbers else name,
        "pair": [annotators[number - 1] for number in row.pair] if row.pair else None,
        "n_items": row.n_items,
        "n_units": row.n_units,
        "percent_agreement": values["percent_agreement"],
        "fleiss_kappa": values["fleiss_kappa"],
        "fleiss_items": row.fleiss_items,
        "alpha_nominal": values["alpha_nominal"],
        "alpha_ordinal": values["alpha_ordinal"],
        "cohen_kappa": values["cohen_kappa"],
        "ac1": values["ac1"],
        "ci": {name: list(interval) for name, interval in row.ci.items()},
        "reason": row.reason,
    }
