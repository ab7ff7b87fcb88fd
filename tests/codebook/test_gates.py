"""Gates, and stages that ask for context: the screen's rules are tested on the same cases."""

import json
from typing import Any

import pytest

from annotation_app.codebook.answers import check_answers
from annotation_app.codebook.definition import parse_definition
from annotation_app.codebook.gates import open_answers, open_stages
from annotation_app.codebook.question_types.label import LabelStage
from annotation_app.codebook.stages import Codebook
from tests.codebook.codebook_examples import stage
from tests.stack import ROOT

SHARED = json.loads((ROOT / "frontend/src/test/gates.json").read_text(encoding="utf-8"))


def codebook(stages: list[dict[str, Any]]) -> Codebook:
    learned = stage("learned")
    return parse_definition({"name": "Gates", "stages": [*stages, learned], "learning": {"stage": "learned"}})


@pytest.mark.parametrize("case", SHARED["cases"], ids=lambda case: case["name"])
def test_it_opens_what_the_screen_opens(case: dict[str, Any]) -> None:
    asked = codebook(SHARED["stages"][case["stages"]])
    opened = [key for key in open_stages(asked, case["answers"]) if key != "learned"]
    assert opened == case["open"]
    assert open_answers(asked, case["answers"]) == case["counted"]
    missing = [key for key in opened if asked.by_key[key].required and key not in case["counted"]]
    assert missing == case["missing"]
    if case["answers"] == case["counted"] and not missing:
        check_answers(asked, case["answers"] | {"learned": "no"})


@pytest.mark.parametrize("case", SHARED["asks_for_context"], ids=lambda case: ",".join(case["labels"]))
def test_it_asks_for_context_where_the_screen_says_so(case: dict[str, Any]) -> None:
    labels = [{"key": key, "name": key} for key in case["labels"]]
    asked = codebook([stage("context", labels=labels)]).stages[0]
    assert isinstance(asked, LabelStage) and asked.asks_for_context == case["asks"]
