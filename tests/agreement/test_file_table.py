"""`manage.py agreement`: answers from a file, counted by the same statements; bad files are named line by line."""

import io
import json
from pathlib import Path
from typing import Any

import pytest
from django.core.management import CommandError, call_command

from annotation_app.agreement.statistics import BY_KEY
from tests.agreement.files import lines_of
from tests.agreement.worked import WORKED

SIZES = ["n_items", "n_units", "fleiss_items", "general_items", "general_answers"]
KEYS = ["stage", "round", "pair", *SIZES, *BY_KEY, "ci", "reason"]
pytestmark = pytest.mark.django_db


@pytest.fixture
def file(tmp_path: Path) -> Path:
    return tmp_path / "answers.csv"


def rows_of(file: Path, *orders: str) -> list[dict[str, Any]]:
    out = io.StringIO()
    call_command("agreement", str(file), order=list(orders), stdout=out)
    return list(json.loads(out.getvalue())["rows"])


def test_it_gives_the_worked_values(file: Path) -> None:
    file.write_text("\n".join(["item,annotator,stage,label", *lines_of(WORKED)]))
    rows = rows_of(file)
    assert [row["pair"] for row in rows] == [None, ["A", "B"], ["A", "C"], ["B", "C"]]
    everyone, first = rows[:2]
    assert list(everyone) == KEYS
    assert (everyone["n_items"], everyone["n_units"], everyone["fleiss_items"]) == (5, 4, 3)
    assert everyone["alpha_nominal"] == pytest.approx(9 / 14, abs=1e-12)
    assert everyone["fleiss_kappa"] == pytest.approx(11 / 20, abs=1e-12)
    assert everyone["ac1"] == pytest.approx(151 / 226, abs=1e-12)
    assert everyone["reason"]["cohen_kappa"] == "defined for two people: see the pairs"
    assert first["cohen_kappa"] == pytest.approx(1 / 2, abs=1e-12)
    assert first["fleiss_kappa"] == pytest.approx(7 / 15, abs=1e-12)


def test_it_says_labels_as_the_file_does_where_all_are_alike(file: Path) -> None:
    file.write_text("\n".join(["item,annotator,stage,label", *lines_of({"i1": "YYY", "i2": "YY-"})]))
    everyone = rows_of(file)[0]
    assert (everyone["percent_agreement"], everyone["ac1"], everyone["ci"]["ac1"]) == (1.0, 1.0, [1.0, 1.0])
    assert everyone["reason"]["alpha_nominal"] == "undefined, no variation: every answer is Y"


def test_it_gives_rounds_and_their_margin(file: Path) -> None:
    first, second = dict(list(WORKED.items())[:3]), dict(list(WORKED.items())[3:])
    lines = [*lines_of(first, round="10"), *lines_of(second, round="9")]
    file.write_text("\n".join(["item,annotator,stage,label,round", *lines]))
    rows = [row for row in rows_of(file) if row["pair"] is None]
    assert [row["round"] for row in rows] == [None, 9, 10]
    assert rows[0]["alpha_nominal"] == pytest.approx(9 / 14, abs=1e-12)
    assert rows[2]["alpha_nominal"] == pytest.approx(3 / 5, abs=1e-12)
    # In round 9 only A and B occur, so that one item is complete.
    assert rows[1]["fleiss_items"] == 1


def test_answers_of_two_rounds_are_never_compared(file: Path) -> None:
    """Over both rounds the item counts twice; one unit is left, on which they differ."""
    lines = ["i1,A,s,Y,1", "i1,B,s,Y,2", "i2,A,s,Y,2", "i2,B,s,N,2"]
    file.write_text("\n".join(["item,annotator,stage,label,round", *lines]))
    everyone = rows_of(file)[0]
    assert (everyone["round"], everyone["n_items"], everyone["n_units"]) == (None, 3, 1)
    assert everyone["percent_agreement"] == 0


