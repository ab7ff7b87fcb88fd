"""Exported spans, read back: hard texts come out of the text form and the command line as they are stored."""

import json
import subprocess
import sys
from typing import Any

import pytest
from django.conf import settings

from al_worker.formats.text_form import STYLES, parse
from annotation_app.export.options import ExportOptions
from annotation_app.export.spans.linear_form import ExportedSpan
from annotation_app.models import Span
from tests.conftest import People
from tests.export.layers import MARKERS
from tests.export.span_rows import exported, mark, open_articles, span_codebook

pytestmark = pytest.mark.django_db(transaction=True)

HARD = [
    "Nice 👩‍🔬 work 🎉 but the grant was cut",
    "First point.\r\n\r\nSecond  point:\tcosts rise.",
    "\u05e9\u05dc\u05d5\u05dd (\u05d4\u05d1\u05e0\u05e7) \u202eabc\u202c e\u0301 [ACT START] x [ACT END] \\[",
    "a (b) [STD SENTENCE END] <ACT_START> \\ (c\\) [[ACT#2 START]] \u2028end",
]
COMMENTS = [None, "why (not)", "[ACT END] \\", "\u05e9 🎉\r\n)"]


def hard_spans(text: str) -> list[ExportedSpan]:
    """Nested, crossing, touching and equal ranges over the whole text, in every category, with every comment."""
    n = len(text)
    ranges = [(0, n), (0, n // 2), (n // 3, n), (n // 3, n // 2), (n // 3, n // 2), (5, 6), (n - 2, n)]
    spans = {
        ExportedSpan(start, end, key, COMMENTS[(place + number) % 4])
        for place, (start, end) in enumerate(ranges)
        for number, key in enumerate(MARKERS)
    }
    return list(spans)


def command(name: str, lines: list[dict[str, Any]], *options: str) -> list[dict[str, Any]]:
    done = subprocess.run(
        [sys.executable, "-m", "al_worker.core", name, *options],
        input="".join(json.dumps(line) + "\n" for line in lines).encode(),
        capture_output=True,
        check=True,
        cwd=settings.BASE_DIR,
    )
    return [json.loads(line) for line in done.stdout.splitlines()]


def bare(spans: Any) -> set[tuple[int, int, str, str | None]]:
    return {(span["start"], span["end"], span["category"], span["comment"]) for span in spans}


@pytest.fixture
def hard(people: People) -> list[set[tuple[int, int, str, str | None]]]:
    """What is stored of each text, read from the rows."""
    places = open_articles(people.project, span_codebook(people.project), HARD, people.annotators[:1])
    stored = []
    for place in places:
        made = mark(place, people.annotators[0], hard_spans(place.item.text))
        rows = Span.objects.filter(annotation=made).values("start", "end", "category", "comment")
        stored.append(bare(row | {"comment": row["comment"] or None} for row in rows))
        assert len(stored[-1]) == len(hard_spans(place.item.text)) > 40
    return stored


@pytest.mark.parametrize("style", STYLES)
def test_the_text_form_reads_back_as_what_is_stored(hard: list[Any], people: People, style: str) -> None:
    lines = exported(ExportOptions(people.project, style=style), "text")
    for line, stored, text in zip(lines, hard, HARD, strict=True):
        parsed = parse(line["linear"], style)
        assert parsed.text == text
        keyed = {(s.start, s.end, line["categories"][s.category], s.comment) for s in parsed.spans}
        assert (keyed, len(parsed.spans)) == (stored, len(stored))
        assert (parsed.faults, parsed.closed_correctly) == ((), 1.0)


def test_a_spans_line_passes_through_the_command_line_unchanged(hard: list[Any], people: People) -> None:
    lines = exported(ExportOptions(people.project), "spans")
    linear = command("linearize", lines, "--outer", "std_sentence")
    back = command("parse", linear)
    assert [(each["id"], each["text"]) for each in back] == [(each["id"], each["text"]) for each in lines]
    assert [bare(each["spans"]) for each in back] == hard
    assert [bare(each["spans"]) for each in lines] == hard
    for line, text in zip(lines, HARD, strict=True):
        assert all(text[span["start"] : span["end"]] == span["quote"] for span in line["spans"])


def test_a_text_line_is_what_parse_reads(hard: list[Any], people: People) -> None:
    lines = exported(ExportOptions(people.project), "text")
    back = command("parse", lines)
    assert [(each["id"], each["text"], each["faults"]) for each in back] == [
        (line["id"], text, []) for line, text in zip(lines, HARD, strict=True)
    ]
