"""The items of a phase on which people differ."""

import pytest

from annotation_app.factoids.disagreements import phase_disagreements
from annotation_app.refusals import Invalid, Refused
from tests.conftest import People
from tests.factoids.rows import in_texts, judge, key_of, list_of, make_pairing, make_phase, make_short_set


def test_of_annotation_they_stand_by_factoid_and_text(people: People) -> None:
    alice, bob, charlie = people.annotators
    row = make_short_set(people.project, "abc")
    own = ({"P10": "ab", "P2": "c"}, {"P10": "abc", "P2": "a"}, {"P10": "ab", "P2": "c"})
    phase = make_phase(row, "annotation", dict(zip((alice, bob, charlie), map(in_texts, own), strict=True)))

    found = phase_disagreements(phase, None)
    said = [(each["id"], each["text"], [answer["is_there"] for answer in each["answers"]]) for each in found]
    assert said == [
        ("P2", "a", [False, True, False]),
        ("P2", "c", [True, False, True]),
        ("P10", "c", [False, True, False]),
    ]
    assert found[0] == {
        "key": key_of(list_of(phase, alice), "P2"),
        "key_b": None,
        "id": "P2",
        "id_b": "",
        "description": "what P2 says",
        "description_b": "",
        "text": "a",
        "answers": [
            {"name": "Alice", "is_there": False},
            {"name": "Bob", "is_there": True},
            {"name": "Charlie", "is_there": False},
        ],
    }


def test_of_definition_they_are_those_of_one_pairing(people: People) -> None:
    alice, bob, charlie = people.annotators
    row = make_short_set(people.project, "abcde")
    lists = {
        alice: in_texts({"P30": "ace"}),
        bob: in_texts({"F9.21": "a", "F9.22": "ce"}),
        charlie: in_texts({"C1": "b"}),
    }
    phase = make_phase(row, "definition", lists)
    first = make_pairing(list_of(phase, alice), list_of(phase, bob))
    judge(first, ("P30", "F9.21", "subsumes"), ("P30", "F9.22", "subsumes"))
    other = make_pairing(list_of(phase, alice), list_of(phase, charlie))
    judge(other, ("P30", "C1", "unrelated"))

    # The three items of figure 2 on which A1 and A2 differ.
    found = phase_disagreements(phase, first)
    assert [(each["id"], each["id_b"], each["text"]) for each in found] == [
        ("P30", "F9.21", "c"),
        ("P30", "F9.21", "e"),
        ("P30", "F9.22", "a"),
    ]
    assert found[0]["answers"] == [{"name": "Alice", "is_there": True}, {"name": "Bob", "is_there": False}]
    assert found[0]["description_b"] == "what F9.21 says"
    assert phase_disagreements(phase, other) == []
    with pytest.raises(Invalid, match="Name the pairing"):
        phase_disagreements(phase, None)


def test_an_open_phase_has_none_yet(people: People) -> None:
    alice, bob, _ = people.annotators
    row = make_short_set(people.project, "ab")
    own = {alice: in_texts({"P1": "a"}), bob: in_texts({"P1": "b"})}
    with pytest.raises(Refused, match="This phase is open"):
        phase_disagreements(make_phase(row, "annotation", own, closed_at=None), None)
