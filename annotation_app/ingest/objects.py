"""A line as a JSON object, strict about what a database could not give back."""

import json
import math
import re
from typing import Any

from annotation_app.ingest.lines import decoded
from annotation_app.ingest.rows import Fault, check_characters

# Escapes that may stand for what cannot be stored; only lines that hold one are walked through.
RISKY = re.compile(r"\\u(?:0000|[dD][89a-fA-F])")


def object_of(data: bytes) -> dict[str, Any]:
    """Raises Fault for what is not UTF-8, not JSON, not an object, or holds NUL, a lone surrogate, NaN or infinity."""
    if b"\x00" in data:
        raise Fault(None, "Holds a NUL byte.")
    text = decoded(data)
    value = value_of(text)
    if not isinstance(value, dict):
        raise Fault(None, "Not a JSON object: every line holds one {...}.")
    if RISKY.search(text):
        check_characters(value)
    return value


def value_of(text: str) -> Any:
    try:
        return DECODER.decode(text)
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


DECODER = json.JSONDecoder(parse_constant=refuse_constant, parse_float=finite)
