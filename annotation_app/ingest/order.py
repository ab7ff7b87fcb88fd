"""Order a document's rows: by position, else by time, else by replies, else as in the file. Pure: no I/O."""

import math
from collections.abc import Mapping, Sequence
from datetime import UTC, datetime
from typing import Any, NamedTuple

# In this order; `docs/develop/api/projects.md` describes them.
BY = ("position", "timestamp", "reply_to", "file")


WORDS = {"position": "position", "timestamp": "time", "reply_to": "reply", "file": "place in the file"}


class RowPosition(NamedTuple):
    """Hold what a row tells of its position. `said_at` is in seconds, of a clock or of any other rising count."""

    line: int
    id: str
    said_at: float | None
    reply_to: str | None


class Ordered(NamedTuple):
    """Hold `lines` in the order of the conversation, and the basis of that order.

    `incomplete` means that only some rows have a time.
    """

    by: str
    lines: list[int]
    incomplete: bool


def document_order(rows: Sequence[RowPosition]) -> Ordered:
    """Order rows, given in the order of the file, of which none has a position.

    Times decide where every row has one and they are not all the same; equal ones follow the replies, then the file.
    Replies decide where a row answers another one of the document: it then comes after it, before what else answers
    that one later in the file.
    """
    times = [row.said_at for row in rows if row.said_at is not None]
    incomplete = 0 < len(times) < len(rows)
    replies = reply_order(rows)
    if len(times) == len(rows) and len(set(times)) > 1:
        ranks = {line: rank for rank, line in enumerate(replies or [row.line for row in rows])}
        ordered = sorted(rows, key=lambda row: (row.said_at or 0.0, ranks[row.line]))
        return Ordered("timestamp", [row.line for row in ordered], False)
    if replies:
        return Ordered("reply_to", replies, incomplete)
    return Ordered("file", [row.line for row in rows], incomplete)


def reply_order(rows: Sequence[RowPosition]) -> list[int]:
    """Give the lines with each reply after what it answers, thread by thread; empty where no row answers another.

    Rows that answer one another in a circle begin where the file does.
    """
    known = {row.id: row for row in rows}
    answers: dict[str, list[RowPosition]] = {}
    for row in rows:
        if row.reply_to in known and row.reply_to != row.id:
            answers.setdefault(row.reply_to, []).append(row)
    if not answers:
        return []
    replying = {row.line for replies in answers.values() for row in replies}
    seen: dict[int, None] = {}
    for root in [*(row for row in rows if row.line not in replying), *rows]:
        stack = [root]
        while stack:
            row = stack.pop()
            if row.line not in seen:
                seen[row.line] = None
                stack.extend(reversed(answers.get(row.id, [])))
    return list(seen)


def order_notes(counts: Mapping[str, int]) -> list[str]:
    """Say in words how documents were ordered, and which of them a reader should look at."""
    ordered = [f"{counts[by]:,} by {WORDS[by]}" for by in BY if counts[by]]
    notes = [f"Rows of documents were ordered: {', '.join(ordered)}."] if ordered else []
    if counts["moved"]:
        notes.append(f"In {counts['moved']:,} of them the file had another order than time or replies say.")
    if counts["incomplete"]:
        notes.append(f"In {counts['incomplete']:,} only some rows have a time, so that times were not used.")
    return notes


def seconds_of(value: Any) -> float | None:
    """Read a time: a number, digits, or a date and time of ISO 8601 (UTC where it names no zone); else None."""
    if isinstance(value, bool) or not isinstance(value, int | float | str):
        return None
    try:
        seconds = float(value)
    except (ValueError, OverflowError):
        seconds = _clock_seconds(str(value))
    return seconds if math.isfinite(seconds) else None


def _clock_seconds(text: str) -> float:
    try:
        moment = datetime.fromisoformat(text.strip())
    except ValueError:
        return math.nan
    return (moment if moment.tzinfo else moment.replace(tzinfo=UTC)).timestamp()
