"""Read decoded JSON without stopping at the first fault: each reader notes what is wrong and continues."""

import re
from collections.abc import Callable, Mapping, Sequence
from dataclasses import dataclass
from typing import Any, TypeVar

from annotation_app.codebook.texts import shown, text_fault

KEY = re.compile(r"[a-z][a-z0-9_]*")
KEY_LENGTH = 50

T = TypeVar("T")


class Faults:
    """Collect the faults found so far, as (path, message), in the order of reading."""

    def __init__(self) -> None:
        self.found: list[tuple[str, str]] = []

    def add(self, path: str, message: str) -> None:
        self.found.append((path, message))


@dataclass(frozen=True)
class Node:
    """Hold one JSON object of the definition with its path; `of` checks which keys it has.

    The readers return a value of the right type even where they noted a fault, so that reading can continue. The
    caller discards the result when any fault was noted.
    """

    value: Mapping[str, Any]
    path: str
    faults: Faults

    @staticmethod
    def of(value: Any, path: str, faults: Faults, allowed: Sequence[str]) -> "Node | None":
        """Return a node over `value`, or None with a fault when it is not an object.

        Keys outside `allowed` are faults.
        """
        if not isinstance(value, dict):
            faults.add(path, f"must be an object, not {kind_of(value)}")
            return None
        node = Node(value, path, faults)
        for key in value:
            if key not in allowed:
                faults.add(node.at(shown(key)), f"unknown key; allowed here: {', '.join(allowed)}")
        return node

    def at(self, key: str) -> str:
        return f"{self.path}.{key}" if self.path else key

    def text(self, key: str, limit: int, default: str | None = None) -> str:
        """Read a text of at most `limit` code points. Without a default it is required and must not be blank."""
        value = self._get(key, default)
        if value is None:
            return ""
        fault = text_fault(value, limit, may_be_blank=default is not None)
        if fault:
            self.faults.add(self.at(key), fault)
            return ""
        return str(value)

    def key(self, key: str = "key") -> str:
        value = self._get(key, None)
        if value is None:
            return ""
        if not isinstance(value, str) or len(value) > KEY_LENGTH or not KEY.fullmatch(value):
            message = f"must be a key: a small letter, then small letters, digits or _, at most {KEY_LENGTH} characters"
            self.faults.add(self.at(key), message)
            return ""
        return value

    def choice(self, key: str, choices: Sequence[str], default: str) -> str:
        value = self.value.get(key, default)
        if value not in choices:
            self.faults.add(self.at(key), f"must be one of {', '.join(choices)}")
            return default
        return str(value)

    def count(self, key: str, most: int) -> int | None:
        """Read a whole number from 0 to `most`, or None where it is missing or null."""
        value = self.value.get(key)
        if value is None:
            return None
        if type(value) is not int or not 0 <= value <= most:
            self.faults.add(self.at(key), f"must be a whole number from 0 to {most}, or null")
            return None
        return value

    def shortcut(self) -> str | None:
        """Read the key on the keyboard, one letter or digit, or None where it is missing or null."""
        value = self.value.get("shortcut")
        if value is None:
            return None
        if not isinstance(value, str) or len(value) != 1 or not value.isalnum():
            self.faults.add(self.at("shortcut"), "must be one letter or digit")
            return None
        return value

    def flag(self, key: str, default: bool) -> bool:
        value = self.value.get(key, default)
        if not isinstance(value, bool):
            self.faults.add(self.at(key), f"must be true or false, not {kind_of(value)}")
            return default
        return value

    def objects(self, key: str, most: int, least: int = 1) -> list[tuple[Any, str]]:
        """Read a list that must hold between `least` and `most` elements, and return each with its path.

        The list may be missing where `least` is 0.
        """
        value = self._get(key, None) if least else self.value.get(key, [])
        if value is None:
            return []
        return self._elements(value, key, least, most)

    def strings(self, key: str, most: int, fault_of: Callable[[Any], str | None], least: int = 0) -> tuple[str, ...]:
        """Read a list of strings without repeats; a missing list is empty. `fault_of` returns one string's fault."""
        elements = self._elements(self.value.get(key, []), key, least, most)
        good: list[str] = []
        for value, path in elements:
            fault = fault_of(value) or ("is in the list twice" if value in good else None)
            if fault:
                self.faults.add(path, fault)
            else:
                good.append(value)
        return tuple(good)

    def _elements(self, value: Any, key: str, least: int, most: int) -> list[tuple[Any, str]]:
        path = self.at(key)
        if not isinstance(value, list):
            self.faults.add(path, f"must be a list, not {kind_of(value)}")
            return []
        if len(value) < least:
            self.faults.add(path, "must not be empty")
        if len(value) > most:
            self.faults.add(path, f"has {len(value)} elements, at most {most} are allowed")
        return [(element, f"{path}[{i}]") for i, element in enumerate(value[:most])]

    def _get(self, key: str, default: Any) -> Any:
        """Return the value or the default. Null, or a missing value without a default, is a fault and gives None."""
        if key not in self.value and default is None:
            self.faults.add(self.at(key), "is missing")
        elif key in self.value and self.value[key] is None:
            self.faults.add(self.at(key), "must not be null")
            return None
        return self.value.get(key, default)


def kind_of(value: Any) -> str:
    """Return JSON's word for the type of a decoded value."""
    names = {dict: "an object", list: "a list", str: "a text", bool: "true or false", type(None): "null"}
    return names.get(type(value), "a number")


def note_repeats(keys: Sequence[tuple[str, str]], what: str, faults: Faults) -> None:
    """Note a fault for each (key, path) whose key occurs earlier in `keys`. Empty keys were already refused."""
    first: dict[str, str] = {}
    for key, path in keys:
        if key and key in first:
            faults.add(path, f'{what} "{key}" is already used at {first[key]}')
        first.setdefault(key, path)
