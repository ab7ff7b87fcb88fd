"""The median of numbers: found in the database, and written beside the majority, which it never replaces."""

import csv
import io
from pathlib import Path
from statistics import median
from typing import Any

import pytest
from django.db import connection
from hypothesis import HealthCheck, given, settings
from hypothesis import strategies as st

from annotation_app.codebook.definition import codebook_of
from annotation_app.export.options import ExportOptions
from annotation_app.export.stream import export_open
from annotation_app.models import CodebookVersion
from annotation_app.releases.features import fields_of
from annotation_app.releases.shape import released_codebooks, shape_of
from tests.agreement.tables import Said, fill
from tests.codebook.codebook_examples import stage
from tests.conftest import People
from tests.factories import publish
from tests.releases.made import files_of, lines_of, made

STANCE = {"type": "scale", "key": "stance", "title": "Stance", "prompt": "How positive?", "low": 1, "high": 5}
LENGTH = {"type": "number", "key": "length", "title": "Length", "prompt": "How long?", "unit": "km"}
TOPICS = {
    "type": "several",
    "key": "topics",
    "title": "Topics",
    "prompt": "Which?",
    "labels": [{"key": "a", "name": "A"}],
}
WORDS = {"type": "text", "key": "words", "title": "Words", "prompt": "Which words?"}
# Stance is open only where the first is yes.
OPENED = STANCE | {"open_when": {"all": [{"stage": "first", "in": ["yes"]}]}}
CODEBOOK = {"name": "Numbers", "stages": [stage("first"), OPENED, LENGTH], "learning": {"stage": "first"}}


def found(answers: list[str]) -> Any:
    with connection.cursor() as cursor:
        cursor.execute("SELECT rules.median(%s::text[])", [answers])
        return cursor.fetchone()[0]


@pytest.mark.parametrize(
    ("answers", "expected"),
    [
        (["4"], "4"),
        (["1", "5", "2"], "2"),
        # Two in the middle: their mean. Ten is more than nine, though not in the alphabet.
        (["9", "10"], "9.5"),
        (["0.1", "0.2"], "0.15"),
        (["-3", "-1.5", "4", "1000000000"], "1.25"),
        (["many", "3"], "3"),
        (["many"], None),
        ([], None),
    ],
)
def test_it_is_the_answer_in_the_middle(db: None, answers: list[str], expected: str | None) -> None:
    middle = found(answers)
    assert (None if middle is None else f"{middle:f}") == expected


def test_it_is_the_median_of_the_standard_library(db: None) -> None:
    @settings(max_examples=50, suppress_health_check=list(HealthCheck), derandomize=True)
    @given(st.lists(st.decimals(-1000, 1000, places=3), min_size=1, max_size=12))
    def check(numbers: list[Any]) -> None:
        assert found([f"{number:f}" for number in numbers]) == median(numbers)

    check()


def test_the_database_knows_which_questions_have_one(people: People) -> None:
    asked = publish(
        people.project,
        {"name": "All", "stages": [stage("first"), STANCE, LENGTH, TOPICS, WORDS], "learning": {"stage": "first"}},
    )
    with connection.cursor() as cursor:
        cursor.execute("SELECT stage FROM rules.number_stage WHERE codebook = %s", [asked.pk])
        stored = {key for (key,) in cursor.fetchall()}
    assert stored == {each.key for each in codebook_of(asked).stages if each.is_number} == {"stance", "length"}


@pytest.fixture
def answered(people: People, settings: Any, tmp_path: Path) -> CodebookVersion:
    """Three people answer three items: one with a majority, one without, and one whose majority closes the scale."""
    settings.MEDIA_ROOT = tmp_path / "media"
    codebook = publish(people.project, CODEBOOK)
    rows = {
        "i1": [("yes", "2", "1.5"), ("yes", "2", "2"), ("yes", "5", "40")],
        "i2": [("yes", "1", "3"), ("yes", "4", "0"), ("no", None, "10.25")],
        "i3": [("no", None, "7"), ("no", None, "7"), ("yes", "5", "8")],
    }
    names = ("first", "stance", "length")
    said = {
        item: [Said({key: each for key, each in zip(names, row, strict=True) if each is not None}) for row in table]
        for item, table in rows.items()
    }
    fill(people.project, people.annotators, said, codebook=codebook)
    return codebook


EXPECTED = {"i1": ("2.0", "2.0"), "i2": ("2.5", "3.0"), "i3": ("", "7.0")}


def exported(people: People, form: str) -> str:
    opened = export_open(kind="aggregated", options=ExportOptions(people.project), written_as=form)
    return b"".join(opened).decode()


@pytest.mark.django_db(transaction=True)
def test_exports_write_it_beside_the_majority(people: People, answered: CodebookVersion) -> None:
    items = {each["id"]: each["labels"] for each in lines_of(exported(people, "jsonl").encode())}
    medians = {item: [labels[key]["median"] for key in ("stance", "length")] for item, labels in items.items()}
    assert medians == {"i1": [2.0, 2.0], "i2": [2.5, 3.0], "i3": [None, 7.0]}
    assert "median" not in items["i1"]["first"]
    # It is no label: gates and training do not see it.
    assert [(items[item]["stance"]["state"], items[item]["stance"]["label"]) for item in ("i1", "i2", "i3")] == [
        ("majority", 2),
        ("no_majority", None),
        ("not_applicable", None),
    ]
    table = csv.DictReader(io.StringIO(exported(people, "csv"), newline=""))
    assert {row["id"]: (row["stance_median"], row["length_median"]) for row in table} == EXPECTED
    assert table.fieldnames is not None and "first_median" not in table.fieldnames


@pytest.mark.django_db(transaction=True)
def test_a_release_declares_and_holds_it(people: People, answered: CodebookVersion) -> None:
    items = {each["id"]: each["labels"] for each in lines_of(files_of(made(people.project))["data/aggregated.jsonl"])}
    assert [items[item]["stance"]["median"] for item in ("i1", "i2", "i3")] == [2.0, 2.5, None]
    assert "median" not in items["i1"]["first"]
    declared = fields_of("aggregated", shape_of(people.project, released_codebooks(people.project)))["labels"]
    assert {key: each.get("median") for key, each in declared.items()} == {
        "first": None,
        "stance": "float64",
        "length": "float64",
    }
