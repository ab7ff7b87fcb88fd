"""The second demo: its reports, their sources, and its codebook against the paper's own annotated example."""

import json
import unicodedata
from typing import Any

import pytest

from annotation_app.annotation.span_rules import spans_read
from annotation_app.codebook.definition import definition_of, parse_definition
from annotation_app.codebook.stages import Codebook
from annotation_app.demo.paths import REPORTS, SPANS_CODEBOOK
from annotation_app.ingest.rows import ImportedSpan
from annotation_app.ingest.stand_off import spans_fitted
from tests.shared import shared_file

PAPER = {
    "std_sentence": ("STD SENTENCE", 1, None, None),
    "act": ("ACT", 1, 1, "std_sentence"),
    "actor": ("ACTOR", 1, 1, "std_sentence"),
    "reference": ("REFERENCE", 1, 1, "std_sentence"),
    "attribution": ("ATTRIBUTION", 0, None, "std_sentence"),
    "motive": ("MOTIVE", 0, None, "std_sentence"),
    "evidence": ("EVIDENCE", 0, None, "std_sentence"),
    "scope": ("SCOPE", 0, None, "std_sentence"),
}


@pytest.fixture(scope="module")
def codebook() -> Codebook:
    return parse_definition(json.loads(SPANS_CODEBOOK.read_text(encoding="utf-8")))


@pytest.fixture(scope="module")
def reports() -> list[dict[str, Any]]:
    return [json.loads(line) for line in REPORTS.read_text(encoding="utf-8").splitlines()]


def test_it_has_the_papers_eight_categories_and_no_stage(codebook: Codebook) -> None:
    layer = codebook.span_layer
    assert layer is not None
    found = {each.key: (each.marker, each.at_least, each.at_most, each.within) for each in layer.categories}
    assert found == PAPER
    assert [each.key for each in layer.categories if each.refers] == ["reference"]
    assert {each.comment for each in layer.categories} == {"optional"}
    assert (layer.target, codebook.stages, codebook.learning) == ("std_sentence", (), None)
    assert [each.shortcut for each in layer.categories] == list("12345678")
    assert len({each.color for each in layer.categories}) == 8


def test_its_file_has_every_default_written_out_and_help_for_each(codebook: Codebook) -> None:
    assert json.loads(SPANS_CODEBOOK.read_text(encoding="utf-8")) == definition_of(codebook)
    assert codebook.span_layer is not None
    assert all(len(category.help.split()) > 20 for category in codebook.span_layer.categories)
    assert len(codebook.guidelines.split()) > 200


def test_the_papers_own_example_passes_its_rules(codebook: Codebook) -> None:
    """Appendix D, whose spans are named by markers; it has no sources."""
    example = json.loads(shared_file("semi-structured/example.json").read_text(encoding="utf-8"))
    given = [ImportedSpan(s["start"], s["end"], s["category"], s["comment"] or "", None) for s in example["spans"]]
    layer = codebook.span_layer
    assert layer is not None
    sent = [
        {**span._asdict(), "quote": example["text"][span.start : span.end]}
        for span in spans_fitted(given, example["text"], layer)
    ]
    spans, faults = spans_read(layer, example["text"], sent, [])
    assert faults == []
    assert [span.category for span in spans].count("evidence") == 3
    assert len(spans) == 18


def test_eight_short_reports_stand_on_four_sources(reports: list[dict[str, Any]]) -> None:
    assert len(reports) == len({report["id"] for report in reports}) == 8
    named = [[each if isinstance(each, str) else each["id"] for each in report["sources"]] for report in reports]
    counts = {source: sum(source in ids for ids in named) for ids in named for source in ids}
    assert counts == {
        "minutes-2016-02-11": 2,
        "press-2016-05-19": 3,
        "speech-2016-06-14": 2,
        "testimony-2016-09-27": 2,
    }
    assert [len(ids) for ids in named].count(2) == 1
    assert all(120 <= len(report["text"].split()) <= 250 for report in reports)


def test_each_source_is_brought_once_and_is_longer_than_a_report(reports: list[dict[str, Any]]) -> None:
    brought = [each for report in reports for each in report["sources"] if isinstance(each, dict)]
    assert len(brought) == len({each["id"] for each in brought}) == 4
    assert all(200 <= len(each["text"].split()) <= 600 for each in brought)
    for text in [each["text"] for each in brought] + [report["text"] for report in reports]:
        assert unicodedata.is_normalized("NFC", text)
        assert text == text.strip()
        assert "  " not in text
