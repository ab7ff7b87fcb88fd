"""The readers by themselves: bytes in, typed rows out."""

import gzip
import io
import json
import zipfile
from pathlib import Path
from typing import Any

import pytest

from annotation_app.ingest.formats import READERS, format_of
from annotation_app.ingest.rows import BadLine, ImportRow, Unreadable
from annotation_app.ingest.source import Source, source_opened

TRICKY = "Tab\there, CR\r\nLF, two  spaces, \u00ad soft hyphen, \u0085 \u2028 \ufeff 👩\u200d🔬 â€™ \\N \\. end "


def read(data: bytes, name: str = "rows", asked: str = "auto") -> list[ImportRow | BadLine]:
    source = Source(name, file=io.BytesIO(data))
    return list(READERS[format_of(source, asked)](source))


def rows_of(data: bytes) -> list[ImportRow]:
    return [row for row in read(data) if isinstance(row, ImportRow)]


def one(data: bytes) -> ImportRow:
    (row,) = rows_of(data)
    return row


def line(**fields: Any) -> bytes:
    return json.dumps(fields, ensure_ascii=False).encode() + b"\n"


def test_it_reads_a_jsonl_row_and_keeps_unknown_fields_as_meta() -> None:
    row = one(line(id="a1", text="One.", document_id="d", speaker="S", position=7, date="2020-01-02", n=[1, None]))
    assert row == ImportRow(
        "rows", 1, "a1", "One.", "d", "S", "", 7, {"date": "2020-01-02"}, {"date": "2020-01-02", "n": [1, None]}
    )


def test_it_takes_a_document_as_exports_write_it() -> None:
    row = one(line(id="a", text="One.", document={"id": "d", "title": "Minutes"}, round=1))
    assert (row.document_id, row.title, row.meta) == ("d", "Minutes", {"round": 1})
    said = one(line(id="a", text="One.", document={"id": "d", "title": "T", "year": 1}, document_id="e", title="U"))
    assert (said.document_id, said.title, said.meta) == ("e", "U", {"title": "U", "document": {"year": 1}})
    bare = one(line(id="a", text="One.", document={"id": "", "title": None}))
    assert (bare.document_id, bare.title, bare.meta) == (None, "", {})
    other = one(line(id="a", text="One.", document="d"))
    assert (other.document_id, other.meta) == (None, {"document": "d"})


@pytest.mark.parametrize(
    ("document", "field", "message"),
    [
        ({"id": True}, "document.id", "Must be a string or null, not true or false."),
        ({"id": "d", "title": ["T"]}, "document.title", "Must be a string or null, not an array."),
        ({"id": "d" * 501}, "document.id", "Longer than 500 characters."),
    ],
)
def test_it_names_what_is_wrong_in_a_document(document: dict[str, Any], field: str, message: str) -> None:
    (bad,) = read(line(id="a", text="One.", document=document))
    assert bad == BadLine("rows", 1, field, message, "a")


@pytest.mark.parametrize("escaped", [True, False])
def test_it_keeps_every_character_of_jsonl(escaped: bool) -> None:
    data = json.dumps({"id": "a", "text": TRICKY}, ensure_ascii=escaped).encode()
    assert one(data).text == TRICKY


def test_it_splits_lines_on_newline_only() -> None:
    data = line(id="a", text="x\u2028y") + line(id="b", text="x\u0085y") + line(id="c", text="x\x1cy")
    assert [(row.line, row.text) for row in rows_of(data)] == [(1, "x\u2028y"), (2, "x\u0085y"), (3, "x\x1cy")]


def test_it_passes_over_empty_lines_but_counts_them() -> None:
    data = b"\xef\xbb\xbf" + line(id="a", text="x") + b"\n\r\n" + b'{"id": "b", "text": "y"}\r\n\n'
    assert [(row.line, row.id) for row in rows_of(data)] == [(1, "a"), (4, "b")]


def test_it_reads_gzip_whatever_its_name() -> None:
    assert one(gzip.compress(line(id="a", text="x"))).id == "a"
    assert one(gzip.compress(b"id,text\r\na,x\r\n")).id == "a"


def test_it_keeps_every_character_of_csv() -> None:
    quoted = TRICKY.replace('"', '""')
    row = one(b"\xef\xbb\xbf" + f'id,text,score\r\na,"{quoted}",\r\n'.encode())
    assert (row.text, row.meta) == (TRICKY, {"score": ""})


def test_it_numbers_csv_records_by_their_first_line() -> None:
    data = b'id,text\na,"one\ntwo\r\nthree"\nb,"say ""yes"", no"\n'
    assert [(row.line, row.text) for row in rows_of(data)] == [(2, "one\ntwo\r\nthree"), (5, 'say "yes", no')]


