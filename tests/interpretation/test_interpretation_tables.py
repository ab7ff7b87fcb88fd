"""Tables 3 to 9 from figures that were worked out by hand."""

import csv
import io
from typing import Any

from al_worker.formats.interpretation_tables import MEASURES, evaluation_title, tables_of
from al_worker.formats.paper_csv import as_csv
from al_worker.formats.paper_latex import as_latex


def share(mean: float, n: int = 4) -> dict[str, Any]:
    return {"mean": mean, "low": mean - 0.1, "high": mean + 0.1, "n": n}


def accuracy(annotation: str, evaluation: str, value: float, in_depth: bool = False) -> dict[str, Any]:
    limits = {"value": value, "low": value - 0.2, "high": value + 0.2}
    return {"annotation": annotation, "evaluation": evaluation, "in_depth": in_depth, "n": 8, "accuracy": limits}


def system(name: str, title: str, filter_name: str, budget: int, parameters: int, rouge: float) -> dict[str, Any]:
    return {
        "name": name, "title": title, "kind": "bert", "model": "m", "filter": filter_name, "budget": budget,
        "parameters": parameters,
        "metrics": {
            "rouge": {"with_markers": {each: share(rouge + at / 10) for at, each in enumerate(MEASURES)}},
            "distinct_bigrams": 1234, "novel_bigrams": share(0.5), "closed_correctly": None,
            "categories": {"ACT": {"mean": 1.5, "population_sd": 0.5, "sample_sd": 0.7071}},
            "BERTScore F1 (enc, layer 6 of 6, no idf, no baseline)": share(0.25),
        },
        "equivalence": {
            "evaluations": [accuracy("act", "act", 0.75), accuracy("scope", "temporal scope", 0.5),
                            accuracy("act", "act negation", 0.25, in_depth=True)],
            "main_mean": 0.625, "in_depth_mean": 0.25, "confusion": [],
        },
    }  # fmt: skip


FIGURES: dict[str, Any] = {
    "split": "test",
    "systems": [
        system("big", "Big_1", "oracle", 512, 2_000_000, 0.4),
        system("small", "Small", "lead", 256, 1_000_000, 0.2),
    ],
    "references": {
        "distinct_bigrams": 99, "novel_bigrams": share(0.8), "closed_correctly": share(1.0),
        "categories": {
            "ACT": {"mean": 1.0, "population_sd": 0.0, "sample_sd": None},
            "SCOPE": {"mean": 0.25, "population_sd": 0.433, "sample_sd": 0.5},
        },
    },
    "comparisons": [{"first": "big", "second": "small", "evaluations": [
        {"annotation": "act", "evaluation": "act", "first_alone": 3, "second_alone": 1, "p": 0.625, "p_holm": 1.0}
    ]}],
}  # fmt: skip


def rows_of(key: str) -> list[dict[str, str]]:
    table = {table.key: table for table in tables_of(FIGURES)}[key]
    return list(csv.DictReader(io.StringIO(as_csv(table))))


def shown(key: str) -> list[list[str]]:
    table = {table.key: table for table in tables_of(FIGURES)}[key]
    return [[cell.text for cell in row] for row in table.rows]


def test_table_3_and_6_are_apart_and_end_with_their_mean() -> None:
    assert shown("accuracy") == [["Big_1", "75.00%", "50.00%", "62.50%"], ["Small", "75.00%", "50.00%", "62.50%"]]
    first = rows_of("accuracy")[0]
    assert first["system_key"] == "big"
    assert [float(first[f"act_act{end}"]) for end in ("", "_low", "_high", "_n")] == [0.75, 0.55, 0.95, 8]
    assert float(first["mean"]) == 0.625
    assert shown("accuracy-in-depth") == [["Big_1", "25.00%", "25.00%"], ["Small", "25.00%", "25.00%"]]


def test_table_4_begins_with_the_references() -> None:
    assert shown("generation") == [
        ["References", "–", "–", "–", "–", "99", "80.00%"],
        ["Big_1", "40.00", "50.00", "60.00", "25.00", "1,234", "50.00%"],
        ["Small", "20.00", "30.00", "40.00", "25.00", "1,234", "50.00%"],
    ]
    table = {table.key: table for table in tables_of(FIGURES)}["generation"]
    assert table.columns[4].title == "BERTScore F1 (enc, layer 6 of 6, no idf, no baseline)"


def test_table_5_shows_the_populations_deviation_and_files_have_both() -> None:
    assert shown("categories") == [
        ["References", "1.00 (±0.00)", "0.25 (±0.43)", "100.00%"],
        ["Big_1", "1.50 (±0.50)", "0.00 (±0.00)", "–"],
        ["Small", "1.50 (±0.50)", "0.00 (±0.00)", "–"],
    ]
    references, big, _ = rows_of("categories")
    assert (references["act_population_sd"], references["act_sample_sd"]) == ("0.0", "")
    assert (big["act_population_sd"], big["act_sample_sd"], big["closed_correctly"]) == ("0.5", "0.7071", "")


def test_tables_7_to_9_are_ordered_by_what_they_are_about() -> None:
    assert [row[:3] for row in shown("sizes")] == [["Small", "1.0M", "62.50%"], ["Big_1", "2.0M", "62.50%"]]
    assert [row[:3] for row in shown("filters")] == [["Small", "Lead", "62.50%"], ["Big_1", "Oracle", "62.50%"]]
    assert [row[:4] for row in shown("budgets")] == [
        ["Small", "Lead", "256", "62.50%"],
        ["Big_1", "Oracle", "512", "62.50%"],
    ]
    assert rows_of("sizes")[1]["parameters"] == "2000000"


def test_comparisons_name_both_systems() -> None:
    assert shown("comparisons") == [["Big_1", "Small", "Act", "3", "1", "0.625", "1.000"]]


def test_latex_escapes_titles_and_percent_signs() -> None:
    latex = as_latex(tables_of(FIGURES)[0])
    assert r"Big\_1 & 75.00\%\interval{55.0\%, 95.0\%}\nitems{8} & 50.00\%" in latex


def test_without_evaluations_their_tables_are_missing() -> None:
    systems = [{**each, "equivalence": None} for each in FIGURES["systems"]]
    keys = [table.key for table in tables_of({**FIGURES, "systems": systems, "comparisons": []})]
    assert keys == ["generation", "categories", "sizes", "filters", "budgets"]


def test_an_evaluation_is_called_by_its_category_where_its_name_does_not_say_it() -> None:
    assert evaluation_title("act", "act labels") == "Act labels"
    assert evaluation_title("scope", "future") == "Scope: future"
