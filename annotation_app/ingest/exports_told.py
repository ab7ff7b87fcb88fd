"""Tell the exports of other annotation tools from other texts, where nothing else can look like them."""

import json
from typing import Any

from annotation_app.ingest.objects import DECODER
from annotation_app.ingest.readers.conll import ends_in_tag, is_comment
from annotation_app.ingest.readers.doccano import HOLDERS

# What doccano writes beside ranges. Without these, triples may be another tool's, which counts code points.
OF_DOCCANO = ("Comments", "relations", "annotation_approver")
OFFSETS = {"start_offset", "end_offset", "label"}
LEAST_TOKENS = 2


def export_format(beginning: str) -> str | None:
    """Return the format that the beginning of a text shows for certain, else None. Its last line may be cut."""
    if beginning.startswith("["):
        return "label_studio" if is_label_studio(beginning) else None
    lines = beginning.split("\n")
    if beginning.startswith("{"):
        return "doccano" if any(is_doccano(line) for line in lines) else None
    return "conll" if is_conll(lines[:-1]) else None


def is_label_studio(text: str) -> bool:
    """Tell whether the first element is a task: its text stands in `data`, beside annotations that hold results."""
    try:
        task, _ = DECODER.raw_decode(text.removeprefix("[").lstrip())
    except (ValueError, RecursionError):
        return False
    if not isinstance(task, dict) or "text" in task or not isinstance(task.get("data"), dict):
        return False
    given = task.get("annotations", task.get("completions"))
    return isinstance(given, list) and all(isinstance(each, dict) and "result" in each for each in given)


def is_doccano(line: str) -> bool:
    try:
        fields = json.loads(line)
    except (ValueError, RecursionError):
        return False
    if not isinstance(fields, dict) or not isinstance(fields.get("text"), str):
        return False
    ranges: list[Any] = next(
        (fields[name] for name in HOLDERS if isinstance(fields.get(name), list) and fields[name]), []
    )
    if ranges and all(isinstance(each, dict) and each.keys() >= OFFSETS for each in ranges):
        return True
    return bool(ranges) and all(map(is_triple, ranges)) and any(name in fields for name in OF_DOCCANO)


def is_triple(value: Any) -> bool:
    return isinstance(value, list) and [type(each) for each in value] == [int, int, str]


def is_conll(lines: list[str]) -> bool:
    """Tell whether each line is empty, a comment or a token with its tag, and one has a label. A head has no tag."""
    tokens = [line for line in map(str.strip, lines) if line and not is_comment(line)]
    return (
        len(tokens) >= LEAST_TOKENS
        and all(map(ends_in_tag, tokens))
        and any(ends_in_tag(line, with_label=True) for line in tokens)
    )
