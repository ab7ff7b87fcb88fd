"""Find fields that hold only dates, which `datasets` and pandas read as times and write differently."""

import re
from collections.abc import Iterator, Mapping
from typing import Any

from annotation_app.releases.features import STRING, Type

# What Arrow's reader of JSON tries on a text before it takes it for one: ISO 8601 to the second.
DATE = re.compile(r"\d{4}-\d\d-\d\d(?:[ T]\d\d(?::\d\d(?::\d\d)?)?(?:Z|[+-]\d\d(?::?\d\d)?)?)?")
# What is in them are keys of the codebook.
KEYS_ONLY = ("labels", "answers", "categories")
EACH = "[]"

Path = tuple[str, ...]


class Dates:
    """Watch every record of a file; `fields` are its types."""

    def __init__(self, fields: Mapping[str, Type]) -> None:
        free = {name: each for name, each in fields.items() if name not in KEYS_ONLY}
        self.possible = list(texts(free))
        self.seen: set[Path] = set()

    def see(self, record: Mapping[str, Any]) -> None:
        self.possible = [path for path in self.possible if self.only_dates(path, record)]

    def only_dates(self, path: Path, record: Mapping[str, Any]) -> bool:
        for value in values(record, path):
            if DATE.fullmatch(value) is None:
                return False
            self.seen.add(path)
        return True

    @property
    def found(self) -> list[str]:
        """Names such as document.id."""
        return [".".join(path).replace(f".{EACH}", EACH) for path in self.possible if path in self.seen]


def texts(each: Type) -> Iterator[Path]:
    """Return the paths to the texts in a type."""
    if each == STRING:
        yield ()
    inner = each.items() if isinstance(each, Mapping) else [(EACH, each[0])] if isinstance(each, list) else []
    for name, part in inner:
        yield from ((name, *path) for path in texts(part))


def values(value: Any, path: Path) -> Iterator[str]:
    """Yield the texts at the path, without nulls."""
    if value is None:
        return
    if not path:
        yield value
    elif path[0] == EACH:
        for part in value:
            yield from values(part, path[1:])
    else:
        yield from values(value[path[0]], path[1:])
