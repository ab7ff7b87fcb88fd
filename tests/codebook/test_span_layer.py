"""The span layer of a codebook: what it may say, what every fault is called, and what a new version breaks."""

import copy
from typing import Any

import pytest

from annotation_app.codebook.changes import Change
from annotation_app.codebook.compatibility import compare
from annotation_app.codebook.definition import DefinitionError, definition_of, parse_definition
from annotation_app.codebook.spans import COLORS
from tests.codebook.codebook_examples import three_stages
from tests.spans import category, span_codebook


def with_categories(*categories: dict[str, Any], **more: Any) -> dict[str, Any]:
    return {"name": "Spans", "span_layer": {"categories": list(categories)} | more}


def faults(definition: dict[str, Any]) -> dict[str, str]:
    with pytest.raises(DefinitionError) as error:
        parse_definition(definition)
    return dict(error.value.errors)


def edited(key: str, **changes: Any) -> dict[str, Any]:
    definition = copy.deepcopy(span_codebook())
    next(each for each in definition["span_layer"]["categories"] if each["key"] == key).update(changes)
    return definition


def without(key: str) -> dict[str, Any]:
    definition = span_codebook()
    layer = definition["span_layer"]
    layer["categories"] = [each for each in layer["categories"] if each["key"] != key]
    return definition


def test_a_codebook_of_spans_needs_no_stages() -> None:
    codebook = parse_definition(span_codebook())
    assert (codebook.stages, codebook.learning) == ((), None)
    layer = codebook.span_layer
    assert layer is not None
    assert (layer.keys, layer.target) == (("sentence", "act", "evidence", "reference"), "sentence")
    act = layer.by_key["act"]
    assert (act.name, act.marker, act.color, act.shortcut) == ("Act", "ACT", COLORS[1], "2")
    assert (act.at_least, act.at_most, act.comment, act.within, act.refers) == (1, 1, "required", "sentence", False)
    assert [layer.by_key[key].refers for key in layer.keys] == [False, False, False, True]


def test_stages_and_spans_stand_beside_each_other() -> None:
    codebook = parse_definition(three_stages() | {"span_layer": span_codebook()["span_layer"]})
    assert (len(codebook.stages), codebook.learning is not None, codebook.span_layer is not None) == (3, True, True)
    # Stages without learning are a fault as before.
    broken = {key: value for key, value in three_stages().items() if key != "learning"}
    assert faults(broken | {"span_layer": span_codebook()["span_layer"]}) == {"learning": "is missing"}
    assert faults({"name": "Nothing"}) == {"stages": "is missing"}


@pytest.mark.parametrize("definition", [span_codebook(), three_stages(), with_categories(category("a"))])
def test_every_default_is_written_out_and_read_back(definition: dict[str, Any]) -> None:
    codebook = parse_definition(definition)
    written = definition_of(codebook)
    assert parse_definition(written) == codebook
    assert definition_of(parse_definition(written)) == written
    assert ("span_layer" in written) == ("span_layer" in definition)


def test_digits_go_to_those_without_a_key() -> None:
    asked = [category("a"), category("b", shortcut="1"), category("c", shortcut="x"), category("d")]
    layer = parse_definition(with_categories(*asked)).span_layer
    assert layer and [each.shortcut for each in layer.categories] == ["2", "1", "x", "3"]
    many = parse_definition(with_categories(*(category(f"c{place}") for place in range(12)))).span_layer
    assert many and [each.shortcut for each in many.categories][8:] == ["9", "0", None, None]


