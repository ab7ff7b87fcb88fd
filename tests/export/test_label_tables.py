"""Labels as tables: read back with pandas and openpyxl, value by value; nothing in them can be run."""

import io
import json
from collections.abc import Callable

import pandas
import pytest
from django.core.management import CommandError, call_command
from openpyxl import load_workbook
from rest_framework.test import APIClient

from al_worker.formats.spreadsheet import neutral
from annotation_app.export import table_files
from annotation_app.export.options import ExportOptions
from annotation_app.export.stream import export_open
from annotation_app.export.table_files import MAX_CHARACTERS, MAX_ROWS, csv_bytes, xlsx_bytes
from annotation_app.models import Event, Item, Membership
from tests.conftest import People
from tests.export.rows import Labelled, labelled
from tests.stack import ROOT

# The browser makes CSV too, and is tested on the same cases.
FORMULAS = json.loads((ROOT / "frontend/src/test/formulas.json").read_text(encoding="utf-8"))
pytestmark = pytest.mark.django_db(transaction=True)


@pytest.fixture
def data(people: People) -> Labelled:
    made = labelled(people)
    Item.objects.filter(pk=made.items[0].pk).update(meta={"party": "=1+1", "year": 2026, "label": "left", "deep": [1]})
    return made


def written(data: Labelled, kind: str, form: str, **options: bool) -> bytes:
    return b"".join(export_open(kind=kind, options=ExportOptions(data.project, **options), written_as=form))


def test_a_row_an_item_has_names_beside_keys_and_what_was_imported(data: Labelled) -> None:
    table = pandas.read_csv(io.BytesIO(written(data, "aggregated", "csv"))).set_index("id")
    assert list(table.index) == ["u0_1", "u0_2", "u1_1", "u1_2"]
    first = table.loc["u0_1"]
    assert (first["opinion_label"], first["opinion_name"], first["opinion_state"]) == ("no", "No", "majority")
    assert first["opinion_n_answers"] == 3
    assert (first["document_id"], first["speaker"], first["round"], first["complete"]) == ("d1", "Speaker 0", 1, True)
    assert (first["meta_party"], first["meta_year"], first["meta_label"]) == ("'=1+1", 2026, "left")
    assert json.loads(first["meta_deep"]) == [1]
    tie = table.loc["u1_1"]
    assert (tie["opinion_state"], tie["opinion_n_answers"]) == ("no_majority", 2)
    assert json.loads(tie["opinion_votes"]) == {"no": 1, "yes": 1}
    assert json.loads(first["opinion_votes"]) == {"yes": 1, "no": 2}
    assert pandas.isna(tie["opinion_label"]) and pandas.isna(tie["meta_party"])


def test_a_row_an_answer_has_its_person_stage_and_label(data: Labelled) -> None:
    table = pandas.read_csv(io.BytesIO(written(data, "annotations", "csv")))
    mine = table[(table["item_id"] == "u0_2") & (table["annotator"] == "annotator 2")]
    assert list(mine["stage"]) == ["opinion", "mp"]
    assert list(mine["label"]) == ["yes", "no"] and list(mine["label_name"]) == ["Yes", "No"]
    pandas.to_datetime(mine["created_at"])
    skipped = table[table["state"] == "skipped"]
    assert len(skipped) == 1 and skipped["stage"].isna().all()


def test_a_workbook_holds_what_the_csv_holds(data: Labelled) -> None:
    sheet = load_workbook(io.BytesIO(written(data, "aggregated", "xlsx")))["labels"]
    header, *rows = sheet.iter_rows(values_only=True)
    first = dict(zip(header, rows[0], strict=True))
    assert len(rows) == 4
    assert (first["id"], first["opinion_name"], first["meta_year"], first["complete"]) == ("u0_1", "No", 2026, True)
    # As text, which no cell of a workbook runs.
    assert first["meta_party"] == "=1+1"
    cell = sheet.cell(row=2, column=header.index("meta_party") + 1)
    assert cell.data_type in ("s", "inlineStr")


def test_a_mark_tells_excel_the_encoding_where_it_is_asked_for(data: Labelled) -> None:
    assert written(data, "aggregated", "csv", bom=True).startswith(b"\xef\xbb\xbfid,text")
    assert written(data, "aggregated", "csv").startswith(b"id,text")


@pytest.mark.parametrize("text", FORMULAS["run"])
def test_what_a_spreadsheet_would_run_begins_with_an_apostrophe(text: str) -> None:
    assert neutral(text) == f"'{text}"


@pytest.mark.parametrize("text", FORMULAS["plain"])
def test_numbers_and_other_text_stay(text: str) -> None:
    assert neutral(text) == text


def test_csv_cells_of_every_type() -> None:
    rows = [["a", "b", "c", "d", "e"], [None, True, -1, 'say "x",\n', {"k": "ö"}]]
    assert b"".join(csv_bytes(iter(rows))).decode() == 'a,b,c,d,e\r\n,TRUE,-1,"say ""x"",\n","{""k"": ""ö""}"\r\n'


def test_a_cell_that_excel_cannot_hold_is_cut_and_told() -> None:
    book = load_workbook(io.BytesIO(b"".join(xlsx_bytes(iter([["text"], ["x" * (MAX_CHARACTERS + 5)], ["\x01 y"]])))))
    assert len(book["labels"]["A2"].value) == MAX_CHARACTERS
    assert book["notes"]["A1"].value == "1 cells held more than 32,767 characters and were cut."
    assert book["notes"]["A2"].value == "row 2, column 1"


def test_a_table_says_how_many_rows_it_has(data: Labelled) -> None:
    for kind in ("aggregated", "annotations"):
        export = export_open(kind=kind, options=ExportOptions(data.project), written_as="csv")
        assert export.total == len(pandas.read_csv(io.BytesIO(b"".join(export))))
    # An answer is a row, an annotation a line.
    assert export.total > len(written(data, "annotations", "jsonl").splitlines())


def test_more_rows_than_a_sheet_holds_are_refused_before_anything_is_sent(
    data: Labelled, client_of: Callable[[Membership], APIClient], people: People, monkeypatch: pytest.MonkeyPatch
) -> None:
    path = f"/api/projects/{people.project.uuid}/export/?kind=aggregated"
    client = client_of(people.admin)
    monkeypatch.setattr(table_files, "MAX_ROWS", 5)
    whole = client.get(f"{path}&format=xlsx")
    assert (whole.status_code, whole["X-Total-Lines"]) == (200, "4")
    b"".join(whole.streaming_content)  # type: ignore[arg-type]
    monkeypatch.setattr(table_files, "MAX_ROWS", 4)
    refused = client.get(f"{path}&format=xlsx")
    assert refused.status_code == 400
    assert refused.json()["errors"]["format"] == [
        "4 rows are more than the 3 that an Excel sheet holds below its header: choose CSV."
    ]
    table = client.get(f"{path}&format=csv")
    assert table["X-Total-Lines"] == "4"
    b"".join(table.streaming_content)  # type: ignore[arg-type]
    with pytest.raises(CommandError, match="choose CSV"):
        call_command("export_dataset", str(people.project.uuid), "aggregated", format="xlsx")
    said = [event.data["format"] for event in Event.objects.filter(verb="export_made").order_by("pk")]
    assert said == ["xlsx", "csv"]


def test_the_page_knows_how_many_rows_excel_holds() -> None:
    card = (ROOT / "frontend/src/features/export/KindCard.tsx").read_text(encoding="utf-8")
    assert f"EXCEL_ROWS = {MAX_ROWS - 1:_};" in card
