"""Open stages and the check of answers: one rule, whatever order the answers came in."""

from typing import Any

import pytest
from hypothesis import given
from hypothesis import strategies as st

from annotation_app.codebook.answers import AnswerError, check_answers
from annotation_app.codebook.definition import parse_definition
from annotation_app.codebook.gates import open_answers, open_stages
from tests.codebook.codebook_examples import (
    STEADY,
    answers_to,
    complete_answers,
    definitions,
    holds,
    stage,
    three_stages,
)

THREE = parse_definition(three_stages())


def refused(answers: Any, codebook: Any = THREE) -> dict[str, list[str]]:
    with pytest.raises(AnswerError) as caught:
        check_answers(codebook, answers)
    return caught.value.errors


@pytest.mark.parametrize(
    ("answers", "opened"),
    [
        ({}, ["one"]),
        ({"one": "yes"}, ["one", "two"]),
        ({"one": "no"}, ["one"]),
        ({"one": "yes", "two": "no"}, ["one", "two", "three"]),
        ({"one": "no", "two": "no"}, ["one"]),
        ({"two": "no"}, ["one"]),
        ({"one": "yes", "two": "perhaps"}, ["one", "two"]),
        ({"one": ["yes"]}, ["one"]),
    ],
)
def test_it_opens_stages_by_the_answers_to_open_stages(answers: dict[str, Any], opened: list[str]) -> None:
    assert open_stages(THREE, answers) == opened


def test_it_never_counts_the_answer_to_a_closed_stage() -> None:
    definition = three_stages()
    definition["stages"].append(
        stage("four", {"any": [{"stage": "three", "answered": True}, {"stage": "two", "in": ["no"]}]})
    )
    codebook = parse_definition(definition)
    answers = {"one": "no", "two": "no", "three": "low", "four": "yes"}
    assert open_stages(codebook, answers) == ["one"]
    assert open_answers(codebook, answers) == {"one": "no"}


def test_a_reversed_gate_closes_later_stages_and_drops_their_answers() -> None:
    passed = {"one": "yes", "two": "yes", "three": "high"}
    check_answers(THREE, passed)
    reversed_ = passed | {"one": "no"}
    assert open_stages(THREE, reversed_) == ["one"]
    assert refused(reversed_) == {
        "answers.two": ['This stage is closed because "one" is answered "no". Leave its answer out.'],
        "answers.three": [
            'This stage is closed because "one" is answered "no"; "two" is closed. Leave its answer out.'
        ],
    }
    submitted = open_answers(THREE, reversed_)
    assert submitted == {"one": "no"}
    check_answers(THREE, submitted)
    assert open_stages(THREE, reversed_ | {"one": "yes"}) == ["one", "two", "three"]


def test_out_of_order_answers_are_refused_with_the_field_named() -> None:
    assert refused({"one": "yes", "three": "low"}) == {
        "answers.two": ["An answer is required."],
        "answers.three": ['This stage is closed because "two" has no answer. Leave its answer out.'],
    }
    closed = 'This stage is closed because "one" is answered "no". Leave its answer out.'
    assert refused({"one": "no", "two": "yes"}) == {"answers.two": [closed]}


def test_an_invisible_required_stage_is_not_required() -> None:
    assert open_stages(THREE, {"one": "no"}) == ["one"]
    check_answers(THREE, {"one": "no"})


@pytest.mark.parametrize(
    ("answers", "errors"),
    [
        ({}, {"answers.one": ["An answer is required."]}),
        ({"one": "no", "zero": "yes"}, {"answers.zero": ["The codebook has no such stage."]}),
        ({"one": "maybe"}, {"answers.one": ['Unknown label "maybe". Labels here: yes, no.']}),
        ({"one": None}, {"answers.one": ["Must be a label key (a text)."]}),
        ({"one": ["yes"]}, {"answers.one": ["Must be a label key (a text)."]}),
        ([], {"answers": ["Must be an object of stage and label keys."]}),
        (None, {"answers": ["Must be an object of stage and label keys."]}),
        ({"one": "no", "\ud83d": "a"}, {"answers.\\ud83d": ["The codebook has no such stage."]}),
    ],
)
def test_it_names_the_field_of_a_bad_answer(answers: Any, errors: dict[str, list[str]]) -> None:
    assert refused(answers) == errors


def test_an_optional_stage_may_stay_unanswered() -> None:
    definition = three_stages()
    definition["stages"][1]["required"] = False
    codebook = parse_definition(definition)
    check_answers(codebook, {"one": "yes"})
    check_answers(codebook, {"one": "yes", "two": "no", "three": "low"})
    assert refused({"one": "yes", "two": "no"}, codebook) == {"answers.three": ["An answer is required."]}


def is_complete(definition: dict[str, Any], answers: dict[str, str]) -> bool:
    """The check from first principles: walk the stages as an annotator does and use up the answers."""
    given: dict[str, str] = {}
    for of in definition["stages"]:
        if not holds(of["open_when"], given):
            continue
        if of["key"] in answers:
            given[of["key"]] = answers[of["key"]]
        elif of["required"]:
            return False
        if of["key"] in given and given[of["key"]] not in {label["key"] for label in of["labels"]}:
            return False
    return given == answers


@STEADY
@given(st.data())
def test_it_accepts_exactly_the_complete_answers_to_open_stages(data: st.DataObject) -> None:
    definition = data.draw(definitions())
    answers = data.draw(answers_to(definition) | complete_answers(definition))
    codebook = parse_definition(definition)
    if is_complete(definition, answers):
        check_answers(codebook, answers)
        assert set(answers) <= set(open_stages(codebook, answers))
        assert open_answers(codebook, answers) == answers
    else:
        assert refused(answers, codebook)


@STEADY
@given(st.data())
def test_it_refuses_an_accepted_set_from_which_a_required_answer_is_taken(data: st.DataObject) -> None:
    definition = data.draw(definitions())
    answers = data.draw(complete_answers(definition))
    codebook = parse_definition(definition)
    check_answers(codebook, answers)
    for key in answers:
        if codebook.by_key[key].required:
            fewer = {other: label for other, label in answers.items() if other != key}
            assert refused(fewer, codebook)[f"answers.{key}"] == ["An answer is required."]


@STEADY
@given(st.data())
def test_pruning_to_open_stages_settles(data: st.DataObject) -> None:
    definition = data.draw(definitions())
    codebook = parse_definition(definition)
    answers = data.draw(answers_to(definition))
    kept = open_answers(codebook, answers)
    assert open_stages(codebook, kept) == open_stages(codebook, answers)
    assert open_answers(codebook, kept) == kept
