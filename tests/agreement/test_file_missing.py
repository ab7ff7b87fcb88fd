"""Marks for missing in a file of answers: left out with a notice, never silently a label, and labels where asked."""

import io
import json
from pathlib import Path
from typing import Any

import pytest
from django.core.management import CommandError, call_command

from al_worker.formats.missing import MARKS

pytestmark = pytest.mark.django_db
HEADER = "item,annotator,stage,label"
# A, B and C of three items; the marks stand in place of B's answer to the third and C's to the first.
ANSWERS = ["1,A,s,x", "2,A,s,x", "3,A,s,y", "1,B,s,x", "2,B,s,x", "3,B,s,{}", "1,C,s,{}", "2,C,s,x", "3,C,s,y"]


@pytest.fixture
def file(tmp_path: Path) -> Path:
    return tmp_path / "answers.csv"


def marked(file: Path, mark: str) -> None:
    file.write_text("\n".join([HEADER, *(line.format(mark) for line in ANSWERS)]), encoding="utf-8")


def counted(file: Path, **options: Any) -> tuple[dict[str, Any], list[str], str]:
    out, told = io.StringIO(), io.StringIO()
    call_command("agreement", str(file), stdout=out, stderr=told, **options)
    body = json.loads(out.getvalue())
    return body["rows"][0], body["notices"], told.getvalue()


@pytest.mark.parametrize("mark", [*MARKS, "-99.0", "-999.00", " NA "])
def test_a_mark_for_missing_is_no_label(file: Path, mark: str) -> None:
    marked(file, mark)
    row, notices, told = counted(file)
    assert (row["percent_agreement"], row["alpha_nominal"], row["n_units"]) == (1.0, 1.0, 3)
    assert notices[0].startswith("2 lines hold a mark for missing (")
    assert "left out: lines 7, 8. " in notices[0]
    assert notices[0] in told


def test_marks_are_labels_where_that_is_asked(file: Path) -> None:
    """As the file has them, 5 of 9 pairs are equal: x x NA, x x x, y NA y."""
    marked(file, "NA")
    row, notices, _ = counted(file, missing="")
    assert row["percent_agreement"] == pytest.approx(5 / 9, abs=1e-12)
    assert notices == [
        "Counted as labels, though they look like marks for missing: NA on 2 lines. If they mean that there is no "
        "answer, name them with --missing."
    ]
    assert counted(file, missing="nil,-99")[0]["percent_agreement"] == pytest.approx(5 / 9, abs=1e-12)


def test_own_marks_take_the_place_of_the_list(file: Path) -> None:
    marked(file, "nil")
    assert counted(file)[0]["percent_agreement"] == pytest.approx(5 / 9, abs=1e-12)
    row, notices, _ = counted(file, missing="nil, gone")
    assert (row["percent_agreement"], row["n_units"]) == (1.0, 3)
    assert notices[0].startswith("2 lines hold a mark for missing (nil: 2)")


def test_a_label_of_an_order_is_a_label(file: Path) -> None:
    marked(file, "None")
    row, notices, _ = counted(file, order=["None,x,y"])
    assert row["percent_agreement"] == pytest.approx(5 / 9, abs=1e-12)
    assert len(notices) == 1
    with pytest.raises(CommandError, match="--order names 'None' as a label"):
        counted(file, order=["s=None,x,y"], missing="None")


def test_a_label_that_may_be_meant_as_missing_is_told(file: Path) -> None:
    marked(file, "none")
    row, notices, _ = counted(file)
    assert row["percent_agreement"] == pytest.approx(5 / 9, abs=1e-12)
    assert notices[0].startswith("Counted as labels, though they look like marks for missing: none on 2 lines.")


def test_a_blank_cell_is_refused_where_it_is_no_mark(file: Path) -> None:
    marked(file, "")
    for marks in ("", "NA"):
        with pytest.raises(CommandError, match="7: the cell label is empty"):
            counted(file, missing=marks)
    assert counted(file, missing="NA,")[0]["n_units"] == 3


def test_a_file_of_nothing_but_marks_is_refused(file: Path) -> None:
    file.write_text("\n".join([HEADER, "1,A,s,NA", "1,B,s,."]))
    with pytest.raises(CommandError, match=r"every label is a mark for missing\. 2 lines hold .* lines 2, 3\."):
        counted(file)


def test_it_names_twenty_lines_and_counts_the_rest(file: Path) -> None:
    file.write_text("\n".join([HEADER, "0,A,s,x", *(f"{n},A,s,NA" for n in range(1, 26))]))
    assert "21, 22 and 5 more. Give --missing" in counted(file)[1][0]
