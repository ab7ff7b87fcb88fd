"""Answers of every type in exports, tables and releases, as their users load them."""

import csv
import io
from pathlib import Path
from typing import Any

import pytest

from annotation_app.export.options import ExportOptions
from annotation_app.export.stream import export_open
from annotation_app.releases.features import fields_of
from annotation_app.releases.selectors import card_preview
from annotation_app.releases.shape import released_codebooks, shape_of
from tests.agreement.measured import fill_measured
from tests.conftest import People
from tests.releases.made import lines_of, made
from tests.releases.test_load import Loader

pytestmark = pytest.mark.django_db(transaction=True)
# What the letters of `measured.py` stand for, as files have it.
WRITTEN: dict[str, tuple[Any, Any]] = {
    "topic": ("rates", "prices"),
    "strength": ("none", "clear"),
    "change": (-2.25, 0.1),
    "feelings": (["anger"], []),
    "why": ("prices rise", "=1+1"),
}


@pytest.fixture
def answered(people: People, settings: Any, tmp_path: Path) -> People:
    settings.MEDIA_ROOT = tmp_path / "media"
    fill_measured(people.project, people.annotators, {"i1": "AAB", "i2": "CCC", "i3": "ABD"})
    return people


def exported(people: People, kind: str, form: str) -> bytes:
    return b"".join(export_open(kind=kind, options=ExportOptions(people.project), written_as=form))


def test_lines_hold_lists_numbers_and_texts(answered: People) -> None:
    first, second, third = lines_of(exported(answered, "aggregated", "jsonl"))
    for stage, expected in WRITTEN.items():
        assert (first["labels"][stage]["label"], second["labels"][stage]["label"]) == expected
    # Two of three chose anger, two chose joy, and two left fear out.
    assert third["labels"]["feelings"]["raw"] == {
        "annotator 2": ["anger"],
        "annotator 3": ["anger", "joy"],
        "annotator 4": ["fear", "joy"],
    }
    assert third["labels"]["feelings"]["label"] == ["anger", "joy"]
    assert (third["labels"]["change"]["state"], third["labels"]["why"]["label"]) == ("no_majority", None)
    answers = [each["answers"] for each in lines_of(exported(answered, "annotations", "jsonl"))]
    assert answers[0] == {stage: expected[0] for stage, expected in WRITTEN.items()}


def test_tables_join_sets_and_run_no_formula(answered: People) -> None:
    rows = list(csv.DictReader(io.StringIO(exported(answered, "aggregated", "csv").decode(), newline="")))
    told = [(row["feelings_label"], row["feelings_name"]) for row in rows]
    assert told == [("anger", "Anger"), ("", "none of them"), ("anger|joy", "Joy, Anger")]
    # The name is a text, which a spreadsheet could run; the number is none.
    told = [(row["change_label"], row["change_name"]) for row in rows[:2]]
    assert told == [("-2.25", "'-2.25 percent"), ("0.1", "0.1 percent")]
    assert [row["why_label"] for row in rows] == ["prices rise", "'=1+1", ""]
    answers = list(csv.DictReader(io.StringIO(exported(answered, "annotations", "csv").decode(), newline="")))
    assert [row["label"] for row in answers if row["stage"] == "feelings"][-1] == "fear|joy"


def test_a_release_is_loaded_with_its_types(answered: People, tmp_path: Path) -> None:
    shape = shape_of(answered.project, released_codebooks(answered.project))
    types = {"topic": "string", "strength": "string", "change": "float64", "feelings": ["string"], "why": "string"}
    assert fields_of("annotations", shape)["answers"] == types
    load = Loader(made(answered.project), tmp_path)
    items, annotations = load(), load("annotations")
    assert list(items) == load.written("aggregated")
    assert list(annotations) == load.written("annotations")
    assert items[2]["labels"]["feelings"]["label"] == ["anger", "joy"]
    assert items[1]["labels"]["feelings"]["label"] == []


def test_the_card_tells_of_each(answered: People) -> None:
    card = card_preview(answered.project)
    assert "**Change** (`change`, asked of every item, answered with a number)" in card
    numbers = r"with one answer 2 (from \-2.25 percent to 0\.1 percent, median \-2.25 percent); without a label 1."
    assert f"Items: {numbers}" in card
    assert "Items: Joy 1, Anger 2, Fear 0." in card
    assert "Items: with one answer 2 (2 texts); without a label 1." in card
    assert "more than half must have chosen each label of the set" in card
    assert "Answers in free text have no coefficient: only equal texts are counted." in card
