"""Source documents and marks that come with JSONL rows: stored exactly, or reported with line and field."""

from typing import Any

import pytest

from annotation_app.ingest.selectors import report_of, sources_of
from annotation_app.models import (
    Document,
    Import,
    ImportedSpans,
    Item,
    ItemSource,
    Project,
    SourceDocument,
)
from tests.conftest import People
from tests.ingest.conftest import ImportText
from tests.ingest.faults import assert_nothing_imported, errors_of
from tests.ingest.stand_off import PRESS, WHOLE, lines, row, span
from tests.ingest.stand_off import project as project

pytestmark = pytest.mark.django_db(transaction=True)


def faults(imported: Import) -> list[tuple[int | None, str | None]]:
    return [(line, field) for line, field, _ in errors_of(imported)]


def marks_of(external_id: str) -> Any:
    return ImportedSpans.objects.get(item__external_id=external_id).spans


def test_sources_are_stored_once_and_in_the_order_of_the_row(project: Project, import_bytes: ImportText) -> None:
    speech = {"id": "speech", "text": "Once and  by enough."}
    imported = import_bytes(
        lines(row(1, sources=["speech", PRESS]), row(2, sources=[PRESS, speech]), row(3, sources=["press"]), row(4)),
        **WHOLE,
    )
    assert imported.state == Import.State.DONE, imported.report
    stored = {each.external_id: each for each in SourceDocument.objects.all()}
    assert {key: (each.title, each.text, each.n_words) for key, each in stored.items()} == {
        "press": ("Statement", "The Board raised\r\n its rate.", 5),
        "speech": ("", "Once and  by enough.", 4),
    }
    assert {each.source_id for each in stored.values()} == {imported.pk}
    items = {item.external_id: item for item in Item.objects.all()}
    found = sources_of([item.pk for item in items.values()])
    assert {name: [each.external_id for each in found.get(item.pk, [])] for name, item in items.items()} == {
        "r1": ["speech", "press"],
        "r2": ["press", "speech"],
        "r3": ["press"],
        "r4": [],
    }
    assert all(item.meta == {} for item in items.values())
    report = report_of(imported)
    assert (report["sources"], report["marked_items"], report["marks"]) == (2, 0, 0)


def test_a_later_import_names_what_the_project_has(project: Project, import_bytes: ImportText) -> None:
    import_bytes(lines(row(1, sources=[PRESS])), **WHOLE)
    again = {"id": "press", "text": PRESS["text"]}
    imported = import_bytes(lines(row(2, sources=["press"]), row(3, sources=[again]), row(4, sources=[PRESS])), **WHOLE)
    assert imported.state == Import.State.DONE, imported.report
    assert SourceDocument.objects.count() == 1
    assert ItemSource.objects.count() == 4
    assert report_of(imported)["sources"] == 1


def test_the_title_may_come_with_a_later_line(project: Project, import_bytes: ImportText) -> None:
    untitled = {"id": "press", "text": PRESS["text"]}
    imported = import_bytes(lines(row(1, sources=[untitled]), row(2, sources=[PRESS])), **WHOLE)
    assert imported.state == Import.State.DONE, imported.report
    assert SourceDocument.objects.get().title == "Statement"


def test_marks_are_stored_in_text_order_under_the_category_key(project: Project, import_bytes: ImportText) -> None:
    """Nothing is asked about how often categories occur, or about comments that are still missing."""
    given = [
        span(10, 16, "ACT", comment=" \n"),
        span(4, 9, "Reference", quote="Board", source="press"),
        span(0, 9, "What is done", comment="Raised"),
        span(0, 9, "act"),
    ]
    imported = import_bytes(lines(row(1, sources=[PRESS], spans=given), row(2, spans=[])), **WHOLE)
    assert imported.state == Import.State.DONE, imported.report
    assert marks_of("r1") == [
        {"start": 0, "end": 9, "category": "act", "comment": None, "source": None},
        {"start": 0, "end": 9, "category": "act", "comment": "Raised", "source": None},
        {"start": 4, "end": 9, "category": "reference", "comment": None, "source": "press"},
        {"start": 10, "end": 16, "category": "act", "comment": None, "source": None},
    ]
    report = report_of(imported)
    assert (report["sources"], report["marked_items"], report["marks"]) == (1, 1, 4)
    assert ImportedSpans.objects.count() == 1


