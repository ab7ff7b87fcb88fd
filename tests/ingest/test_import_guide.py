"""docs/guide/import.md: its examples are read without a fault, and it has every format and field."""

import io
import re

import pytest

from annotation_app.ingest.formats import READERS, format_of
from annotation_app.ingest.mapping import FIELDS
from annotation_app.ingest.rows import ImportRow
from annotation_app.ingest.source import Source
from tests.stack import ROOT

PAGE = (ROOT / "docs" / "guide" / "import.md").read_text(encoding="utf-8")
EXAMPLES: list[tuple[str, str]] = re.findall(r"```(jsonl|csv)\n(.*?)```", PAGE, re.DOTALL)


def rows_of(text: str) -> tuple[str, list[object]]:
    source = Source("example", file=io.BytesIO(text.encode()))
    found = format_of(source, "auto")
    return found, list(READERS[found](source))


@pytest.mark.parametrize("name, text", EXAMPLES)
def test_an_example_is_read(name: str, text: str) -> None:
    found, rows = rows_of(text)
    assert found == name
    assert [type(row) for row in rows] == [ImportRow, ImportRow]


def test_both_first_examples_are_the_same_texts() -> None:
    (_, jsonl), (_, csv) = (rows_of(text) for _, text in EXAMPLES[:2])
    seen = [[(row.id, row.text, row.document_id, row.speaker, row.position) for row in rows] for rows in (jsonl, csv)]  # type: ignore[attr-defined]
    assert seen[0] == seen[1]


def test_it_has_every_format_and_field() -> None:
    rows = re.findall(r"^\| `(\w+)` \|", PAGE, re.MULTILINE)
    assert set(rows) == {*READERS, *FIELDS}
    assert len(EXAMPLES) == 3
