"""Name the kinds of heads that a model has, and the text form of a set of labels. Both sides import this."""

import json
import re
from collections.abc import Iterable

# One label of several; a set of labels; a label of an ordered scale, whose labels are listed in its order.
HEAD_KINDS = ONE, SEVERAL, ORDERED = "one", "several", "ordered"

# Label keys need no escapes.
SET = re.compile(r'\[("[^"\\]*"(,"[^"\\]*")*)?\]')


def set_text(keys: Iterable[str]) -> str:
    """Return the text in which a set of labels is stored: a JSON list in alphabetical order, without spaces."""
    return json.dumps(sorted(set(keys)), separators=(",", ":"))


def set_labels(text: str) -> tuple[str, ...] | None:
    """Return the labels of a set's text, or None where the text is no such list."""
    return tuple(json.loads(text)) if SET.fullmatch(text) else None
