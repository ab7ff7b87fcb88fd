"""What was exported comes in again: an export of spans is an import of pre-marked text, with the sources it names."""

from pathlib import Path

import pytest

from annotation_app.export.asked import Asked
from annotation_app.export.stream import export_open
from annotation_app.ingest.options import ImportOptions
from annotation_app.ingest.services import import_from_path
from annotation_app.models import Import, Item, ItemMarks, SourceDocument
from tests.conftest import People
from tests.export.layers import at
from tests.export.span_rows import add_sources, mark, open_articles, span_codebook
from tests.factories import make_project

pytestmark = pytest.mark.django_db(transaction=True)
TEXT = "🎉 It cut (rates).\r\n\u05d4\u05d1\u05e0\u05e7\tsaid [ACT END] so."


def test_an_export_of_spans_comes_in_as_marks(people: People, tmp_path: Path) -> None:
    sources = {"press-2": "Minutes.", "press-1": "Rates\r\nwere cut."}
    (place,) = open_articles(people.project, span_codebook(people.project), [TEXT], people.annotators[:1])
    add_sources(place.item, sources)
    spans = [
        at(TEXT, "It cut (rates).", "std_sentence"),
        at(TEXT, "cut (rates", "act", "Loosened (policy)\r\n🎉"),
        at(TEXT, "(rates).\r\n\u05d4", "act"),
        at(TEXT, "rates", "reference", source="press-1"),
        at(TEXT, "\r", "motive"),
    ]
    mark(place, people.annotators[0], spans)
    file = tmp_path / "spans.jsonl"
    file.write_bytes(b"".join(export_open(kind="spans", asked=Asked(people.project))))
    other = make_project("Again")
    span_codebook(other)
    options = ImportOptions(format="jsonl", unit="document")
    imported = import_from_path(project=other, actor=None, path=file, options=options)
    assert imported.state == Import.State.DONE, imported.report["errors"]
    item = Item.objects.get(project=other)
    assert (item.external_id, item.text) == (place.item.external_id, TEXT)
    stored = [
        (s["start"], s["end"], s["category"], s["comment"], s["source"]) for s in ItemMarks.objects.get(item=item).spans
    ]
    assert sorted(stored, key=str) == sorted(
        [(s.start, s.end, s.category, s.comment, s.source) for s in spans], key=str
    )
    assert dict(SourceDocument.objects.filter(project=other).values_list("external_id", "text")) == sources
    assert [link.source_document.external_id for link in item.item_sources.order_by("position")] == list(sources)
