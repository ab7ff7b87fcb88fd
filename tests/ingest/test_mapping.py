"""Which column is which field: as chosen, by its own name, or guessed; the same in tables and in JSON."""

import io
import json

import pytest

from annotation_app.ingest.formats import format_of, read_rows
from annotation_app.ingest.mapping import Columns, ColumnTwice, columns_mapped
from annotation_app.ingest.rows import BadLine, ImportRow, Unreadable
from annotation_app.ingest.source import ReadingOptions, Source

TWEETS = [
    {"tweet_id": "t1", "Sentence": "Rates rose.", "tweet": "RT", "who": "Ada", "created_at": "2026-01-02T10:00"},
    {"tweet_id": "t2", "Sentence": "Rates fell.", "tweet": "RT", "who": "Bo", "created_at": "2026-01-02T09:00"},
]


def table(rows: list[dict[str, str]], sign: str = ",") -> bytes:
    return "\n".join([sign.join(rows[0]), *(sign.join(row.values()) for row in rows)]).encode()


def lines(rows: list[dict[str, str]]) -> bytes:
    return "".join(json.dumps(row) + "\n" for row in rows).encode()


def array(rows: list[dict[str, str]]) -> bytes:
    return json.dumps(rows, indent=1).encode()


FORMATS = [pytest.param(make, id=make.__name__) for make in (table, lines, array)]


def read(data: bytes, **manner: object) -> tuple[list[ImportRow | BadLine], Source]:
    source = Source("rows.csv", file=io.BytesIO(data), manner=ReadingOptions(**manner))  # type: ignore[arg-type]
    return list(read_rows(source, format_of(source, "auto"))), source


def uses(source: Source) -> list[tuple[str, str, str]]:
    return [tuple(use) for use in source.mapping.uses]  # type: ignore[misc]


@pytest.mark.parametrize("make", FORMATS)
def test_it_guesses_by_usual_names_whatever_their_case(make) -> None:  # type: ignore[no-untyped-def]
    rows, source = read(make([{"Tweet-ID": "t1", " SENTENCE": "Rates rose.", "Author": "Ada", "party": "left"}]))
    assert uses(source)[0] == ("id", "Tweet-ID", "guessed")
    (row,) = rows
    assert isinstance(row, ImportRow)
    assert (row.id, row.text, row.speaker, row.meta) == ("t1", "Rates rose.", "Ada", {"party": "left"})


@pytest.mark.parametrize("make", FORMATS)
def test_a_choice_goes_before_names_and_guesses(make) -> None:  # type: ignore[no-untyped-def]
    chosen = {"text": "sentence", "speaker": "who", "timestamp": ""}
    rows, source = read(make(TWEETS), columns=chosen)
    assert uses(source) == [
        ("id", "tweet_id", "guessed"),
        ("text", "Sentence", "chosen"),
        ("speaker", "who", "chosen"),
    ]
    first = rows[0]
    assert isinstance(first, ImportRow)
    assert (first.id, first.text, first.speaker, first.said_at) == ("t1", "Rates rose.", "Ada", None)
    # What is read as no field stays beside the text, under its own name.
    assert first.meta == {"tweet": "RT", "created_at": "2026-01-02T10:00"}


@pytest.mark.parametrize("make", FORMATS)
def test_times_order_rows_and_stay_beside_them(make) -> None:  # type: ignore[no-untyped-def]
    rows, source = read(make(TWEETS), columns={"text": "Sentence"})
    assert ("timestamp", "created_at", "guessed") in uses(source)
    # 2026-01-02T10:00 is an hour after 09:00.
    first, second = rows
    assert isinstance(first, ImportRow) and isinstance(second, ImportRow)
    assert (first.said_at or 0) - (second.said_at or 0) == 3600
    assert first.meta["created_at"] == "2026-01-02T10:00"


@pytest.mark.parametrize("make", FORMATS)
def test_a_column_that_gave_way_stays_beside_the_text(make) -> None:  # type: ignore[no-untyped-def]
    rows, _ = read(make([{"id": "a", "text": "Short.", "full": "The whole text."}]), columns={"text": "full"})
    (row,) = rows
    assert isinstance(row, ImportRow)
    assert (row.text, row.meta) == ("The whole text.", {"text": "Short."})


