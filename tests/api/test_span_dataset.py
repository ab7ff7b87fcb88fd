"""The data set page's tables over HTTP: the paper's example, several people, and projects that have little yet."""

import json
from collections.abc import Callable
from typing import Any

import pytest
from rest_framework.test import APIClient

from al_worker.formats.text_form import linearize, parse
from annotation_app.export.spans.linear_form import ExportedSpan
from annotation_app.models import Membership
from tests.conftest import People
from tests.export.layers import MARKERS, at
from tests.export.span_rows import add_sources, decide, mark, open_articles, span_codebook
from tests.shared import shared_file

pytestmark = pytest.mark.django_db(transaction=True)
ClientOf = Callable[[Membership], APIClient]
Get = Callable[..., dict[str, Any]]


@pytest.fixture
def get(people: People, client_of: ClientOf) -> Get:
    def asked(**query: Any) -> dict[str, Any]:
        response = client_of(people.admin).get(f"/api/projects/{people.project.uuid}/span-dataset/", query)
        assert response.status_code == 200, response.json()
        return response.json()

    return asked


def test_it_describes_the_papers_example(people: People, get: Get) -> None:
    """Appendix D: one target of three sentences with 18 spans, of one source."""
    folder = shared_file("semi-structured")
    example = json.loads((folder / "example.json").read_text(encoding="utf-8"))
    keys = {marker: key for key, marker in MARKERS.items()}
    spans = [
        ExportedSpan(
            s["start"], s["end"], keys[s["category"]], s["comment"], "r" if s["category"] == "REFERENCE" else None
        )
        for s in example["spans"]
    ]
    (place,) = open_articles(people.project, span_codebook(people.project), [example["text"]], people.annotators[:1])
    add_sources(place.item, {"r": "Record of policy actions. It was cut."})
    decide(place, people.admin, "accepted", annotation=mark(place, people.annotators[0], spans))
    told = get()
    assert [(row["split"], row["sources"], row["targets"]) for row in told["splits"]] == [
        ("train", 0, 0),
        ("valid", 0, 0),
        ("test", 1, 1),
        ("all", 1, 1),
    ]
    means = {
        row["what"]: (row["sources"] and row["sources"]["mean"], row["targets"]["mean"]) for row in told["lengths"]
    }
    # In the printed text form a token is a word or a marker, with the marks that follow it.
    printed = parse((folder / "example.txt").read_text(encoding="utf-8").rstrip("\n"))
    tokens = len(linearize(printed.text, printed.spans, "underscores").split())
    assert means == {"sentences": (2, 3), "words": (7, tokens - 36), "markers": (None, 36), "tokens": (7, tokens)}
    assert {row["name"]: row["count"]["mean"] for row in told["counts"]} == {
        "Std sentence": 3,
        "Act": 3,
        "Actor": 3,
        "Reference": 3,
        "Attribution": 2,
        "Motive": 1,
        "Evidence": 3,
        "Scope": 0,
    }
    assert told["closed_correctly"] == {"n": 1, "mean": 1.0, "sd": None, "population_sd": 0.0}
    assert (told["notes"], told["missing"]) == ([], [])
    assert told["splitter"]["name"] == "blank"


#       0         1         2
#       012345678901234567890123456789
TEXT = "It rose. Why? It fell today."


