"""Read and write the run directory, where the web side and the model side meet.

Both sides may share a machine, or the directory is carried between two.
docs/develop/run_directory.md describes every file. Only the standard library is used here, as both sides import this.
"""

import json
import os
import tomllib
from collections.abc import Iterable, Iterator, Mapping, Sequence
from dataclasses import dataclass, field
from pathlib import Path
from typing import Any

from al_worker.formats.missing import Missing
from al_worker.formats.toml_text import Table, toml_dumps

CONFIG = "config.toml"
HEADS = "heads"
LABELED = "labeled.jsonl"
ISSUED = "issued.jsonl"
POOL = "pool.jsonl"
EVALUATION = "evaluation.jsonl"
STOPPING_SET = "stopping_set.jsonl"
PREVIOUS_STOPPING = "previous_stopping.jsonl"
PREDICTIONS = "predictions.npz"
STOPPING = "stopping.jsonl"
SCORES = "scores.npz"
SELECTED = "selected.jsonl"
METRICS = "metrics.json"
RECORD = "record.json"
MODEL = "model"
SHARDS = "shards"
SCAN = "scan.json"
STEPS = "steps"

_DECODER = json.JSONDecoder()

STEP_NAMES = ("encode", "train", "score", "select")


class RunDirectoryError(ValueError):
    """Signal that a run directory's file is missing or wrong. The message names the file, the line and the remedy."""

    def __init__(self, file: str, message: str, *, line: int | None = None) -> None:
        place = file if line is None else f"{file} line {line}"
        super().__init__(f"{place}: {message}")
        self.file, self.line = file, line


@dataclass(frozen=True, slots=True)
class Item:
    """Hold one line of pool, labeled, issued or evaluation.

    `label` is set where the model has one head, `labels` where config.toml names its heads.
    `labels` is {head: label} and never empty.
    """

    id: str
    text: str
    label: str | None = None
    labels: Mapping[str, str] | None = field(default=None, hash=False)


@dataclass(frozen=True, slots=True)
class Selected:
    """Hold one line of selected.jsonl. `rank` starts at 1; `source` is "strategy", or "random" for the random share."""

    id: str
    rank: int
    score: float
    source: str = "strategy"


def write_items(path: Path, items: Iterable[Item]) -> int:
    """Write items as JSONL (UTF-8 as is, one object a line), all or nothing. Return the number of lines."""
    return write_rows(path, (_row(item) for item in items))


def read_items(path: Path, *, need_label: bool = False, missing: Missing | None = None) -> list[Item]:
    """Read a JSONL file of items. Ids are unique within the file. Lines whose label `missing` takes are left out.

    Raises RunDirectoryError with the line number on malformed JSON, a missing or wrong field, or a duplicate id.
    It is also raised for a text that is not valid Unicode.
    With `need_label`, it is also raised where label and labels are both missing.
    """
    items: list[Item] = []
    seen: dict[str, int] = {}
    file = path.name
    for line, row in read_rows(path):
        if missing is not None and "labels" not in row and missing.takes(line, _label_text(row.get("label"))):
            continue
        item = _item(file, line, row, need_label)
        if item.id in seen:
            raise RunDirectoryError(
                file, f'id "{item.id}" was already given on line {seen[item.id]}: ids must differ', line=line
            )
        seen[item.id] = line
        items.append(item)
    return items


def write_selected(path: Path, chosen: Iterable[Selected]) -> int:
    """Write selected.jsonl in rank order, all or nothing. Return the number of lines."""
    return write_rows(path, ({"id": s.id, "rank": s.rank, "score": s.score, "source": s.source} for s in chosen))


def read_selected(path: Path) -> list[Selected]:
    """Read selected.jsonl. The lines must be in rank order from 1. Raises RunDirectoryError."""
    chosen: list[Selected] = []
    for line, row in read_rows(path):
        try:
            entry = Selected(str(row["id"]), int(row["rank"]), float(row["score"]), str(row.get("source", "strategy")))
        except (KeyError, TypeError, ValueError) as error:
            raise RunDirectoryError(path.name, f'expected "id", "rank" and "score" ({error})', line=line) from error
        if entry.rank != len(chosen) + 1:
            raise RunDirectoryError(
                path.name,
                f"rank {entry.rank} where {len(chosen) + 1} was expected: count up from 1",
                line=line,
            )
        chosen.append(entry)
    return chosen


