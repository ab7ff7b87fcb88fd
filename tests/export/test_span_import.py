"""What was exported comes in again: an export of spans is an import of pre-marked text, with the sources it names."""

from pathlib import Path

import pytest

from annotation_app.export.options import ExportOptions
from annotation_app.export.stream import export_open
from annotation_app.ingest.options import ImportOptions
from annotation_app.ingest.services import import_from_path
from annotation_app.models import Document, Import, ImportedSpans, Item, Project, SourceDocument
from tests.conftest import People
from tests.export.layers import at
from tests.export.span_rows import add_sources, decide, mark, open_articles, span_codebook
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
    file.write_bytes(b"".join(export_open(kind="spans", options=ExportOptions(people.project))))
    other = make_project("Again")
    span_codebook(other)
    options = ImportOptions(format="jsonl", unit="document")
    imported = import_from_path(project=other, actor=None, path=file, options=options)
    assert imported.state == Import.State.DONE, imported.report["errors"]
    item = Item.objects.get(project=other)
    assert (item.external_id, item.text) == (place.item.external_id, TEXT)
    imported_spans = ImportedSpans.objects.get(item=item).spans
    stored = [(s["start"], s["end"], s["category"], s["comment"], s["source"]) for s in imported_spans]
    assert sorted(stored, key=str) == sorted(
        [(s.start, s.end, s.category, s.comment, s.source) for s in spans], key=str
    )
    assert dict(SourceDocument.objects.filter(project=other).values_list("external_id", "text")) == sources
    assert [link.source_document.external_id for link in item.item_sources.order_by("position")] == list(sources)


def stands(project: Project) -> list[tuple[object, ...]]:
    """Each item with its document, who speaks, and the sources that it carries, in the order of the texts."""
    items = Item.objects.filter(project=project).order_by("document__position", "utterance__position")
    return [
        (
            item.external_id,
            item.text,
            item.document.external_id,
            item.document.title,
            item.utterance.speaker,
            item.utterance.position,
            [
                (link.source_document.external_id, link.source_document.title, link.source_document.text)
                for link in item.item_sources.order_by("position")
            ],
        )
        for item in items
    ]


def test_validated_spans_come_in_under_their_documents_again(people: People, tmp_path: Path) -> None:
    codebook = span_codebook(people.project)
    alice = people.annotators[0]
    news = open_articles(people.project, codebook, [TEXT, "It met.", "It held."], [alice], document="news")
    more = open_articles(people.project, codebook, ["It rose."], [alice], number=2, document="more")
    Document.objects.filter(external_id="news").update(title="The board \u05d4 \U0001f389")
    Document.objects.filter(external_id="more").update(title="")
    add_sources(news[0].item, {"press-1": "Rates were cut."})
    marked = {"news_0_1": at(TEXT, "rates", "reference", "which", "press-1"), "more_0_1": at("It rose.", "rose", "act")}
    for place in [*news, *more]:
        made = mark(place, alice, [marked[name]] if (name := place.item.external_id) in marked else [])
        decide(place, people.admin, "accepted", annotation=made)
    lines = b"".join(export_open(kind="spans", options=ExportOptions(people.project, of="validated"))).splitlines(
        keepends=True
    )
    assert len(lines) == 4
    file = tmp_path / "spans.jsonl"
    # The order of the file is not that of the documents' texts.
    file.write_bytes(b"".join([*lines[:3][::-1], lines[3]]))
    other = make_project("Again")
    span_codebook(other)
    imported = import_from_path(
        project=other, actor=None, path=file, options=ImportOptions(format="jsonl", unit="document")
    )
    assert imported.state == Import.State.DONE, imported.report["errors"]
    assert stands(other) == stands(people.project)
    assert {row[2:4] for row in stands(other)} == {("news", "The board \u05d4 \U0001f389"), ("more", "")}
    marks = {one.item.external_id: one.spans for one in ImportedSpans.objects.filter(item__project=other)}
    assert {name: [(s["start"], s["end"], s["category"], s["comment"], s["source"]) for s in spans] for name, spans
            in marks.items()} == {
        name: [(span.start, span.end, span.category, span.comment, span.source)] for name, span in marked.items()
    }  # fmt: skip


def test_several_annotators_lines_of_one_item_are_refused_with_the_mend(people: People, tmp_path: Path) -> None:
    alice, bob, _ = people.annotators
    (place,) = open_articles(people.project, span_codebook(people.project), ["It rose."], [alice, bob])
    for member in (alice, bob):
        mark(place, member, [at("It rose.", "rose", "act")])
    file = tmp_path / "spans.jsonl"
    file.write_bytes(b"".join(export_open(kind="spans", options=ExportOptions(people.project))))
    other = make_project("Again")
    span_codebook(other)
    imported = import_from_path(
        project=other, actor=None, path=file, options=ImportOptions(format="jsonl", unit="document")
    )
    assert imported.state == Import.State.FAILED
    assert [(error["line"], error["field"], error["message"]) for error in imported.report["errors"]] == [
        (
            2,
            "id",
            "Duplicate id 'news_0_1': line 1 has it already. This file holds the lines of several annotators for one "
            "item: export with of=validated, or keep the lines of one annotator.",
        )
    ]


def test_what_stood_beside_a_text_comes_back_as_it_was(people: People, tmp_path: Path) -> None:
    codebook, alice = span_codebook(people.project), people.annotators[0]
    (place,) = open_articles(people.project, codebook, ["It rose."], [alice])
    meta = {
        "party": "left",
        "seats": -3,
        "share": 0.5,
        "old": False,
        "tags": ["tax", 2],
        "deep": {"a": None},
        "label": "x",
    }
    Item.objects.filter(pk=place.item.pk).update(meta=meta)
    decide(place, people.admin, "accepted", annotation=mark(place, alice, [at("It rose.", "rose", "act")]))
    file = tmp_path / "spans.jsonl"
    file.write_bytes(b"".join(export_open(kind="spans", options=ExportOptions(people.project, of="validated"))))
    other = make_project("Again")
    span_codebook(other)
    options = ImportOptions(format="jsonl", unit="document")
    imported = import_from_path(project=other, actor=None, path=file, options=options)
    assert imported.state == Import.State.DONE, imported.report["errors"]
    again = Item.objects.get(project=other).meta
    assert {name: again[name] for name in meta} == meta
    assert [type(again[name]) for name in meta] == [type(value) for value in meta.values()]
