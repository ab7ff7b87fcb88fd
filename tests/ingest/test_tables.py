"""Workbooks, Parquet files, datasets of the library datasets, and folders of texts."""

import datetime
import io
import zipfile
from collections.abc import Mapping, Sequence
from pathlib import Path
from typing import Any

import datasets
import openpyxl
import pyarrow
import pyarrow.parquet
import pytest

from annotation_app.ingest.formats import format_of, read_rows
from annotation_app.ingest.readers import workbook
from annotation_app.ingest.rows import BadLine, ImportRow, Unreadable
from annotation_app.ingest.source import PartOf, ReadingOptions, Source


def found_in(source: Source, asked: str = "auto") -> list[ImportRow | BadLine]:
    try:
        return list(read_rows(source, format_of(source, asked)))
    except Unreadable as error:
        return [error.bad]


def read(data: bytes, name: str = "poll.xlsx", **manner: Any) -> list[ImportRow | BadLine]:
    return found_in(Source(name, file=io.BytesIO(data), manner=ReadingOptions(**manner)))


def rows_of(found: Sequence[ImportRow | BadLine]) -> list[ImportRow]:
    assert all(isinstance(each, ImportRow) for each in found), found
    return [each for each in found if isinstance(each, ImportRow)]


def fault_of(found: Sequence[ImportRow | BadLine]) -> tuple[int | None, str]:
    (bad,) = (each for each in found if isinstance(each, BadLine))
    return bad.line, bad.message


def book(sheets: Mapping[str, Sequence[Sequence[Any]]], hidden: str = "") -> bytes:
    made = openpyxl.Workbook()
    made.remove(made.worksheets[0])
    for title, rows in sheets.items():
        sheet = made.create_sheet(title)
        for row in rows:
            sheet.append(list(row))
        sheet.sheet_state = "hidden" if title == hidden else "visible"
    out = io.BytesIO()
    made.save(out)
    return out.getvalue()


def zipped(members: Mapping[str, bytes]) -> bytes:
    out = io.BytesIO()
    with zipfile.ZipFile(out, "w", zipfile.ZIP_DEFLATED) as archive:
        for name, data in members.items():
            archive.writestr(name, data)
    return out.getvalue()


def test_a_sheet_is_read_as_the_csv_that_excel_saves_of_it() -> None:
    """Numbers without a fraction lose their point, a day its hour, and empty rows count but are passed over."""
    sheet = [
        ["Id", "Text", "Age", "Day", "Paid", None],
        [1, "Too dear, “I” say.", 41.0, datetime.datetime(2026, 5, 1), True, None],
        [],
        [2.5, "第二", 0.1, datetime.datetime(2026, 5, 1, 9, 30), None, "  "],
    ]
    first, second = rows_of(read(book({"Answers": sheet})))
    assert (first.line, first.id, first.text) == (2, "1", "Too dear, “I” say.")
    assert first.meta == {"Age": "41", "Day": "2026-05-01", "Paid": "TRUE"}
    assert (second.line, second.id, second.text) == (4, "2.5", "第二")
    assert second.meta == {"Age": "0.1", "Day": "2026-05-01T09:30:00", "Paid": ""}


def test_the_first_sheet_that_is_shown_is_read_or_the_one_that_was_chosen() -> None:
    rows = [["id", "text"], ["a", "One."]]
    data = book({"Old": [["id", "text"], ["x", "Old."]], "May": rows, "June": [*rows, ["b", "Two."]]}, hidden="Old")
    source = Source("poll.xlsx", file=io.BytesIO(data))
    assert [row.id for row in rows_of(found_in(source))] == ["a"]
    assert (source.sheet, source.sheets) == ("May", ["May", "June"])
    assert [row.id for row in rows_of(read(data, sheet="June"))] == ["a", "b"]
    assert fault_of(read(data, sheet="Old")) == (None, "There is no sheet 'Old'. Sheets found: May, June.")