@pytest.mark.parametrize("delimiter", [";", "\t"])
def test_it_takes_the_delimiter_from_the_header(delimiter: str) -> None:
    row = one(delimiter.join(("id", "text", "speaker")).encode() + b"\n" + delimiter.join(("a", "x, y", "S")).encode())
    assert (row.text, row.speaker) == ("x, y", "S")


def test_it_takes_a_csv_cell_larger_than_pythons_default() -> None:
    assert len(one(b"id,text\na," + b"x" * 300_000 + b"\n").text) == 300_000


UTTERANCES = line(
    id="u0",
    conversation_id="c1",
    text="Hello.",
    speaker="A.",
    timestamp=5,
    meta={"k": 1},
    vectors=[],
    **{"reply-to": None},
) + line(id="u1", root="c1", text="Hi.", user="B.", reply_to="u0", timestamp=6, meta={}, vectors=[])
MEMBERS = {
    "utterances.jsonl": UTTERANCES,
    "speakers.json": b'{"A.": {"meta": {"chair": true}, "vectors": []}, "B.": {"chair": false}}',
    "conversations.json": b'{"c1": {"meta": {"title": "First", "date": "2020-01-02"}, "vectors": []}}',
    "corpus.json": b"{}",
}


def archive(members: dict[str, bytes]) -> bytes:
    data = io.BytesIO()
    with zipfile.ZipFile(data, "w", zipfile.ZIP_DEFLATED) as out:
        for name, content in members.items():
            out.writestr(name, content)
    return data.getvalue()


def expected_turns() -> list[ImportRow]:
    about = {"title": "First", "date": "2020-01-02"}
    first = {"reply_to": None, "timestamp": 5, "meta": {"k": 1}, "speaker": {"chair": True}}
    second = {"reply_to": "u0", "timestamp": 6, "meta": {}, "speaker": {"chair": False}}
    return [
        ImportRow("utterances.jsonl", 1, "u0", "Hello.", "c1", "A.", "First", None, about, first, said_at=5.0),
        ImportRow(
            "utterances.jsonl", 2, "u1", "Hi.", "c1", "B.", "First", None, about, second, said_at=6.0, reply_to="u0"
        ),
    ]


@pytest.mark.parametrize("folder", ["", "corpus/"])
def test_it_reads_a_convokit_zip_with_keys_old_and_new(folder: str) -> None:
    members = {folder + name: data for name, data in MEMBERS.items()}
    assert read(archive({**members, "__MACOSX/utterances.jsonl": b"junk"})) == expected_turns()


@pytest.mark.parametrize("folder", ["", "corpus"])
def test_it_reads_a_convokit_folder(tmp_path: Path, folder: str) -> None:
    home = tmp_path / folder
    home.mkdir(exist_ok=True)
    for name, data in MEMBERS.items():
        (home / name).write_bytes(data)
    with source_opened(name="corpus", path=tmp_path) as source:
        assert format_of(source, "auto") == "convokit"
        assert list(READERS["convokit"](source)) == expected_turns()


