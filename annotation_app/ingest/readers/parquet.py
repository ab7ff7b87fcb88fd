"""Read a Parquet file: each of its rows is an object, as a line of JSON Lines is."""

from collections.abc import Iterator
from typing import Any, BinaryIO

import pyarrow.parquet
from pyarrow import ArrowException

from annotation_app.ingest.arrow_rows import AT_ONCE, plain_rows
from annotation_app.ingest.damage import told_as
from annotation_app.ingest.readers.jsonl import Given, object_rows
from annotation_app.ingest.rows import BadLine, ImportRow, Unreadable
from annotation_app.ingest.source import Source

# A row group is held while it is read, and a small file may unpack to anything.
MOST_UNPACKED = 2 * 1024**3


def read_parquet(source: Source) -> Iterator[ImportRow | BadLine]:
    """Yield the rows; a fault is reported with the row's number from 1. Raises Unreadable."""
    if source.part is not None and source.part.is_cut:
        raise Unreadable(source.fault("A Parquet file can only be read whole."))
    return object_rows(parquet_objects(source, source.file, source.name), source)


def parquet_objects(source: Source, file: BinaryIO, name: str, before: int = 0) -> Iterator[Given | BadLine]:
    """Yield the objects of a file, numbered after `before` others. `name` is the file's for messages."""
    number = before

    def damaged(_: Exception) -> BadLine:
        message = f"The Parquet file is damaged or ends early: nothing can be read after row {number - before}."
        return BadLine(name, number - before or None, None, message)

    with told_as(damaged, ArrowException, OSError, UnicodeDecodeError):
        table = pyarrow.parquet.ParquetFile(file)
        check_size(source, table.metadata, name)
        for batch in table.iter_batches(batch_size=AT_ONCE):
            for each in plain_rows(batch, name, number):
                number += 1
                yield each


def check_size(source: Source, metadata: Any, name: str) -> None:
    groups = (metadata.row_group(number).total_byte_size for number in range(metadata.num_row_groups))
    if max(groups, default=0) > MOST_UNPACKED:
        most = MOST_UNPACKED // 1024**3
        raise Unreadable(source.fault(f"A row group unpacks to more than {most} GiB: write smaller ones.", name))
