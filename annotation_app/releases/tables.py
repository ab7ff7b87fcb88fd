"""Write the files of a release that are one JSON document: rounds, agreement, codebooks, the datasheet."""

import json
import re
from collections.abc import Iterable, Iterator
from copy import deepcopy
from typing import Any

from annotation_app.agreement.selectors import agreement_table
from annotation_app.agreement.span_selectors import span_agreement
from annotation_app.agreement.statements import SCOPES
from annotation_app.agreement.statistics import IOU
from annotation_app.export.times import utc
from annotation_app.models import Batch, CodebookNote, CodebookVersion, Project, Round
from annotation_app.releases.datasheet import Datasheet

# The database adds up floats in an order of its own, so that the last digits differ from one reading to the next.
DIGITS = 8
# Before a file's name in a message.
FOLDERS = re.compile(r"(?<![\w./])/(?:[^\s/:;,'\"()]+/)+")


def document(value: Any) -> bytes:
    return (json.dumps(value, ensure_ascii=False, allow_nan=False, indent=1) + "\n").encode()


def listed(rows: Iterable[Any]) -> Iterator[bytes]:
    """Yield a JSON list, a row a line, without holding all of it."""
    between = b"["
    for row in rows:
        yield between + b"\n" + json.dumps(row, ensure_ascii=False, allow_nan=False).encode()
        between = b","
    yield b"\n]" if between == b"," else b"[]"


def rounds_file(project: Project) -> Iterator[bytes]:
    """Yield [{"number", "state", "record"}, ...] of the rounds that have a record; running ones have none yet."""
    numbers = project.rounds.exclude(record={}).order_by("number").values_list("number", flat=True)
    yield from listed(round_facts(project.rounds.get(number=number)) for number in list(numbers))
    yield b"\n"


def round_facts(row: Round) -> dict[str, Any]:
    return {"number": row.number, "state": row.state, "record": without_places(row.record, row.model)}


def without_places(record: dict[str, Any], model: str) -> dict[str, Any]:
    """Return the record without paths: a model from a folder goes by its name, an uploaded file by its hash.

    File names often tell who their owners are. Older records name the kernel's build, which tells whose machine it was;
    only the system's name stays.
    """
    record = deepcopy(record)
    machine = record.get("machine") or {}
    for settings in (machine.get("config", {}).get("model"), machine.get("model")):
        if settings and str(settings.get("name", "")).startswith("/"):
            settings["name"] = model
    if isinstance(machine.get("machine"), str):
        machine["machine"] = {"system": machine["machine"].partition("-")[0]}
    for failure in record.get("failures", []):
        failure["reason"] = FOLDERS.sub("", str(failure.get("reason", "")))
    (record.get("test_set") or {}).pop("file_name", None)
    return record


def agreement_file(project: Project, *, has_spans: bool) -> Iterator[bytes]:
    """Yield {"phase_1": {scope: rows}, "phase_2": the same or null, "spans": {"iou", "rows"} or null}, a row a line."""
    second = project.batches.filter(kind=Batch.Kind.SECOND_LOOK).exists()
    yield b'{"phase_1": '
    yield from agreement_phase(project, 1)
    yield b',\n"phase_2": '
    yield from agreement_phase(project, 2) if second else [b"null"]
    yield b',\n"spans": '
    yield from span_rows(project) if has_spans else [b"null"]
    yield b"}\n"


def agreement_phase(project: Project, phase: Any) -> Iterator[bytes]:
    for place, scope in enumerate(SCOPES):
        yield b"%s%s: " % (b",\n" if place else b"{", json.dumps(scope).encode())
        table = agreement_table(project=project, scope=scope, phase=phase)
        yield from listed(rounded(row.shown()) for row in table.rows)
    yield b"}"


def span_rows(project: Project) -> Iterator[bytes]:
    yield b'{"iou": %s, "rows": ' % json.dumps(IOU).encode()
    yield from listed(rounded(row.shown()) for row in span_agreement(project=project).rows)
    yield b"}"


def rounded(value: Any) -> Any:
    """Return the value with floats rounded to so many digits."""
    if isinstance(value, float):
        # Nought has one sign.
        return round(value, DIGITS) + 0.0
    if isinstance(value, dict):
        return {key: rounded(part) for key, part in value.items()}
    if isinstance(value, list | tuple):
        return [rounded(part) for part in value]
    return value


def codebook_path(version: CodebookVersion) -> str:
    return f"codebooks/v{version.version}.json"


def codebook_file(version: CodebookVersion) -> bytes:
    """Return the codebook as it was published."""
    return document(version.definition)


def notes_file(notes: Iterable[CodebookNote]) -> bytes:
    """Return [{"codebook_version", "stage", "words", "published_at"}, ...], without who asked or published."""
    return document(
        [
            {
                "codebook_version": note.codebook.version,
                "stage": note.stage or None,
                "words": note.words,
                "published_at": utc(note.published_at),
            }
            for note in notes
        ]
    )


def datasheet_file(sheet: Datasheet) -> bytes:
    """Return what the card was made of, without who answered or when."""
    sections = [
        {
            "key": section.key,
            "title": section.title,
            "questions": [
                {
                    "key": question.key,
                    "text": question.text,
                    "needs_answer": question.needs_answer,
                    "computed": question.computed,
                    "answer": question.answer,
                }
                for question in section.questions
            ],
        }
        for section in sheet.sections
    ]
    return document({"source": sheet.source, "sections": sections, "blocks": dict(sheet.blocks)})
