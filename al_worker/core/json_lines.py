"""Read JSON Lines that people give to a command, with an error that names the line."""

import json
from collections.abc import Iterable, Iterator
from typing import Any

from al_worker.core.errors import LineError


def json_objects(lines: Iterable[bytes], file: str = "") -> Iterator[tuple[int, dict[str, Any]]]:
    """Yield the number of each line that is not blank, from 1, with its object.

    `file` is what messages call the input. Raises LineError where a line is not UTF-8, not JSON or not an object.
    """
    for number, line in enumerate(lines, start=1):
        if not line.strip():
            continue
        try:
            record = json.loads(line.decode("utf-8"))
            # Half of a surrogate pair can be written as an escape, and stored nowhere.
            json.dumps(record, ensure_ascii=False).encode("utf-8")
        except UnicodeError as error:
            raise LineError(number, "is not UTF-8, or holds half of a surrogate pair", file) from error
        except json.JSONDecodeError as error:
            raise LineError(number, f"is not JSON ({error.msg} at column {error.colno})", file) from error
        if not isinstance(record, dict):
            raise LineError(number, "is not a JSON object", file)
        yield number, record
