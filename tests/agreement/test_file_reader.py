"""What people's tools make of a file of answers: every one is read right, or refused with the place and the mend."""

import gzip
import io
import json
import sys
from pathlib import Path
from typing import Any

import pytest
from django.core.management import CommandError, call_command

from tests.agreement.files import lines_of
from tests.agreement.worked import WORKED

pytestmark = pytest.mark.django_db
HEADER = "item,annotator,stage,label"
LINES = [HEADER, *lines_of(WORKED)]
ALPHA = pytest.approx(9 / 14, abs=1e-12)


@pytest.fixture
def file(tmp_path: Path) -> Path:
    return tmp_path / "answers.csv"


def rows_of(named: Path | str, *orders: str) -> list[dict[str, Any]]:
    out = io.StringIO()
    call_command("agreement", str(named), order=list(orders), stdout=out)
    return list(json.loads(out.getvalue())["rows"])


def refusal(named: Path | str, *orders: str) -> str:
    with pytest.raises(CommandError) as raised:
        rows_of(named, *orders)
    return str(raised.value)


@pytest.mark.parametrize("end", ["\r", "\n", "\r\n"])
def test_it_reads_the_three_kinds_of_line_ends(file: Path, end: str) -> None:
    file.write_bytes(end.join([*LINES, ""]).encode())
    assert rows_of(file)[0]["alpha_nominal"] == ALPHA
    file.write_bytes(end.join([*LINES, "i1,A,,Y"]).encode())
    assert refusal(file) == f"{file}:{len(LINES) + 1}: the cell stage is empty. Fill it, or leave the line out if " + (
        "there is no answer."
    )


def test_it_reads_lines_that_end_in_different_ways(file: Path) -> None:
    ends = ["\r", "\r\n", "\n"] * len(LINES)
    file.write_bytes("".join(line + end for line, end in zip(LINES, ends, strict=False)).encode())
    assert rows_of(file)[0]["alpha_nominal"] == ALPHA


@pytest.mark.parametrize("end", ["\r", "\n", "\r\n"])
def test_line_ends_within_quotes_are_part_of_the_cell(file: Path, end: str) -> None:
    """Also of a line that holds nothing but COPY's end of data, and of a column's name."""
    cell = f'"one{end}\\.{end}two"'
    text = end.join([f'{HEADER},"a{end}note"', f"i1,A,s,{cell},x", f"i1,B,s,{cell},x", "i2,A,s,Y", ""])
    file.write_bytes(text.encode())
    # The header has two lines, each of the first two rows three.
    assert refusal(file).startswith(f"{file}:9: 4 cells under a header of 5")
    file.write_bytes(text.replace(",Y", ",Y,x").encode())
    everyone = rows_of(file)[0]
    assert (everyone["n_items"], everyone["n_units"], everyone["percent_agreement"]) == (2, 1, 1.0)
    assert everyone["reason"]["alpha_nominal"] == (f"undefined, no variation: every answer is one{end}\\.{end}two")


@pytest.mark.parametrize("first", ["sep=,", '"sep=,"', "SEP=,", "sep=,,,"])
def test_it_passes_over_the_line_that_tells_excel_the_delimiter(file: Path, first: str) -> None:
    file.write_bytes(b"\xef\xbb\xbf" + "\r\n".join([first, *LINES]).encode())
    assert rows_of(file)[0]["alpha_nominal"] == ALPHA
    file.write_text("\n".join([first, HEADER, "i1,A,s,Y", "i1,A,s,N"]))
    assert refusal(file) == f"{file}:4: A answered i1 at s on line 3 already. Keep one."


def test_such_a_line_says_what_separates_cells(file: Path) -> None:
    file.write_text("\n".join(["sep=|", *(line.replace(",", "|") for line in LINES)]))
    assert rows_of(file)[0]["alpha_nominal"] == ALPHA
    for first in ("sep=", "sep=ab", 'sep="'):
        file.write_text("\n".join([first, *LINES]))
        assert refusal(file).startswith(f"{file}:1: After sep= stands the one character that separates cells"), first


def test_a_cell_may_be_long(file: Path) -> None:
    label = "y" * 140_000
    file.write_text("\n".join([HEADER, f"i1,A,s,{label}", f"i1,B,s,{label}"]))
    assert rows_of(file)[0]["percent_agreement"] == 1.0


