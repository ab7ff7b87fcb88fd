"""Name the exceptions that a damaged file raises in the libraries that unpack it."""

import gzip
import lzma
import struct
import zipfile
import zlib

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
