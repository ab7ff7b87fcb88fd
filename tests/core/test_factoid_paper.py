"""Every number that Teufel and van Halteren (2004) print, or that follows from what they print."""

import json
from itertools import product
from typing import Any

import pytest

from al_worker.factoids.agreement import annotation_agreement, chance_corrected, definition_agreement
from al_worker.factoids.atomicity import atomicity
from al_worker.factoids.comparison import COLUMNS, rates
from al_worker.factoids.layout import marks, pairing_text
from al_worker.factoids.lists import RELATIONS
from al_worker.factoids.pairing import THRESHOLD, f1, pair
from al_worker.factoids.reading import factoid_list
from tests.core.factoid_lists import list_in_texts
from tests.shared import shared_file

FIGURES = ("figure1_annotation_agreement", "figure3_definition_agreement")
ROWS = ("equal", "A subsumes B", "A subsumed by B", "different but related", "different and unrelated")


@pytest.fixture(scope="module")
def paper() -> Any:
    return json.loads(shared_file("factoids/factoids.json").read_text(encoding="utf-8"))


def list_with(factoid: dict[str, Any], texts: list[str], annotator: str) -> Any:
    return factoid_list({"annotator": annotator, "texts": texts, "factoids": [factoid]}, f"{annotator}.json")


def test_its_two_pairs_have_the_printed_overlap_and_marks(paper: Any) -> None:
    assert [each["F"] for each in paper["pairs"]] == [1.0, 0.75]
    for each in paper["pairs"]:
        texts = sorted({sentence["id"].rpartition("-")[0] for sentence in each["sentences"]})
        a, b = (list_with(each[side], texts, side).factoids[0] for side in "ab")
        assert f1(a.sentences, b.sentences) == each["F"] == each["printed_F"]
        assert marks(a, b) == [(sentence["mark"], sentence["id"]) for sentence in each["sentences"]]


def test_p26_is_paired_with_f9_9_and_p27_points_at_it(paper: Any) -> None:
    assert paper["threshold_F"] == THRESHOLD
    paired, unpaired = paper["pairs"]
    texts = ["M01", "M05", "M07", "M14", "M18"]
    a = factoid_list({"annotator": "A", "texts": texts, "factoids": [unpaired["a"], paired["a"]]}, "A.json")
    b = list_with(paired["b"], texts, "B")
    found = pair(a, b).written()
    assert found["strong"] == [{"a": "P26", "b": "F9.9", "f": 1.0}]
    assert found["weak"] == [{"from": "P27", "to": "F9.9", "f": 0.75, "direction": "A->B"}]
    assert found["unlinked"] == {"a": [], "b": []}
    # Printed as in section 4, without the words of the sentences.
    assert pairing_text(pair(a, b), a, b).split("\n\n") == [
        "PAIRED [P26] [F9.9] | 1.000000\n"
        "< P26 there is a claim that elections will be held\n"
        "> F9.9 Free elections to be organised\n"
        "= M01-010\n= M05-005\n= M07-006\n= M14-007\n= M18-008",
        "UNPAIRED < [P27] BEST > [F9.9] | 0.750000\n"
        "< P27 these elections will be free\n"
        "> F9.9 Free elections to be organised\n"
        "= M01-010\n= M05-005\n= M18-008\n> M07-006\n> M14-007",
    ]


def test_figure_2_has_its_ten_items_and_the_agreement_that_follows(paper: Any) -> None:
    example, computed = paper["definition_example"], paper["figure2_computed"]
    a, b = (
        list_in_texts(example["all_summaries"], {each["id"]: each["summaries"] for each in example[side]}, side)
        for side in ("A1", "A2")
    )
    relations = {(each["a"], each["b"]): each["relation"] for each in example["relations"]}
    items = [
        {
            "a": own,
            "b": other,
            "summary": text,
            "A1": int(text in a.by_id[own].texts),
            "A2": int(text in b.by_id[other].texts),
        }
        for own, other in relations
        for text in a.texts
    ]
    assert items == paper["figure2_items"]
    found = definition_agreement(a, b, relations)
    assert (found.n_items, found.n_annotators) == (10, 2)
    assert found.observed == computed["P_A"]
    assert found.expected == pytest.approx(computed["P_E_pooled"])
    assert found.kappa == pytest.approx(computed["K_pooled"])
    assert found.cohen == pytest.approx(computed["K_cohen"])
    assert (computed["K_pooled_fraction"], computed["K_cohen_fraction"]) == ("13/33", "4/9")