@pytest.mark.parametrize(
    ("text", "start", "end", "quote"),
    [
        ("Nice 👩‍🔬 work 🎉 but the grant was cut", 24, 29, "grant"),
        ("First point.\r\n\r\nSecond point: costs rise.", 30, 40, "costs rise"),
        ("tab\there  and two blanks", 9, 13, " and"),
        ("cafe\u0301 done", 0, 5, "cafe\u0301"),
        ("قال المجلس إن الفائدة سترتفع", 4, 10, "المجلس"),
        ("line one\nline two", 8, 9, "\n"),
    ],
)
def test_offsets_are_code_points_of_the_exact_text(
    project: Project, import_bytes: ImportText, text: str, start: int, end: int, quote: str
) -> None:
    imported = import_bytes(lines(row(1, text, spans=[span(start, end, quote=quote)])), **WHOLE)
    assert imported.state == Import.State.DONE, imported.report
    item = Item.objects.get()
    assert item.text == text
    assert [item.text[mark["start"] : mark["end"]] for mark in marks_of("r1")] == [quote]


def test_a_line_of_our_own_export_comes_in_as_it_is(project: Project, import_bytes: ImportText) -> None:
    line = row(
        1,
        item_id="r1",
        document={"id": "minutes", "title": "Minutes"},
        round=3,
        annotator="annotator 2",
        state="submitted",
        codebook_version=2,
        text_sha256="ab",
        spans=[{"start": 4, "end": 9, "quote": "Board", "category": "reference", "comment": None, "source": "press"}],
        sources=[PRESS],
    )
    imported = import_bytes(lines(line), **WHOLE)
    assert imported.state == Import.State.DONE, imported.report
    known = {"id", "text", "document", "spans", "sources"}
    document = Item.objects.get().document
    assert (document.external_id, document.title) == ("minutes", "Minutes")
    assert Item.objects.get().meta == {key: value for key, value in line.items() if key not in known}
    assert marks_of("r1")[0]["source"] == "press"


BAD = [
    ({"sources": "press"}, "sources"),
    ({"sources": [True]}, "sources[0]"),
    ({"sources": [PRESS, " "]}, "sources[1]"),
    ({"sources": [{"text": "x"}]}, "sources[0].id"),
    ({"sources": [{"id": "x"}]}, "sources[0].text"),
    ({"sources": [{"id": "x", "text": " \r\n"}]}, "sources[0].text"),
    ({"sources": [{"id": "x", "text": "y", "title": [3]}]}, "sources[0].title"),
    ({"sources": [{"id": "x", "text": "y", "url": "z"}]}, "sources[0].url"),
    ({"sources": [PRESS, "press"]}, "sources[1]"),
    ({"sources": [{"id": "x" * 501, "text": "y"}]}, "sources[0].id"),
    ({"spans": {}}, "spans"),
    ({"spans": [[0, 1]]}, "spans[0]"),
    ({"spans": [span(0, 1, annotator="me")]}, "spans[0].annotator"),
    ({"spans": [span(0, 1), {"end": 3, "category": "act"}]}, "spans[1].start"),
    ({"spans": [span(0, 1) | {"end": "3"}]}, "spans[0].end"),
    ({"spans": [span(0, 1) | {"start": False}]}, "spans[0].start"),
    ({"spans": [span(3, 3)]}, "spans[0]"),
    ({"spans": [span(-1, 3)]}, "spans[0]"),
    ({"spans": [span(0, 27)]}, "spans[0]"),
    ({"spans": [{"start": 0, "end": 3}]}, "spans[0].category"),
    ({"spans": [span(0, 1, "motive")]}, "spans[0].category"),
    ({"spans": [span(0, 1, 7)]}, "spans[0].category"),
    ({"spans": [span(0, 1), span(0, 3), span(0, 3, quote="the")]}, "spans[2].quote"),
    ({"spans": [span(0, 1, comment=5)]}, "spans[0].comment"),
    ({"spans": [span(0, 1, comment="c" * 10_001)]}, "spans[0].comment"),
    ({"spans": [span(0, 1, "plain", comment="no")]}, "spans[0].comment"),
    ({"spans": [span(0, 1, "reference", source="press")]}, "spans[0].source"),
    ({"spans": [span(0, 1, source="press")], "sources": [PRESS]}, "spans[0].source"),
    ({"spans": [span(0, 1), span(0, 3, "ACT"), span(0, 3)]}, "spans[2]"),
    ({"spans": [span(0, 1)] * 5_001}, "spans"),
]


