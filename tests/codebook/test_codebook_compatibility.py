"""New versions of a codebook: what keeps old answers good, and what breaks them."""

import copy
from typing import Any

import pytest
from hypothesis import given
from hypothesis import strategies as st

from annotation_app.codebook.answers import check_answers
from annotation_app.codebook.compatibility import Compatibility, compare
from annotation_app.codebook.definition import parse_definition
from tests.codebook.codebook_examples import STEADY, complete_answers, definitions, stage, three_stages

MAYBE = {"key": "maybe", "name": "Maybe"}


def compared(new: dict[str, Any], old: dict[str, Any] | None = None) -> Compatibility:
    return compare(parse_definition(old or three_stages()), parse_definition(new))


def edited(**stages: dict[str, Any]) -> dict[str, Any]:
    """The three-stage definition with keys of the named stages replaced."""
    definition = copy.deepcopy(three_stages())
    for each in definition["stages"]:
        each.update(stages.get(each["key"], {}))
    return definition


def test_the_same_codebook_has_no_changes() -> None:
    assert compared(three_stages()).changes == ()


@pytest.mark.parametrize(
    ("new", "path", "message"),
    [
        (edited(one={"prompt": "What now?"}), "stages.one.prompt", "changed"),
        (
            edited(two={"labels": [{"key": "yes", "name": "Yes!"}, {"key": "no", "name": "No"}]}),
            "stages.two.labels.yes.name",
            "changed",
        ),
        (
            edited(two={"labels": [*three_stages()["stages"][1]["labels"], MAYBE]}),
            "stages.two.labels.maybe",
            "label added",
        ),
        (edited(two={"labels": three_stages()["stages"][1]["labels"][::-1]}), "stages.two.labels", "order changed"),
        (edited(one={"positive": ["no"]}), "stages.one.positive", "positive labels changed"),
        (edited(two={"required": False}), "stages.two.required", "became optional"),
        (three_stages() | {"guidelines": ""}, "guidelines", "changed"),
        (three_stages() | {"learning": {"stage": "two"}}, "learning.stage", "changed from one to two"),
        (
            three_stages() | {"stages": [*three_stages()["stages"], stage("four", required=False)]},
            "stages.four",
            "optional stage added",
        ),
    ],
)
def test_it_calls_additions_and_texts_compatible(new: dict[str, Any], path: str, message: str) -> None:
    result = compared(new)
    assert result.compatible
    assert [(change.path, change.message) for change in result.changes] == [(path, message)]


@pytest.mark.parametrize(
    ("new", "paths"),
    [
        (edited(two={"labels": [{"key": "yes", "name": "Yes"}]}), ["stages.two.labels.no"]),
        (edited(two={"scale": "ordinal"}), ["stages.two.scale"]),
        (edited(two={"open_when": None}), ["stages.two.open_when"]),
        (edited(two={"open_when": {"stage": "one", "in": ["yes", "no"]}}), ["stages.two.open_when"]),
        (edited(three={"labels": three_stages()["stages"][2]["labels"][::-1]}), ["stages.three.labels"]),
        (three_stages() | {"stages": three_stages()["stages"][:2]}, ["stages.three"]),
        (three_stages() | {"stages": [*three_stages()["stages"], stage("four")]}, ["stages.four"]),
        (edited(three={"key": "third"}), ["stages.three", "stages.third"]),
    ],
)
def test_it_calls_what_changes_old_answers_breaking(new: dict[str, Any], paths: list[str]) -> None:
    result = compared(new)
    assert not result.compatible
    assert [change.path for change in result.changes if change.breaking] == paths


def test_changes_stand_in_the_order_of_the_old_codebook_and_additions_last() -> None:
    one, two, _ = three_stages()["stages"]
    new = three_stages() | {"name": "Other", "stages": [stage("four", required=False), {**one, "title": "1"}, two]}
    new["stages"][2]["prompt"] = "Really?"
    assert [vars(change) for change in compared(new).changes] == [
        {"path": "name", "message": "changed", "breaking": False},
        {"path": "stages.one.title", "message": "changed", "breaking": False},
        {"path": "stages.two.prompt", "message": "changed", "breaking": False},
        {"path": "stages.three", "message": "stage removed", "breaking": True},
        {"path": "stages.four", "message": "optional stage added", "breaking": False},
    ]
    first_goes = three_stages() | {"stages": [stage("two"), stage("three")], "learning": {"stage": "two"}}
    assert [change.path for change in compared(first_goes).changes if change.breaking] == [
        "stages.one",
        "stages.two.open_when",
        "stages.three.open_when",
        "stages.three.scale",
        "stages.three.labels.low",
        "stages.three.labels.middle",
        "stages.three.labels.high",
    ]


def test_a_stage_that_becomes_required_is_breaking() -> None:
    assert not compared(three_stages(), edited(two={"required": False})).compatible


def test_the_order_of_a_conditions_parts_means_nothing() -> None:
    parts = three_stages()["stages"][2]["open_when"]["all"]
    assert compared(edited(three={"open_when": {"all": parts[::-1]}})).changes == ()
    assert not compared(edited(three={"open_when": {"any": parts}})).compatible


@STEADY
@given(st.data())
def test_answers_accepted_by_a_version_are_accepted_by_a_compatible_one(data: st.DataObject) -> None:
    old, other = data.draw(definitions()), data.draw(definitions())
    new = copy.deepcopy(old)
    for mine, theirs in zip(new["stages"], other["stages"], strict=False):
        changed = data.draw(st.sets(st.sampled_from(["labels", "required", "scale", "title"]), max_size=2))
        mine.update({key: theirs[key] for key in changed if key != "labels"})
        if "labels" in changed and len(theirs["labels"]) >= len(mine["labels"]):
            mine["labels"] = theirs["labels"]
    if compared(new, old).compatible:
        check_answers(parse_definition(new), data.draw(complete_answers(old)))
