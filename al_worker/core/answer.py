"""Hold what a command on files prints."""

import json
from collections.abc import Mapping, Sequence
from dataclasses import dataclass
from typing import Any


@dataclass(frozen=True, slots=True)
class Answer:
    """Hold the lines for standard output, and those for standard error, which say what was left out."""

    lines: Sequence[str]
    notes: Sequence[str] = ()


def json_line(value: Mapping[str, Any]) -> str:
    """Return an object as a line of JSON, in UTF-8 as it is; NaN is refused."""
    return json.dumps(value, ensure_ascii=False, allow_nan=False)
