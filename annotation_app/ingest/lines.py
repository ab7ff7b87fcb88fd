"""Cut text into numbered lines in constant memory, and name every way in which a file can end early."""

from collections.abc import Iterator
from typing import NamedTuple, TextIO

from annotation_app.ingest.damage import DAMAGE, told_as
from annotation_app.ingest.rows import UNPAIRED, BadLine, Fault, Unreadable

MAX_LINE_CHARACTERS = 32 * 1024**2
# A small archive may unpack to anything: more than this is taken for a bomb.
MAX_CHARACTERS = 20 * 1024**3
BYTE_ORDER_MARK = "\ufeff"


class Line(NamedTuple):
    """Hold a line with its end: LF, CRLF or CR."""

    number: int
    text: str


def numbered_lines(text: TextIO, file: str, longest: int | None = None) -> Iterator[Line | BadLine]:
    """Yield lines from 1 on. A line over `longest` characters is a BadLine; damage raises Unreadable."""
    longest = longest or MAX_LINE_CHARACTERS
    number = total = 0
    with told_as(lambda error: cut_short(file, number, error), *DAMAGE, OSError):
        while part := text.readline(longest + 1):
            is_long = len(part) > longest
            total += len(part) + (skip_rest(text, part) if is_long else 0)
            number += 1
            if is_long:
                message = f"The line is longer than {longest:,} characters: shorten or split it."
                yield BadLine(file, number, None, message)
            else:
                yield Line(number, part.removeprefix(BYTE_ORDER_MARK) if number == 1 else part)
            if total > MAX_CHARACTERS:
                raise Unreadable(BadLine(file, number, None, "Unpacks to more than 20 GiB: split the file."))


def cut_short(file: str, after: int, error: Exception) -> BadLine:
    """Return the fault of a packed file that cannot be read on after a line."""
    message = f"The compressed file is damaged or ends early ({error}): nothing can be read after line {after}."
    return BadLine(file, after + 1, None, message)


def skip_rest(text: TextIO, part: str) -> int:
    """Read to the end of an overlong line; return the number of characters passed over."""
    passed = 0
    while part and not part.endswith(("\n", "\r")):
        part = text.readline(MAX_LINE_CHARACTERS)
        passed += len(part)
    return passed


def check_decoded(text: str, encoding: str) -> None:
    """Raise Fault where a byte of the line was not in the file's encoding."""
    if text.isascii() or not (found := UNPAIRED.search(text)):
        return
    if encoding == "utf-8":
        place = len(text[: found.start()].encode("utf-8", "surrogatepass")) + 1
        raise Fault(None, f"Not valid UTF-8 at byte {place} of the line: choose the file's encoding, or save as UTF-8.")
    raise Fault(None, f"Not valid {encoding} at character {found.start() + 1} of the line: choose another encoding.")
