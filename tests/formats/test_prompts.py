import pytest
from hypothesis import given
from hypothesis import strategies as st

from al_worker.formats.prompts import (
    PromptLabel,
    PromptStage,
    TemplateFault,
    default_template,
    definition_list,
    example_list,
    label_list,
    labels_of,
    render,
    template_faults,
    variables_of,
)

LABELS = (PromptLabel("yes", "Yes", "A view."), PromptLabel("no", "No"))
STAGE = PromptStage("Is {this} an opinion?", "A judgment.", LABELS)


def test_a_default_names_question_help_definitions_labels_and_sentence() -> None:
    values = {
        "labels": label_list(LABELS),
        "definitions": definition_list(LABELS),
        "examples": "",
        "sentence": "I {doubt} it.",
    }
    text = render(default_template(STAGE), values)
    assert text.startswith(
        "Is {this} an opinion?\n\nA judgment.\n\nWhat the labels mean:\n- yes: Yes. A view.\n- no: No.\n"
    )
    assert 'exactly one of these labels: ["yes", "no"]' in text
    assert text.endswith("Sentence: I {doubt} it.")
    assert "Context" not in text


def test_context_is_asked_for_where_people_may_open_it() -> None:
    stage = PromptStage("About policy?", "", LABELS, needs_context=True)
    assert variables_of(default_template(stage)) == {"labels", "definitions", "examples", "context", "sentence"}


def test_a_question_about_context_is_asked_as_yes_or_no() -> None:
    levels = (PromptLabel("sentence", "Sentence"), PromptLabel("utterance", "Utterance"))
    stage = PromptStage("How much did you read?", "", levels, context_of="About policy?")
    assert [label.key for label in labels_of(stage)] == ["yes", "no"]
    template = default_template(stage)
    assert 'more context than the sentence to answer this question? "About policy?"' in template
    assert variables_of(template) == {"labels", "examples", "sentence"}


def test_examples_end_where_the_sentence_begins() -> None:
    assert example_list([("So be it.", "no"), ("I object.", "yes")]) == (
        'Sentence: So be it.\nLabel: "no"\n\nSentence: I object.\nLabel: "yes"\n\n'
    )


@pytest.mark.parametrize(
    ("template", "line", "column", "words"),
    [
        ("{labels}\n  {sentense}", 2, 3, "{sentense} is no variable: there are {sentence}, {speaker}"),
        ("{sentence}", 1, 11, "{labels} is missing"),
        ("{labels} {", 1, 10, "{ stands alone: write {{ for a brace"),
        ("{labels}\n}", 2, 1, "} stands alone: write }} for a brace"),
        ("{labels} {}", 1, 10, "{} is no variable"),
        ("{labels} {labels!r}", 1, 10, "{labels!r} is no variable"),
        ("{labels} {sentence.x}", 1, 10, "{sentence.x} is no variable"),
    ],
)
def test_a_fault_is_named_with_its_place(template: str, line: int, column: int, words: str) -> None:
    (fault,) = template_faults(template)
    assert (fault.line, fault.column) == (line, column)
    assert fault.message.startswith(words)


def test_braces_can_be_written() -> None:
    template = 'Answer {{"label": ...}} from {labels}'
    assert template_faults(template) == []
    assert render(template, {"labels": "[]"}) == 'Answer {"label": ...} from []'


@given(st.text(alphabet="{}labels \n", max_size=30))
def test_what_has_no_fault_can_be_rendered(template: str) -> None:
    faults = template_faults(template)
    assert all(isinstance(fault, TemplateFault) and fault.line >= 1 and fault.column >= 1 for fault in faults)
    if not faults:
        assert variables_of(template) == {"labels"}
        render(template, {"labels": "x"})


@given(st.text(max_size=40), st.text(max_size=40))
def test_every_default_is_without_fault(prompt: str, help: str) -> None:
    for stage in (PromptStage(prompt, help, LABELS, True), PromptStage(prompt, help, LABELS, context_of=prompt)):
        assert template_faults(default_template(stage)) == []
