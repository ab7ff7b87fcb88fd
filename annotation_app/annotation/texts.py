"""Check texts that people send: what the database can store, and how much of it."""

import re

# PostgreSQL stores no NUL, and a lone surrogate is no text in any encoding.
UNSTORABLE = re.compile("[\x00\ud800-\udfff]")


def text_fault(text: str, limit: int) -> str | None:
    """Return what is wrong with a text of at most `limit` code points, or None."""
    if len(text) > limit:
        return f"Has {len(text):,} characters; at most {limit:,} are kept."
    unstorable = UNSTORABLE.search(text)
    if unstorable:
        return f"Character {unstorable.start() + 1} (U+{ord(unstorable[0]):04X}) cannot be stored: take it out."
    return None
