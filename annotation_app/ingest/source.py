"""Open the file or folder of an import in place, without unpacking to disk, and tell how far it has been read."""

import gzip
import hashlib
import io
from collections.abc import Iterator, Mapping
from contextlib import contextmanager
from dataclasses import dataclass, field
from pathlib import Path
from typing import BinaryIO, NamedTuple, TextIO, cast

from django.core.files.storage import default_storage

from annotation_app.ingest.archive import folder_hash
from annotation_app.ingest.damage import DAMAGE, PartEnded, told_as
from annotation_app.ingest.encodings import AUTO, ESCAPE, UTF8, Encoding, encoding_of
from annotation_app.ingest.mapping import Columns
from annotation_app.ingest.rows import BadLine, Unreadable

GZIP_MAGIC = b"\x1f\x8b"
# A member, an archive without members, a spanned one.
ZIP_MAGIC = (b"PK\x03\x04", b"PK\x05\x06", b"PK\x07\x08")


@dataclass(frozen=True)
class ReadingOptions:
    """Choose how a file is read.

    The options are the names of an encoding and of a delimiter, the title of a workbook's sheet, whether rows without
    an id are numbered, and the columns chosen for fields (`mapping.columns_mapped`).
    """

    encoding: str = AUTO
    delimiter: str = AUTO
    number_rows: bool = False
    columns: Mapping[str, str] = field(default_factory=dict)
    sheet: str = ""


class PartOf(NamedTuple):
    """Limit the reading to `most` unpacked bytes; `is_cut` means that the file is only the beginning of one."""

    most: int
    is_cut: bool = False


class Part(io.BufferedIOBase):
    """Read the first bytes of a stream; reading on raises PartEnded.

    `is_cut` means that the stream is a part itself.
    """

    def __init__(self, stream: BinaryIO, most: int, *, is_cut: bool) -> None:
        self._inner, self._left, self._is_cut = stream, most, is_cut

    def readable(self) -> bool:
        return True

    def read(self, size: int | None = -1, /) -> bytes:
        wanted = self._left if size is None or size < 0 else min(size, self._left)
        try:
            data = self._inner.read(wanted)
        except EOFError as error:
            if self._is_cut:
                raise PartEnded from error
            raise
        self._left -= len(data)
        if not data and size and (self._is_cut or not self._left):
            raise PartEnded
        return data

    read1 = read


class Text(io.TextIOWrapper):
    """Decode text over a stream that the caller closes, so that it can be read more than once."""

    def close(self) -> None:
        pass


class Source:
    """Hold an open file, or a folder.

    `name` is the user's name for it, which errors give. `encoding`, `delimiter`, `sheet`, `sheets`, `columns` and
    `mapping` are what its reader found: None and empty until it has begun. Of a `part` only so much is read, and
    PartEnded is raised where there is more.
    """

    def __init__(
        self,
        name: str,
        *,
        file: BinaryIO | None = None,
        folder: Path | None = None,
        manner: ReadingOptions | None = None,
        part: PartOf | None = None,
    ) -> None:
        self.name = name
        self.part = part
        self.folder = folder
        self.manner = manner or ReadingOptions()
        self.encoding: Encoding | None = None
        self.delimiter: str | None = None
        self.sheet = ""
        self.sheets: list[str] = []
        self.columns: list[str] = []
        self.mapping = Columns(())
        self._file = file
        self._watched: BinaryIO | None = None
        self._size = 0

    @property
    def file(self) -> BinaryIO:
        if self._file is None:
            raise Unreadable(self.fault("This is a folder, and a file was asked for."))
        return self._file

    def fault(self, message: str, file: str = "") -> BadLine:
        return BadLine(file or self.name, None, None, message)

    def start(self, count: int) -> bytes:
        """Return the first bytes of the file, unpacked where it is a gzip file."""
        self.file.seek(0)
        if self.file.read(2) != GZIP_MAGIC:
            self.file.seek(0)
            return self.file.read(count)
        with told_as(
            lambda error: BadLine(self.name, 1, None, f"The gzip file is damaged: {error}."), *DAMAGE, OSError
        ):
            return self.stream().read(count)

    def text(self) -> TextIO:
        """Open the file's text from the start, with line ends as they are.

        Bytes that cannot be decoded come as lone surrogates.
        """
        self.encoding = encoding_of(self.parted(self.stream()), self.manner.encoding)
        return self.decoded(self.stream(), self.encoding.name)

    def decoded(self, stream: BinaryIO, encoding: str) -> TextIO:
        return Text(self.parted(stream), encoding=encoding, errors=ESCAPE, newline="")

    def parted(self, stream: BinaryIO) -> BinaryIO:
        if self.part is None:
            return stream
        return cast(BinaryIO, Part(stream, self.part.most, is_cut=self.part.is_cut))

    @property
    def encoding_name(self) -> str:
        return self.encoding.name if self.encoding else UTF8

    @property
    def stem(self) -> str:
        """Return the name without its ending, such as `interviews`."""
        return self.name.split("/")[-1].split(".")[0] or "row"

    def stream(self) -> BinaryIO:
        """Open the file's bytes from the start, unpacked where it is a gzip file."""
        self.watch(self.file, length(self.file))
        self.file.seek(0)
        packed = self.file.read(2) == GZIP_MAGIC
        self.file.seek(0)
        return cast(BinaryIO, io.BufferedReader(gzip.GzipFile(fileobj=self.file))) if packed else self.file

    def watch(self, stream: BinaryIO, size: int) -> None:
        """Set the stream whose position tells how far the reading is."""
        self._watched, self._size = stream, size

    def fraction(self) -> float:
        if self._watched is None or not self._size:
            return 0.0
        return 1.0 if self._watched.closed else min(1.0, self._watched.tell() / self._size)

    def sha256(self) -> str:
        """Return the hash of the file as it was given, or of the folder's files."""
        if self.folder is not None:
            return folder_hash(self.folder)
        self.file.seek(0)
        return hashlib.file_digest(self.file, "sha256").hexdigest()  # type: ignore[arg-type]


def length(stream: BinaryIO) -> int:
    return stream.seek(0, io.SEEK_END)


@contextmanager
def source_opened(
    *, name: str, stored: str = "", path: Path | None = None, manner: ReadingOptions | None = None
) -> Iterator[Source]:
    """Open an upload by its name in the storage, or a file or folder of the command line by its path."""
    if path is not None and path.is_dir():
        yield Source(name, folder=path, manner=manner)
    elif path is not None:
        with path.open("rb") as file:
            yield Source(name, file=file, manner=manner)
    else:
        with default_storage.open(stored, "rb") as upload:
            yield Source(name, file=cast(BinaryIO, upload.file), manner=manner)