@pytest.mark.parametrize(
    ("content", "said"),
    [
        (f"{HEADER}\ni1,A,s,Y\ni2,A,s,{'y' * 1_000_001}\n", "3: The line is longer than 1,000,000 characters"),
        (
            f'{HEADER}\ni1,A,s,"Y\n' + "i2,A,s,Y\n" * 200_000,
            "2: Malformed CSV: a cell in quotation marks does not end for",
        ),
        (
            f'{HEADER}\ni1,A,s,"Y" es\n',
            "2: Malformed CSV: ',' expected after '\"'. Close the quotation mark that opens there",
        ),
        (
            f'{HEADER},"note\ni1,A,s,Y,x\n',
            "1: Malformed CSV: a quote is opened here and never closed. Close",
        ),
        (",,,\n,,,\n", "1: no column item or annotator or stage or label."),
        ("\n\n", "2: There is no header."),
        ("\0" * 2_000_000, "1: The line is longer than"),
        ("\0" * 2_000, "1: There is no text in it, or its encoding cannot be told"),
        (gzip.compress(HEADER.encode(), mtime=0)[:-9], "1: The gzip file is damaged"),
        (b"PK\x03\x04\x14\x00\x06\x00", " This is an Excel workbook: save the sheet as CSV"),
        (b"%PDF-1.7 ...", " This is a PDF document"),
        (f"{HEADER}\ri1,A,s,Größe\r".encode() + b"i2,A,s,\xfcber\r", "3: the cell label: Not valid UTF-8 at byte 1"),
    ],
)
def test_it_says_what_it_cannot_read(file: Path, content: str | bytes, said: str) -> None:
    file.write_bytes(content.encode() if isinstance(content, str) else content)
    assert f"{file}:{said}" in refusal(file)
    assert len(refusal(file)) < 500 + len(str(file))


@pytest.mark.parametrize("encoding", ["utf-8-sig", "utf-16", "utf-16-le", "utf-16-be", "utf-32"])
@pytest.mark.parametrize("delimiter", [",", ";", "\t", "|"])
def test_it_reads_what_imports_read(file: Path, encoding: str, delimiter: str) -> None:
    text = "\r\n".join(line.replace(",", delimiter) for line in ["Item, Annotator ,STAGE,label", *LINES[1:]])
    file.write_bytes(text.encode(encoding))
    assert rows_of(file)[0]["alpha_nominal"] == ALPHA
    file.write_bytes(gzip.compress(text.encode(encoding)))
    assert rows_of(file)[0]["alpha_nominal"] == ALPHA


def test_it_says_that_an_encoding_is_a_guess(file: Path) -> None:
    file.write_bytes("\n".join([HEADER, "i1,A,s,schön", "i1,B,s,schön"]).encode("cp1252"))
    out, told = io.StringIO(), io.StringIO()
    call_command("agreement", str(file), stdout=out, stderr=told)
    assert "every answer is schön" in out.getvalue()
    assert told.getvalue() == f"{file}: Read as cp1252, which is a guess: --encoding says another.\n"
    out, told = io.StringIO(), io.StringIO()
    call_command("agreement", str(file), encoding="cp1250", stdout=out, stderr=told)
    assert told.getvalue() == ""


def test_rounds_of_digits_are_numbers_only_where_that_tells_them_apart(file: Path) -> None:
    for rounds, shown in ((["2", "10"], [2, 10]), (["1", "01"], ["01", "1"]), (["1", "9" * 5_000], ["1", "9" * 5_000])):
        lines = [f"i1,{name},s,Y,{number}" for number in rounds for name in "AB"]
        file.write_text("\n".join([f"{HEADER},round", *lines]))
        assert [row["round"] for row in rows_of(file) if row["pair"] is None] == [None, *shown]


def test_names_that_no_file_can_have_are_refused(file: Path, tmp_path: Path) -> None:
    file.write_text("\n".join(LINES))
    assert refusal(file / "x").endswith("cannot be read: Not a directory.")
    assert refusal(tmp_path / ("x" * 300)).endswith("cannot be read: File name too long.")
    loop = tmp_path / "loop"
    loop.symlink_to(loop)
    assert "cannot be read: Too many levels of symbolic links." in refusal(loop)


@pytest.mark.parametrize("order", ["a\rb,c", "a\nb"])
def test_an_order_that_is_no_list_is_refused(file: Path, order: str) -> None:
    file.write_text("\n".join(LINES))
    assert "one line of labels with commas between them" in refusal(file, order)


def test_it_reads_standard_input(file: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    given = io.TextIOWrapper(io.BytesIO(b"\xef\xbb\xbf" + "\r".join(LINES).encode()), encoding="ascii")
    monkeypatch.setattr(sys, "stdin", given)
    assert rows_of("-")[0]["alpha_nominal"] == ALPHA
    monkeypatch.setattr(sys, "stdin", io.TextIOWrapper(io.BytesIO(b"item,label\n")))
    assert refusal("-").startswith("standard input:1: no column annotator or stage.")
    monkeypatch.setattr(sys, "stdin", None)
    assert refusal("-") == "There is no standard input: name a file."
