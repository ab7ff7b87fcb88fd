"""Evaluations in their authors' JSON: read, written back, and refused with the place."""

from typing import Any

import pytest

from al_worker.equivalence.errors import EquivalenceInvalid
from al_worker.equivalence.evaluations import (
    check_categories,
    evaluations_of,
    evaluations_text,
    read_evaluations,
    repeated_members,
)
from tests.equivalence.worlds import evaluation
from tests.shared import shared_file


def record(classes: Any, **more: Any) -> dict[str, Any]:
    return {"annotation": "scope", "evaluation": "temporal scope", "equivalence_classes": classes, **more}


def test_the_authors_file_comes_back_byte_by_byte() -> None:
    path = shared_file("equivalence-classes") / "equivalence_classes.json"
    evaluations = read_evaluations(path)
    assert evaluations_text(evaluations).encode() == path.read_bytes()
    assert len(evaluations) == 15
    main = [each.name for each in evaluations if not each.in_depth]
    assert main == ["temporal scope", "motive", "evidence", "attribution", "act labels", "act"]
    assert {each.name: each.part for each in evaluations if each.annotation == "act"} == {
        "act": "words",
        "act labels": "comment",
        "act label modals (positive)": "comment",
        "act label modals (negative)": "comment",
        "act label negation": "comment",
        "act modals (positive)": "words",
        "act modals (negative)": "words",
        "act negation": "words",
        "act with label modals (positive)": "both",
        "act with label modals (negative)": "both",
        "act with label negation": "both",
    }
    (repeated,) = repeated_members(evaluations)
    assert (repeated.evaluation, repeated.class_number, repeated.number) == (10, 0, 21)
    assert repeated.text == "left rates unchanged"


def test_part_and_depth_are_written_where_the_name_says_otherwise() -> None:
    usual = record([["now"], ["soon"]])
    other = record([["now"], ["soon"]], part="comment", in_depth=True) | {"evaluation": "when"}
    read = evaluations_of([usual, other], "x.json")
    assert [each.written() for each in read] == [usual, other]
    assert [(each.part, each.in_depth) for each in read] == [("words", False), ("comment", True)]


@pytest.mark.parametrize(
    ("value", "message"),
    [
        ({}, 'x.json: must be a list: [{"annotation"'),
        (["a"], "x.json: [0]: must be an object"),
        ([record([["a"], ["b"]], note="mine")], "x.json: [0]: has 'note', which would be lost"),
        ([record([["a"], ["b"]]) | {"annotation": " "}], "x.json: [0].annotation: must be a text that is not empty"),
        ([record(None)], "x.json: [0].equivalence_classes: must be a list of classes"),
        ([record([["a"]])], "x.json: [0].equivalence_classes: an evaluation has two classes or more, not 1; add one"),
        ([record([["a"], []])], "x.json: [0].equivalence_classes[1]: must be a list of strings with one or more"),
        ([record([["a"], ["b", ""]])], "x.json: [0].equivalence_classes[1][1]: must be a text that is not empty"),
        (
            [record([["a"], ["b"]]), record([["a", "b"], ["c", " b "]]) | {"evaluation": "when"}],
            "x.json: [1].equivalence_classes[1][1]: ' b ' is [1].equivalence_classes[0][1] too; a string is a member",
        ),
        ([record([["a"], ["b"]])] * 2, "x.json: [1].evaluation: 'temporal scope' of 'scope' is [0] too; rename one"),
        ([record([["a"], ["b"]], part="head")], "x.json: [0].part: 'head' is no part of a span; it is one of words,"),
        ([record([["a"], ["b"]], in_depth=1)], "x.json: [0].in_depth: must be true or false"),
    ],
)
def test_what_is_wrong_is_refused_with_its_place(value: Any, message: str) -> None:
    with pytest.raises(EquivalenceInvalid) as refused:
        evaluations_of(value, "x.json")
    assert str(refused.value).startswith(message)


def test_a_category_that_the_codebook_lacks_is_refused() -> None:
    given = [evaluation("act", ["cut"], ["rose"]), evaluation("mood", ["good"], ["bad"], annotation="mood")]
    check_categories(given[:1], ["ACT", "SCOPE"], "x.json")
    with pytest.raises(EquivalenceInvalid) as refused:
        check_categories(given, ["ACT", "SCOPE"], "x.json")
    assert str(refused.value) == "x.json: [1].annotation: 'mood' is no category of the codebook; it has ACT, SCOPE"
