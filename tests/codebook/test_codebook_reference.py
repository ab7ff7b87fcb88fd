"""docs/guide/codebook.md: its examples are codebooks, it has every key, and a change breaks what it says."""

import copy
import json
import re
from collections.abc import Callable
from typing import Any

import pytest

from annotation_app.codebook.compatibility import compare
from annotation_app.codebook.definition import DefinitionError, parse_definition
from tests.stack import ROOT

PAGE = (ROOT / "docs" / "guide" / "codebook.md").read_text(encoding="utf-8")
EXAMPLES = [json.loads(text) for text in re.findall(r"```json\n(.*?)```", PAGE, re.DOTALL)]
# In the order of the page: the heading under which each object's keys stand, and a way to it in an example.
OBJECTS: list[tuple[str, Callable[[list[Any]], dict[str, Any]]]] = [
    ("The codebook", lambda all_: all_[1]),
    ("A stage", lambda all_: all_[1]["stages"][0]),
    ("A label", lambda all_: all_[1]["stages"][0]["labels"][0]),
    ("`learning`", lambda all_: all_[1]["learning"]),
    ("`span_layer`", lambda all_: all_[2]["span_layer"]),
    ("`span_layer`", lambda all_: all_[2]["span_layer"]["categories"][0]),
    ("`open_when`: conditions on earlier answers", lambda all_: all_[1]["stages"][2]["open_when"]),
]


def test_there_are_examples() -> None:
    assert len(EXAMPLES) == 3


@pytest.mark.parametrize("place", range(3))
def test_an_example_is_a_codebook(place: int) -> None:
    assert parse_definition(EXAMPLES[place]).name


@pytest.mark.parametrize("heading, at", OBJECTS)
def test_every_key_that_the_parser_knows_is_documented(heading: str, at: Callable[[list[Any]], dict[str, Any]]) -> None:
    """The parser itself tells which keys an object may have, when it refuses another one."""
    examples = copy.deepcopy(EXAMPLES)
    at(examples)["no_such_key"] = 1
    with pytest.raises(DefinitionError) as refused:
        for each in examples:
            parse_definition(each)
    allowed = {
        key for _, message in refused.value.errors for key in message.partition("allowed here: ")[2].split(", ") if key
    }
    assert allowed
    section = re.search(rf"^##+ {re.escape(heading)}\n(.*?)(?=^## |\Z)", PAGE, re.DOTALL | re.MULTILINE)
    assert section
    missing = {key for key in allowed if f"`{key}`" not in section[1] and f'"{key}"' not in section[1]}
    assert missing == set()


def typed(key: str, type_: str, **more: Any) -> dict[str, Any]:
    return {"key": key, "title": key, "prompt": key, "type": type_} | more


LABELS = [{"key": key, "name": key} for key in ("a", "b", "c")]
# A question of each type that the page's examples have none of.
TYPES = {
    "name": "Types",
    "stages": [
        typed("strength", "scale", low=1, high=5),
        typed("topics", "several", labels=LABELS, least=1, most=2),
        typed("age", "number", min=0, max=100, step=1, unit="years"),
        typed("why", "text", most_characters=100),
    ],
}
BOOKS = [*EXAMPLES, TYPES]


def changed(place: int, change: Callable[[dict[str, Any]], Any]) -> bool:
    """Tell whether the change makes the example a breaking version."""
    new = copy.deepcopy(BOOKS[place])
    change(new)
    found = compare(parse_definition(BOOKS[place]), parse_definition(new))
    assert found.changes
    return not found.compatible


def stage(key: str, **more: Any) -> dict[str, Any]:
    labels = [{"key": "yes", "name": "Yes"}, {"key": "no", "name": "No"}]
    return {"key": key, "title": key, "prompt": key, "labels": labels} | more


def label(book: dict[str, Any], place: int) -> list[Any]:
    labels: list[Any] = book["stages"][place]["labels"]
    return labels


def act(book: dict[str, Any]) -> dict[str, Any]:
    found: dict[str, Any] = book["span_layer"]["categories"][1]
    return found


def category(**more: Any) -> dict[str, Any]:
    return {"key": "motive", "name": "Motive"} | more


