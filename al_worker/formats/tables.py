"""Read tables of a TOML file into frozen dataclasses. Each value is checked once; each fault names file and table."""

import dataclasses
import math
from collections.abc import Mapping
from typing import Any, TypeVar


class ConfigError(ValueError):
    """Signal that a configuration file lacks a value, or holds one that is not accepted."""


Settings = TypeVar("Settings")
_WORDS = {int: "a whole number", float: "a number", str: "a text", bool: "true or false"}


def setting(
    default: Any = dataclasses.MISSING,
    *,
    least: float = -math.inf,
    most: float = math.inf,
    choices: tuple[str, ...] = (),
) -> Any:
    """Declare a field with the range of a number, or the values that a text may have."""
    return dataclasses.field(default=default, metadata={"least": least, "most": most, "choices": choices})


def read_table(kind: type[Settings], file: str, table: str, values: Mapping[str, Any]) -> Settings:
    """Build `kind` from a table's values.

    Raises ConfigError for a name that is unknown or missing.
    Raises it also for a value that has another type, is out of its range, or stands twice in a list.
    """
    fields = {field.name: field for field in dataclasses.fields(kind)}  # type: ignore[arg-type]
    for name in values:
        if name not in fields:
            raise ConfigError(f'{file}: [{table}] takes no "{name}"; it takes {", ".join(fields)}')
    for name, field in fields.items():
        if name not in values and field.default is field.default_factory is dataclasses.MISSING:
            raise ConfigError(f'{file}: [{table}] lacks "{name}"')
    return kind(**{name: _checked(f"{file}: [{table}]", fields[name], value) for name, value in values.items()})


def _checked(place: str, field: "dataclasses.Field[Any]", value: Any) -> Any:
    if field.type not in _WORDS:
        return _checked_list(place, field, value)
    if field.type is float and type(value) is int:
        value = float(value)
    if type(value) is not field.type:
        raise ConfigError(f"{place} {field.name} = {value!r} is not {_WORDS[field.type]}")
    limits = field.metadata
    if limits and limits["choices"] and value not in limits["choices"]:
        raise ConfigError(f"{place} {field.name} = {value!r} is not one of {', '.join(limits['choices'])}")
    if limits and isinstance(value, int | float) and not limits["least"] <= value <= limits["most"]:
        raise ConfigError(f"{place} {field.name} = {value!r} is outside {limits['least']} to {limits['most']}")
    return value


def _checked_list(place: str, field: "dataclasses.Field[Any]", value: Any) -> tuple[Any, ...]:
    inner = int if field.type == tuple[int, ...] else str
    if not isinstance(value, list) or any(type(part) is not inner for part in value):
        raise ConfigError(f"{place} {field.name} = {value!r} is not a list, each {_WORDS[inner]}")
    if len(set(value)) != len(value):
        raise ConfigError(f"{place} {field.name} = {value!r} names something twice")
    return tuple(value)
