"""Read targets: interpretations of a source with their spans (Marfurt et al. 2022, 2.3)."""

from collections.abc import Mapping, Sequence
from dataclasses import asdict, dataclass
from pathlib import Path
from typing import Any

from al_worker.formats.json_files import read_rows_by_id
from al_worker.formats.run_directory import RunDirectoryError
from al_worker.formats.text_form import STYLES, Span, TextFormError, check_span, parse, span_of

TRAIN = "train"
# Instances are made of these alone.
EVALUATED = ("valid", "validation", "test")


@dataclass(frozen=True, slots=True)
class Target:
    """Hold a target: its text, and spans whose offsets are code points."""

    id: str
    split: str
    text: str
    spans: tuple[Span, ...]

    def written(self) -> dict[str, Any]:
        """Return the target as a JSON object."""
        return asdict(self)


def read_targets(path: Path, style: str = "spaces") -> list[Target]:
    """Read a JSONL file of {"id", "split", "text", "spans": [{"start", "end", "category", "comment"}]}.

    An export of targets also has "linear", the text form in "style". The spans are read from there: its markers have
    the names that models see, and its "spans" have the codebook's keys.
    `style` is that in which the spans will be written. Raises RunDirectoryError, which names the line.
    """
    found = []
    for number, name, row in read_rows_by_id(path):
        text, split = row.get("text"), row.get("split")
        if not isinstance(text, str) or not text.strip():
            raise RunDirectoryError(path.name, '"text" is empty; leave the target out', line=number)
        if split not in (TRAIN, *EVALUATED):
            message = f'"split" must be one of {", ".join((TRAIN, *EVALUATED))}, not {split!r}'
            raise RunDirectoryError(path.name, message, line=number)
        try:
            read = _spans(row, text)
            for span in read:
                check_span(span, text, style)
        except TextFormError as error:
            raise RunDirectoryError(path.name, str(error), line=number) from error
        found.append(Target(name, split, text, read))
    return found


def _spans(row: Mapping[str, Any], text: str) -> tuple[Span, ...]:
    if "linear" not in row:
        spans = row.get("spans")
        if not isinstance(spans, list):
            raise TextFormError('"spans" is not a list; it may be empty')
        return tuple(span_of(each, text) for each in spans)
    linear, style = row["linear"], row.get("style", "spaces")
    if not isinstance(linear, str) or style not in STYLES:
        raise TextFormError(f'"linear" must be a text form, and "style" one of {", ".join(STYLES)}')
    parsed = parse(linear, style)
    if parsed.faults or parsed.text != text:
        raise TextFormError('"linear" is not the text form of "text"; export the target again, or leave "linear" out')
    return parsed.spans


def categories_of(targets: Sequence[Target]) -> set[str]:
    """Return the categories of all spans."""
    return {span.category for target in targets for span in target.spans}