@pytest.mark.parametrize(
    ("sheet", "line", "told"),
    [
        ([], None, "The sheet 'S' is empty."),
        ([["id", "note"], ["a", "x"]], 1, "Missing column 'text'"),
        ([["id", "text"], ["a", None]], 2, "Empty text"),
        ([["id", "text"], ["a", "One.", None, "x"]], 2, "The cell in column D has no column name above it"),
        ([["id", "text", "Text"], ["a", "One.", "x"]], None, ""),
    ],
)
def test_faults_of_a_sheet_name_their_place(sheet: list[list[Any]], line: int | None, told: str) -> None:
    found = read(book({"S": sheet}))
    if told:
        place, message = fault_of(found)
        assert place == line and message.startswith(told)
    else:
        assert rows_of(found)[0].meta == {"Text": "x"}


def test_a_workbook_that_unpacks_to_too_much_is_refused(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(workbook, "MOST_UNPACKED", 1_000)
    assert "save the sheet as CSV" in fault_of(read(book({"S": [["id", "text"], ["a", "One."]]})))[1]


def test_a_workbook_or_parquet_file_cannot_be_cut() -> None:
    for data in (book({"S": [["id", "text"]]}), parquet([{"id": "a", "text": "One."}])):
        source = Source("part", file=io.BytesIO(data), part=PartOf(10_000, is_cut=True))
        assert "only be read whole" in fault_of(found_in(source))[1]


def parquet(rows: list[dict[str, Any]], schema: pyarrow.Schema | None = None) -> bytes:
    out = io.BytesIO()
    pyarrow.parquet.write_table(pyarrow.Table.from_pylist(rows, schema), out)
    return out.getvalue()


def test_a_parquet_file_is_read_as_json_lines() -> None:
    day = datetime.date(2026, 5, 1)
    data = parquet(
        [
            {"id": 7, "sentence": "One.", "day": day, "tags": ["a"], "deep": {"k": 1.5}, "score": float("nan")},
            {"id": 8, "sentence": "", "day": None, "tags": [], "deep": None, "score": 0.5},
        ]
    )
    first, second = read(data, "poll.parquet")
    assert isinstance(first, ImportRow) and isinstance(second, BadLine)
    assert (first.line, first.id, first.text) == (1, "7", "One.")
    assert first.meta == {"day": "2026-05-01", "tags": ["a"], "deep": {"k": 1.5}, "score": None}
    assert (second.line, second.row_id) == (2, "8") and "Empty text" in second.message


def test_bytes_of_an_image_are_a_fault_with_the_remedy() -> None:
    line, message = fault_of(read(parquet([{"id": "a", "text": "One.", "image": b"\xff\xd8"}]), "a.parquet"))
    assert line == 1 and message == "Holds bytes that are no UTF-8 text, such as an image: take the column out."


def dataset() -> datasets.DatasetDict:
    features = datasets.Features(
        {
            "id": datasets.Value("string"),
            "text": datasets.Value("string"),
            "label": datasets.ClassLabel(names=["n", "y"]),
        }
    )
    rows = {
        "test": [{"id": "c", "text": "Three.", "label": -1}],
        "train": [{"id": "a", "text": "One.", "label": 1}, {"id": "b", "text": "Two.", "label": 0}],
    }
    return datasets.DatasetDict({name: datasets.Dataset.from_list(each, features) for name, each in rows.items()})


def files_of(folder: Path) -> dict[str, bytes]:
    return {
        path.relative_to(folder.parent).as_posix(): path.read_bytes() for path in folder.rglob("*") if path.is_file()
    }


EXPECTED = [
    ("c", "Three.", {"split": "test", "label": -1}),
    ("a", "One.", {"split": "train", "label": "y"}),
    ("b", "Two.", {"split": "train", "label": "n"}),
]


def test_a_dataset_is_read_from_its_folder_and_from_a_zip_archive_of_it(tmp_path: Path) -> None:
    folder = tmp_path / "poll"
    dataset().save_to_disk(str(folder))
    (folder / "train" / "cache-1f.arrow").write_bytes(b"left over")
    for source in (Source("poll", folder=folder), Source("poll.zip", file=io.BytesIO(zipped(files_of(folder))))):
        assert format_of(source, "auto") == "dataset"
        rows = rows_of(found_in(source))
        assert [(row.id, row.text, row.meta) for row in rows] == EXPECTED
        assert [row.line for row in rows] == [1, 2, 3]


def test_a_dataset_as_the_hub_shows_it_has_its_splits_in_the_names_of_its_files(tmp_path: Path) -> None:
    (tmp_path / "data").mkdir()
    for name, split in dataset().items():
        split.to_parquet(str(tmp_path / "data" / f"{name}-00000-of-00001.parquet"))
    rows = rows_of(found_in(Source("poll", folder=tmp_path)))
    assert [(row.id, row.text, row.meta) for row in rows] == EXPECTED


TEXTS = {
    "speeches/may/one.txt": "\ufeffGröße.\nNext.".encode(),
    "speeches/two.TXT": "Große Worte. Schöne Grüße.".encode("cp1252"),
    "speeches/.DS_Store": b"\x00",
    "__MACOSX/speeches/._one.txt": b"\x00",
}


def test_each_text_of_an_archive_is_a_row_with_an_id_of_its_name(tmp_path: Path) -> None:
    """The folder and a zip archive of it give the same ids."""
    for name, data in TEXTS.items():
        path = tmp_path / name
        path.parent.mkdir(parents=True, exist_ok=True)
        path.write_bytes(data)
    archive = Source("speeches.zip", file=io.BytesIO(zipped(TEXTS)))
    for source in (archive, Source("speeches", folder=tmp_path / "speeches")):
        assert format_of(source, "auto") == "texts"
        one, two = rows_of(found_in(source))
        assert (one.id, one.text, one.title, one.meta) == ("may/one", "Größe.\nNext.", "one", {"folder": "may"})
        assert (two.id, two.text, two.title, two.meta) == ("two", "Große Worte. Schöne Grüße.", "two", {})
        assert [one.line, two.line] == [1, 2]


def test_a_name_that_macos_wrote_without_saying_utf_8_is_read_right() -> None:
    data = zipped({"Größe.txt": b"One."})
    # Bit 11 of the flags says that a name is UTF-8: at 6 of a file's header, and at 8 of the directory's.
    raw = bytearray(data)
    for mark, at in ((b"PK\x03\x04", 7), (b"PK\x01\x02", 9)):
        raw[raw.index(mark) + at] &= 0xF7
    assert [row.id for row in rows_of(read(bytes(raw), "a.zip"))] == ["Größe"]


def test_an_archive_with_two_files_of_one_name_is_refused() -> None:
    out = io.BytesIO()
    with zipfile.ZipFile(out, "w") as archive, pytest.warns(UserWarning, match="Duplicate name"):
        for text in ("One.", "Two."):
            archive.writestr("a.txt", text)
    assert fault_of(read(out.getvalue(), "texts.zip"))[1] == "The archive holds two files named a.txt."


def test_a_table_that_unpacks_to_too_much_is_refused(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr("annotation_app.ingest.readers.dataset.MOST_UNPACKED", 100)
    dataset().save_to_disk(str(tmp_path))
    assert "write smaller ones" in fault_of(found_in(Source("poll", folder=tmp_path)))[1]


def test_a_bad_text_is_named_and_the_others_are_read() -> None:
    found = read(zipped({"a.txt": b"One.", "b.txt": b" ", "c.txt": b"\x00x"}), "texts.zip")
    assert [each.id if isinstance(each, ImportRow) else (each.file, each.row_id) for each in found] == [
        "a",
        ("b.txt", "b"),
        ("c.txt", "c"),
    ]


@pytest.mark.parametrize(
    ("data", "asked", "told"),
    [
        (
            zipped({"a.txt": b"One."}),
            "convokit",
            "This is a folder or zip archive of texts, and convokit was asked for",
        ),
        (book({"S": [["id", "text"]]}), "csv", "This is an Excel workbook, and csv was asked for: choose xlsx."),
        (b"id,text\n", "parquet", "This is not a Parquet file, and parquet was asked for: choose csv."),
        (zipped({"a.csv": b"id,text\n"}), "auto", "This zip archive holds tables such as a.csv: unpack it"),
        (zipped({"a.png": b"\x89PNG"}), "auto", "The archive holds no text to label"),
    ],
)
def test_a_file_of_another_kind_is_refused_with_what_to_choose(data: bytes, asked: str, told: str) -> None:
    (bad,) = found_in(Source("file", file=io.BytesIO(data)), asked)
    assert isinstance(bad, BadLine) and bad.message.startswith(told)