def write_labels(path: Path, said: Mapping[str, Mapping[str, str]]) -> int:
    """Write a model's labels for a fixed set of items, {head: {id: label}}, all or nothing. Return the number of lines.

    There is one item a line, in the order of the first head.
    The one head without a name ("") gives lines of {"id", "label"}, named heads lines of {"id", "labels"}.
    """
    if "" in said:
        return write_rows(path, ({"id": name, "label": label} for name, label in said[""].items()))
    ids = dict.fromkeys(name for of in said.values() for name in of)
    return write_rows(
        path, ({"id": name, "labels": {head: of[name] for head, of in said.items() if name in of}} for name in ids)
    )


def read_labels(path: Path) -> dict[str, dict[str, str]]:
    """Read {head: {id: label}} as write_labels wrote it. Ids are unique within the file. Raises RunDirectoryError."""
    said: dict[str, dict[str, str]] = {}
    seen: set[str] = set()
    for line, row in read_rows(path):
        name = _scalar(path.name, line, row, "id")
        if name in seen:
            raise RunDirectoryError(path.name, f'id "{name}" was already given: ids must differ', line=line)
        seen.add(name)
        named = _labels(path.name, line, row)
        for head, label in (named or {"": _scalar(path.name, line, row, "label")}).items():
            said.setdefault(head, {})[name] = label
    return said


def write_config(path: Path, tables: Mapping[str, Table | Sequence[Table]]) -> None:
    """Write config.toml from `{"round": {...}, "strategy": {...}, "model": {...}, ...}`. A list becomes `[[name]]`."""
    write_atomic(path, toml_dumps(tables).encode())


def read_config(path: Path) -> dict[str, Any]:
    """Read config.toml as a table of tables, and `heads` as a list of them.

    The contents of a table are checked where they are used. Raises RunDirectoryError.
    """
    try:
        tables = tomllib.loads(read_text(path))
    except tomllib.TOMLDecodeError as error:
        raise RunDirectoryError(path.name, f"not valid TOML: {error}") from error
    for name, table in tables.items():
        if name == HEADS:
            if not isinstance(table, list) or not all(isinstance(entry, dict) for entry in table):
                raise RunDirectoryError(path.name, f"[{HEADS}] must be [[{HEADS}]], one table a head")
        elif not isinstance(table, dict):
            raise RunDirectoryError(path.name, f'"{name}" stands outside a table; move it under [round] or another')
    return tables


def write_json(path: Path, value: Mapping[str, Any]) -> None:
    """Write a JSON object for people and programs: indented, UTF-8, NaN refused, all or nothing."""
    text = json.dumps(value, ensure_ascii=False, indent=2, allow_nan=False)
    write_atomic(path, (text + "\n").encode())


def read_json(path: Path) -> dict[str, Any]:
    """Read a JSON object. Raises RunDirectoryError."""
    try:
        value = json.loads(read_text(path))
    except json.JSONDecodeError as error:
        raise RunDirectoryError(path.name, f"not valid JSON: {error.msg}", line=error.lineno) from error
    if not isinstance(value, dict):
        raise RunDirectoryError(path.name, "expected a JSON object")
    return value


def write_atomic(path: Path, data: bytes) -> None:
    """Write under a temporary name, flush to disk, then rename. A reader or a restart sees the whole file or none."""
    temporary = path.with_name(f".{path.name}.{os.getpid()}.tmp")
    with temporary.open("wb") as file:
        file.write(data)
        file.flush()
        os.fsync(file.fileno())
    replace_durably(temporary, path)


def replace_durably(temporary: Path, path: Path) -> None:
    """Rename onto `path` and flush the folder, so that the rename itself survives a power cut."""
    temporary.replace(path)
    folder = os.open(path.parent, os.O_RDONLY)
    try:
        os.fsync(folder)
    finally:
        os.close(folder)


def read_text(path: Path) -> str:
    """Return the file as UTF-8 text. Raises RunDirectoryError, which names the missing file or the first wrong line."""
    if not path.is_file():
        raise RunDirectoryError(path.name, f"missing in {path.parent}; {_mend(path.name)}")
    data = path.read_bytes()
    try:
        return data.decode("utf-8")
    except UnicodeDecodeError as error:
        line = data.count(b"\n", 0, error.start) + 1
        raise RunDirectoryError(
            path.name, f"byte {error.start} is not UTF-8; save the file as UTF-8", line=line
        ) from error