@pytest.mark.parametrize("figure", FIGURES)
def test_each_printed_kappa_follows_from_its_row_as_far_as_rounding_lets_it(paper: Any, figure: str) -> None:
    for row in paper[figure]:
        found = chance_corrected(row["P_A"], row["P_E"])
        assert found == pytest.approx(row["K_recomputed"], abs=5e-7)
        assert (round(found, 2) == row["K"]) == row["matches_to_2dp"]
        # Figure 1 prints three digits of both, figure 3 two.
        half = 0.0005 if figure == FIGURES[0] else 0.005
        corners = [chance_corrected(row["P_A"] + da, row["P_E"] + de) for da, de in product((-half, half), repeat=2)]
        low, high = min(corners), max(corners)
        assert [low, high] == pytest.approx(row["K_range_given_rounding_of_inputs"], abs=5e-5)
        assert (low - 0.005 <= row["K"] <= high + 0.005) is row["consistent_with_rounding"] is True


def test_the_printed_numbers_of_items_are_factoids_times_texts_with_the_slips_noted(paper: Any) -> None:
    printed = {(row["text"], row["phase"]): row["N"] for row in paper[FIGURES[0]]}
    for factoids, phase in ((153, 1), (147, 2)):
        texts = [f"M{number:02}" for number in range(1, 21)]
        one = list_in_texts(texts, {f"P{at}": [texts[at % 20]] for at in range(factoids)})
        assert annotation_agreement([one, one]).n_items == factoids * 20 == printed["Kuwait", phase]
    # Section 3.1 says that 154 x 20 is 2,940. It is 3,080, and 2,940 is 147 x 20.
    assert (154 * 20, 147 * 20) == (3080, 2940)
    # 14,178 is no multiple of the 50 texts that the paper mentions, but of 51.
    assert printed["Fortuyn", 1] == printed["Fortuyn", 2] == 278 * 51
    assert printed["Fortuyn", 1] % 50
    # The relations of figure 3: 178 in phase 1, 162 in phase 2.
    assert [row["N"] / 20 for row in paper[FIGURES[1]]] == [178, 162]


def test_the_five_rates_follow_from_the_printed_cells_of_figure_4(paper: Any) -> None:
    printed = paper["figure4_pairing_vs_relations"]
    assert printed["columns"] == ["strong (A<=>B)", "weak A<-B", "weak A->B", "unlinked"]
    # A cell that is blank or "-" counts as no pair.
    cells = [[cell or 0 for cell in printed["rows"][row]] for row in ROWS]
    table = {relation: dict(zip(COLUMNS, row, strict=True)) for relation, row in zip(RELATIONS, cells, strict=True)}
    assert sum(row["strong"] for row in table.values()) == printed["totals"]["strong"] == 88
    assert sum(row["A<-B"] + row["A->B"] for row in table.values()) == printed["totals"]["weak"] == 87
    assert [round(value or 0, 3) for value in rates(table).values()] == [0.824, 0.044, 0.698, 0.034, 0.149]
    assert list(rates(table).values()) == pytest.approx([check["value"] for check in printed["checks"]], abs=5e-7)


def test_the_five_factoids_of_its_sentence_stand_only_where_each_tells_texts_apart(paper: Any) -> None:
    names = [each["id"] for each in paper["factoid_list_example"]["factoids"]]
    assert names == ["FP20", "FP21", "FP24", "FP25", "FP26"]
    texts = ["M01", *names]
    # M01 is the sentence with all five. Each other text lacks one of them.
    told_apart = list_in_texts(texts, {name: [text for text in texts if text != name] for name in names})
    assert atomicity(told_apart).indistinguishable == []
    alone = atomicity(list_in_texts(["M01", "M02"], {name: ["M01"] for name in names}))
    assert alone.indistinguishable == [names]
