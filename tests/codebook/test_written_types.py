"""Several labels, numbers and texts: faulty definitions, refused answers, gates, and what a new version breaks."""

from typing import Any

import pytest

from annotation_app.codebook.answers import AnswerError, check_answers
from annotation_app.codebook.compatibility import compare
from annotation_app.codebook.definition import DefinitionError, parse_definition
from annotation_app.codebook.gates import open_stages, reasons_closed
from annotation_app.codebook.stages import Codebook
from tests.codebook.codebook_examples import stage

LABELS = [{"key": key, "name": key.title()} for key in ("joy", "anger", "fear")]
SEVERAL = {"type": "several", "key": "asked", "title": "Feelings", "prompt": "Which feelings?", "labels": LABELS}
NUMBER = {
    "type": "number",
    "key": "asked",
    "title": "Change",
    "prompt": "By how much?",
    "min": 1,
    "max": 10,
    "step": 0.5,
}
TEXT = {"type": "text", "key": "asked", "title": "Why", "prompt": "Why?", "most_characters": 5}


def codebook(base: dict[str, Any], **changes: Any) -> Codebook:
    return parse_definition({"name": "Asked", "stages": [base | changes]})


@pytest.mark.parametrize(
    ("base", "changes", "path", "message"),
    [
        (SEVERAL, {"least": 4}, "least", "is 4, and the question has 3 labels only"),
        (SEVERAL, {"most": 4}, "most", "is 4, and the question has 3 labels only"),
        (SEVERAL, {"most": 0}, "most", "must be at least 1: nobody could choose a label"),
        (SEVERAL, {"least": 2, "most": 1}, "most", "is 1, and least is 2: most must not be smaller"),
        (SEVERAL, {"least": True}, "least", "must be a whole number from 0 to 300"),
        (
            SEVERAL,
            {"labels": [LABELS[0], LABELS[0]]},
            "labels[1].key",
            'the label key "joy" is already used at labels[0].key',
        ),
        (NUMBER, {"min": 10}, "max", "is 10, and min is 10: max must be larger"),
        (NUMBER, {"step": 0}, "step", "must be more than 0"),
        (NUMBER, {"step": 9.5}, "step", "is larger than the way from min to max, which is 9"),
        (NUMBER, {"min": "1"}, "min", "must be a number"),
        (NUMBER, {"max": True}, "max", "must be a number"),
        (NUMBER, {"step": 0.0000001}, "step", "has more than 6 decimals"),
        (NUMBER, {"max": 1e10}, "max", "must be from -1,000,000,000 to 1,000,000,000"),
        (TEXT, {"most_characters": 2001}, "most_characters", "must be a whole number from 1 to 2,000"),
        (
            TEXT,
            {"labels": LABELS},
            "labels",
            "unknown key; allowed here: key, title, prompt, help, required, open_when, type, most_characters",
        ),
    ],
)
def test_a_faulty_definition_is_named_at_its_place(
    base: dict[str, Any], changes: dict[str, Any], path: str, message: str
) -> None:
    with pytest.raises(DefinitionError) as refused:
        codebook(base, **changes)
    assert dict(refused.value.errors) == {f"stages[0].{path}": message}


@pytest.mark.parametrize(
    ("base", "answer", "message"),
    [
        (
            SEVERAL,
            '["joy","anger"]',
            'Must list each label once, in alphabetical order and without spaces: ["anger","joy"].',
        ),
        (SEVERAL, '["hope"]', 'Unknown label "hope". Labels here: joy, anger, fear.'),
        (SEVERAL, "joy", 'Must be a JSON list of label keys, as a text, such as ["a","b"].'),
        (SEVERAL, "[]", "Must have at least 1 of the labels, and has 0."),
        (SEVERAL | {"most": 1}, '["anger","joy"]', "May have at most 1 of the labels, and has 2."),
        (NUMBER, "1.0", "Must be a number in its shortest form, as a text, such as 3, 2.5 or -0.25."),
        (NUMBER, "0.5", "0.5 is too small: the least number here is 1."),
        (NUMBER, "11", "11 is too large: the largest number here is 10."),
        (NUMBER, "1.25", "1.25 lies between two steps: numbers here go by 0.5, counted from 1."),
        (NUMBER | {"min": None, "max": None, "step": None}, "0.0000001", "0.0000001 has more than 6 decimals."),
        (
            NUMBER,
            "3.0000000000000000000000000000001",
            "3.0000000000000000000000000000001 has more than 6 decimals.",
        ),
        (TEXT, "a\nb", "Must be one line: take out character 2 (U+000A)."),
        (TEXT, "abcdef", "Has 6 characters; at most 5 are allowed."),
        (TEXT, "a ", "Must not begin or end with white space."),
        (TEXT, "o\u0308", "Must be in Unicode's normal form C (NFC)."),
        (TEXT, "", "Must not be empty."),
    ],
)
def test_what_is_refused_is_said_with_the_mend(base: dict[str, Any], answer: str, message: str) -> None:
    with pytest.raises(AnswerError) as refused:
        check_answers(codebook(base), {"asked": answer})
    assert refused.value.errors == {"answers.asked": [message]}