# The rows of the page's table, each with changes of a book (1: stages, 2: spans, 3: types) that it speaks of.
CHANGES: list[tuple[str, int, Callable[[dict[str, Any]], Any]]] = [
    ("A text: name", 1, lambda book: book.update(name="Other")),
    ("A text: name", 1, lambda book: label(book, 1)[0].update(name="Other", examples=[], help="Now")),
    ("A shortcut", 1, lambda book: label(book, 0)[0].update(shortcut="x")),
    ("A shortcut", 2, lambda book: act(book).update(color="red", marker="DEED", shortcut="x")),
    ("A label added", 1, lambda book: label(book, 1).append({"key": "maybe", "name": "Maybe"})),
    ("A label removed", 1, lambda book: label(book, 3).pop()),
    ("A label removed", 1, lambda book: label(book, 3)[0].update(key="feeble")),
    ("The labels of an ordinal stage", 1, lambda book: label(book, 3).reverse()),
    ("The labels of a nominal stage", 1, lambda book: label(book, 0).reverse()),
    ("The labels of a nominal stage", 1, lambda book: book["stages"].insert(0, book["stages"].pop(1))),
    ("`scale` or `open_when`", 1, lambda book: book["stages"][3].update(scale="nominal")),
    ("`scale` or `open_when`", 1, lambda book: book["stages"][2]["open_when"].update({"in": ["yes"]})),
    ("`type`, or the `unit`", 3, lambda book: book["stages"].__setitem__(0, typed("strength", "text"))),
    ("`type`, or the `unit`", 3, lambda book: book["stages"][2].update(unit="months")),
    ("The ends of a scale", 3, lambda book: book["stages"][0].update(high=7)),
    ("`least` raised", 3, lambda book: book["stages"][1].update(least=2)),
    ("`least` raised", 3, lambda book: book["stages"][1].update(most=1)),
    ("`least` raised", 3, lambda book: book["stages"][2].update(max=90)),
    ("`least` raised", 3, lambda book: book["stages"][2].update(step=2)),
    ("`least` raised", 3, lambda book: book["stages"][3].update(most_characters=50)),
    ("The same in the other", 3, lambda book: book["stages"][1].update(least=0, most=3)),
    ("The same in the other", 3, lambda book: book["stages"][2].update(max=120, step=0.5)),
    ("The same in the other", 3, lambda book: book["stages"][3].update(most_characters=200)),
    ("The same in the other", 3, lambda book: book["stages"][0].update(anchors=[{"point": 1, "name": "low"}])),
    ("A stage removed", 1, lambda book: book["stages"].pop()),
    ("A required stage added", 1, lambda book: book["stages"].append(stage("more"))),
    ("A required stage added", 1, lambda book: book["stages"][3].update(required=True)),
    ("An optional stage added", 1, lambda book: book["stages"].append(stage("more", required=False))),
    ("An optional stage added", 1, lambda book: book["stages"][2].update(required=False)),
    ("`positive`, `learning`", 1, lambda book: book["stages"][1].update(positive=["no"])),
    ("`positive`, `learning`", 1, lambda book: book["learning"].update(exclude=[])),
    ("`positive`, `learning`", 2, lambda book: book["span_layer"].update(target="act")),
    ("The span layer or a category removed", 2, lambda book: book["span_layer"]["categories"].pop()),
    ("The span layer or a category removed", 2, lambda book: act(book).update(key="deed")),
    ("A category added with", 2, lambda book: book["span_layer"]["categories"].append(category(at_least=1))),
    ("Another category added", 2, lambda book: book["span_layer"]["categories"].append(category())),
    ("`at_least` raised", 2, lambda book: act(book).update(at_least=2, at_most=2)),
    ("`at_least` raised", 2, lambda book: book["span_layer"]["categories"][2].update(at_most=1)),
    ("`at_least` raised", 2, lambda book: book["span_layer"]["categories"][2].update(within="act")),
    ("`at_least` lowered", 2, lambda book: act(book).update(at_least=0, at_most=None, within=None)),
    ("`comment` changed to `optional`", 2, lambda book: act(book).update(comment="optional")),
    ("`comment` changed to `none`", 2, lambda book: act(book).update(comment="none")),
    ("`comment` changed to `none`", 2, lambda book: book["span_layer"]["categories"][2].update(comment="required")),
    ("`refers` changed", 2, lambda book: act(book).update(refers=True)),
]
TABLE = re.findall(r"^\| (.+?) \| (no|\*\*yes\*\*) \|$", PAGE, re.MULTILINE)


def test_every_row_of_the_table_is_tried() -> None:
    assert len(TABLE) > 15
    assert [row for row, _ in TABLE if not any(row.startswith(begins) for begins, _, _ in CHANGES)] == []


@pytest.mark.parametrize("begins, place, change", CHANGES)
def test_a_change_breaks_what_the_page_says(begins: str, place: int, change: Callable[[dict[str, Any]], Any]) -> None:
    (told,) = {said == "**yes**" for row, said in TABLE if row.startswith(begins)}
    assert changed(place, change) == told
