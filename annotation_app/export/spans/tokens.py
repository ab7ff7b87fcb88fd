"""Cut text into tokens for the column formats."""

from bisect import bisect_left, bisect_right
from collections.abc import Sequence
from typing import NamedTuple

from al_worker.formats.words import token_bounds


class Token(NamedTuple):
    """Hold a token: text[start:end] in code points, without whitespace."""

    start: int
    end: int


def tokens_of(text: str) -> list[Token]:
    """Give the tokens in order; between them stand blanks and invisible signs alone."""
    return [Token(*bounds) for bounds in token_bounds(text)]


def covered(tokens: Sequence[Token], start: int, end: int) -> tuple[int, int]:
    """Give the numbers of the tokens that text[start:end] touches, half-open; equal where it touches none."""
    first = bisect_right(tokens, start, key=lambda token: token.end)
    return first, max(first, bisect_left(tokens, end, key=lambda token: token.start))
