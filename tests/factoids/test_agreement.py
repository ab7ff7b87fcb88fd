"""Agreement on factoids, counted in PostgreSQL: worked by hand, and held against the engine on files."""

from typing import Any

import pytest
from django.utils import timezone
from hypothesis import HealthCheck, given, settings
from hypothesis import strategies as st
from hypothesis.extra.django import TestCase

from al_worker.factoids.agreement import annotation_agreement, definition_agreement
from annotation_app.factoids.agreement import NO_PAIRING, OPEN, set_agreement
from annotation_app.models import FactoidPhase, Membership
from tests.conftest import People
from tests.core.factoid_lists import list_in_texts
from tests.factoids.rows import add_text, in_texts, judge, list_of, make_pairing, make_phase, make_short_set

PLAIN = ("K", "N", "k", "n", "P_A", "P_E", "cohen", "low", "high")


def plain(row: dict[str, Any]) -> dict[str, Any]:
    return {name: row[name] for name in PLAIN}


def close(figures: dict[str, Any]) -> dict[str, Any]:
    return {name: pytest.approx(value) if isinstance(value, float) else value for name, value in figures.items()}


def by_engine(figures: Any) -> dict[str, Any]:
    return close({name: value for name, value in figures.written().items() if name != "reason"})


def test_figure_2_is_worked_by_hand(people: People) -> None:
    alice, bob, _ = people.annotators
    row = make_short_set(people.project, "abcde")
    lists = {alice: in_texts({"P30": "ace"}), bob: in_texts({"F9.21": "a", "F9.22": "ce"})}
    phase = make_phase(row, "definition", lists)
    pairing = make_pairing(list_of(phase, alice), list_of(phase, bob))
    judge(pairing, ("P30", "F9.21", "subsumes"), ("P30", "F9.22", "subsumes"))

    everything, equal, subsumes, subsumed = set_agreement(row)["definition"]
    # As in the engine's test: 7 of 10 items agree, and 9 of 20 answers are "there".
    assert everything == {
        "phase": 1,
        "phase_id": phase.uuid,
        "step": "independent",
        "who": ["Alice", "Bob"],
        "pairing": pairing.uuid,
        "relation": None,
        "K": pytest.approx(13 / 33),
        "N": 10,
        "k": 2,
        "n": 2,
        "P_A": pytest.approx(0.7),
        "P_E": pytest.approx(0.505),
        "cohen": pytest.approx(4 / 9),
        "low": pytest.approx(13 / 33 - 0.726534, abs=1e-5),
        "high": 1.0,
        "reason": None,
    }
    assert subsumes == close(everything) | {"relation": "subsumes"}
    assert (equal["N"], equal["K"], equal["n"], equal["who"]) == (0, None, 2, ["Alice", "Bob"])
    assert equal["reason"] == "There is no item: no relation is equal."
    assert (subsumed["N"], subsumed["reason"]) == (0, "There is no item: no relation is subsumed.")


def test_the_newest_judgement_of_a_pair_counts(people: People) -> None:
    alice, bob, _ = people.annotators
    row = make_short_set(people.project, "ab")
    phase = make_phase(row, "definition", {alice: in_texts({"P1": "a"}), bob: in_texts({"F1": "a", "F2": "b"})})
    pairing = make_pairing(list_of(phase, alice), list_of(phase, bob))
    judge(pairing, ("P1", "F1", "related"), ("P1", "F2", "equal"), ("P1", "F1", "equal"), ("P1", "F2", ""))

    everything, equal, *_ = set_agreement(row)["definition"]
    assert (everything["N"], everything["P_A"], everything["K"]) == (2, 1, 1)
    assert equal == everything | {"relation": "equal"}
    judge(pairing, ("P1", "F1", "unrelated"))
    assert set_agreement(row)["definition"][0]["reason"].startswith("There is no item: no relation is one of")


def test_annotation_of_three_has_everyone_and_each_pair(people: People) -> None:
    alice, bob, charlie = people.annotators
    own = {alice: {"P1": "a"}, bob: {"P1": "a"}, charlie: {"P1": "ab"}}
    row = make_short_set(people.project, "ab")
    make_phase(row, "annotation", {member: in_texts(each) for member, each in own.items()})

    rows = set_agreement(row)["annotation"]
    assert [each["who"] for each in rows] == [
        ["Alice", "Bob", "Charlie"],
        ["Alice", "Bob"],
        ["Alice", "Charlie"],
        ["Bob", "Charlie"],
    ]
    everyone, alike, *_ = rows
    # In a all three pairs agree, in b one of three. 4 of 6 answers are "there".
    assert (everyone["N"], everyone["n"], everyone["cohen"]) == (2, 3, None)
    assert (everyone["P_A"], everyone["P_E"]) == (pytest.approx(2 / 3), pytest.approx(5 / 9))
    assert everyone["K"] == pytest.approx(1 / 4)
    assert "defined for two people" in everyone["reason"]
    assert (alike["K"], alike["cohen"], alike["low"]) == (1, 1, None)
    assert "without one of the items the coefficient is undefined" in alike["reason"]


