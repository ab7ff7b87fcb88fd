"""Hold every type of question to what it must do. A new one is covered by being in QUESTION_TYPES, and by its sample.

The samples are one file with the browser's, whose contract is `frontend/src/annotate/questionTypes`.
"""

import json
from typing import Any

import pytest

from al_worker.formats.heads import HEAD_KINDS, SEVERAL
from annotation_app.aggregation.rules import aggregate
from annotation_app.agreement.statistics import BY_KEY, COEFFICIENT_OF
from annotation_app.codebook.answers import AnswerError, check_answers
from annotation_app.codebook.compatibility import compare
from annotation_app.codebook.definition import DefinitionError, definition_of, parse_definition
from annotation_app.codebook.gates import open_answers, open_stages
from annotation_app.codebook.question_types import QUESTION_TYPES
from annotation_app.codebook.stages import Codebook
from annotation_app.rounds.training_set import stage_labels
from tests.codebook.codebook_examples import stage
from tests.stack import ROOT

SAMPLES = json.loads((ROOT / "frontend/src/test/questionTypes.json").read_text(encoding="utf-8"))
NO_ANSWERS: list[Any] = [None, 7, True, ["yes"], ["joy"], {"yes": True}]
# The Python types of what the features of a release may declare.
EXPORTED = {"string": str, "float64": float, "int64": int, "bool": bool}


def definition(name: str, **more: Any) -> dict[str, Any]:
    """A stage of labels, one of the type, and one that opens where that is answered."""
    asked = SAMPLES[name]["stage"] | more
    stages = [stage("first"), asked, stage("last", {"stage": asked["key"], "answered": True})]
    return {"name": "Sample", "stages": stages, "learning": {"stage": "first"}}


@pytest.fixture(params=list(QUESTION_TYPES))
def name(request: pytest.FixtureRequest) -> str:
    return str(request.param)


@pytest.fixture
def codebook(name: str) -> Codebook:
    return parse_definition(definition(name))


def test_each_type_has_a_sample_and_no_other() -> None:
    assert list(SAMPLES) == list(QUESTION_TYPES)


def test_it_is_read_and_written_back(name: str, codebook: Codebook) -> None:
    assert type(codebook.stages[1]) is QUESTION_TYPES[name]
    written = definition_of(codebook)
    assert parse_definition(json.loads(json.dumps(written))) == codebook
    assert definition_of(parse_definition(written)) == written
    assert written["stages"][1].get("type", "label") == name


def test_a_key_that_it_does_not_know_is_a_fault_at_its_place(name: str) -> None:
    with pytest.raises(DefinitionError) as refused:
        parse_definition(definition(name, colour="blue"))
    ((path, message),) = refused.value.errors
    assert path == "stages[1].colour" and message.startswith("unknown key; allowed here: key, title, prompt")


def test_it_takes_its_answers_and_no_others(name: str, codebook: Codebook) -> None:
    asked, sample = codebook.stages[1], SAMPLES[name]
    for answer in sample["answers"]:
        check_answers(codebook, {"first": "no", asked.key: answer, "last": "no"})
    for answer in [*sample["refused"], *NO_ANSWERS]:
        with pytest.raises(AnswerError) as refused:
            check_answers(codebook, {"first": "no", asked.key: answer})
        assert list(refused.value.errors) == [f"answers.{asked.key}"]


def test_only_an_answer_opens_a_gate(name: str, codebook: Codebook) -> None:
    key = codebook.stages[1].key
    for answer in SAMPLES[name]["answers"]:
        assert open_stages(codebook, {key: answer}) == ["first", key, "last"]
        assert open_answers(codebook, {key: answer}) == {key: answer}
    for answer in [*SAMPLES[name]["refused"], *NO_ANSWERS]:
        assert open_stages(codebook, {key: answer}) == ["first", key]
        assert open_answers(codebook, {key: answer}) == {}


def test_equal_answers_aggregate_to_themselves(name: str, codebook: Codebook) -> None:
    asked = codebook.stages[1]
    for answer in SAMPLES[name]["answers"]:
        outcome = aggregate(codebook, {asked.key: answer}, {asked.key: {answer: 3}})[asked.key]
        assert (outcome.state, outcome.label, outcome.votes) == ("majority", answer, {answer: 3})


def test_answers_have_an_order_names_and_a_coefficient_of_agreement(name: str, codebook: Codebook) -> None:
    asked, answers = codebook.stages[1], SAMPLES[name]["answers"]
    assert asked.in_order([*list(answers)[::-1], *answers]) == list(answers)
    assert {answer: asked.name_of(answer) for answer in answers} == answers
    assert asked.measure == "none" or COEFFICIENT_OF[asked.measure] in BY_KEY


def test_exports_write_the_declared_type(name: str, codebook: Codebook) -> None:
    asked = codebook.stages[1]
    for answer in SAMPLES[name]["answers"]:
        written = asked.exported(answer)
        if isinstance(asked.exported_type, tuple):
            assert type(written) is list and {type(part) for part in written} == {EXPORTED[asked.exported_type[0]]}
        else:
            assert type(written) is EXPORTED[asked.exported_type]


def test_a_model_learns_only_answers(name: str, codebook: Codebook) -> None:
    asked = codebook.stages[1]
    learned = stage_labels(codebook, asked.key)
    assert bool(learned) == (asked.learned_as in HEAD_KINDS)
    assert all(set(asked.labels_of(answer)) <= {*learned} for answer in SAMPLES[name]["answers"] if learned)
    if asked.learned_as and asked.learned_as != SEVERAL:
        assert all(asked.answer_fault(label) is None for label in learned)


def test_a_version_that_changes_nothing_is_compatible_and_another_type_is_not(name: str, codebook: Codebook) -> None:
    assert compare(codebook, parse_definition(definition(name))).changes == ()
    for other in set(QUESTION_TYPES) - {name}:
        new = parse_definition(definition(other, key=codebook.stages[1].key))
        assert not compare(codebook, new).compatible
