"""Write spans with comments as plain text, and read them back (Marfurt et al. 2022, 2.2 and Appendix D).

`[ACT START] eased policy (Loosened monetary policy) [ACT END]` shows one span.
Before the span's words come a start marker and a space.
After them come a space, the comment in parentheses if there is one, and an end marker.
Spans may overlap, nest, cross and repeat.
docs/develop/text_form.md holds the rules: the order of markers at one place, numbers, escapes, styles.
"""

import json
import re
from collections.abc import Callable, Iterable, Iterator, Sequence
from dataclasses import dataclass, replace
from itertools import count
from typing import Any


class TextFormError(ValueError):
    """Signal spans that cannot be written. The message names the span and the remedy."""


@dataclass(frozen=True, slots=True)
class Span:
    """Hold text[start:end], in code points, that belongs to a category.

    A `comment` of None is no comment, and "" is an empty one.
    """

    start: int
    end: int
    category: str
    comment: str | None = None

    @property
    def key(self) -> tuple[int, int, str, bool, str]:
        """Return the key of the default order of spans."""
        return self.start, self.end, self.category, self.comment is not None, self.comment or ""


@dataclass(frozen=True, slots=True)
class Place:
    """Locate a span in a linear form, as code-point offsets.

    `start` and `end` are where its two markers begin. `words` is where the start marker ends, before its space.
    `words_end` is where the span's words end, before its comment.
    """

    start: int
    words: int
    words_end: int
    end: int


@dataclass(frozen=True, slots=True)
class Fault:
    """Describe a fault of a marker. `at` is where the marker stands, as a code-point offset into the linear form.

    `kind` is "unopened" (an end without a start), "reopened" (a start while open) or "unclosed".
    """

    kind: str
    category: str
    at: int


@dataclass(frozen=True, slots=True)
class Parsed:
    """Hold what a linear form says. `spans` are those that were opened and closed, in order.

    `closed_correctly` is their share of all start markers (paper 4.2.1), or None where there is no start marker.
    """

    text: str
    spans: tuple[Span, ...]
    faults: tuple[Fault, ...]
    closed_correctly: float | None


@dataclass(frozen=True, slots=True)
class Style:
    """Say how a marker looks. `space` replaces each space in the category's name, and the one before START and END."""

    left: str
    right: str
    space: str

    @property
    def marker(self) -> re.Pattern[str]:
        """Return a pattern with the groups (backslashes, name, number or None, START or END)."""
        inside = f"[^{re.escape(self.left + self.right)}]+?"
        ends = rf"{self.space}(START|END){re.escape(self.right)}"
        return re.compile(rf"(?<!\\)(\\*){re.escape(self.left)}({inside})(?:#(\d+))?{ends}")

    def write(self, category: str, number: int, end: str) -> str:
        """Return a marker; `end` is START or END. A number of 1 is left out."""
        name = category if self.space == " " else category.replace("_", "__").replace(" ", "_")
        counted = f"#{number}" if number > 1 else ""
        return f"{self.left}{name}{counted}{self.space}{end}{self.right}"

    def name(self, written: str) -> str:
        """Return the category that a marker's name stands for."""
        return written if self.space == " " else re.sub("__|_", lambda m: "_" if m[0] == "__" else " ", written)


STYLES = {"spaces": Style("[", "]", " "), "underscores": Style("[", "]", "_"), "angle": Style("<", ">", "_")}
# Categories that hold others: at one place they open first and close last.
OUTER = ("STD SENTENCE",)
COMMENT = re.compile(r" \(((?:\\.|[^\\()])*)\)\Z", re.DOTALL)
SPECIAL = re.compile(r"[\\()]")
BACKSLASH_BEFORE = r"\\\g<0>"
LAST_PARENTHESIS = re.compile(r"(?<!\\)(\\*)\)\Z")


def linearize(text: str, spans: Iterable[Span], style: str = "spaces", outer: Sequence[str] = OUTER) -> str:
    """Return the text with markers. Equal sets of spans give equal output, whatever their order.

    `style` is a key of STYLES. `outer` names categories that hold others: they open first and close last.
    Raises TextFormError for a span that ends before it starts or lies outside the text.
    It is also raised for a category that no marker can carry.
    """
    return linearize_located(text, spans, style, outer)[0]


