"""Pairing of two lists, with its words of descriptions, its order, and its comparison with people's relations."""

import random
from pathlib import Path
from typing import Any

import pytest
from hypothesis import given
from hypothesis import strategies as st

from al_worker.core.__main__ import main
from al_worker.factoids.comparison import comparison, rates
from al_worker.factoids.lists import RELATIONS, natural_key
from al_worker.factoids.pairing import f1, pair
from al_worker.factoids.reading import factoid_list
from tests.core.factoid_lists import DEMO_A, DEMO_B, DEMO_RELATIONS, answer, list_json, list_of, write

TEXTS = ("M01", "M02", "M03")
SENTENCES = [f"{text}-00{number}" for text in TEXTS for number in range(1, 4)]
own = st.lists(st.sampled_from(SENTENCES), unique=True)
lists = st.lists(own, max_size=8)


def numbered(letter: str, factoids: list[list[str]]) -> dict[str, Any]:
    return list_json(TEXTS, {f"{letter}{at}": sentences for at, sentences in enumerate(factoids)}, letter)


@pytest.mark.parametrize(
    ("names", "ordered"),
    [
        (["F9.21", "F9.9", "F10"], ["F9.9", "F9.21", "F10"]),
        (["P30", "P4", "10", "9"], ["9", "10", "P4", "P30"]),
        (["P1", "P01", "P2"], ["P01", "P1", "P2"]),
        (["P", "P0", "P" + "9" * 5000], ["P", "P0", "P" + "9" * 5000]),
    ],
)
def test_ids_stand_in_the_order_in_which_people_count(names: list[str], ordered: list[str]) -> None:
    assert sorted(names, key=natural_key) == ordered


def test_the_overlap_is_the_harmonic_mean_of_precision_and_recall() -> None:
    # 2 of 4 and 2 of 3 are shared: 2 * (1/2 * 2/3) / (1/2 + 2/3) = 4/7.
    assert f1(frozenset("abcd"), frozenset("abx")) == pytest.approx(4 / 7)
    assert f1(frozenset(), frozenset()) == f1(frozenset("a"), frozenset("b")) == 0


def test_a_weak_link_leaves_a_factoid_free_for_a_strong_one_and_goes_to_its_best() -> None:
    one, two, three, four = SENTENCES[:4]
    a = list_of(TEXTS, {"P1": [one, two, three, four], "P2": [one, two], "P3": [four]})
    b = list_of(TEXTS, {"F1": [one, two, three, four], "F2": [one, two, three]}, "B")
    found = pair(a, b).written()
    # P1-F1 1, P1-F2 6/7, P2-F2 4/5, P2-F1 2/3, P3-F1 2/5.
    assert found["strong"] == [{"a": "P1", "b": "F1", "f": 1.0}, {"a": "P2", "b": "F2", "f": 0.8}]
    assert found["weak"] == [
        {"from": "F2", "to": "P1", "f": 6 / 7, "direction": "A<-B"},
        {"from": "P3", "to": "F1", "f": 0.4, "direction": "A->B"},
    ]
    # Above the threshold nothing is left for F2 but to point at P1, as P2 does at F1.
    higher = pair(a, b, threshold=0.81).written()
    assert [link["f"] for link in higher["strong"]] == [1.0]
    assert [(link["from"], link["to"]) for link in higher["weak"]] == [("F2", "P1"), ("P2", "F1"), ("P3", "F1")]


def test_a_pair_below_the_threshold_without_a_strong_link_gets_nothing() -> None:
    a = list_of(TEXTS, {"P1": SENTENCES[:3], "P2": []})
    b = list_of(TEXTS, {"F1": SENTENCES[2:4]}, "B")
    assert pair(a, b).written() == {"strong": [], "weak": [], "unlinked": {"a": ["P1", "P2"], "b": ["F1"]}}
    assert pair(a, b, threshold=0.4).strong[0].f == 0.4


def test_ties_go_by_natural_order_of_the_ids_of_a_then_of_b() -> None:
    a = list_of(TEXTS, {"P10": SENTENCES[:1], "P9": SENTENCES[:1]})
    b = list_of(TEXTS, {"F9.21": SENTENCES[:1], "F9.9": SENTENCES[:1]}, "B")
    assert [(link.a, link.b) for link in pair(a, b).strong] == [("P9", "F9.9"), ("P10", "F9.21")]


@given(lists, lists, st.randoms(use_true_random=False), st.floats(0, 1))
def test_it_does_not_depend_on_the_order_of_the_input(
    first: list[list[str]], second: list[list[str]], order: random.Random, weight: float
) -> None:
    plain = [numbered("P", first), numbered("F", second)]
    expected = pair(*(factoid_list(each, "") for each in plain), weight=weight)
    for each in plain:
        for shuffled in (each["texts"], each["factoids"], *(factoid["sentences"] for factoid in each["factoids"])):
            order.shuffle(shuffled)
    assert pair(*(factoid_list(each, "") for each in plain), weight=weight) == expected


