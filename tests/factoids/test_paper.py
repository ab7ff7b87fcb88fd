"""What Teufel and van Halteren (2004) print, through the database."""

import json
from typing import Any

import pytest

from annotation_app.factoids.agreement import set_agreement
from annotation_app.factoids.disagreements import phase_disagreements
from annotation_app.factoids.pairing_view import pairing_view
from annotation_app.factoids.pairings import pairings_of
from tests.conftest import People
from tests.factoids.rows import judge, list_of, make_pairing, make_phase, make_set, make_short_set
from tests.shared import shared_file


@pytest.fixture(scope="module")
def paper() -> Any:
    return json.loads(shared_file("factoids/factoids.json").read_text(encoding="utf-8"))


def test_figure_2_gives_the_kappas_that_follow_from_it(people: People, paper: Any) -> None:
    alice, bob, _ = people.annotators
    example, items, computed = paper["definition_example"], paper["figure2_items"], paper["figure2_computed"]
    row = make_short_set(people.project, example["all_summaries"])
    own = [
        {each["id"]: [f"{text}-001" for text in each["summaries"]] for each in example[side]} for side in ("A1", "A2")
    ]
    phase = make_phase(row, "definition", {alice: own[0], bob: own[1]})
    pairing = make_pairing(list_of(phase, alice), list_of(phase, bob))
    judge(pairing, *((each["a"], each["b"], each["relation"]) for each in example["relations"]))

    found = set_agreement(row)["definition"][0]
    assert (found["N"], found["P_A"]) == (len(items), pytest.approx(computed["P_A"]))
    assert (found["P_E"], found["K"]) == (
        pytest.approx(computed["P_E_pooled"]),
        pytest.approx(computed["K_pooled"]),
    )
    assert found["cohen"] == pytest.approx(computed["K_cohen"])
    differing = {(each["id"], each["id_b"], each["text"]) for each in phase_disagreements(phase, pairing)}
    assert differing == {(each["a"], each["b"], each["summary"]) for each in items if each["A1"] != each["A2"]}


def test_p26_is_paired_with_f9_9_and_p27_points_at_it(people: People, paper: Any) -> None:
    alice, bob, _ = people.annotators
    row = make_set(people.project, {text: ["A sentence."] * 10 for text in ("M01", "M05", "M07", "M14", "M18")})
    paired, unpaired = paper["pairs"]
    own = {each["a"]["id"]: each["a"]["sentences"] for each in (paired, unpaired)}
    phase = make_phase(row, "definition", {alice: own, bob: {paired["b"]["id"]: paired["b"]["sentences"]}})
    made = make_pairing(list_of(phase, alice), list_of(phase, bob), threshold=paper["threshold_F"])

    view = pairing_view(pairings_of(people.project).get(pk=made.pk))
    names = {each.key: each.id for each in (*view["first_factoids"], *view["second_factoids"])}
    links = [(names[link["a"]], names[link["b"]], link["f"], link["direction"]) for link in view["links"]]
    assert links == [("P26", "F9.9", paired["printed_F"], None), ("P27", "F9.9", unpaired["printed_F"], "A->B")]
