"""Text as tokens for the column formats: runs of letters, digits and underscores; any other sign by itself."""

import re
import sys
import unicodedata
from bisect import bisect_left, bisect_right
from collections.abc import Sequence
from dataclasses import dataclass
from functools import cache
from itertools import groupby

# Marks and signs without a width of their own, and skin tones, belong to what stands before them.
ATTACHED = ("Mn", "Mc", "Me", "Cf")
SKIN_TONES = "\U0001f3fb-\U0001f3ff"


@dataclass(frozen=True, slots=True)
class Token:
    """text[start:end], code points; it holds no whitespace."""

    start: int
    end: int


def tokens_of(text: str) -> list[Token]:
    """In order; together with the whitespace between them they are the text."""
    return [Token(*found.span()) for found in token_pattern().finditer(text)]


@cache
def token_pattern() -> re.Pattern[str]:
    """A word or one sign, each with what is attached to it; after a joiner any sign goes on with the token."""
    attached = f"{attached_signs()}{SKIN_TONES}"
    joined = r"(?<=\u200d)\S"
    return re.compile(rf"\w(?:[\w{attached}]|{joined})*|\S(?:[{attached}]|{joined})*")


def attached_signs() -> str:
    """Their code points as ranges of a character class."""
    places = (at for at in range(sys.maxunicode + 1) if unicodedata.category(chr(at)) in ATTACHED)
    runs = [list(run) for _, run in groupby(enumerate(places), key=lambda found: found[1] - found[0])]
    return "".join(f"\\U{run[0][1]:08x}-\\U{run[-1][1]:08x}" for run in runs)


def covered(tokens: Sequence[Token], start: int, end: int) -> tuple[int, int]:
    """Numbers of the tokens that text[start:end] touches, half-open; equal where it is whitespace alone."""
    first = bisect_right(tokens, start, key=lambda token: token.end)
    return first, max(first, bisect_left(tokens, end, key=lambda token: token.start))
