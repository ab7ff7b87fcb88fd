"""Read a JSON array of objects, plain or as .gz: each object is a row, with the fields of JSON Lines.

It is read in constant memory, an element at a time; a line number is that of the element's first line. Of several
elements on one line each further one counts as one line more. A malformed element is skipped where its end can be
found, so that the others are read.
"""

import json
import re
from collections.abc import Iterator
from typing import Any, NamedTuple, TextIO

from annotation_app.ingest.damage import DAMAGE, told_as
from annotation_app.ingest.encodings import UTF8
from annotation_app.ingest.lines import BYTE_ORDER_MARK, MAX_LINE_CHARACTERS, check_decoded, cut_short
from annotation_app.ingest.objects import DECODER, object_checked
from annotation_app.ingest.readers.jsonl import Given, as_imported, object_rows
from annotation_app.ingest.rows import BadLine, Fault, ImportRow, Unreadable
from annotation_app.ingest.source import Source

CHUNK = 64 * 1024
BLANKS = re.compile(r"[ \t\r\n]*")
# Of a malformed element: strings, which end within a line, and what opens and closes.
SIGNS = re.compile(r'"(?:[^"\\\r\n]|\\.)*"|[\[\]{}]')
CLOSES = {"{": "}", "[": "]"}
# Of an element that is neither object nor array.
COMMA_OR_END = re.compile(r"[,\]]")
# A fault this near to the end of what was read may be that end.
NEAR_THE_END = 16


class Element(NamedTuple):
    """Hold a value of the array with its text as it stands in the file, or a malformed one's fault."""

    line: int
    value: Any
    text: str
    fault: str | None = None


def read_json(source: Source) -> Iterator[ImportRow | BadLine]:
    return object_rows(array_objects(source), source)


def array_objects(source: Source) -> Iterator[Given | BadLine]:
    line = 0
    for number, element in enumerate(Elements(source.text(), source.name, source.encoding_name), start=1):
        # A row is known by its line from here on: no two have the same.
        line = max(element.line, line + 1)
        try:
            if element.fault:
                raise Fault(None, element.fault)
            if "\x00" in element.text:
                raise Fault(None, "Holds a NUL byte: take it out.")
            check_decoded(element.text, source.encoding_name)
            fields = object_checked(element.value, element.text)
        except Fault as fault:
            yield fault.at(source.name, line)
        else:
            yield Given(line, number, as_imported(fields), len(element.text))


class Elements:
    """Yield the elements of the array.

    Raises Unreadable with the line where the text is no array, or where a malformed element's end cannot be found.
    """

    def __init__(self, text: TextIO, file: str, encoding: str = UTF8) -> None:
        self._text, self._file, self._encoding = text, file, encoding
        self._held, self._at, self._line, self._ended = "", 0, 1, False

    def __iter__(self) -> Iterator[Element]:
        self._more(CHUNK)
        self._held = self._held.removeprefix(BYTE_ORDER_MARK)
        if self._next() != "[":
            raise self._fault("The file is no JSON array: it does not begin with [.")
        self._drop(1)
        joined = True
        while self._next() != "]":
            yield self._element(joined)
            joined = self._next() == ","
            if joined:
                self._drop(1)
                if self._next() == "]":
                    yield Element(self._line, None, "", "Malformed JSON: a comma stands before the array's end.")
        self._drop(1)
        if self._next():
            raise self._fault("Malformed JSON: there is more text after the array's end.")

    def _more(self, count: int) -> None:
        with told_as(lambda error: cut_short(self._file, self._line, error), *DAMAGE, OSError):
            part = self._text.read(count)
        self._ended = not part
        self._held = self._held[self._at :] + part
        self._at = 0

    def _next(self) -> str:
        """Return the next character that is no blank, or an empty string at the end."""
        while True:
            blanks = BLANKS.match(self._held, self._at)
            self._drop(blanks.end() - self._at if blanks else 0)
            if self._at < len(self._held) or self._ended:
                return self._held[self._at : self._at + 1]
            self._more(CHUNK)

    def _drop(self, count: int) -> str:
        passed = self._held[self._at : self._at + count]
        self._at += count
        self._line += lines_in(passed)
        return passed

    def _element(self, joined: bool) -> Element:
        if not self._next():
            raise self._fault("Malformed JSON: the file ends before the array does.")
        line = self._line
        while True:
            try:
                value, end = DECODER.raw_decode(self._held, self._at)
            except json.JSONDecodeError as error:
                if self._ended or self._is_whole(error) or len(self._held) - self._at > MAX_LINE_CHARACTERS:
                    return self._malformed(line, error.msg.removesuffix(" at"), error.pos)
            except RecursionError:
                return self._malformed(line, "nested too deeply", self._at)
            except ValueError as error:
                return self._malformed(line, str(error), self._at)
            else:
                if end < len(self._held) or self._ended:
                    fault = None if joined else "Malformed JSON: a comma is missing before this element."
                    return Element(line, value, self._drop(end - self._at), fault)
            # Twice as much each time: reading on costs no more than reading once.
            self._more(max(CHUNK, len(self._held) - self._at))

    def _is_whole(self, error: json.JSONDecodeError) -> bool:
        """Tell whether more text would not mend the element."""
        return not error.msg.startswith("Unterminated") and len(self._held) - error.pos > NEAR_THE_END

    def _malformed(self, line: int, message: str, pos: int) -> Element:
        """Pass over an element. Raises Unreadable where its end cannot be told."""
        place = self._line + lines_in(self._held[self._at : pos])
        where = f" in line {place:,}" if place > line else ""
        fault = f"Malformed JSON: {message}{where}."
        end = self._end()
        if end is None:
            rest = f"{fault} Where the element ends cannot be told: nothing after it was read."
            raise Unreadable(BadLine(self._file, line, None, rest))
        return Element(line, None, self._drop(end - self._at), fault)

    def _end(self) -> int | None:
        """Return where the element ends by its brackets, before a comma or the array's end; None where it does not.

        What was opened within a bracket ends with it. A closing bracket of nothing is skipped.
        """
        opened: list[str] = []
        at = self._at
        signs = SIGNS if self._held[at] in "{[" else COMMA_OR_END
        while True:
            for sign in signs.finditer(self._held, at):
                if signs is COMMA_OR_END:
                    return sign.start()
                at = sign.end()
                if sign[0] in CLOSES:
                    opened.append(CLOSES[sign[0]])
                elif sign[0] in opened:
                    while opened.pop() != sign[0]:
                        pass
                    if not opened:
                        return self._followed(at)
            if self._ended or len(self._held) - self._at > MAX_LINE_CHARACTERS:
                return None
            passed = at - self._at
            self._more(max(CHUNK, len(self._held) - self._at))
            at = self._at + passed

    def _followed(self, end: int) -> int | None:
        ahead = end - self._at
        while True:
            blanks = BLANKS.match(self._held, self._at + ahead)
            after = blanks.end() if blanks else len(self._held)
            if after < len(self._held):
                return self._at + ahead if self._held[after] in ",]" else None
            if self._ended:
                return None
            self._more(CHUNK)

    def _fault(self, message: str) -> Unreadable:
        return Unreadable(BadLine(self._file, self._line, None, message))


def lines_in(text: str) -> int:
    return text.count("\n") or text.count("\r")