@given(lists, lists, st.sampled_from([0.0, 0.5, 0.8, 1.0]))
def test_every_link_has_its_reason_and_every_factoid_without_one_too(
    first: list[list[str]], second: list[list[str]], threshold: float
) -> None:
    a, b = (factoid_list(numbered(letter, each), "") for letter, each in (("P", first), ("F", second)))
    found = pair(a, b, threshold)
    strong_a, strong_b = {link.a for link in found.strong}, {link.b for link in found.strong}
    assert len(found.strong) == len(strong_a) == len(strong_b)
    for link in (*found.strong, *found.weak):
        assert link.f == f1(a.by_id[link.a].sentences, b.by_id[link.b].sentences) > 0
    assert all(link.f >= threshold for link in found.strong)
    pointing = [link.a if link.direction == "A->B" else link.b for link in found.weak]
    assert len(pointing) == len(set(pointing))
    assert all(link.b in strong_b if link.direction == "A->B" else link.a in strong_a for link in found.weak)
    assert set(found.unlinked_a) == a.by_id.keys() - strong_a - set(pointing)
    assert set(found.unlinked_b) == b.by_id.keys() - strong_b - set(pointing)
    for one in a.factoids:
        for other in b.factoids:
            f = f1(one.sentences, other.sentences)
            assert one.id in strong_a or other.id in strong_b or not f or f < threshold


def test_words_of_descriptions_take_their_weight(capsys: pytest.CaptureFixture[str], tmp_path: Path) -> None:
    texts = ["M01", "M02"]
    plain = {"annotator": "A", "texts": texts}
    a = [{"id": "P1", "description": "Free ELECTIONS, soon", "sentences": ["M01-1", "M02-1"]}]
    b = [
        {"id": "F1", "description": "a coup", "sentences": ["M01-1", "M02-1"]},
        {"id": "F2", "description": "free elections", "sentences": ["M01-1"]},
        {"id": "F3", "description": "free elections soon", "sentences": ["M02-2"]},
    ]
    paths = [write(tmp_path / name, {**plain, "factoids": each}) for name, each in (("A.json", a), ("B.json", b))]
    assert answer(capsys, "pair", *paths)["strong"] == [{"a": "P1", "b": "F1", "f": 1.0}]
    # F1: 1 and 0, halved 1/2. F2: 2/3 of sentences, 2 * 2 / (3 + 2) of words, halved 11/15. F3 shares no sentence.
    found = answer(capsys, "pair", *paths, "--description-weight", "0.5", "--threshold", "0.7")
    assert found["strong"] == [{"a": "P1", "b": "F2", "f": pytest.approx(11 / 15)}]
    assert found["weak"] == [{"from": "F1", "to": "P1", "f": 0.5, "direction": "A<-B"}]
    assert found["unlinked"] == {"a": [], "b": ["F3"]}
    # With descriptions alone, F1 shares no word and has no link at all.
    assert answer(capsys, "pair", *paths, "--description-weight", "1")["unlinked"]["b"] == ["F1", "F3"]


def test_the_demo_lists_are_paired_and_compared_with_their_relations(capsys: pytest.CaptureFixture[str]) -> None:
    found = answer(capsys, "pair", DEMO_A, DEMO_B, "--relations", DEMO_RELATIONS)
    strong = [(link["a"], link["b"]) for link in found["strong"]]
    assert strong[:4] == [("P2", "F1.1"), ("P3", "F1.3"), ("P6", "F2.1"), ("P9", "F4.1")]
    assert strong[4:] == [("P5", "F1.2"), ("P7", "F2.3"), ("P8", "F3.1")]
    assert len(found["weak"]) == 8
    compared = found["relations"]
    assert compared["table"]["equal"] == {"strong": 3, "A<-B": 0, "A->B": 0, "unlinked": 0}
    assert compared["table"]["subsumes"] == {"strong": 0, "A<-B": 0, "A->B": 0, "unlinked": 1}
    assert compared["table"]["related"] == {"strong": 0, "A<-B": 1, "A->B": 0, "unlinked": 0}
    # Of the 15 links, P5-F1.2 and all weak ones but F4.2 -> P5 have no relation.
    assert compared["n_not_judged"] == 8
    assert compared["rates"]["subsumption_linked"] == 3 / 4


def test_the_text_form_shows_either_side_of_a_weak_link_and_what_has_none(
    capsys: pytest.CaptureFixture[str], tmp_path: Path
) -> None:
    a = write(tmp_path / "A.json", list_json(TEXTS, {"P1": SENTENCES[:2], "P2": SENTENCES[4:6]}))
    b = write(tmp_path / "B.json", list_json(TEXTS, {"F1": SENTENCES[:2], "F2": SENTENCES[1:3], "F3": []}, "B"))
    assert main(["factoids", "pair", str(a), str(b), "--text"]) == 0
    blocks = capsys.readouterr().out.rstrip("\n").split("\n\n")
    assert [block.split("\n")[0] for block in blocks[:2]] == [
        "PAIRED [P1] [F1] | 1.000000",
        "UNPAIRED > [F2] BEST < [P1] | 0.500000",
    ]
    assert blocks[1].split("\n")[3:] == ["= M01-002", "< M01-001", "> M01-003"]
    assert blocks[2:] == ["UNLINKED < [P2] ", "UNLINKED > [F3] "]


def test_a_share_of_nothing_is_none() -> None:
    a, b = list_of(TEXTS, {"P1": SENTENCES[:1]}), list_of(TEXTS, {"F1": SENTENCES[:1]}, "B")
    found = comparison(pair(a, b), {})
    assert found["n_not_judged"] == 1
    assert set(rates(found["table"]).values()) == {None}
    assert [sum(found["table"][relation].values()) for relation in RELATIONS] == [0] * 5