def linearize_located(
    text: str, spans: Iterable[Span], style: str = "spaces", outer: Sequence[str] = OUTER
) -> tuple[str, list[tuple[Span, Place]]]:
    """Return the text with markers as `linearize` does, and the spans in their default order with their places."""
    ordered = sorted(spans, key=lambda span: span.key)
    for span in ordered:
        check_span(span, text, style)
    look = STYLES[style]
    out: list[str] = []
    done = length = 0
    places = [Place(0, 0, 0, 0)] * len(ordered)
    for mark in _numbered(_marks(ordered, frozenset(outer))):
        piece, done = text[done : mark.at], mark.at
        written = look.write(mark.span.category, mark.number, mark.end)
        if mark.end == "END":
            comment = mark.span.comment
            words = _escaped(_with_comment(piece, comment), look)
            said = words if comment is None else _escaped(piece, look)
            places[mark.place] = replace(places[mark.place], words_end=length + len(said), end=length + len(words) + 1)
            new = words, " ", written
        else:
            before = _escaped(piece, look, before_start=True)
            at = length + len(before)
            places[mark.place] = Place(at, at + len(written), 0, 0)
            new = before, written, " "
        out += new
        length += sum(map(len, new))
    return "".join(out) + _escaped(text[done:], look), list(zip(ordered, places, strict=True))


