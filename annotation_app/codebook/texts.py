"""Check the texts of a codebook, which are Markdown without raw HTML, and the free words of people."""

import re
from typing import Any

# CommonMark's raw HTML begins with "<" and a letter, "/", "!" or "?", closed or not. An autolink is not raw HTML.
AUTOLINK = re.compile(r"<(?:https?://|mailto:)[^\s<>]*>", re.IGNORECASE)
RAW_HTML = re.compile(r"<[A-Za-z/!?]")
# C0 controls other than tab, line feed and carriage return; DEL; lone surrogates, which are not characters.
UNSTORABLE = re.compile(r"[\x00-\x08\x0b\x0c\x0e-\x1f\x7f\ud800-\udfff]")


def text_fault(value: Any, limit: int, may_be_blank: bool) -> str | None:
    """Return what is wrong with a codebook text, or None. It may have at most `limit` code points."""
    if not isinstance(value, str):
        return "must be a text"
    if not may_be_blank and not value.strip():
        return "must not be blank"
    if len(value) > limit:
        return f"has {len(value)} characters, at most {limit} are allowed"
    bad = UNSTORABLE.search(value)
    if bad:
        return f"character {bad.start() + 1} (U+{ord(bad[0]):04X}) cannot be stored; remove it"
    html = RAW_HTML.search(AUTOLINK.sub(lambda link: " " * len(link[0]), value))
    if html:
        found = value[html.start() : html.start() + 12]
        return f'raw HTML is not allowed ("{found}"); use Markdown, or put a space after "<"'
    return None


# What the database cannot store in free words: NUL, and lone surrogates.
UNSTORABLE_WORDS = re.compile("[\x00\ud800-\udfff]")


def words_fault(text: str, limit: int) -> str | None:
    """Return what is wrong with free words, such as a comment, or None. They may have at most `limit` code points."""
    if len(text) > limit:
        return f"Has {len(text):,} characters; at most {limit:,} are kept."
    bad = UNSTORABLE_WORDS.search(text)
    if bad:
        return f"Character {bad.start() + 1} (U+{ord(bad[0]):04X}) cannot be stored: take it out."
    return None


def comment_kept(text: str | None) -> str:
    """Return a comment as it is stored: unchanged, but "" (no comment) where it holds only white space."""
    return text if text and not text.isspace() else ""


BREAKS = re.compile(r"[ \t\n\r\f\v]+")
QUOTED_LENGTH = 40


def quoted(words: object) -> str:
    """Return words in quotation marks for a message: one line, cut between words to at most 40 code points."""
    line = BREAKS.sub(" ", shown(words, 10 * QUOTED_LENGTH))
    if len(line) > QUOTED_LENGTH:
        last = line.rfind(" ", 0, QUOTED_LENGTH + 1)
        line = line[: last if last > 0 else QUOTED_LENGTH] + "…"
    return f"“{line}”"


def shown(value: object, limit: int = 60) -> str:
    """Return a sent value for use in a message: short, and without lone surrogates, which no response can carry."""
    return str(value)[:limit].encode("utf-8", "backslashreplace").decode()
