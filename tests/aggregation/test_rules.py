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


def test_it_tells_a_tie_from_no_majority() -> None:
    """Two labels or more on top are a tie; a lone answer of three, or 2 of 5 before 1 and 1, is none."""

    def state(**votes: int) -> str:
        return aggregate(FIVE, {}, {"opinion": votes})["opinion"].state

    assert state(yes=1, no=1) == state(yes=1, no=1, ambiguous=1) == state(yes=2, no=2, ambiguous=1) == "tie"
    assert state() == state(yes=1) == state(yes=2, no=1, ambiguous=1) == "no_majority"
    # A stage that is closed is neither, whatever was said there.
    assert aggregate(FIVE, {"opinion": "no"}, {"mp": {"yes": 1, "no": 1}})["mp"].state == "not_applicable"


def test_it_puts_what_was_decided_before_the_majorities() -> None:
    votes = {"opinion": {"yes": 1, "no": 1, "ambiguous": 1}, "mp": {"yes": 1}}
    result = aggregate(FIVE, {}, votes, {"opinion": "yes"})
    assert result["opinion"] == Aggregated("adjudicated", "yes", {"yes": 1, "no": 1, "ambiguous": 1})
    # Opened by the decision: one answer of three slots is no majority.
    assert result["mp"] == Aggregated("no_majority", None, {"yes": 1})
    # A decision that closes takes the majorities behind it along, and decisions behind it too.
    closed = aggregate(FIVE, {"opinion": "yes", "mp": "yes"}, {}, {"opinion": "no", "mp_context": "sentence"})
    assert [each.state for each in closed.values()] == ["adjudicated", *["not_applicable"] * 4]


def test_it_keeps_the_votes_of_every_stage_in_the_order_of_the_labels() -> None:
    votes = {"opinion": {"no": 2, "yes": 1}, "mp": {"no": 1}}
    result = aggregate(FIVE, {"opinion": "no"}, votes)
    assert result["opinion"] == Aggregated("majority", "no", {"yes": 1, "no": 2})
    assert list(result["opinion"].votes) == ["yes", "no"]
    assert result["mp"] == Aggregated("not_applicable", None, {"no": 1})