def test_it_reports_every_kind_of_bad_row_and_imports_nothing(project: Project, import_bytes: ImportText) -> None:
    rows = [row(number, **beside) for number, (beside, _) in enumerate(BAD, start=2)]
    imported = import_bytes(lines(row(1, sources=[PRESS], spans=[span(0, 1)]), *rows), **WHOLE)
    assert faults(imported) == [(line, field) for line, (_, field) in enumerate(BAD, start=2)]
    assert report_of(imported)["n_errors"] == len(BAD)
    assert_nothing_imported(imported)
    assert not SourceDocument.objects.exists() and not ImportedSpans.objects.exists()


def test_a_faulty_range_says_how_offsets_count(project: Project, import_bytes: ImportText) -> None:
    """27 to 32 is where UTF-16 units would put the word."""
    text = "Nice 👩‍🔬 work 🎉 but the grant was cut"
    imported = import_bytes(lines(row(1, text, spans=[span(27, 32, quote="grant")])), **WHOLE)
    [(line, field, message)] = errors_of(imported)
    assert (line, field) == (1, "spans[0].quote")
    assert message == "The text at 27 to 32 is “nt wa”, not “grant”. Offsets count Unicode code points."


def test_one_id_is_one_text(project: Project, import_bytes: ImportText) -> None:
    other = PRESS | {"text": "Another text."}
    retitled = PRESS | {"title": "Another title"}
    imported = import_bytes(
        lines(row(1, sources=["press"]), row(2, sources=["press", {"id": "x", "text": "y"}]), row(3, sources=[PRESS]))
        + lines(row(4, sources=["x", other]), row(5, sources=[retitled]), row(6, sources=["nowhere"])),
        **WHOLE,
    )
    assert errors_of(imported) == [
        (
            4,
            "sources[1]",
            "The source document 'press' has another text in line 3, sources[0]: one id is one text.",
        ),
        (
            5,
            "sources[0]",
            "The source document 'press' has another title in line 3: give it the same one, or none.",
        ),
        (6, "sources[0]", "No source document 'nowhere': give its text in this file, or import it first."),
    ]
    assert_nothing_imported(imported)


def test_the_projects_source_documents_do_not_change(project: Project, import_bytes: ImportText) -> None:
    import_bytes(lines(row(1, sources=[PRESS])), **WHOLE)
    imported = import_bytes(
        lines(row(2, sources=[PRESS | {"text": "Other."}]), row(3, sources=[PRESS | {"title": "Other"}])), **WHOLE
    )
    assert faults(imported) == [(1, "sources[0]"), (2, "sources[0]")]
    assert all("The project has a source document 'press' already" in message for *_, message in errors_of(imported))
    assert Document.objects.count() == SourceDocument.objects.count() == 1


