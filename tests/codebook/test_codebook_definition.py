"""Reading codebook definitions: what is taken, and that every fault is named with its path."""

import copy
from typing import Any

import pytest
from hypothesis import given

from annotation_app.codebook.definition import DefinitionError, parse_definition
from annotation_app.codebook.stages import AllOf, Answered, Label, LabelIn
from annotation_app.codebook.writing import definition_of
from tests.codebook.codebook_examples import STEADY, definitions, stage, three_stages


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
    assert codebook.by_key["one"].labels[0] == Label("yes", "Yes")
    assert codebook.by_key["one"].positive == ("yes",)
    assert codebook.by_key["three"].scale == "ordinal"
    assert codebook.by_key["three"].open_when == AllOf((LabelIn("one", ("yes",)), Answered("two")))
    assert codebook.by_key["two"].required is True
    assert codebook.learning_labels == ("yes", "no")


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
        "stages[0].labels[1].key": 'the label key "yes" is already used at stages[0].labels[0].key',
        "stages[2].positive[0]": 'the stage has no label "top"',
        "stages[1].open_when.stage": 'stage "three" does not come before this one; conditions look back only',
        "stages[2].open_when.all[0].stage": 'unknown stage "zero"',
        "learning.stage": 'unknown stage "four"',
    }


@pytest.mark.parametrize(
    ("definition", "path", "message"),
    [
        ([], "", "must be an object, not a list"),
        (changed("name", None), "name", "must not be null"),
        (changed("stages", []), "stages", "must not be empty"),
        (changed("stages", 1, "labels", []), "stages[1].labels", "must not be empty"),
        (changed("stages", 1, "key", "one"), "stages[1].key", 'the stage key "one" is already used at stages[0].key'),
        (changed("stages", 1, "key", "Two"), "stages[1].key", "must be a key"),
        (changed("stages", 1, "key", "two\n"), "stages[1].key", "must be a key"),
        (changed("stages", 1, "key", "a" * 51), "stages[1].key", "must be a key"),
        (changed("stages", 1, "prompt", 7), "stages[1].prompt", "must be a text"),
        (changed("stages", 1, "scale", "ratio"), "stages[1].scale", "must be one of nominal, ordinal"),
        (changed("stages", 1, "required", "yes"), "stages[1].required", "must be true or false, not a text"),
        (changed("stages", 1, "open_when", "one"), "stages[1].open_when", "must be an object, not a text"),
        (changed("stages", 1, "open_when", {}), "stages[1].open_when", "write {"),
        (changed("stages", 1, "open_when", {"all": []}), "stages[1].open_when.all", "must not be empty"),
        (changed("stages", 1, "open_when", "stage", "two"), "stages[1].open_when.stage", "does not come before"),
        (changed("stages", 1, "open_when", "in", []), "stages[1].open_when.in", "must not be empty"),
        (changed("stages", 1, "open_when", "in", ["maybe"]), "stages[1].open_when.in[0]", 'has no label "maybe"'),
        (changed("stages", 1, "open_when", "in", ["no", "no"]), "stages[1].open_when.in[1]", "is in the list twice"),
        (
            changed("stages", 2, "open_when", "all", 1, "answered", False),
            "stages[2].open_when.all[1].answered",
            "must be true",
        ),
        (changed("stages", 2, "open_when", "any", []), "stages[2].open_when", "write {"),
        (changed("guidelines", "x" * 50_001), "guidelines", "has 50001 characters, at most 50000 are allowed"),
        (changed("stages", [stage(f"s{i}") for i in range(21)]), "stages", "has 21 elements, at most 20 are allowed"),
        (
            changed("stages", 0, "labels", [{"key": f"l{i}", "name": "L"} for i in range(301)]),
            "stages[0].labels",
            "at most 300",
        ),
        (changed("guidelines", "a\x00b"), "guidelines", "character 2 (U+0000) cannot be stored"),
        (changed("guidelines", "a\ud83d"), "guidelines", "character 2 (U+D83D) cannot be stored"),
        (changed("learning", None), "learning", "must be an object, not null"),
        (changed("learning", "exclude", ["yes"]), "learning", "leaves fewer than two labels"),
        (changed("learning", "exclude", ["maybe"]), "learning.exclude[0]", 'the stage has no label "maybe"'),
        (
            changed("stages", 0, "labels", 0, {"key": "yes", "name": "Y", "shortcut": "yy"}),
            "stages[0].labels[0].shortcut",
            "one letter",
        ),
    ],
)
def test_it_names_the_place_of_a_fault(definition: Any, path: str, message: str) -> None:
    assert message in faults(definition)[path]


def test_it_refuses_a_shortcut_used_twice_in_a_stage_whatever_its_case() -> None:
    labels = [{"key": "yes", "name": "Yes", "shortcut": "y"}, {"key": "yet", "name": "Yet", "shortcut": "Y"}]
    assert "already used" in faults(changed("stages", 0, "labels", labels))["stages[0].labels[1].shortcut"]


def test_it_refuses_conditions_nested_too_deep() -> None:
    condition: dict[str, Any] = {"stage": "one", "in": ["yes"]}
    for _ in range(5):
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
