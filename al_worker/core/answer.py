"""Hold what a command on files prints, and read what it is given."""

import argparse
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


def from_one(given: str) -> int:
    """Read an argument that is a whole number of 1 or more."""
    value = int(given)
    if value < 1:
        raise argparse.ArgumentTypeError(f"{given} is not 1 or more")
    return value