def test_rounds_may_have_names_and_files_other_shapes(file: Path) -> None:
    lines = (line.split(",") for line in lines_of(WORKED))
    rows = [f"pilot;{label};s;{item};{name};x" for item, name, _, label in lines]
    text = "\n".join(["Round; Label;stage;item;Annotator;note", *rows])
    file.write_bytes(b"\xef\xbb\xbf" + text.replace("\n", "\r\n").encode())
    everyone = rows_of(file)[0]
    assert everyone["alpha_nominal"] == pytest.approx(9 / 14, abs=1e-12)
    assert [row["round"] for row in rows_of(file) if row["pair"] is None] == [None, "pilot"]


def test_an_order_gives_an_ordinal_alpha(file: Path) -> None:
    steps = {"i1": "SS-", "i2": "UU-", "i3": "SU-", "i4": "U5-"}
    lines = [*lines_of(steps, "context"), *lines_of(WORKED, "opinion")]
    file.write_text("\n".join(["item,annotator,stage,label", *lines]))
    for orders in (["S,U,5"], ["context=S, U,5", "opinion=N,Y"]):
        rows = {row["stage"]: row for row in rows_of(file, *orders) if row["pair"] is None}
        assert rows["context"]["alpha_ordinal"] == pytest.approx(43 / 80, abs=1e-12)
    # Of two labels the order makes no difference.
    assert rows["opinion"]["alpha_ordinal"] == pytest.approx(9 / 14, abs=1e-12)
    nominal = next(row for row in rows_of(file) if row["stage"] == "context")
    assert nominal["reason"]["alpha_ordinal"] == "the labels of this stage have no order"


def test_an_order_may_name_a_label_with_a_comma(file: Path) -> None:
    steps = {"i1": "SS-", "i2": "UU-", "i3": "SU-", "i4": "U5-"}
    lines = [line.replace(",U", ',"U, the turn"') for line in lines_of(steps)]
    file.write_text("\n".join(["item,annotator,stage,label", *lines]))
    for order in ('S,"U, the turn",5', 's=S, "U, the turn", 5'):
        row = next(row for row in rows_of(file, order) if row["pair"] is None)
        assert row["alpha_ordinal"] == pytest.approx(43 / 80, abs=1e-12)


def test_an_order_may_name_a_label_with_an_equals_sign(file: Path) -> None:
    """Stages are those of the file: S=1 is a label, and c=d is a stage."""
    names = {"S": "S=1", "U": "U=2", "5": "=5"}
    steps = {"i1": "SS-", "i2": "UU-", "i3": "SU-", "i4": "U5-"}
    for stage in ("s", "S", "c=d"):
        rows = [line.rsplit(",", 1) for line in lines_of(steps, stage)]
        file.write_text("\n".join(["item,annotator,stage,label", *(f"{row},{names[label]}" for row, label in rows)]))
        for order in (f"{stage} = S=1, U=2,=5", '"S=1",U=2,=5'):
            everyone = next(row for row in rows_of(file, order) if row["pair"] is None)
            assert everyone["alpha_ordinal"] == pytest.approx(43 / 80, abs=1e-12)
    assert rows_of(file, "S=1,U=2,=5")[0]["alpha_ordinal"] == pytest.approx(43 / 80, abs=1e-12)


GOOD = "item,annotator,stage,label\n"


