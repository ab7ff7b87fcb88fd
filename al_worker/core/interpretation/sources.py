"""Read sources with their targets from JSONL files."""

from collections.abc import Sequence
from dataclasses import dataclass
from pathlib import Path
from typing import Any

from al_worker.formats.json_files import read_rows_by_id
from al_worker.formats.run_directory import RunDirectoryError
from al_worker.formats.text_form import OUTER, TextFormError, linearize, span_of

FORM = '{"id", "sentences": [text], "targets": [text form]}'


@dataclass(frozen=True, slots=True)
class SourceText:
    """Hold a source: its sentences, or None where the file has none, and its targets in the text form.

    `line` is its line in the file.
    """

    id: str
    sentences: tuple[str, ...] | None
    targets: tuple[str, ...]
    line: int


def read_sources(path: Path, style: str = "spaces", outer: Sequence[str] = OUTER) -> list[SourceText]:
    """Read a JSONL file of {"id", "sentences": [text], "targets": [text form or {"text", "spans"}]}.

    Where a line has "kept", as a filter prints it, only these sentences are taken. Raises RunDirectoryError.
    """
    found = []
    for number, name, row in read_rows_by_id(path):
        file = _Line(path.name, number)
        sentences = file.texts(row["sentences"], "sentences") if "sentences" in row else None
        if "kept" in row:
            sentences = file.kept(row["kept"], sentences)
        targets = file.list(row.get("targets", []), "targets")
        linear = tuple(file.target(each, at, style, outer) for at, each in enumerate(targets))
        found.append(SourceText(name, sentences, linear, number))
    return found


@dataclass(frozen=True, slots=True)
class _Line:
    """Check the values of one line."""

    file: str
    number: int

    def refused(self, message: str) -> RunDirectoryError:
        return RunDirectoryError(self.file, message, line=self.number)

    def list(self, value: Any, key: str) -> list[Any]:
        if not isinstance(value, list):
            raise self.refused(f'"{key}" must be a list; a line is {FORM}')
        return value

    def texts(self, value: Any, key: str) -> tuple[str, ...]:
        for at, each in enumerate(self.list(value, key)):
            if not isinstance(each, str) or not each.strip():
                raise self.refused(f"{key}[{at}] must be a text that is not empty")
        if not value:
            raise self.refused(f'"{key}" is empty; a source has a sentence or more')
        return tuple(value)

    def kept(self, value: Any, sentences: tuple[str, ...] | None) -> tuple[str, ...]:
        n = len(sentences or ())
        for at, number in enumerate(self.list(value, "kept")):
            if type(number) is not int or not 0 <= number < n:
                raise self.refused(f"kept[{at}] is no number of a sentence; there are {n}, from 0")
        return tuple((sentences or ())[number] for number in value)

    def target(self, value: Any, at: int, style: str, outer: Sequence[str]) -> str:
        linear = value
        if isinstance(value, dict) and isinstance(value.get("text"), str):
            spans = self.list(value.get("spans"), f"targets[{at}].spans")
            try:
                linear = linearize(value["text"], [span_of(each, value["text"]) for each in spans], style, outer)
            except TextFormError as error:
                raise self.refused(f"targets[{at}]: {error}") from error
        if not isinstance(linear, str):
            raise self.refused(f'targets[{at}] must be a text form or {{"text", "spans"}}')
        if not linear.strip():
            raise self.refused(f"targets[{at}] is empty; leave it out")
        return linear
