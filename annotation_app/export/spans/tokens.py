"""Text as tokens for the column formats: runs of letters, digits and underscores; any other sign by itself."""

import unicodedata
from bisect import bisect_left, bisect_right
from collections.abc import Sequence
from dataclasses import dataclass

JOINER = "\u200d"
# Marks and signs without a width of their own, and skin tones, belong to what stands before them.
ATTACHED = ("Mn", "Mc", "Me", "Cf")
SKIN_TONES = range(0x1F3FB, 0x1F400)


@dataclass(frozen=True, slots=True)
class Token:
    """text[start:end], code points; it holds no whitespace."""

    start: int
    end: int


def tokens_of(text: str) -> list[Token]:
    """In order; together with the whitespace between them they are the text."""
    found: list[Token] = []
    start: int | None = None
    for at, sign in enumerate(text):
        if sign.isspace():
            if start is not None:
                found.append(Token(start, at))
            start = None
        elif start is None:
            start = at
        elif not belongs(sign, text[at - 1], text[start]):
            found.append(Token(start, at))
            start = at
    return found if start is None else [*found, Token(start, len(text))]


def belongs(sign: str, before: str, first: str) -> bool:
    """Whether a sign goes on with the token that began with `first` and ends in `before`."""
    if unicodedata.category(sign) in ATTACHED or ord(sign) in SKIN_TONES or before == JOINER:
        return True
    return in_word(sign) and in_word(first)


def in_word(sign: str) -> bool:
    return sign == "_" or unicodedata.category(sign)[0] in "LN"


def covered(tokens: Sequence[Token], start: int, end: int) -> tuple[int, int]:
    """Numbers of the tokens that text[start:end] touches, half-open; equal where it is whitespace alone."""
    first = bisect_right(tokens, start, key=lambda token: token.end)
    return first, max(first, bisect_left(tokens, end, key=lambda token: token.start))
