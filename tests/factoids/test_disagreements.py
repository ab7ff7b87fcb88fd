"""The items of a phase on which people differ."""

import random
from collections import defaultdict
from itertools import combinations

import pytest

from annotation_app.factoids.copies import Answers, differing_by_relation
from annotation_app.factoids.disagreements import phase_disagreements
from annotation_app.factoids.steps import Cell
from annotation_app.refusals import Invalid, Refused
from tests.conftest import People
from tests.factoids.rows import add_text, in_texts, judge, key_of, list_of, make_pairing, make_phase, make_short_set


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


@pytest.mark.parametrize("seed", range(5))
def test_a_second_look_asks_what_the_statement_finds(people: People, seed: int) -> None:
    """Both apply one rule, in SQL and in Python: random lists, and a text that came later, compare them."""
    draw = random.Random(seed)
    members = people.annotators
    row = make_short_set(people.project, "abcd", f"Set {seed}")
    names = [f"P{number}" for number in range(6)]
    lists = {m: in_texts({name: [t for t in "abcd" if draw.random() < 0.6] for name in names}) for m in members}
    annotation = make_phase(row, "annotation", lists)
    definition = make_phase(row, "definition", lists)
    pairings = [make_pairing(*(list_of(definition, each) for each in pair)) for pair in combinations(members, 2)]
    for pairing in pairings:
        pairs = {(draw.choice(names), draw.choice(names)) for _ in range(8)}
        judge(pairing, *((a, b, draw.choice(["equal", "subsumed", "related", ""])) for a, b in sorted(pairs)))
    add_text(row, "later", ["It came after the phases were closed."])

    found = [(each["key"], each["text"]) for each in phase_disagreements(annotation, None)]
    asked = [(cell.key, cell.text) for cell in Answers(annotation).differing()]
    assert sorted(asked, key=str) == sorted(found, key=str) != []
    of_lists: dict[int, set[Cell]] = defaultdict(set)
    for pairing in pairings:
        for each in phase_disagreements(definition, pairing):
            of_lists[pairing.first_id].add(Cell(each["key"], each["text"]))
            of_lists[pairing.second_id].add(Cell(each["key_b"], each["text"]))
    by_relation = differing_by_relation(definition, Answers(definition))
    assert {pk: set(cells) for pk, cells in by_relation.items()} == of_lists != {}