def test_steps_are_decimal() -> None:
    """In floats 0.1 + 0.2 is no multiple of 0.1."""
    asked = codebook(NUMBER, min=0.1, max=1, step=0.1)
    check_answers(asked, {"asked": "0.3"})
    check_answers(asked, {"asked": "0.7"})


def test_a_text_of_2000_characters_is_the_longest() -> None:
    asked = parse_definition({"name": "Asked", "stages": [{**TEXT, "most_characters": 2000}]})
    check_answers(asked, {"asked": "😀" * 2000})
    with pytest.raises(AnswerError):
        check_answers(asked, {"asked": "a" * 2001})


def test_a_set_opens_a_gate_by_any_of_its_labels() -> None:
    why = stage("why", {"stage": "asked", "in": ["joy", "fear"]})
    book = parse_definition({"name": "Asked", "stages": [SEVERAL, why], "learning": {"stage": "why"}})
    assert open_stages(book, {"asked": '["anger","joy"]'}) == ["asked", "why"]
    assert open_stages(book, {"asked": '["anger"]'}) == ["asked"]
    assert reasons_closed(book, {"asked": '["anger"]'}, "why") == ['"asked" is answered "["anger"]"']
    with pytest.raises(DefinitionError, match=r'stage "asked" has no label "hope"'):
        faulty = stage("why", {"stage": "asked", "in": ["hope"]})
        parse_definition({"name": "Asked", "stages": [SEVERAL, faulty], "learning": {"stage": "why"}})


@pytest.mark.parametrize("base", [NUMBER, TEXT])
def test_numbers_and_texts_have_no_labels_to_name(base: dict[str, Any]) -> None:
    named = stage("why", {"stage": "asked", "in": ["1"]})
    with pytest.raises(DefinitionError, match='stage "asked" has no label "1"'):
        parse_definition({"name": "Asked", "stages": [base, named], "learning": {"stage": "why"}})


@pytest.mark.parametrize("base", [NUMBER, TEXT])
def test_models_do_not_learn_numbers_and_texts(base: dict[str, Any]) -> None:
    assert codebook(base).learning is None
    with pytest.raises(DefinitionError, match="learning: leaves fewer than two labels"):
        parse_definition({"name": "Asked", "stages": [base], "learning": {"stage": "asked"}})


@pytest.mark.parametrize(
    ("base", "changes", "path", "breaking"),
    [
        (SEVERAL, {"least": 2}, "least", True),
        (SEVERAL, {"least": 0}, "least", False),
        (SEVERAL, {"most": 2}, "most", True),
        (SEVERAL, {"most": 3}, "most", False),
        (SEVERAL, {"labels": LABELS[:2]}, "labels.fear", True),
        (SEVERAL, {"labels": LABELS[::-1]}, "labels", False),
        (NUMBER, {"min": 0}, "min", False),
        # Steps would be counted from another place.
        (NUMBER, {"min": 0.25}, "min", True),
        (NUMBER, {"min": None}, "min", False),
        (NUMBER, {"min": 2}, "min", True),
        (NUMBER, {"max": 12}, "max", False),
        (NUMBER, {"max": 9}, "max", True),
        (NUMBER, {"step": 0.25}, "step", False),
        (NUMBER, {"step": None}, "step", False),
        (NUMBER, {"step": 1}, "step", True),
        (NUMBER, {"unit": "percent"}, "unit", True),
        (TEXT, {"most_characters": 4}, "most_characters", True),
        (TEXT, {"most_characters": 6}, "most_characters", False),
    ],
)
def test_a_change_that_could_refuse_earlier_answers_is_breaking(
    base: dict[str, Any], changes: dict[str, Any], path: str, breaking: bool
) -> None:
    (change,) = compare(codebook(base), codebook(base, **changes)).changes
    assert (change.path, change.breaking) == (f"stages.asked.{path}", breaking)