def test_it_counts_every_person_and_every_source(people: People, get: Get) -> None:
    """Two people of two sources, one item without any, and one that nobody has marked."""
    alice, bob, _ = people.annotators
    codebook = span_codebook(people.project)
    both, own, _ = open_articles(people.project, codebook, [TEXT, TEXT, TEXT], [alice, bob])
    add_sources(both.item, {"a": "One. Two. Three.", "b": "One two."})
    first, second = at(TEXT, "It rose.", "std_sentence"), at(TEXT, "It fell today.", "std_sentence")
    to_a, to_b = at(TEXT, "rose", "reference", source="a"), at(TEXT, "fell", "reference", "In May", "b")
    mark(both, alice, [first, second, to_a, to_b])
    mark(both, bob, [first, to_a, ExportedSpan(3, 11, "motive")])
    mark(own, alice, [second])
    told = get(of="all")
    *parts, whole = told["splits"]
    assert whole == {"split": "all", "sources": 3, "targets": 4, "mean_targets": 4 / 3, "max_targets": 2}
    assert [sum(part[name] for part in parts) for name in ("sources", "targets")] == [3, 4]
    lengths = {row["what"]: row for row in told["lengths"]}
    # Sources: 3, 1 and, the item's own text, 3 sentences; 3, 2 and 6 words.
    assert lengths["sentences"]["sources"]["mean"] == pytest.approx(7 / 3)
    assert lengths["words"]["sources"]["mean"] == pytest.approx(11 / 3)
    # Targets: 2, 3 + 2 (the comment), 2 and 3 words.
    assert lengths["words"]["targets"] == {
        "n": 4,
        "mean": 3.0,
        "sd": pytest.approx(2**0.5),
        "population_sd": pytest.approx(1.5**0.5),
    }
    assert lengths["markers"]["targets"]["mean"] == (4 + 4 + 6 + 2) / 4
    assert told["notes"] == [
        "Sources that are an item's own text, because nothing links it to a source document: 1 of 3.",
        "One item and source can have several targets here: each person's counts, and the validated one too. "
        "1 of 3 pairs of item and source have more than one.",
        "Spans that reach beyond their target's sentences and are clipped to them: 1.",
    ]
    assert told["missing"] == ["2 of 3 items given out are marked; only these are counted."]
    validated = get()
    assert validated["splits"][-1]["targets"] == 0
    assert validated["missing"] == ["0 of 3 items given out are validated; only these are counted."]


def test_the_split_is_that_of_the_export(people: People, get: Get, client_of: ClientOf) -> None:
    codebook, alice = span_codebook(people.project), people.annotators[0]
    places = open_articles(people.project, codebook, [TEXT] * 11, [alice])
    for number, place in enumerate(places):
        add_sources(place.item, {f"s{number}": "One."})
        mark(place, alice, [at(TEXT, "It rose.", "std_sentence"), at(TEXT, "rose", "reference", source=f"s{number}")])
    found = {}
    for seed in (0, 1):
        url = f"/api/projects/{people.project.uuid}/export/"
        response = client_of(people.admin).get(url, {"kind": "targets", "random_state": seed})
        found[seed] = [json.loads(line)["split"] for line in b"".join(response).splitlines()]
        counted = [(row["split"], row["targets"]) for row in get(of="all", random_state=seed)["splits"]]
        assert counted == [("train", 8), ("valid", 1), ("test", 2), ("all", 11)]
        assert [(part, found[seed].count(part)) for part in ("train", "valid", "test")] == counted[:3]
    assert found[0] != found[1]


@pytest.mark.parametrize(
    ("target", "missing"),
    [
        (
            None,
            "The span layer names no target category, whose spans make target sentences: name one in the codebook.",
        ),
        ("std_sentence", "No item is given out yet: start a round."),
    ],
)
def test_it_says_what_is_missing(people: People, get: Get, target: str | None, missing: str) -> None:
    span_codebook(people.project, target=target)
    told = get()
    assert told["missing"] == [missing]
    assert told["splits"][-1] == {"split": "all", "sources": 0, "targets": 0, "mean_targets": None, "max_targets": None}
    assert (len(told["counts"]), told["splitter"]) == (8, None)


def test_it_says_so_where_nothing_is_the_target_category(people: People, get: Get) -> None:
    (place,) = open_articles(people.project, span_codebook(people.project), [TEXT], people.annotators[:1])
    mark(place, people.annotators[0], [at(TEXT, "rose", "act")])
    assert get(of="annotators")["missing"] == ["Nothing in them is marked with the target category."]


def test_it_says_so_of_a_project_without_spans(people: People, get: Get) -> None:
    assert get()["missing"] == ["No published codebook has a span layer: there is nothing to count."]


def test_it_names_what_there_is(people: People, client_of: ClientOf) -> None:
    url = f"/api/projects/{people.project.uuid}/span-dataset/"
    response = client_of(people.admin).get(url, {"of": "mine", "random_state": "x"})
    assert (response.status_code, response.json()["errors"]) == (
        400,
        {"of": ["Choose all or annotators or validated."], "random_state": ["A valid integer is required."]},
    )
