"""Bytes to numbered lines, split on "\\n" only, in constant memory, with every way that a file can end early named."""

import gzip
import lzma
import zipfile
import zlib
from collections.abc import Iterator
from typing import BinaryIO, NamedTuple

from annotation_app.ingest.rows import BadLine, Fault, Unreadable

MAX_LINE_BYTES = 32 * 1024**2
# A small archive may unpack to anything: more than this is taken for a bomb.
MAX_UNPACKED_BYTES = 20 * 1024**3
BYTE_ORDER_MARK = b"\xef\xbb\xbf"
DAMAGE = (EOFError, zlib.error, lzma.LZMAError, gzip.BadGzipFile, zipfile.BadZipFile)


class Line(NamedTuple):
    """A line without its "\\n"; a "\\r" before it is kept."""

    number: int
    data: bytes


def numbered_lines(stream: BinaryIO, file: str) -> Iterator[Line | BadLine]:
    """Lines from 1 on. A line over 32 MiB is a BadLine; a damaged or oversized archive raises Unreadable."""
    number = total = 0
    while data := read_part(stream, file, number):
        number += 1
        total += len(data)
        if len(data) > MAX_LINE_BYTES:
            total += skip_rest(stream, file, number, data)
            yield BadLine(file, number, None, f"The line is longer than {MAX_LINE_BYTES // 1024**2} MiB.")
        else:
            data = data.removeprefix(BYTE_ORDER_MARK) if number == 1 else data
            yield Line(number, data.removesuffix(b"\n"))
        if total > MAX_UNPACKED_BYTES:
            raise Unreadable(BadLine(file, number, None, f"Unpacks to more than {MAX_UNPACKED_BYTES // 1024**3} GiB."))


def read_part(stream: BinaryIO, file: str, after: int) -> bytes:
    try:
        return stream.readline(MAX_LINE_BYTES + 1)
    except DAMAGE as error:
        message = f"The compressed file is damaged or ends early ({error}): nothing can be read after line {after}."
        raise Unreadable(BadLine(file, after + 1, None, message)) from error


def skip_rest(stream: BinaryIO, file: str, number: int, part: bytes) -> int:
    """Reads to the end of an overlong line; the number of bytes passed over."""
    passed = 0
    while part and not part.endswith(b"\n"):
        part = read_part(stream, file, number - 1)
        passed += len(part)
    return passed


def decoded(data: bytes) -> str:
    """A line as text. Raises Fault at the byte that is not UTF-8."""
    try:
        return data.decode("utf-8")
    except UnicodeDecodeError as error:
        raise Fault(None, f"Not valid UTF-8 at byte {error.start + 1} of the line.") from error
