"""Reading codebook definitions: what is taken, and that every fault is named with its path."""

import copy
from typing import Any

import pytest
from hypothesis import given

from annotation_app.codebook.compatibility import compare
from annotation_app.codebook.conditions import AllOf, Answered, LabelIn
from annotation_app.codebook.definition import DefinitionError, definition_of, parse_definition
from tests.codebook.codebook_examples import STEADY, definitions, three_stages


def faults(definition: Any) -> dict[str, str]:
    with pytest.raises(DefinitionError) as caught:
        parse_definition(definition)
    return dict(caught.value.errors)


def changed(*path_and_value: Any) -> dict[str, Any]:
    """The three-stage definition with the value at a path replaced."""
    *path, last, value = path_and_value
    definition = copy.deepcopy(three_stages())
    place: Any = definition
    for step in path:
        place = place[step]
    place[last] = value
    return definition


def test_it_reads_a_definition() -> None:
    codebook = parse_definition(three_stages())
    assert codebook.stage_keys == ("one", "two", "three")
    one, two, three = codebook.label_stages
    assert (one.labels[0].key, one.labels[0].name, one.labels[0].shortcut) == ("yes", "Yes", None)
    assert (one.positive, one.scale, three.scale, two.required) == (("yes",), "nominal", "ordinal", True)
    both = three.open_when
    assert isinstance(both, AllOf)
    label, answered = both.conditions
    assert isinstance(label, LabelIn) and (label.stage, label.labels) == ("one", ("yes",))
    assert isinstance(answered, Answered) and answered.stage == "two"


@STEADY
@given(definitions())
def test_it_writes_back_what_it_read(definition: dict[str, Any]) -> None:
    codebook = parse_definition(definition)
    written = definition_of(codebook)
    assert parse_definition(written) == codebook
    assert [each["open_when"] for each in written["stages"]] == [each["open_when"] for each in definition["stages"]]


def test_it_lists_every_fault_of_a_definition_at_once() -> None:
    definition = three_stages()
    definition["colour"] = "blue"
    definition["stages"][0]["labels"][1] = {"key": "yes", "name": " "}
    definition["stages"][1]["open_when"] = {"stage": "three", "in": ["high"]}
    definition["stages"][2]["open_when"]["all"][0]["stage"] = "zero"
    definition["stages"][2]["positive"] = ["top"]
    definition["learning"]["stage"] = "four"
    assert faults(definition) == {
        "colour": "unknown key; allowed here: name, guidelines, stages, learning, span_layer",
        "stages[0].labels[1].name": "must not be blank",
        "stages[0].labels[1].key": 'the label key "yes" is already used at labels[0].key',
        "stages[2].positive[0]": 'the stage has no label "top"',
        "stages[1].open_when.stage": 'stage "three" does not come before this one; conditions look back only',
        "stages[2].open_when.all[0].stage": 'unknown stage "zero"',
        "learning.stage": 'unknown stage "four"',
    }


def test_a_condition_however_deep_is_refused_where_it_is_too_deep() -> None:
    condition: dict[str, Any] = {"stage": "one", "in": ["yes"]}
    for _ in range(900):
        condition = {"any": [condition]}
    path = "stages[1].open_when" + ".any[0]" * 5
    assert faults(changed("stages", 1, "open_when", condition)) == {path: "conditions are nested more than 5 deep"}


@pytest.mark.parametrize(
    "text", ["<b>bold</b>", "a <script", "x</p>", "<!-- note -->", "<?php", "<javascript:alert(1)>"]
)
def test_it_refuses_raw_html_in_every_text(text: str) -> None:
    definition = three_stages()
    definition["guidelines"] = definition["stages"][0]["help"] = definition["stages"][0]["title"] = text
    definition["stages"][1]["labels"] = [{"key": "yes", "name": "Yes", "help": text, "examples": ["fine", text]}]
    found = faults(definition)
    assert {path for path, message in found.items() if "raw HTML is not allowed" in message} == {
        "guidelines",
        "stages[0].help",
        "stages[0].title",
        "stages[1].labels[0].help",
        "stages[1].labels[0].examples[1]",
    }


@pytest.mark.parametrize(
    "text", ["below 2 < 3", "i <3 rates", "<https://example.org/a>", "> quoted\n\n- **list**", "a->b"]
)
def test_it_takes_markdown(text: str) -> None:
    assert parse_definition(changed("guidelines", text)).guidelines == text


def test_its_messages_can_be_sent_even_when_the_definition_cannot() -> None:
    definition = changed("stages", 1, "open_when", "in", ["\ud83d"])
    definition["learning"]["exclude"] = ["\ud83d" * 500]
    definition["\ud83d"] = 1
    for path, message in faults(definition).items():
        assert len((path + message).encode()) < 500


def test_a_label_may_have_a_colour_of_the_palette() -> None:
    colored = changed("stages", 0, "labels", 0, "color", "teal")
    codebook = parse_definition(colored)
    assert [label.color for label in codebook.label_stages[0].labels][:2] == ["teal", None]
    written = definition_of(codebook)["stages"][0]["labels"]
    assert written[0]["color"] == "teal" and "color" not in written[1]
    # The example's stages share their labels.
    changes = compare(parse_definition(three_stages()), codebook).changes
    assert {change.path: change.breaking for change in changes} == {
        "stages.one.labels.yes.color": False,
        "stages.two.labels.yes.color": False,
    }
    wrong = faults(changed("stages", 0, "labels", 0, "color", "#ff0000"))
    assert (
        set(wrong) == {f"stages[{at}].labels[0].color" for at in (0, 1)}
        and "teal" in wrong["stages[0].labels[0].color"]
    )
