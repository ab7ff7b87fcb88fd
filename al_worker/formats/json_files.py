"""Read JSON and JSONL files that people write, and name the place of what is wrong in them."""

import json
from collections.abc import Callable, Iterator
from pathlib import Path
from typing import Any

from al_worker.formats.run_directory import RunDirectoryError, read_rows

# Makes a failure of file, place and message.
Refusal = Callable[[str, str, str], Exception]


def read_json_file(path: Path, refusal: Refusal) -> Any:
    """Return the value of a JSON file. Raises what `refusal` makes."""
    try:
        data = path.read_bytes()
    except OSError as error:
        raise refusal(str(path), "", f"cannot be read ({error.strerror}); check the path") from error
    return read_json_bytes(data, str(path), refusal)


def read_json_bytes(data: bytes, file: str, refusal: Refusal) -> Any:
    """Return the value of a JSON file that messages call `file`. Raises what `refusal` makes."""
    try:
        value = json.loads(data.decode("utf-8-sig"))
        json.dumps(value, ensure_ascii=False).encode()
    except UnicodeDecodeError as error:
        raise refusal(file, f"byte {error.start}", "is not UTF-8; save the file as UTF-8") from error
    except json.JSONDecodeError as error:
        place = f"line {error.lineno}, column {error.colno}"
        raise refusal(file, place, f"not valid JSON ({error.msg}); correct it there") from error
    except UnicodeEncodeError as error:
        message = "holds half of a surrogate pair, which is not text; write the whole character"
        raise refusal(file, "", message) from error
    except (RecursionError, ValueError) as error:
        message = "not usable JSON: nested too deeply, or a number too long; write the form that the docs give"
        raise refusal(file, "", message) from error
    return value


def read_rows_by_id(path: Path) -> Iterator[tuple[int, str, dict[str, Any]]]:
    """Yield (line number, id, object) of a JSONL file in which each line has an id of its own.

    Raises RunDirectoryError, which names the line.
    """
    if not path.is_file():
        raise RunDirectoryError(path.name, f"missing in {path.parent}; check the path")
    lines: dict[str, int] = {}
    for number, row in read_rows(path):
        name = row.get("id")
        if not isinstance(name, str) or not name:
            raise RunDirectoryError(path.name, '"id" must be a text that is not empty', line=number)
        if lines.setdefault(name, number) != number:
            message = f"{name!r} is the id of line {lines[name]} too; give each line an id of its own"
            raise RunDirectoryError(path.name, message, line=number)
        try:
            json.dumps(row, ensure_ascii=False).encode()
        except UnicodeEncodeError as error:
            message = "holds half of a surrogate pair, which is not text; write the whole character"
            raise RunDirectoryError(path.name, message, line=number) from error
        yield number, name, row