def test_another_projects_source_documents_are_not_known(
    people: People, project: Project, import_bytes: ImportText
) -> None:
    import_bytes(lines(row(1, sources=[PRESS])), into=people.outsider.project, **WHOLE)
    assert faults(import_bytes(lines(row(1, sources=["press"])), **WHOLE)) == [(1, "sources[0]")]
    assert import_bytes(lines(row(1, sources=[PRESS | {"text": "Ours."}])), **WHOLE).state == Import.State.DONE


def test_skipped_lines_take_those_along_that_need_them(project: Project, import_bytes: ImportText) -> None:
    """Line 2 has line 1's id, and alone brings `a`; line 3 needs `a` and alone brings `b`; line 4 needs `b`."""
    imported = import_bytes(
        lines(
            row(1),
            row(1, sources=[{"id": "a", "text": "A."}]),
            row(3, sources=["a", {"id": "b", "text": "B."}]),
            row(4, sources=["b"]),
            row(5, sources=[PRESS], spans=[span(0, 1)]),
        ),
        skip_bad_lines=True,
        **WHOLE,
    )
    assert imported.state == Import.State.DONE, imported.report
    assert faults(imported) == [(2, "id"), (3, "sources[0]"), (4, "sources[0]")]
    report = report_of(imported)
    assert (report["skipped_lines"], report["kept"], report["sources"], report["marks"]) == (3, 2, 1, 1)
    assert list(Item.objects.order_by("pk").values_list("external_id", flat=True)) == ["r1", "r5"]
    assert SourceDocument.objects.get().external_id == "press"


@pytest.mark.parametrize("beside", [{"sources": [PRESS]}, {"spans": [span(0, 1)]}])
@pytest.mark.parametrize("rows", ["document", "utterance"])
def test_rows_that_are_split_carry_neither(
    project: Project, import_bytes: ImportText, rows: str, beside: dict[str, Any]
) -> None:
    imported = import_bytes(lines(row(1), row(2, **beside)), format="jsonl", unit="sentence", rows=rows)
    [(line, field, message)] = errors_of(imported)
    assert (line, field) == (2, next(iter(beside)))
    assert message.endswith(f"rows are split into sentences here: choose {rows} as the unit.")
    assert_nothing_imported(imported)


def test_a_project_without_a_span_layer_takes_sources_but_no_spans(people: People, import_bytes: ImportText) -> None:
    into = {"into": people.outsider.project, **WHOLE}
    imported = import_bytes(lines(row(1, sources=[PRESS]), row(2, spans=[span(0, 1)])), **into)
    [(line, field, message)] = errors_of(imported)
    assert (line, field) == (2, "spans")
    assert message.startswith("The project's codebook marks no spans")
    assert import_bytes(lines(row(1, sources=[PRESS], spans=[])), **into).state == Import.State.DONE


@pytest.mark.parametrize("name", ["sources", "spans"])
def test_csv_has_no_such_columns(project: Project, import_bytes: ImportText, name: str) -> None:
    imported = import_bytes(f"id,text,{name}\na,b,c\n", name="rows.csv", unit="document")
    assert faults(imported) == [(1, name)]
    assert "import JSONL" in errors_of(imported)[0][2]
    assert_nothing_imported(imported)


def test_a_long_document_with_two_thousand_marks(project: Project, import_bytes: ImportText) -> None:
    """One mark over each tenth word of 20,000 words of four letters."""
    text = " ".join(["word"] * 20_000)
    given = [span(50 * n, 50 * n + 4, quote="word", comment=f"no. {n}") for n in reversed(range(2_000))]
    imported = import_bytes(lines(row(1, text, spans=given)), **WHOLE)
    assert imported.state == Import.State.DONE, imported.report
    assert report_of(imported)["marks"] == 2_000
    stored = marks_of("r1")
    assert [mark["comment"] for mark in stored] == [f"no. {n}" for n in range(2_000)]
    assert (stored[-1]["start"], stored[-1]["end"]) == (99_950, 99_954)