def test_what_is_undefined_says_why(people: People) -> None:
    alice, bob, _ = people.annotators
    row = make_short_set(people.project, "ab")
    make_phase(row, "annotation", {alice: {}, bob: {}})
    make_phase(row, "annotation", {alice: in_texts({"P1": ""}), bob: in_texts({"P1": ""})})
    make_phase(row, "annotation", {alice: in_texts({"P1": "a"})})
    make_phase(row, "annotation", {alice: in_texts({"P1": "a"}), bob: in_texts({"P1": "a"})}, closed_at=None)
    make_phase(row, "definition", {alice: in_texts({"P1": "a"}), bob: in_texts({"P1": "a"})})

    found = set_agreement(row)
    nothing, absent, alone, still_open = found["annotation"]
    assert (nothing["N"], nothing["n"], nothing["reason"]) == (0, 2, "There is no item: the lists have no factoid.")
    assert (absent["N"], absent["P_A"], absent["P_E"], absent["K"]) == (2, 1, 1, None)
    assert absent["reason"] == "undefined, no variation: every answer is not there"
    assert (alone["who"], alone["n"], alone["K"]) == (["Alice"], 1, None)
    assert alone["reason"] == "fewer than two raters"
    assert (still_open["N"], still_open["who"], still_open["reason"]) == (None, ["Alice", "Bob"], OPEN)
    assert [each["reason"] for each in found["definition"]] == [NO_PAIRING]


def test_a_text_that_came_after_the_independent_phase_is_no_item(people: People) -> None:
    alice, bob, _ = people.annotators
    row = make_short_set(people.project, "ab")
    lists = {alice: in_texts({"P1": "a"}), bob: in_texts({"P1": "b"})}
    first = make_phase(row, "annotation", lists)
    add_text(row, "S", ["A system wrote this."], is_system=True)
    make_phase(row, "annotation", lists, given=first.given)
    look = make_phase(row, "annotation", lists, follows=first, step="second_look", given=first.given)
    make_phase(row, "annotation", {}, follows=look, step="consensus", given=first.given)

    assert [each["N"] for each in set_agreement(row)["annotation"]] == [2, 3, 2]


TEXTS = "abcd"
ANSWERS = st.lists(st.sampled_from(["", "a", "ab", "abc", "abcd", "bd", "d"]), min_size=3, max_size=3)


class Random(TestCase):
    @settings(max_examples=25, suppress_health_check=[HealthCheck.too_slow])
    @given(st.lists(ANSWERS, min_size=2, max_size=4))
    def test_annotation_is_as_the_engine_counts_it(self, answers: list[list[str]]) -> None:
        row, people = set_and_people(len(answers))
        own = [{f"P{at}": texts for at, texts in enumerate(each)} for each in answers]
        make_phase(row, "annotation", dict(zip(people, map(in_texts, own), strict=True)))
        everyone = set_agreement(row)["annotation"][0]
        assert plain(everyone) == by_engine(annotation_agreement([list_in_texts(TEXTS, each) for each in own]))

    @settings(max_examples=25, suppress_health_check=[HealthCheck.too_slow])
    @given(ANSWERS, ANSWERS, st.lists(st.sampled_from(["equal", "subsumes", "subsumed", "related"]), max_size=9))
    def test_definition_is_as_the_engine_counts_it(self, a: list[str], b: list[str], relations: list[str]) -> None:
        row, people = set_and_people(2)
        own = [{f"{name}{at}": texts for at, texts in enumerate(each)} for name, each in (("P", a), ("F", b))]
        phase: FactoidPhase = make_phase(row, "definition", dict(zip(people, map(in_texts, own), strict=True)))
        pairing = make_pairing(*(list_of(phase, member) for member in people))
        judged = {(f"P{at // 3}", f"F{at % 3}"): relation for at, relation in enumerate(relations)}
        judge(pairing, *((*ends, relation) for ends, relation in judged.items()))
        lists = [list_in_texts(TEXTS, each) for each in own]
        rows = {each["relation"]: plain(each) for each in set_agreement(row)["definition"]}
        assert rows.pop(None) == by_engine(definition_agreement(*lists, judged))
        assert rows == {kind: by_engine(definition_agreement(*lists, judged, (kind,))) for kind in rows}


def set_and_people(n: int) -> tuple[Any, list[Membership]]:
    from tests.factories import make_member, make_project

    name = f"P{timezone.now().timestamp()}"
    project = make_project(name)
    people = [make_member(project, f"{name}-{at}", "annotator") for at in range(n)]
    return make_short_set(project, TEXTS), people