def _mend(name: str) -> str:
    if name in (LABELED, ISSUED):
        return "write an empty file when there is nothing in it yet"
    if name == PREDICTIONS:
        return "run the score step first"
    return "see docs/develop/run_directory.md for what it holds"


def write_rows(path: Path, rows: Iterable[Mapping[str, Any]]) -> int:
    """Write objects as JSONL (UTF-8 as is, NaN refused), all or nothing. Return the number of lines."""
    lines = [json.dumps(row, ensure_ascii=False, allow_nan=False) + "\n" for row in rows]
    write_atomic(path, "".join(lines).encode())
    return len(lines)


def read_rows(path: Path) -> Iterator[tuple[int, dict[str, Any]]]:
    """Yield (line number, object) of a JSONL file, blank lines left out. Raises RunDirectoryError."""
    # Only "\n" ends a line: texts may hold U+2028, U+0085 and other characters that splitlines() would cut at.
    for number, line in enumerate(read_text(path).split("\n"), start=1):
        if not line.strip():
            continue
        try:
            row = _decode(line)
        except RecursionError as error:
            raise RunDirectoryError(path.name, "not usable JSON: nested too deeply", line=number) from error
        except json.JSONDecodeError as error:
            raise RunDirectoryError(
                path.name, f"not valid JSON: {error.msg} at column {error.colno}", line=number
            ) from error
        if not isinstance(row, dict):
            raise RunDirectoryError(path.name, "expected a JSON object a line", line=number)
        yield number, row


def _decode(line: str) -> Any:
    """Decode like json.loads, in half the time for a line that is one plain value."""
    try:
        value, end = _DECODER.raw_decode(line)
    except json.JSONDecodeError:  # loads also reads what may stand before the value, and it words the error
        return json.loads(line)
    return value if end == len(line) else json.loads(line)


def _item(file: str, line: int, row: Mapping[str, Any], need_label: bool) -> Item:
    item_id = _scalar(file, line, row, "id")
    text = row.get("text")
    if not isinstance(text, str):
        raise RunDirectoryError(file, '"text" is missing or not a string', line=line)
    label = None if row.get("label") is None else _scalar(file, line, row, "label")
    labels = _labels(file, line, row)
    if label is not None and labels is not None:
        raise RunDirectoryError(file, 'holds "label" and "labels"; give labels where heads are named', line=line)
    if need_label and label is None and labels is None:
        raise RunDirectoryError(
            file, '"label" is missing; items without a usable label belong in issued.jsonl', line=line
        )
    if not (text.isascii() and item_id.isascii()) or label is not None or labels is not None:
        given = (labels or {}).items()
        _check_unicode(file, line, "".join((item_id, text, label or "", *(f"{head}{name}" for head, name in given))))
    return Item(item_id, text, label, labels)


def _label_text(label: object) -> str:
    """Return the label as a cell of a table would hold it: null is a blank cell."""
    return "" if label is None else str(label)


def _check_unicode(file: str, line: int, values: str) -> None:
    try:
        values.encode()
    except UnicodeEncodeError as error:
        raise RunDirectoryError(file, "holds half of a surrogate pair, which is not text", line=line) from error


def _labels(file: str, line: int, row: Mapping[str, Any]) -> dict[str, str] | None:
    """Return `{head: label}` without the heads that have none, or None where no label is left."""
    given = row.get("labels")
    if given is None:
        return None
    if not isinstance(given, dict):
        raise RunDirectoryError(file, '"labels" is not an object of head and label', line=line)
    return {head: _scalar(file, line, given, head) for head, label in given.items() if label is not None} or None


def _row(item: Item) -> dict[str, Any]:
    row: dict[str, Any] = {"id": item.id, "text": item.text}
    if item.label is not None:
        row["label"] = item.label
    if item.labels:
        row["labels"] = dict(item.labels)
    return row


def _scalar(file: str, line: int, row: Mapping[str, Any], name: str) -> str:
    value = row.get(name)
    if type(value) is str and value and "\x00" not in value:
        return value
    if isinstance(value, bool) or not isinstance(value, str | int) or value == "":
        raise RunDirectoryError(file, f'"{name}" is missing or neither text nor a whole number', line=line)
    if "\x00" in str(value):
        raise RunDirectoryError(file, f'"{name}" holds a NUL character', line=line)
    return str(value)
