"""Tell what a damaged file is from the exceptions that it raises in the libraries that read it."""

import gzip
import lzma
import struct
import zipfile
import zlib
from collections.abc import Callable, Iterator
from contextlib import contextmanager

from annotation_app.ingest.rows import BadLine, Unreadable

DAMAGE = (
    EOFError,
    zlib.error,
    lzma.LZMAError,
    gzip.BadGzipFile,
    zipfile.BadZipFile,
    NotImplementedError,
    UnicodeDecodeError,
    struct.error,
    OverflowError,
)
# What any reader may meet in a file that nobody foresaw: it is said of the file, with the place that was reached.
UNFORESEEN = (
    ValueError,
    TypeError,
    LookupError,
    AttributeError,
    ArithmeticError,
    RuntimeError,
    MemoryError,
    *DAMAGE,
)


class PartEnded(Exception):
    """No damage: the part of a file that was to be read is read, and there is more."""


def is_file_damage(error: OSError) -> bool:
    """Tell whether an OSError comes from the file's bytes.

    Unpackers raise it without a number, or for a path that does not exist.
    """
    return error.errno is None or error.errno == 22


@contextmanager
def told_as(fault: Callable[[Exception], BadLine], *errors: type[Exception]) -> Iterator[None]:
    """Raise Unreadable with the fault in place of a library's error about the file's bytes.

    Errors of the machine, such as a full disk, go on as they are.
    """
    try:
        yield
    except errors as error:
        if isinstance(error, OSError) and not is_file_damage(error):
            raise
        raise Unreadable(fault(error)) from error
