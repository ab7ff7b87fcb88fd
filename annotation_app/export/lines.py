"""One record as one line of a file."""

import json
from typing import Any


def json_line(record: dict[str, Any]) -> bytes:
    """One JSON object and a newline; text stands as it is, and newlines within it are escaped by JSON."""
    return (json.dumps(record, ensure_ascii=False, allow_nan=False) + "\n").encode()


def plain(value: Any) -> Any:
    """A column's value: text, number or truth value; what is nested is JSON text, what is missing None."""
    if isinstance(value, dict | list):
        return json.dumps(value, ensure_ascii=False)
    return None if value == "" else value


def text_line(record: str) -> bytes:
    return (record + "\n").encode()