@pytest.mark.parametrize("make", FORMATS)
@pytest.mark.parametrize(
    ("rows", "chosen", "field", "told"),
    [
        ([{"id": "a", "Aussage": "x", "n": "1"}], {}, "text", "found: id, Aussage, n; choose the {} with the texts"),
        ([{"nr": "a", "text": "x"}], {}, "id", "found: nr, text; choose the {} with the ids, or name it `id`, or have"),
        ([{"id": "a", "text": "x"}], {"text": "Satz"}, "text", "There is no {} 'Satz' to read as text. "),
        ([{"id": "a", "text": "x"}], {"speaker": "who"}, "speaker", "found: id, text; choose one of them."),
    ],
)
def test_what_is_missing_is_said_once_of_the_file(make, rows, chosen, field, told) -> None:  # type: ignore[no-untyped-def]
    noun = "column" if make is table else "field"
    with pytest.raises(Unreadable) as caught:
        read(make(rows * 3), columns=chosen)
    assert caught.value.bad.field == field
    assert told.format(noun) in caught.value.bad.message


@pytest.mark.parametrize("make", FORMATS)
def test_a_fault_names_the_column(make) -> None:  # type: ignore[no-untyped-def]
    rows, _ = read(make([{"id": "a", "Sentence": "x"}, {"id": "b", "Sentence": " "}]))
    (bad,) = [row for row in rows if isinstance(row, BadLine)]
    assert (bad.field, bad.row_id) == ("text", "b")
    assert bad.message == "Column 'Sentence': Empty text: there is nothing to label."


def test_two_columns_of_one_name_are_told_apart_by_a_choice() -> None:
    with pytest.raises(ColumnTwice):
        columns_mapped(["id", "Text", "TEXT"], {})
    assert columns_mapped(["id", "Text", "TEXT"], {"text": "TEXT"}).column("text") == "TEXT"
    with pytest.raises(Unreadable, match="Two columns have the name of one field: Text, TEXT"):
        read(b"id,Text,TEXT\na,x,y\n")


def test_ids_are_not_guessed_where_rows_are_numbered() -> None:
    rows, source = read(table(TWEETS), number_rows=True)
    assert [row.id for row in rows if isinstance(row, ImportRow)] == ["rows-1", "rows-2"]
    assert source.mapping.column("id") is None


def test_a_row_of_json_that_has_a_field_later_than_the_first_ones_is_read_by_its_name() -> None:
    rows = [{"id": str(n), "text": "x"} for n in range(150)]
    found, _ = read(lines([*rows, {"id": "z", "text": "x", "Speaker": "Ada"}]))
    last = found[-1]
    assert isinstance(last, ImportRow)
    assert last.speaker == "Ada"


def test_a_nested_document_goes_before_a_guess() -> None:
    data = json.dumps({"id": "a", "text": "x", "document": {"id": "d"}, "thread_id": "t"}).encode()
    (row,), _ = read(data)
    assert isinstance(row, ImportRow)
    assert (row.document_id, row.meta) == ("d", {"thread_id": "t"})


def test_what_holds_more_than_text_and_numbers_is_not_guessed() -> None:
    author = {"name": "Ada", "verified": True}
    (row,), source = read(json.dumps({"id": 7, "body": "x", "author": author, "created_at": True}).encode())
    assert [use.field for use in source.mapping.uses] == ["id", "text"]
    assert isinstance(row, ImportRow)
    assert (row.speaker, row.meta) == ("", {"author": author, "created_at": True})


def test_usual_names_tell_what_separates_cells() -> None:
    (row,), source = read(b"Satz, ganz;Sentence;tweet_id\nx;Rates rose, then fell.;t1\n")
    assert source.delimiter == ";"
    assert isinstance(row, ImportRow)
    assert row.text == "Rates rose, then fell."


def test_no_column_is_two_fields() -> None:
    names = ["doc_id", "sentence", "author", "headline", "created_at", "x"]
    found = columns_mapped(names, {})
    # The only id is the text's own, so that there is no document of several texts.
    assert [(use.field, use.column) for use in found.uses] == [
        ("id", "doc_id"),
        ("text", "sentence"),
        ("speaker", "author"),
        ("title", "headline"),
        ("timestamp", "created_at"),
    ]
    assert found.field_of("x") is None
    assert Columns(()).column("text") is None