@pytest.mark.parametrize(
    ("content", "said"),
    [
        (b"", "1: There is no header. It names the columns"),
        (GOOD.encode(), "there is no answer below the header"),
        (b"item,annotator,label\ni1,A,Y\n", "1: no column stage. Name the columns item, annotator, stage, label;"),
        (b"item,annotator,stage,label,label\n", "1: the column label stands there twice"),
        (f"{GOOD}i1,A,s,Y\ni2,,s,Y\n".encode(), "3: the cell annotator is empty. Fill it, or leave the line out"),
        (f"{GOOD}i1,A,s,Y,more\n".encode(), "2: 5 cells under a header of 4"),
        (f"{GOOD}i1,A,s,Y\ni1,B,s,Y\ni1,A,s,N\n".encode(), "4: A answered i1 at s on line 2 already"),
        (f"{GOOD}i1,A,s,Größe\n".encode() + b"i2,A,s,\xfcber\n", "3: the cell label: Not valid UTF-8 at byte 1"),
        (GOOD.encode("utf-16"), "there is no answer below the header"),
        (
            f'{GOOD}i1,A,s,Y\ni2,A,s,"Y\n'.encode(),
            "3: Malformed CSV: a quote is opened here and never closed",
        ),
        (f"{GOOD}i1,A,s,Y\0\n".encode(), "2: the cell label holds a NUL character"),
    ],
)
def test_it_names_the_line_and_the_mend(file: Path, content: bytes, said: str) -> None:
    file.write_bytes(content)
    with pytest.raises(CommandError) as raised:
        rows_of(file)
    assert f"{file}:{said}" in str(raised.value) or f"{file}: {said}" in str(raised.value)


def test_it_names_twenty_bad_lines_and_counts_the_rest(file: Path) -> None:
    file.write_text(GOOD + "i1,A,,Y\n" * 25)
    with pytest.raises(CommandError) as raised:
        rows_of(file)
    lines = str(raised.value).splitlines()
    assert (len(lines), lines[-1]) == (21, "... and 5 lines more.")
    assert lines[1].startswith(f"{file}:3: the cell stage is empty")


@pytest.mark.parametrize(
    ("order", "said"),
    [
        ("Y", "name two labels or more"),
        ("Y,,N", "name two labels or more"),
        ("Y,N,Y", "name each label once"),
        ("yes,no", "no stage has one of these labels"),
        ("t=Y,N", "there is no stage 't', and no label 't=Y'; the file has the stages s."),
        ("Y,M", "line 5 of the file has the label 'N' at the stage s, which has no place in it"),
        ("s=yes,no", "line 2 of the file has the label 'Y' at the stage s"),
    ],
)
def test_it_says_what_is_wrong_with_an_order(file: Path, order: str, said: str) -> None:
    file.write_text("\n".join(["item,annotator,stage,label", *lines_of(WORKED)]))
    with pytest.raises(CommandError, match="--order") as raised:
        rows_of(file, order)
    assert said in str(raised.value)


def notices_of(file: Path, *orders: str) -> list[str]:
    out = io.StringIO()
    call_command("agreement", str(file), order=list(orders), stdout=out, stderr=io.StringIO())
    return list(json.loads(out.getvalue())["notices"])


def test_a_level_that_nobody_used_keeps_its_place_in_the_order(file: Path) -> None:
    """Between, below or above: it moves no midrank. Of several stages each may lack another level."""
    steps = {"i1": "SS-", "i2": "UU-", "i3": "SU-", "i4": "U5-"}
    other = {"i1": "SS-", "i2": "SU-", "i3": "UU-"}
    file.write_text("\n".join(["item,annotator,stage,label", *lines_of(steps), *lines_of(other, "t")]))
    for order in ("S,x,U,5", "low,S,U,5,high", "S,U,5"):
        first, second = [row for row in rows_of(file, order) if row["pair"] is None]
        assert first["alpha_ordinal"] == pytest.approx(43 / 80, abs=1e-12)
        # Two labels have one distance: ordinal is nominal.
        assert second["alpha_ordinal"] == pytest.approx(second["alpha_nominal"], abs=1e-12)
    assert notices_of(file, "S,x,U,5") == [
        "Nobody used x of the order at the stage s, which has S, U, 5. That changes no figure; check the spelling if "
        "you expected it.",
        "Nobody used x, 5 of the order at the stage t, which has S, U. That changes no figure; check the spelling if "
        "you expected it.",
    ]


def test_it_says_that_there_is_no_such_file(file: Path, tmp_path: Path) -> None:
    with pytest.raises(CommandError, match="does not exist"):
        rows_of(file)
    with pytest.raises(CommandError, match="cannot be read: Is a directory"):
        rows_of(tmp_path)
