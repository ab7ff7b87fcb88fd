"""Write one record as one line of a file."""

import json
from typing import Any


def json_line(record: dict[str, Any]) -> bytes:
    """Return one JSON object and a newline; text is kept as it is, and JSON escapes newlines within it."""
    return (json.dumps(record, ensure_ascii=False, allow_nan=False) + "\n").encode()


def plain(value: Any) -> Any:
    """Return a column's value: text, number or truth value; nested values are JSON text, missing ones None."""
    if isinstance(value, dict | list):
        return json.dumps(value, ensure_ascii=False)
    return None if value == "" else value


def text_line(record: str) -> bytes:
    """Return a line of UTF-8."""
    return (record + "\n").encode()
