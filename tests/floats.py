"""Equal but for the last digits of numbers, which depend on the order in which the database adds."""

from collections.abc import Mapping
from dataclasses import is_dataclass
from typing import Any


def rounded(value: Any) -> Any:
    """The same value with every float in it rounded to nine digits; rows and tables become dictionaries and lists."""
    if is_dataclass(value) and not isinstance(value, type):
        return rounded({name: getattr(value, name) for name in value.__dataclass_fields__})
    if isinstance(value, Mapping):
        return {key: rounded(inner) for key, inner in value.items()}
    if isinstance(value, list | tuple):
        return [rounded(inner) for inner in value]
    return round(value, 9) if isinstance(value, float) else value