def replace_markers(linear: str, replacement: Callable[[str, str], str], style: str = "spaces") -> str:
    """Return the linear form with replacement(category, "START" or "END") in place of each marker.

    Comments stay. What only looks like a marker stays too, and loses its escape.
    """
    look = STYLES[style]

    def put(found: re.Match[str]) -> str:
        slashes = len(found[1])
        marker = found[0][slashes:] if slashes % 2 else replacement(look.name(found[2]), found[4])
        return "\\" * (slashes // 2) + marker

    return look.marker.sub(put, linear)


def parse(linear: str, style: str = "spaces") -> Parsed:
    """Return the text, its spans and the faults of its markers. Never raises: broken input gives faults."""
    reader = _Reader(STYLES[style])
    reader.read(linear)
    return reader.result()


@dataclass(slots=True)
class _Mark:
    """Hold a marker to write. `end` is START or END; `place` tells two equal spans apart."""

    at: int
    end: str
    span: Span
    place: int
    number: int = 1


def _marks(spans: Sequence[Span], outer: frozenset[str]) -> Iterator[_Mark]:
    """Return the markers in order.

    At one offset there are first ends, ordered by start, outer ones last; then empty spans.
    Last come starts, outer ones first, then longer ones.
    """
    events: list[tuple[tuple[int, ...], _Mark]] = []
    start_order: tuple[int, ...]
    end_order: tuple[int, ...]
    for place, span in enumerate(spans):
        holds = span.category in outer
        if span.start == span.end:
            start_order, end_order = (1, place, 0), (1, place, 1)
        else:
            start_order, end_order = (2, not holds, -span.end, place), (0, holds, span.start, place)
        events.append(((span.start, *start_order), _Mark(span.start, "START", span, place)))
        events.append(((span.end, *end_order), _Mark(span.end, "END", span, place)))
    return (mark for _, mark in sorted(events, key=lambda event: event[0]))


def _numbered(marks: Iterable[_Mark]) -> Iterator[_Mark]:
    """Give each marker its number. Each opening takes the lowest number that is not open within its category.

    The number 1 is not written.
    """
    numbers: dict[int, int] = {}
    taken: dict[str, set[int]] = {}
    for mark in marks:
        in_use = taken.setdefault(mark.span.category, set())
        if mark.end == "START":
            mark.number = next(number for number in count(1) if number not in in_use)
            numbers[mark.place] = mark.number
            in_use.add(mark.number)
        else:
            mark.number = numbers[mark.place]
            in_use.remove(mark.number)
        yield mark


def span_of(value: Any, text: str) -> Span:
    """Return the span that {"start", "end", "category", "comment", "quote"} says; the last two may be missing.

    A quote must be the words that the span covers. Raises TextFormError.
    """
    shown = json.dumps(value)[:100]
    if not isinstance(value, dict) or not {"start", "end", "category"} <= value.keys():
        raise TextFormError(f"a span has start, end, category and maybe comment, not {shown}")
    start, end, category, comment = value["start"], value["end"], value["category"], value.get("comment")
    whole = type(start) is int and type(end) is int
    if not whole or not isinstance(category, str) or not isinstance(comment, str | None):
        raise TextFormError(f"start and end are whole numbers, the rest text, in {shown}")
    if value.get("quote", text[start:end]) != text[start:end]:
        raise TextFormError(f"the quote of {shown} is not {text[start:end][:100]!r}")
    return Span(start, end, category, comment)


def category_fault(name: str, style: str) -> str | None:
    """Return why a category of this name cannot be written in a style (a key of STYLES), or None."""
    look = STYLES[style]
    if not name or name != name.strip() or any(sign in name for sign in f"{look.left}{look.right}#\\"):
        return f"no {look.left} {look.right} # \\ or outer spaces in a category"
    if look.space == "_" and re.search("[ _]{2}", name):
        return "in this style a category has no two spaces or underscores in a row"
    return None


def check_span(span: Span, text: str, style: str = "spaces") -> None:
    """Raise TextFormError for a span that lies outside the text, or whose category no marker of the style carries."""
    where = f"span {span.category!r} {span.start} to {span.end}"
    if span.end < span.start:
        raise TextFormError(f"{where}: ends before it starts")
    if not 0 <= span.start <= span.end <= len(text):
        raise TextFormError(f"{where}: lies outside the text of {len(text)} code points")
    fault = category_fault(span.category, style)
    if fault:
        raise TextFormError(f"{where}: {fault}")


def _with_comment(piece: str, comment: str | None) -> str:
    """Return the words before an end marker, with the comment.

    Parentheses at the end of the words are escaped, so that they are not taken for a comment.
    """
    if comment is not None:
        return f"{piece} ({SPECIAL.sub(BACKSLASH_BEFORE, comment)})"
    last = LAST_PARENTHESIS.search(piece)
    if last and (last[1] or COMMENT.search(piece)):
        return f"{piece[: last.start()]}{last[1] * 2}\\)"
    return piece


def _without_comment(piece: str) -> tuple[str, str | None]:
    if found := COMMENT.search(piece):
        return piece[: found.start()], re.sub(r"\\(.)", r"\1", found[1], flags=re.DOTALL)
    last = LAST_PARENTHESIS.search(piece)
    if last and len(last[1]) % 2:
        return f"{piece[: last.start()]}{last[1][: len(last[1]) // 2]})", None
    return piece, None


def _escaped(piece: str, style: Style, before_start: bool = False) -> str:
    """Escape the text: whatever looks like a marker gets a backslash.

    Backslashes before it, or before a real marker, are doubled.
    """
    piece = style.marker.sub(lambda found: f"{found[1] * 2}\\{found[0][len(found[1]) :]}", piece)
    if before_start:
        bare = piece.rstrip("\\")
        piece += "\\" * (len(piece) - len(bare))
    return piece


class _Reader:
    """Read marker by marker. `open` maps (category, number) to the start offset and the marker's place."""

    def __init__(self, style: Style) -> None:
        self.style = style
        self.text: list[str] = []
        self.length = 0
        self.opened = 0
        self.open: dict[tuple[str, int], tuple[int, int]] = {}
        self.spans: list[Span] = []
        self.faults: list[Fault] = []

    def read(self, linear: str) -> None:
        piece: list[str] = []
        done = 0
        for found in self.style.marker.finditer(linear):
            slashes = len(found[1])
            piece += linear[done : found.start()], "\\" * (slashes // 2)
            done = found.end()
            if slashes % 2:
                piece.append(found[0][slashes:])
                continue
            at = found.start() + slashes
            key = self.style.name(found[2]), int(found[3] or 1)
            if found[4] == "START":
                self.start(key, "".join(piece), at)
                done += linear.startswith(" ", done)
            else:
                self.end(key, "".join(piece), at)
            piece = []
        self.take("".join(piece) + linear[done:])

    def take(self, words: str) -> None:
        self.text.append(words)
        self.length += len(words)

    def start(self, key: tuple[str, int], piece: str, at: int) -> None:
        self.take(piece)
        self.opened += 1
        if key in self.open:
            self.faults.append(Fault("reopened", key[0], at))
        self.open[key] = self.length, at

    def end(self, key: tuple[str, int], piece: str, at: int) -> None:
        words, comment = _without_comment(piece.removesuffix(" "))
        self.take(words)
        if key not in self.open:
            self.faults.append(Fault("unopened", key[0], at))
            return
        start, _ = self.open.pop(key)
        self.spans.append(Span(start, self.length, key[0], comment))

    def result(self) -> Parsed:
        unclosed = [Fault("unclosed", category, at) for (category, _), (_, at) in self.open.items()]
        return Parsed(
            text="".join(self.text),
            spans=tuple(sorted(self.spans, key=lambda span: span.key)),
            faults=tuple(sorted([*self.faults, *unclosed], key=lambda fault: fault.at)),
            closed_correctly=len(self.spans) / self.opened if self.opened else None,
        )