def test_it_never_lets_a_zip_name_a_path(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.chdir(tmp_path)
    members = {"../utterances.jsonl": b"x", "/utterances.jsonl": b"x", "a/b/utterances.jsonl": b"x"}
    with pytest.raises(Unreadable, match="holds no utterances"):
        read(archive({**members, "speakers.json": b"{}", "conversations.json": b"{}"}))
    assert list(tmp_path.rglob("*")) == []


@pytest.mark.parametrize(
    ("members", "told"),
    [
        ({"notes.md": b"x"}, "no utterances.jsonl"),
        ({"notes.csv": b"x"}, "This zip archive holds tables such as notes.csv: unpack it"),
        ({"a/utterances.jsonl": b"", "b/utterances.jsonl": b""}, "more than one"),
        ({"utterances.jsonl": UTTERANCES, "speakers.json": b"{}"}, "no conversations.json"),
        ({"utterances.jsonl": UTTERANCES, "conversations.json": b"{}"}, "no speakers.json"),
        ({**MEMBERS, "speakers.json": b"{,}"}, "Malformed JSON"),
    ],
)
def test_it_says_what_a_zip_lacks(members: dict[str, bytes], told: str) -> None:
    with pytest.raises(Unreadable, match=told):
        read(archive(members))


def test_it_refuses_a_line_that_would_fill_the_memory(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr("annotation_app.ingest.lines.MAX_LINE_CHARACTERS", 100)
    found = read(line(id="a", text="x") + line(id="b", text="y" * 1000) + line(id="c", text="z"), asked="jsonl")
    assert [(row.line, type(row)) for row in found] == [(1, ImportRow), (2, BadLine), (3, ImportRow)]


def test_it_refuses_what_unpacks_to_too_much(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr("annotation_app.ingest.lines.MAX_CHARACTERS", 2_000)
    with pytest.raises(Unreadable, match="GiB"):
        read(gzip.compress(line(id="a", text="x" * 80) * 100))


@pytest.mark.parametrize(
    ("data", "asked", "told"),
    [
        (b"", "auto", "empty"),
        (b" \n\n", "auto", "empty"),
        (archive(MEMBERS), "jsonl", "choose convokit"),
        (line(id="a", text="x"), "convokit", "choose jsonl"),
        (archive(MEMBERS)[:-40], "auto", "damaged or ends early"),
        (b"id,words\na,x\n", "auto", "Missing column 'text'"),
        (b"id,text,id\na,x,b\n", "auto", "twice"),
    ],
)
def test_it_says_why_a_file_cannot_be_read(data: bytes, asked: str, told: str) -> None:
    with pytest.raises(Unreadable, match=told):
        read(data, asked=asked)


BROKEN = [
    ('{"id": "b", "text": }', "Expecting value"),
    ('{"id": "b", "text": "x" "n": 1}', "Expecting ',' delimiter"),
    ('{"id": "b", "text": "x", "n": NaN}', "NaN is no JSON number"),
    ('{"id": "b", "text": "x", "n": 1e999}', "too large a number"),
    ('{"id": "b", "id": "c", "text": "x"}', "stands twice"),
    ('{"id": "b", "text": "x]}, {", "deep": [{"k": }]}', "Expecting value"),
    ('{"id": "b", "text": "x", "n": [}', "Expecting value"),
    ('{"id": "b", "text": "x", "n": 1]}', "Expecting ',' delimiter"),
    ("nope", "Expecting value"),
    ('{"id": "b", "text": "raw\ttab"}', "Invalid control character"),
    ("[1, 2]", "Not a JSON object but an array"),
]


@pytest.mark.parametrize("bad", [bad for bad, _ in BROKEN])
def test_a_bad_element_of_an_array_is_one_bad_line_as_in_json_lines(bad: str) -> None:
    told = next(words for each, words in BROKEN if each == bad)
    good = ['{"id": "a", "text": "One."}', '{"id": "c", "text": "Two."}', '{"id": "d", "text": "Three."}']
    elements = [good[0], bad, *good[1:]]
    for data in ("\n".join(elements), "[" + ",\n".join(elements) + "]", "[" + ",\n\n ".join(elements) + "\n]\n"):
        found = read(data.encode())
        assert [row.id if isinstance(row, ImportRow) else "bad" for row in found] == ["a", "bad", "c", "d"]
        (fault,) = [row for row in found if isinstance(row, BadLine)]
        assert told in fault.message
        assert fault.line == data[: data.index(bad)].count("\n") + 1


def test_a_bad_element_of_several_lines_names_its_first_and_the_place() -> None:
    data = b'[\n {\n  "id": "a",\n  "text": "never closed\n },\n {"id": "b", "text": "x"}\n]'
    bad, good = read(data)
    assert isinstance(bad, BadLine) and isinstance(good, ImportRow)
    assert (bad.line, bad.message) == (2, "Malformed JSON: Invalid control character in line 4.")
    assert (good.line, good.id) == (6, "b")


def test_commas_of_an_array_are_said_at_their_place() -> None:
    missing = read(b'[{"id": "a", "text": "x"}\n {"id": "b", "text": "y"},\n {"id": "c", "text": "z"}]')
    assert [type(row) for row in missing] == [ImportRow, BadLine, ImportRow]
    assert isinstance(missing[1], BadLine) and "a comma is missing before this element" in missing[1].message
    surplus = read(b'[{"id": "a", "text": "x"},\n]')
    assert isinstance(surplus[1], BadLine) and "a comma stands before the array's end" in surplus[1].message


@pytest.mark.parametrize("end", ['{"id": "b", "text": "x"', '{"id": "b", "text": "x', "{"])
def test_an_array_that_ends_early_keeps_what_came_before_its_fault(end: str) -> None:
    source = Source("rows", file=io.BytesIO(f'[{{"id": "a", "text": "One."}},\n{end}'.encode()))
    rows = READERS["json"](source)
    assert isinstance(next(rows), ImportRow)
    with pytest.raises(Unreadable, match="Where the element ends cannot be told: nothing after it was read") as caught:
        next(rows)
    assert caught.value.bad.line == 2


def test_a_large_array_is_read_piece_by_piece(monkeypatch: pytest.MonkeyPatch) -> None:
    """Elements and their faults are told alike wherever a piece ends."""
    elements = [f'{{"id": "r{n}", "text": "Number {n}."}}' if n % 7 else '{"id": "x", "n": [}' for n in range(40)]
    data = ("[" + ",\n".join(elements) + "]").encode()
    for chunk in (1, 3, 17, 64):
        monkeypatch.setattr("annotation_app.ingest.readers.json_array.CHUNK", chunk)
        found = read(data)
        assert [row.line for row in found] == list(range(1, 41))
        assert [isinstance(row, ImportRow) for row in found] == [bool(n % 7) for n in range(40)]
