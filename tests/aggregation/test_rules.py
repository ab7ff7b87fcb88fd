"""Gates over aggregated labels, on the five-stage codebook; by hand."""

import json

from annotation_app.aggregation.rules import Aggregated, aggregate
from annotation_app.codebook.definition import parse_definition
from annotation_app.demo.paths import CODEBOOK

FIVE = parse_definition(json.loads(CODEBOOK.read_text(encoding="utf-8")))


def states(majorities: dict[str, str]) -> dict[str, str]:
    return {stage: result.state for stage, result in aggregate(FIVE, majorities, {}).items()}


def test_it_closes_later_stages_where_the_first_is_no() -> None:
    assert states({"opinion": "no", "mp": "yes"}) == {
        "opinion": "majority",
        "mp": "not_applicable",
        "mp_context": "not_applicable",
        "stance_nli": "not_applicable",
        "stance_nli_context": "not_applicable",
    }


def test_it_has_no_majority_at_an_open_stage_without_one() -> None:
    assert states({"opinion": "yes"})["mp"] == "no_majority"
    assert states({})["opinion"] == "no_majority"
    assert states({})["mp"] == "not_applicable"


def test_it_opens_the_last_stage_where_stance_is_ambiguous() -> None:
    labels = {"opinion": "yes", "mp": "yes", "stance_nli": "ambiguous", "stance_nli_context": "utterance"}
    assert states(labels) == {
        "opinion": "majority",
        "mp": "majority",
        "mp_context": "no_majority",
        "stance_nli": "majority",
        "stance_nli_context": "majority",
    }
    del labels["stance_nli"]
    assert states(labels)["stance_nli_context"] == "not_applicable"


def test_it_keeps_the_votes_of_every_stage_in_the_order_of_the_labels() -> None:
    votes = {"opinion": {"no": 2, "yes": 1}, "mp": {"no": 1}}
    result = aggregate(FIVE, {"opinion": "no"}, votes)
    assert result["opinion"] == Aggregated("majority", "no", {"yes": 1, "no": 2})
    assert list(result["opinion"].votes) == ["yes", "no"]
    assert result["mp"] == Aggregated("not_applicable", None, {"no": 1})