def test_it_lists_every_fault_of_a_layer_at_once() -> None:
    broken = with_categories(
        category("a", color="mauve", at_least=-1, comment="often", within="zzz"),
        category("a", marker="A[B", shortcut="ab", at_least=2, at_most=1, refers="yes"),
        category("b", name=" ", weight=3),
        target="nobody",
    )
    found = faults(broken)
    at = "span_layer.categories"
    assert found[f"{at}[0].color"].startswith("must be one of blue, orange")
    assert found[f"{at}[0].at_least"] == "must be a whole number from 0 to 1000, or null"
    assert found[f"{at}[0].comment"] == "must be one of none, optional, required"
    assert found[f"{at}[0].within"] == 'there is no category "zzz"'
    assert found[f"{at}[1].key"] == 'the category key "a" is already used at categories[0].key'
    assert found[f"{at}[1].marker"].startswith('"A[B" cannot stand in the text form: ')
    assert found[f"{at}[1].shortcut"] == "must be one letter or digit"
    assert found[f"{at}[1].at_most"] == "is 1: a category may occur at least 2 times, or null"
    assert found[f"{at}[1].refers"] == "must be true or false, not a text"
    assert found[f"{at}[2].name"] == "must not be blank"
    assert found[f"{at}[2].weight"].startswith("unknown key; allowed here: key, name, marker")
    assert found["span_layer.target"] == 'there is no category "nobody"'


def test_scopes_may_nest_and_never_run_in_a_circle() -> None:
    nested = [category("a"), category("b", within="a"), category("c", within="b")]
    assert parse_definition(with_categories(*nested)).span_layer is not None
    circle = [category("a", within="b"), category("b", within="a"), category("c", within="c")]
    message = "scopes run in a circle; one of them must be null"
    at = "span_layer.categories"
    assert faults(with_categories(*circle)) == {f"{at}[{place}].within": message for place in range(3)}


@pytest.mark.parametrize(
    ("new", "path", "message", "breaking"),
    [
        (edited("act", name="Deed"), "act.name", "changed", False),
        (edited("act", comment="optional"), "act.comment", "changed from required to optional", False),
        (edited("evidence", comment="none"), "evidence.comment", "changed from optional to none", True),
        (edited("evidence", comment="required"), "evidence.comment", "changed from optional to required", True),
        (edited("act", at_most=None), "act.at_most", "changed from 1 to none", False),
        (edited("evidence", at_most=2), "evidence.at_most", "changed from none to 2", True),
        (edited("act", at_least=0), "act.at_least", "changed from 1 to 0", False),
        (edited("evidence", at_least=1), "evidence.at_least", "changed from 0 to 1", True),
        (edited("evidence", within=None), "evidence.within", "changed from sentence to none", False),
        (without("evidence"), "evidence", "category removed", True),
        (edited("reference", refers=False), "reference.refers", "spans link to no source", True),
    ],
)
def test_a_new_version_breaks_where_it_asks_for_more(
    new: dict[str, Any], path: str, message: str, breaking: bool
) -> None:
    changes = compare(parse_definition(span_codebook()), parse_definition(new)).changes
    found = {change.path: change for change in changes}[f"span_layer.categories.{path}"]
    assert (found.message, found.breaking) == (message, breaking)


def test_a_target_may_change() -> None:
    old = span_codebook()
    new = old | {"span_layer": old["span_layer"] | {"target": None}}
    (change,) = compare(parse_definition(old), parse_definition(new)).changes
    assert (change.path, change.message) == ("span_layer.target", "changed from sentence to none")
    assert not change.breaking


def test_a_layer_that_comes_or_goes() -> None:
    staged = three_stages()
    both = three_stages() | {"span_layer": span_codebook()["span_layer"]}
    loose = three_stages() | {"span_layer": {"categories": [category("a")]}}

    def compatible(old: dict[str, Any], new: dict[str, Any]) -> bool:
        return compare(parse_definition(old), parse_definition(new)).compatible

    assert [compatible(staged, loose), compatible(staged, both), compatible(loose, staged)] == [True, False, False]
    assert not compatible(staged, span_codebook())
    changes = compare(parse_definition(span_codebook()), parse_definition(both)).changes
    assert Change("learning", "added", breaking=False) in changes
