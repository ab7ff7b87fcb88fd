"""Convert spans to text and back on JSON lines: `python -m al_worker.core {linearize,parse}`.

The form is described in docs/develop/text_form.md.
"""

import json
from collections.abc import Iterable, Iterator, Sequence
from typing import Any

from al_worker.core.errors import LineError
from al_worker.formats.text_form import OUTER, TextFormError, linearize, parse, span_of


def linearize_lines(lines: Iterable[bytes], style: str, outer: Sequence[str] = OUTER) -> Iterator[str]:
    """Turn lines of {"text", "spans": [{"start", "end", "category", "comment"}]} into lines of {"linear"}.

    An "id" is carried over. A span's "quote", where there is one, must be the words that it covers.
    Other keys are ignored. Raises LineError.
    """
    for number, record in _records(lines, "text"):
        given = _list(number, record.get("spans", []))
        try:
            spans = [span_of(each, record["text"]) for each in given]
            linear = linearize(record["text"], spans, style, outer)
        except TextFormError as error:
            raise LineError(number, str(error)) from error
        yield _line(record, {"linear": linear})


def parse_lines(lines: Iterable[bytes], style: str) -> Iterator[str]:
    """Turn lines of {"linear"} into {"text", "spans", "faults": [{"kind", "category", "at"}], "closed_correctly"}.

    Faults are results. LineError is raised only for a line that is not such an object.
    """
    for _, record in _records(lines, "linear"):
        parsed = parse(record["linear"], style)
        spans = [
            {"start": span.start, "end": span.end, "category": span.category, "comment": span.comment}
            for span in parsed.spans
        ]
        faults = [{"kind": fault.kind, "category": fault.category, "at": fault.at} for fault in parsed.faults]
        yield _line(
            record,
            {"text": parsed.text, "spans": spans, "faults": faults, "closed_correctly": parsed.closed_correctly},
        )


def _records(lines: Iterable[bytes], key: str) -> Iterator[tuple[int, dict[str, Any]]]:
    for number, line in enumerate(lines, start=1):
        if not line.strip():
            continue
        try:
            record = json.loads(line.decode("utf-8"))
            json.dumps(record, ensure_ascii=False).encode("utf-8")
        except UnicodeError as error:
            raise LineError(number, "is not UTF-8, or holds half of a surrogate pair") from error
        except json.JSONDecodeError as error:
            raise LineError(number, f"is not JSON ({error.msg} at column {error.colno})") from error
        if not isinstance(record, dict) or not isinstance(record.get(key), str):
            raise LineError(number, f'needs an object with "{key}", a text')
        yield number, record


def _list(number: int, value: Any) -> list[Any]:
    if not isinstance(value, list):
        raise LineError(number, '"spans" is not a list')
    return value


def _line(record: dict[str, Any], result: dict[str, Any]) -> str:
    carried = {"id": record["id"]} if "id" in record else {}
    return json.dumps(carried | result, ensure_ascii=False) + "\n"
