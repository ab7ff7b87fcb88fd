"""Settled targets: as the export has them, of the project and of a release."""

from pathlib import Path
from typing import Any

import pytest

from al_worker.formats.text_form import Span
from annotation_app.equivalence.data import MarkedData, marked_data, source_sentences
from annotation_app.export.options import ExportOptions
from annotation_app.export.spans.linear_form import ExportedSpan
from annotation_app.refusals import Invalid
from tests.conftest import People
from tests.equivalence_server.rows import TEXTS, settled_articles
from tests.export.span_rows import decide, exported
from tests.releases.made import made

pytestmark = pytest.mark.django_db(transaction=True)


@pytest.fixture(autouse=True)
def media(settings: Any, tmp_path: Path) -> None:
    settings.MEDIA_ROOT = tmp_path / "media"
    settings.RUNS_DIR = tmp_path / "runs"


def reasons(data: MarkedData) -> dict[str, int]:
    return {each.reason: each.n for each in data.left_out}


def test_it_has_the_targets_of_the_export(people: People) -> None:
    settled = settled_articles(people)
    data = marked_data(people.project, "current", random_state=7)
    lines = exported(ExportOptions(people.project, of="validated", random_state=7), "targets")
    assert [(each.id, each.item, each.source, each.split, each.text) for each in data.targets] == [
        (line["id"], line["item_id"], line["source"] and line["source"]["id"], line["split"], line["text"])
        for line in lines
    ]
    layer = settled.codebook.definition["span_layer"]
    markers = {each["key"]: each["marker"] for each in layer["categories"]}
    for target, line in zip(data.targets, lines, strict=True):
        assert [(each.start, each.end, each.category, each.comment) for each in target.spans] == [
            (each["start"], each["end"], markers[each["category"]], each["comment"]) for each in line["spans"]
        ]
        assert [list(each) for each in target.ranges] == line["ranges"]
    assert [each.id for each in data.targets] == [
        "news_0_1/press-1/validated",
        "news_0_1/press-2/validated",
        "news_1_1/press-1/validated",
        "news_2_1//validated",
    ]
    assert data.targets[0].spans == (
        Span(0, 2, "REFERENCE"),
        Span(0, 13, "STD SENTENCE"),
        Span(3, 12, "ACT", "Cut rates"),
    )
    assert data.items["news_0_1"] == TEXTS[0]
    assert data.outer == ("STD SENTENCE",)
    assert {name: source.title for name, source in data.sources.items()} == {
        "press-1": "Title of press-1",
        "press-2": "Title of press-2",
    }
    assert dict(source_sentences(data.sources.values())) == {
        "press-1": ["Rates were cut.", "Nothing else was."],
        "press-2": ["Minutes of May."],
    }
    assert list(reasons(data).values()) == [1]  # the item that nobody decided about


def test_a_release_keeps_what_was_settled_then(people: People) -> None:
    settled = settled_articles(people)
    now = marked_data(people.project, "current")
    release = made(people.project)
    decide(settled.places[0], people.admin, "reopened")
    decide(settled.places[1], people.admin, "rejected")
    then = marked_data(people.project, f"release:{release.number}")
    assert (then.targets, then.items, then.sources, then.outer) == (now.targets, now.items, now.sources, now.outer)
    after = marked_data(people.project, "current")
    assert [each.id for each in after.targets] == ["news_2_1//validated"]
    assert sorted(reasons(after).values()) == [1, 2]


def test_an_item_without_a_target_sentence_is_counted(people: People) -> None:
    settled = settled_articles(people)
    decide(settled.places[3], people.admin, "edited", spans=[ExportedSpan(0, 6, "actor")])
    data = marked_data(people.project, "current")
    assert [(each.n, each.examples) for each in data.left_out] == [(1, ("news_3_1",))]


@pytest.mark.parametrize("key", ["", "now", "release:", "release:x", "release:1", "release:99999999999"])
def test_it_refuses_another_key(people: People, key: str) -> None:
    with pytest.raises(Invalid, match="release:N"):
        marked_data(people.project, key)
