"""Read a dataset of the library datasets: a folder, or a zip archive of one, with its tables as .arrow or .parquet.

Folders as `save_to_disk` writes them are read, and those that the hub shows. The split, such as train or test, is kept
beside each text as `split`, unless the rows have a column of that name.
"""

import re
import shutil
import tempfile
from collections.abc import Iterator
from pathlib import PurePosixPath
from typing import BinaryIO, cast

import pyarrow

from annotation_app.ingest.archive import Archive, archive_opened
from annotation_app.ingest.arrow_rows import plain_rows
from annotation_app.ingest.damage import PartEnded, told_as
from annotation_app.ingest.readers.jsonl import Given, object_rows
from annotation_app.ingest.readers.parquet import parquet_objects
from annotation_app.ingest.rows import BadLine, ImportRow, Unreadable
from annotation_app.ingest.source import Source, length

ARROW, PARQUET = ".arrow", ".parquet"
# What `datasets` writes beside a dataset when somebody filters or maps it.
CACHED = "cache-"
# Names such as train-00000-of-00002.parquet, and data-00000-of-00001.arrow in a folder train.
SHARD = re.compile(r"(.+)-\d+-of-\d+")
# A table is copied to a temporary file, and a small archive may unpack to anything.
MOST_UNPACKED = 2 * 1024**3
NO_SPLIT = ("data", "dataset", "default")
ARROW_FILE = b"ARROW1"


def read_dataset(source: Source) -> Iterator[ImportRow | BadLine]:
    """Yield the rows of all tables in the order of their names, numbered through. Raises Unreadable."""
    with archive_opened(source) as archive:
        names = sorted(name for name in archive.members if is_table(name))
        if not names:
            raise Unreadable(source.fault(f"The {archive.kind} holds no {ARROW} or {PARQUET} file."))
        if source.folder is None:
            source.watch(source.file, length(source.file))
        yield from object_rows(dataset_objects(archive, names), source)


def is_table(name: str) -> bool:
    return name.endswith((ARROW, PARQUET)) and not PurePosixPath(name).name.startswith(CACHED)


def dataset_objects(archive: Archive, names: list[str]) -> Iterator[Given | BadLine]:
    number = n_bytes = 0
    part = archive.source.part
    for name in names:
        if part is not None and n_bytes >= part.most:
            raise PartEnded
        n_bytes += archive.size(name)
        split = split_of(name)
        with tempfile.TemporaryFile() as file:
            copied(archive, name, cast(BinaryIO, file))
            objects = parquet_objects if name.endswith(PARQUET) else arrow_objects
            for each in objects(archive.source, cast(BinaryIO, file), name, number):
                number += 1
                yield (
                    each._replace(fields={"split": split} | each.fields) if split and isinstance(each, Given) else each
                )


def copied(archive: Archive, name: str, file: BinaryIO) -> None:
    """Copy a member, since its reader goes back and forth in it. Raises Unreadable, also where it is too large."""
    if archive.size(name) > MOST_UNPACKED:
        most = MOST_UNPACKED // 1024**3
        raise Unreadable(archive.source.fault(f"The table unpacks to more than {most} GiB: write smaller ones.", name))
    with archive.reading(name) as stream:
        shutil.copyfileobj(stream, file)
    file.seek(0)


def arrow_objects(source: Source, file: BinaryIO, name: str, before: int) -> Iterator[Given | BadLine]:
    number = before

    def damaged(_: Exception) -> BadLine:
        message = f"The Arrow file is damaged or ends early: nothing can be read after row {number - before}."
        return BadLine(name, number - before or None, None, message)

    with told_as(damaged, pyarrow.ArrowException, OSError, UnicodeDecodeError):
        is_file = file.read(len(ARROW_FILE)) == ARROW_FILE
        file.seek(0)
        if is_file:
            table = pyarrow.ipc.open_file(file)
            batches = (table.get_batch(place) for place in range(table.num_record_batches))
        else:
            batches = iter(pyarrow.ipc.open_stream(file))
        for batch in batches:
            batch.validate(full=True)
            for each in plain_rows(batch, name, number):
                number += 1
                yield each


def split_of(name: str) -> str:
    """Return the split that a table's name says: `train` of train-00000-of-00002.parquet and of train/data-….arrow."""
    place = PurePosixPath(name)
    shard = SHARD.fullmatch(place.stem)
    own = shard[1] if shard else place.stem
    if own not in NO_SPLIT:
        return own
    return place.parent.name if place.parent.name not in NO_SPLIT else ""
