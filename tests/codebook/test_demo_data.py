"""The demo's transcript and codebook: complete, well-formed, and of the size that the demo needs."""

import json
import unicodedata
from typing import Any

import pytest
import spacy

from annotation_app.codebook.answers import check_answers
from annotation_app.codebook.definition import definition_of, parse_definition
from annotation_app.codebook.gates import open_stages
from annotation_app.codebook.stages import Codebook
from annotation_app.demo.paths import CODEBOOK, CORPUS


@pytest.fixture(scope="module")
def utterances() -> list[dict[str, Any]]:
    lines = (CORPUS / "utterances.jsonl").read_text(encoding="utf-8").split("\n")
    assert lines.pop() == ""
    return [json.loads(line) for line in lines]


@pytest.fixture(scope="module")
def codebook() -> Codebook:
    return parse_definition(json.loads(CODEBOOK.read_text(encoding="utf-8")))


def load(name: str) -> dict[str, Any]:
    return dict(json.loads((CORPUS / name).read_text(encoding="utf-8")))


def tokens(utterance: dict[str, Any]) -> int:
    return len(utterance["text"].split())


def test_it_has_enough_sentences_after_the_filters(utterances: list[dict[str, Any]]) -> None:
    splitter = spacy.blank("en")
    splitter.add_pipe("sentencizer")
    counts = [(tokens(each), len(list(splitter(each["text"]).sents))) for each in utterances]
    assert sum(sentences for _, sentences in counts) == 784
    assert sum(sentences for length, sentences in counts if 4 <= length <= 500) == 692


def test_it_has_turns_on_which_both_filters_bite(utterances: list[dict[str, Any]]) -> None:
    assert sum(tokens(each) < 4 for each in utterances) >= 20
    assert sum(tokens(each) > 500 for each in utterances) == 1


def test_it_has_three_meetings_and_ten_speakers(utterances: list[dict[str, Any]]) -> None:
    assert {each["speaker"] for each in utterances} == set(load("speakers.json"))
    assert len(load("speakers.json")) == 10
    counted = {key: meeting["meta"]["n_utterances"] for key, meeting in load("conversations.json").items()}
    assert len(counted) == 3
    found = [each["conversation_id"] for each in utterances]
    assert {key: found.count(key) for key in found} == counted


def test_each_turn_replies_to_the_one_before(utterances: list[dict[str, Any]]) -> None:
    assert len({each["id"] for each in utterances}) == len(utterances)
    before: dict[str, Any] = {}
    for each in utterances:
        assert each["reply-to"] == before.get(each["conversation_id"])
        assert each["vectors"] == []
        before[each["conversation_id"]] = each["id"]


def test_its_text_is_composed_and_keeps_its_typography(utterances: list[dict[str, Any]]) -> None:
    texts = [each["text"] for each in utterances]
    for text in [*texts, *load("speakers.json")]:
        assert text
        assert unicodedata.is_normalized("NFC", text)
        assert text == text.strip()
        # Nothing beyond the basic plane (no emoji), and nothing that breaks a line.
        assert all(ord(character) < 0x10000 for character in text)
        assert len(text.splitlines()) == 1
    everything = "".join(texts)
    assert {"½", "\u00a0", "“", "”", "’", "—", "–", "å", "ű", "ầ"} <= set(everything)


def test_two_turns_of_more_than_five_words_are_never_the_same(utterances: list[dict[str, Any]]) -> None:
    longer = [each["text"] for each in utterances if tokens(each) > 5]
    assert len(set(longer)) == len(longer)


def test_the_five_stages_open_in_turn(codebook: Codebook) -> None:
    answers: dict[str, str] = {}
    opened = [open_stages(codebook, answers)]
    for stage, label in [("opinion", "yes"), ("mp", "yes"), ("mp_context", "utterance"), ("stance_nli", "ambiguous")]:
        answers[stage] = label
        opened.append(open_stages(codebook, answers))
    assert opened == [
        ["opinion"],
        ["opinion", "mp"],
        ["opinion", "mp", "mp_context", "stance_nli"],
        ["opinion", "mp", "mp_context", "stance_nli"],
        ["opinion", "mp", "mp_context", "stance_nli", "stance_nli_context"],
    ]
    check_answers(codebook, answers | {"stance_nli_context": "minus_200_tokens"})


@pytest.mark.parametrize(
    "answers", [{"opinion": "no"}, {"opinion": "ambiguous"}, {"opinion": "yes", "mp": "ambiguous"}]
)
def test_the_codebook_ends_early_where_there_is_nothing_more_to_ask(
    codebook: Codebook, answers: dict[str, str]
) -> None:
    assert open_stages(codebook, answers) == list(answers)
    check_answers(codebook, answers)


def test_the_codebook_says_what_is_positive_ordered_and_learned(codebook: Codebook) -> None:
    levels = ("sentence", "utterance", "minus_5_sentences", "minus_200_tokens")
    assert {key: stage.positive for key, stage in codebook.by_key.items() if stage.positive} == {
        "opinion": ("yes",),
        "mp": ("yes",),
        "stance_nli": ("entailment", "contradiction"),
    }
    assert {key: stage.label_keys for key, stage in codebook.by_key.items() if stage.scale == "ordinal"} == {
        "mp_context": levels,
        "stance_nli_context": levels,
    }


def test_every_label_has_help_and_an_example_that_is_not_in_the_transcript(
    codebook: Codebook, utterances: list[dict[str, Any]]
) -> None:
    everything = "\n".join(each["text"] for each in utterances)
    for stage in codebook.stages:
        assert stage.help
        for label in stage.labels:
            assert label.help and label.examples
            assert not [example for example in label.examples if example in everything]


def test_the_codebook_file_has_every_default_written_out(codebook: Codebook) -> None:
    assert json.loads(CODEBOOK.read_text(encoding="utf-8")) == definition_of(codebook)
