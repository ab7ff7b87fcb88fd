"""Parse a line as a JSON object, and refuse what a database could not give back."""

import json
import math
import re
from typing import Any

from annotation_app.ingest.encodings import UTF8
from annotation_app.ingest.lines import check_decoded
from annotation_app.ingest.rows import Fault, check_characters, kind, printable

# Escapes that may stand for what cannot be stored; only lines that hold one are walked through.
RISKY = re.compile(r"\\u(?:0000|[dD][89a-fA-F])")
# Far below what Python's stack and PostgreSQL's take, whoever reads the value.
MOST_NESTED = 100


def object_of(text: str, encoding: str = UTF8) -> dict[str, Any]:
    """Raise Fault for what is not in the encoding, not JSON, not an object, or holds NUL, a lone surrogate, NaN or
    infinity."""
    if "\x00" in text:
        raise Fault(None, "Holds a NUL byte: take it out.")
    check_decoded(text, encoding)
    return object_checked(value_of(text), text)


def object_checked(value: Any, text: str) -> dict[str, Any]:
    """Return the value if it is an object that can be stored; `text` is what it was read from."""
    if not isinstance(value, dict):
        raise Fault(None, f"Not a JSON object but {kind(value)}: every row is one {{...}} with id and text.")
    if text.count("[") + text.count("{") > MOST_NESTED:
        check_nesting(value)
    if RISKY.search(text):
        check_characters(value)
    return value


def check_nesting(value: Any) -> None:
    level, depth = [value], 0
    while level:
        depth += 1
        if depth > MOST_NESTED:
            raise Fault(None, f"Malformed JSON: nested too deeply, more than {MOST_NESTED} levels.")
        level = [
            inner
            for each in level
            if isinstance(each, dict | list)
            for inner in (each.values() if isinstance(each, dict) else each)
        ]


def value_of(text: str) -> Any:
    try:
        return DECODER.decode(text.removesuffix("\n"))
    except json.JSONDecodeError as error:
        raise Fault(None, f"Malformed JSON: {error.msg.removesuffix(' at')}, column {error.pos + 1}.") from error
    except RecursionError as error:
        raise Fault(None, "Malformed JSON: nested too deeply.") from error
    except ValueError as error:
        raise Fault(None, f"Malformed JSON: {error}.") from error


def refuse_constant(name: str) -> None:
    raise ValueError(f"{name} is no JSON number")


def finite(digits: str) -> float:
    value = float(digits)
    if math.isinf(value):
        raise ValueError(f"{digits[:40]} is too large a number")
    return value


def once(pairs: list[tuple[str, Any]]) -> dict[str, Any]:
    """Make an object; a key that occurs twice is refused, since nobody could tell which value is meant."""
    found = dict(pairs)
    if len(found) != len(pairs):
        names = [name for name, _ in pairs]
        twice = next(name for name in names if names.count(name) > 1)
        raise ValueError(f"the key {printable(twice)[:100]!r} stands twice in one object")
    return found


DECODER = json.JSONDecoder(parse_constant=refuse_constant, parse_float=finite, object_pairs_hook=once)
