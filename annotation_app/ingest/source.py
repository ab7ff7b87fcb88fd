"""The file or folder of an import: opened in place, never unpacked to disk, and how far it has been read."""

import gzip
import hashlib
import io
import zipfile
from collections.abc import Iterator
from contextlib import contextmanager
from pathlib import Path
from typing import BinaryIO, cast

from django.core.files.storage import default_storage

from annotation_app.ingest.lines import DAMAGE
from annotation_app.ingest.rows import BadLine, Unreadable

GZIP_MAGIC, ZIP_MAGIC = b"\x1f\x8b", b"PK"


class Source:
    """A file that is open, or a folder. `name` is the user's name for it, which errors give."""

    def __init__(self, name: str, *, file: BinaryIO | None = None, folder: Path | None = None) -> None:
        self.name = name
        self.folder = folder
        self._file = file
        self._watched: BinaryIO | None = None
        self._size = 0

    @property
    def file(self) -> BinaryIO:
        if self._file is None:
            raise Unreadable(self.fault("This is a folder: only a ConvoKit corpus may be one."))
        return self._file

    def fault(self, message: str, file: str = "") -> BadLine:
        return BadLine(file or self.name, None, None, message)

    def start(self, count: int) -> bytes:
        """The first bytes of the file, unpacked where it is a gzip file."""
        self.file.seek(0)
        if self.file.read(2) != GZIP_MAGIC:
            self.file.seek(0)
            return self.file.read(count)
        try:
            return self.stream().read(count)
        except DAMAGE as error:
            raise Unreadable(BadLine(self.name, 1, None, f"The gzip file is damaged: {error}.")) from error

    def stream(self) -> BinaryIO:
        """The file's bytes from the start, unpacked where it is a gzip file."""
        self.watch(self.file, length(self.file))
        self.file.seek(0)
        packed = self.file.read(2) == GZIP_MAGIC
        self.file.seek(0)
        return cast(BinaryIO, io.BufferedReader(gzip.GzipFile(fileobj=self.file))) if packed else self.file

    def watch(self, stream: BinaryIO, size: int) -> None:
        """The stream whose position tells how far the reading is."""
        self._watched, self._size = stream, size

    def fraction(self) -> float:
        if self._watched is None or not self._size:
            return 0.0
        return 1.0 if self._watched.closed else min(1.0, self._watched.tell() / self._size)

    def sha256(self) -> str:
        """Of the file as it was given; of utterances.jsonl where it is a folder."""
        if self.folder is not None:
            with (corpus_folder(self.folder, self) / "utterances.jsonl").open("rb") as stream:
                return hashlib.file_digest(stream, "sha256").hexdigest()
        self.file.seek(0)
        return hashlib.file_digest(self.file, "sha256").hexdigest()  # type: ignore[arg-type]


def length(stream: BinaryIO) -> int:
    return stream.seek(0, io.SEEK_END)


@contextmanager
def source_opened(*, name: str, stored: str = "", path: Path | None = None) -> Iterator[Source]:
    """An upload by its name in the storage, or a file or folder of the command line by its path."""
    if path is not None and path.is_dir():
        yield Source(name, folder=path)
    elif path is not None:
        with path.open("rb") as file:
            yield Source(name, file=file)
    else:
        with default_storage.open(stored, "rb") as upload:
            yield Source(name, file=cast(BinaryIO, upload.file))


def corpus_folder(folder: Path, source: Source) -> Path:
    """The folder that holds utterances.jsonl: itself, or the only one in it."""
    inner = [child for child in sorted(folder.iterdir()) if child.is_dir()]
    for candidate in [folder, *(inner if len(inner) == 1 else [])]:
        if (candidate / "utterances.jsonl").is_file():
            return candidate
    raise Unreadable(source.fault("The folder holds no utterances.jsonl: it is not a ConvoKit corpus."))


def open_zip(source: Source) -> zipfile.ZipFile:
    try:
        return zipfile.ZipFile(source.file)
    except zipfile.BadZipFile as error:
        raise Unreadable(source.fault(f"The zip archive is damaged or ends early: {error}.")) from error
