"""The settings of an import: what goes together, and what they mean."""

from typing import Any

import pytest

from annotation_app.ingest.options import ImportOptions
from annotation_app.ingest.plan import Plan
from annotation_app.refusals import Invalid


@pytest.mark.parametrize(
    ("options", "field"),
    [
        ({"format": "pdf"}, "format"),
        ({"unit": "paragraph"}, "unit"),
        ({"rows": "turn"}, "rows"),
        ({"min_tokens": -1}, "min_tokens"),
        ({"max_tokens": "500"}, "max_tokens"),
        ({"max_tokens": True}, "max_tokens"),
        ({"format": "jsonl", "rows": "utterance", "min_tokens": 501}, "min_tokens"),
        ({"format": "csv", "min_tokens": 9, "max_tokens": 8}, "min_tokens"),
        ({"splitter": "/etc/pipeline"}, "splitter"),
        ({"splitter": "../models"}, "splitter"),
        ({"splitter": ""}, "splitter"),
        ({"encoding": "rot13"}, "encoding"),
        ({"encoding": "no such\x00"}, "encoding"),
        ({"delimiter": "comma,"}, "delimiter"),
        ({"columns": {"words": "Sentence"}}, "columns"),
        ({"columns": {"text": ""}}, "columns"),
        ({"columns": {"text": "Sentence", "title": "Sentence"}}, "columns"),
        ({"columns": {"text": 3}}, "columns"),
        ({"columns": ["text"]}, "columns"),
        ({"format": "convokit", "columns": {"text": "Sentence"}}, "columns"),
        ({"format": "convokit", "unit": "document"}, "unit"),
        ({"format": "convokit", "rows": "sentence"}, "rows"),
        ({"format": "jsonl", "unit": "utterance", "rows": "sentence"}, "rows"),
        ({"format": "jsonl", "unit": "document", "rows": "utterance"}, "rows"),
        ({"format": "jsonl", "unit": "utterance", "rows": "document"}, "rows"),
    ],
)
def test_it_names_the_bad_option(options: dict[str, Any], field: str) -> None:
    with pytest.raises(Invalid) as caught:
        ImportOptions(**options)
    assert list(caught.value.errors) == [field]


def test_it_names_every_bad_option_at_once() -> None:
    with pytest.raises(Invalid) as caught:
        ImportOptions(format="pdf", unit="word", splitter="/tmp/x", min_tokens=-1)
    assert set(caught.value.errors) == {"format", "unit", "splitter", "min_tokens"}


def test_it_says_why_documents_cannot_be_items_of_a_convokit_corpus() -> None:
    with pytest.raises(Invalid, match="utterances"):
        ImportOptions(unit="document").plan("convokit")


@pytest.mark.parametrize(
    ("options", "found", "plan"),
    [
        ({}, "convokit", Plan("sentence", "utterance", (4, 500))),
        ({}, "jsonl", Plan("sentence", "sentence", (0, 500))),
        ({"rows": "utterance"}, "jsonl", Plan("sentence", "utterance", (4, 500))),
        ({"rows": "utterance", "max_tokens": 80}, "csv", Plan("sentence", "utterance", (4, 80))),
        ({"rows": "document"}, "csv", Plan("sentence", "document", None)),
        ({"unit": "utterance"}, "convokit", Plan("utterance", "utterance", None)),
        ({"min_tokens": 2}, "jsonl", Plan("sentence", "sentence", (2, 500))),
        ({"unit": "document", "max_tokens": 900}, "jsonl", Plan("document", "document", (0, 900))),
    ],
)
def test_it_plans_rows_and_limits(options: dict[str, Any], found: str, plan: Plan) -> None:
    assert ImportOptions(**options).plan(found) == plan


def test_it_keeps_utterances_at_both_limits() -> None:
    plan = Plan("sentence", "utterance", (4, 500))
    assert [plan.left_out(n) for n in (3, 4, 500, 501)] == ["too_short", "", "", "too_long"]
