"""Split a text in any script into words and tokens, in one way for everything that counts or compares words.

Token bounds are Unicode word boundaries (UAX #29, section 4) that also bound user-perceived characters (UAX #29,
section 3). So no token cuts a vowel sign, an accent or an emoji sequence. White space always ends a token.
By these rules, scripts that are written without blanks have no words.
There each Han character and each hiragana is a token, and a run of katakana is one.
In Thai, Lao, Khmer and Myanmar each user-perceived character is a token.
This module needs `regex`, which transformers needs too.
"""

import re
from itertools import pairwise

import regex

# Records and caches name these rules, because a text's words depend on them.
TOKEN_RULE = f"Unicode word boundaries (UAX #29, regex {regex.__version__})"
COUNT_RULE = "white space; Unicode word boundaries (UAX #29) in scripts written without blanks"

# Scripts whose words no blank separates (UAX #14 and #29 name them as those that need a dictionary).
_WITHOUT_BLANKS = regex.compile(
    r"[\p{Script=Han}\p{Script=Hiragana}\p{Script=Katakana}\p{Script=Thai}\p{Script=Lao}\p{Script=Khmer}"
    r"\p{Script=Myanmar}\p{Script=Tai_Le}\p{Script=New_Tai_Lue}\p{Script=Tai_Tham}\p{Script=Tai_Viet}"
    r"\p{Script=Javanese}\p{Script=Balinese}]"
)
_WORD_BOUND = regex.compile(r"(?w)\b")
_CHARACTER = regex.compile(r"\X")
# White space, controls and invisible signs alone are no token.
_BLANK = regex.compile(r"[\s\p{Cc}\p{Cf}]*")
_NARROW_SPACE = re.compile("\u202f+")
_HAS_WORD = regex.compile(r"[\p{L}\p{N}]")
# For ASCII the same rules are short, and eight times as fast.
_ASCII_TOKEN = re.compile(r"(?:[A-Za-z0-9_]|(?<=[A-Za-z])[:.'](?=[A-Za-z])|(?<=[0-9])[,;.'](?=[0-9]))+|[!-~]")


def token_bounds(text: str) -> list[tuple[int, int]]:
    """Return the tokens in order as half-open code-point ranges: words, and every other visible sign by itself."""
    if text.isascii():
        return [found.span() for found in _ASCII_TOKEN.finditer(text)]
    return [bounds for bounds in unicode_segments(text) if not _BLANK.fullmatch(text, *bounds)]


def tokens(text: str) -> list[str]:
    """Return the tokens in order as text."""
    if text.isascii():
        return _ASCII_TOKEN.findall(text)
    return [text[start:end] for start, end in token_bounds(text)]


def words(text: str) -> list[str]:
    """Return the tokens that hold a letter or a digit, in order."""
    return [token for token in tokens(text) if _HAS_WORD.search(token)]


def count_words(text: str) -> int:
    """Count what stands between blanks. In a stretch that holds a script without blanks, count each word.

    In a text of scripts with blanks this is the papers' rule, `len(text.split())` (OP-FED 3.1).
    """
    stretches = text.split()
    if text.isascii() or not _WITHOUT_BLANKS.search(text):
        return len(stretches)
    return sum(max(1, len(words(part))) if without_blanks(part) else 1 for part in stretches)


def without_blanks(text: str) -> bool:
    """Return whether the text holds a character of a script that is written without blanks."""
    return not text.isascii() and _WITHOUT_BLANKS.search(text) is not None


def unicode_segments(text: str) -> list[tuple[int, int]]:
    """Return all segments between the bounds as half-open ranges, blanks included. Together they are the text."""
    bounds = {found.start() for found in _CHARACTER.finditer(text)} | {len(text)}
    cuts = {found.start() for found in _WORD_BOUND.finditer(text) if found.start() in bounds}
    # The Unicode rules join words over U+202F, which French puts between words.
    for space in _NARROW_SPACE.finditer(text):
        cuts.update(space.span())
    return list(pairwise(sorted(cuts)))
