"""The sentences of the audit log: none of the verbs that are written is without one."""

import ast
from collections.abc import Iterator
from pathlib import Path
from typing import Any

import pytest

from annotation_app.dashboards.log.words import KIND_OF, KINDS, WORDS, sentence

ROOT = Path(__file__).parents[2]


def calls() -> Iterator[tuple[str, ast.Call]]:
    """(place, call) of each event_write in the product."""
    for package in ("annotation_app", "al_worker"):
        for path in sorted((ROOT / package).rglob("*.py")):
            for node in ast.walk(ast.parse(path.read_text(encoding="utf-8"))):
                if isinstance(node, ast.Call) and ast.unparse(node.func).split(".")[-1] == "event_write":
                    yield f"{path.relative_to(ROOT)}:{node.lineno}", node


def verbs_of(place: str, call: ast.Call) -> list[str]:
    """The verbs of a call: a string, or one of two by a condition."""
    (verb,) = [each.value for each in call.keywords if each.arg == "verb"]
    parts = [verb.body, verb.orelse] if isinstance(verb, ast.IfExp) else [verb]
    found = [part.value for part in parts if isinstance(part, ast.Constant) and isinstance(part.value, str)]
    assert len(found) == len(parts), f"{place}: write the verb out, so that it can be looked up: {ast.unparse(verb)}"
    return found


def test_every_verb_that_is_written_has_words_and_no_other() -> None:
    written = {verb: place for place, call in calls() for verb in verbs_of(place, call)}
    assert {verb: place for verb, place in written.items() if verb not in WORDS} == {}
    assert set(WORDS) - set(written) == set()


def test_a_verb_is_of_one_kind() -> None:
    assert sum(len(verbs) for _, verbs in KINDS.values()) == len(WORDS) == len(KIND_OF)


@pytest.mark.parametrize(
    ("verb", "data", "about", "said"),
    [
        (
            "member_role_set",
            {"old": "annotator", "new": "admin"},
            "Bob",
            "Changed the role of Bob: admin (before: annotator).",
        ),
        ("budget_set", {"old": None, "new": 1050}, "", "Set the annotation budget: 1,050 items (before: none)."),
        ("budget_set", {"old": 1050, "new": None}, "", "Set the annotation budget: none (before: 1,050 items)."),
        ("codebook_published", {"version": 1, "compatible": False}, "", "Published the codebook, version 1."),
        ("codebook_published", {"version": 2, "compatible": None}, "", "Published the codebook, version 2."),
        ("codebook_published", {"version": 3, "compatible": True}, "", "Published the codebook, version 3."),
        (
            "codebook_published",
            {"version": 2, "compatible": False},
            "",
            "Published the codebook, version 2, a breaking change.",
        ),
        (
            "batch_opened",
            {"kind": "round", "number": 3, "items": 150, "annotators": 1, "annotators_per_item": 1},
            "round 3",
            "Opened the batch of round 3: 150 items for 1 annotator, 1 an item.",
        ),
        (
            "claims_expired",
            {"assignments": ["a", "b"]},
            "prototype 1",
            "Took back 2 items that had been left idle, of the prototype batch 1.",
        ),
        ("second_look_closed", {}, "second_look 2", "Closed the second look at round 2."),
        (
            "annotation_submitted",
            {"revision": 1, "skipped": False, "claimed": 1},
            "doc_1",
            "Annotated item doc_1.",
        ),
        (
            "annotation_submitted",
            {"revision": 3, "skipped": False},
            "doc_1",
            "Revised the annotation of item doc_1: revision 3.",
        ),
        ("annotation_submitted", {"revision": 1, "skipped": True}, "doc_1", "Skipped item doc_1."),
        (
            "adjudication_submitted",
            {"revision": 1, "source": "adjudication", "labels": {"opinion": "yes"}},
            "doc_1",
            "Decided a disagreement on item doc_1.",
        ),
        (
            "adjudication_submitted",
            {"revision": 2, "source": "consensus", "labels": {"opinion": "yes"}},
            "doc_1",
            "Recorded a consensus on item doc_1: decision 2.",
        ),
        (
            "validation_submitted",
            {"revision": 1, "decision": "edited"},
            "doc_1",
            "Edited and accepted an annotation of item doc_1.",
        ),
        (
            "answers_shown",
            {"assignments": ["a"]},
            "doc_1",
            "Was shown others' answers to item doc_1, which locked their own answers.",
        ),
        (
            "answers_shown",
            {"assignments": []},
            "doc_1",
            "Was shown others' answers to item doc_1.",
        ),
        (
            "answers_shown",
            {"assignments": ["a", "b"]},
            "",
            "Was shown others' answers to 2 items, which locked their own answers.",
        ),
        (
            "export_made",
            {"kind": "aggregated", "names": False, "lines": 1, "file": "board-aggregated.jsonl"},
            "",
            "Exported aggregated labels: 1 line as board-aggregated.jsonl.",
        ),
        (
            "export_made",
            {"kind": "annotations", "format": "xlsx", "names": True, "lines": 20, "file": "board-annotations.xlsx"},
            "",
            "Exported annotations in Excel, with names: 20 rows as board-annotations.xlsx.",
        ),
        ("datasheet_answered", {"revision": 1}, "purpose", "Answered a question of the datasheet: purpose."),
        (
            "simulation_restarted",
            {"anew": True},
            "A study",
            "Started the simulation “A study” again, from the beginning.",
        ),
    ],
)
def test_it_says_what_was_done(verb: str, data: dict[str, Any], about: str, said: str) -> None:
    assert sentence(verb, data, about) == said


@pytest.mark.parametrize("verb", WORDS)
def test_it_says_what_an_older_line_does_not_know(verb: str) -> None:
    """No data and no name: still a sentence."""
    assert sentence(verb, {}, "")[0].isupper()


def test_it_shows_braces_of_what_people_named_as_they_are() -> None:
    assert sentence("simulation_created", {}, "{0} {about}") == "Started the simulation “{0} {about}”."


def test_it_shows_a_verb_of_another_version() -> None:
    assert sentence("moon_landed", {}, "") == "Moon landed."
