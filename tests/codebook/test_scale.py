"""A scale: its ends, its points in words, and what a new version of it breaks."""

from typing import Any

import pytest

from annotation_app.codebook.compatibility import compare
from annotation_app.codebook.definition import DefinitionError, parse_definition
from annotation_app.codebook.gates import open_stages
from annotation_app.codebook.stages import Codebook
from annotation_app.rounds.training_set import stage_labels
from tests.codebook.codebook_examples import stage

SCALE = {"type": "scale", "key": "strength", "title": "Strength", "prompt": "How strong?", "low": 1, "high": 5}


def codebook(**changes: Any) -> Codebook:
    return parse_definition({"name": "Strength", "stages": [SCALE | changes]})


def fault(**changes: Any) -> list[tuple[str, str]]:
    with pytest.raises(DefinitionError) as refused:
        codebook(**changes)
    return [(path, message) for path, message in refused.value.errors]


@pytest.mark.parametrize(
    ("changes", "path", "message"),
    [
        ({"high": 1}, "high", "a scale has 2 to 11 points, and this one has 1 from low to high"),
        ({"low": 5, "high": 11}, "high", "must be a whole number from -10 to 10"),
        ({"low": -6, "high": 6}, "high", "a scale has 2 to 11 points, and this one has 13 from low to high"),
        ({"high": 5.5}, "high", "must be a whole number from -10 to 10"),
        ({"high": True}, "high", "must be a whole number from -10 to 10"),
        ({"anchors": [{"point": 6, "name": "very"}]}, "anchors[0].point", "must be a point of the scale, from 1 to 5"),
        (
            {"anchors": [{"point": 5, "name": "very"}, {"point": 5, "name": "much"}]},
            "anchors[1].point",
            "the point 5 has a name already at anchors[0]",
        ),
    ],
)
def test_a_faulty_scale_is_named_at_its_place(changes: dict[str, Any], path: str, message: str) -> None:
    found = dict(fault(**changes))
    assert message in found[f"stages[0].{path}"]


def test_a_point_opens_a_gate_and_another_does_not() -> None:
    asked = stage("why", {"stage": "strength", "in": ["4", "5"]})
    book = parse_definition({"name": "Strength", "stages": [SCALE, asked], "learning": {"stage": "why"}})
    assert open_stages(book, {"strength": "4"}) == ["strength", "why"]
    assert open_stages(book, {"strength": "3"}) == ["strength"]
    with pytest.raises(DefinitionError, match=r'stages\[1\].open_when.in\[0\]: stage "strength" has no label "6"'):
        faulty = stage("why", {"stage": "strength", "in": ["6"]})
        parse_definition({"name": "Strength", "stages": [SCALE, faulty], "learning": {"stage": "why"}})


def test_a_model_may_learn_its_points_in_their_order() -> None:
    assert (codebook().learning, stage_labels(codebook(), "strength")) == (None, ("1", "2", "3", "4", "5"))
    learning = {"stage": "strength", "exclude": ["5"]}
    assert stage_labels(parse_definition({"name": "S", "stages": [SCALE], "learning": learning}), "strength") == (
        "1",
        "2",
        "3",
        "4",
    )
    with pytest.raises(DefinitionError, match='the stage has no label "9"'):
        parse_definition({"name": "S", "stages": [SCALE], "learning": {"stage": "strength", "exclude": ["9"]}})


def test_other_ends_are_breaking_and_other_words_are_not() -> None:
    told = codebook(anchors=[{"point": 1, "name": "not at all"}])
    (words,) = compare(codebook(), told).changes
    assert (words.path, words.breaking) == ("stages.strength.anchors", False)
    (ends,) = compare(codebook(), codebook(high=7)).changes
    assert (ends.path, ends.message, ends.breaking) == ("stages.strength.high", "changed from 5 to 7", True)


def test_tables_read_points_with_their_words() -> None:
    asked = codebook(anchors=[{"point": 5, "name": "very"}]).by_key["strength"]
    assert [asked.name_of(point) for point in asked.classes] == ["1", "2", "3", "4", "5 (very)"]
    assert asked.exported("5") == 5
