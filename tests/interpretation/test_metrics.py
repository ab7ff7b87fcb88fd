"""Metrics of generated texts: by hand, as the paper prints them, and computed again by independent code."""

import json
from collections.abc import Callable
from pathlib import Path
from typing import Any

import pytest

from al_worker.core.interpretation.bertscore import bert_scores
from al_worker.core.interpretation.bigrams import bigrams, novel_share
from al_worker.core.interpretation.rouge import best_rouge
from tests.core.commands import Done, ran
from tests.interpretation import second_opinion
from tests.shared import shared_file

# Appendix D of the paper: what BART generated, and the figures that it prints of it.
GENERATED = (
    "[STD SENTENCE START] The [ACTOR START] Federal Reserve's Open Market Committee (Fed) [ACTOR END] [ACT START] "
    "voted unanimously at its July 8-9 meeting to ease monetary policy further (Might cut rates, in future) [ACT END], "
    "according to [REFERENCE START] minutes [REFERENCE END] of the session released today. [STD SENTENCE END]"
)
WITH, WITHOUT, NOVEL = (31.68, 17.00, 28.71), (30.38, 15.38, 27.85), 84.38


@pytest.fixture
def run(tmp_path: Path, capsys: pytest.CaptureFixture[str]) -> Callable[..., Done]:
    def run(references: list[dict[str, Any]], candidates: list[dict[str, Any]], *more: str) -> Done:
        paths = []
        for name, rows in (("references", references), ("candidates", candidates)):
            paths.append(tmp_path / f"{name}.jsonl")
            paths[-1].write_text("".join(json.dumps(row) + "\n" for row in rows), encoding="utf-8")
        return ran(capsys, "generation-metrics", *paths, *more)

    return run


def test_the_papers_example(run: Callable[..., Done]) -> None:
    target = (shared_file("semi-structured") / "example.txt").read_text(encoding="utf-8").strip()
    paper = shared_file("../papers/semi-structured-annotations.txt").read_text(encoding="utf-8")
    source = paper[paper.index("FEDERAL RESERVE press release For Use") : paper.index("**Target annotation:**")]
    done = run([{"id": "1", "targets": [target], "sentences": [source]}], [{"id": "1", "text": GENERATED}])
    found = json.loads(done.stdout)
    for key, printed in (("with_markers", WITH), ("without_markers", WITHOUT)):
        means = [round(100 * found["rouge"][key][name]["mean"], 2) for name in ("rouge1", "rouge2", "rougeLsum")]
        assert tuple(means) == printed
    assert round(100 * found["novel_bigrams"]["mean"], 2) == NOVEL
    assert found["closed_correctly"]["mean"] == 1
    assert found["left_out"] == {}
    assert done.stderr == ""


def test_twenty_texts_computed_again(run: Callable[..., Done]) -> None:
    rows = second_opinion.texts(seed=3, n=20)
    references = [{key: row[key] for key in ("id", "targets", "sentences")} for row in rows]
    done = run(references, [{"id": row["id"], "text": row["text"]} for row in reversed(rows)])
    found = json.loads(done.stdout)
    expected = second_opinion.figures(rows)
    for key, means in expected["rouge"].items():
        assert {name: value["mean"] for name, value in found["rouge"][key].items()} == pytest.approx(means)
    assert found["distinct_bigrams"] == expected["distinct_bigrams"]
    assert found["novel_bigrams"]["mean"] == pytest.approx(expected["novel_bigrams"])
    assert found["closed_correctly"]["mean"] == pytest.approx(expected["closed_correctly"])
    assert 0 < expected["closed_correctly"] < 1
    assert found["categories"].keys() == expected["categories"].keys()
    for name, values in expected["categories"].items():
        assert found["categories"][name] == pytest.approx(values)
    for value in (found["novel_bigrams"], found["closed_correctly"], *found["rouge"]["with_markers"].values()):
        assert value["low"] < value["mean"] < value["high"]
    assert found["references"]["closed_correctly"]["mean"] == 1
    assert found["references"]["n"] == sum(len(row["targets"]) for row in rows)


def test_the_best_reference_has_the_largest_sum() -> None:
    """Against the first 2/3, 0 and 2/3, against the second 4/7, 2/5 and 4/7, whose sum is larger."""
    second = {"rouge1": 4 / 7, "rouge2": 2 / 5, "rougeLsum": 4 / 7}
    assert best_rouge(["alpha beta"], [["alpha"], ["alpha beta gamma", "delta zeta"]]) == pytest.approx(second)
    assert best_rouge(["alpha"], [["beta"], ["gamma"]]) == {"rouge1": 0, "rouge2": 0, "rougeLsum": 0}
    assert best_rouge([], [["beta"]]) == {"rouge1": 0, "rouge2": 0, "rougeLsum": 0}


def test_bigrams_stay_within_sentences_and_the_source_is_one_text() -> None:
    assert bigrams(["a b", "c a b"]) == {("a", "b"), ("c", "a")}
    assert novel_share(["a b c", "b c d"], ["a b", "c x"]) == pytest.approx(1 / 3)
    assert novel_share(["a", "b"], ["a b"]) is None


def test_what_is_left_out_is_named(run: Callable[..., Done]) -> None:
    """Two texts have two acts and none: the mean is 1, one deviation 1, the other the square root of 2."""
    references = [
        {"id": "a", "targets": ["[ACT START] x y [ACT END]"], "sentences": ["x y", "z"], "kept": [1]},
        {"id": "b", "targets": ["x"]},
        {"id": "c", "targets": ["x"], "sentences": ["x"]},
        {"id": "d", "sentences": ["x"]},
    ]
    two = "[ACT START] x [ACT START] y [ACT END] z [ACT START] w [ACT END] v"
    candidates = [{"id": name, "text": text} for name, text in (("a", two), ("b", ""), ("d", "x"), ("e", "x"))]
    done = run(references, candidates)
    found = json.loads(done.stdout)
    assert found["left_out"] == {
        "without_candidate": ["c"],
        "without_targets": ["d"],
        "without_reference": ["e"],
        "without_source": ["b"],
        "without_marker": ["b"],
        "references_without_source": ["b target 0"],
        "references_without_marker": ["b target 0"],
    }
    assert found["categories"] == {
        "ACT": {"mean": 1, "population_sd": 1, "sample_sd": pytest.approx(2**0.5)},
    }
    assert (found["closed_correctly"]["mean"], found["closed_correctly"]["n"]) == (pytest.approx(2 / 3), 1)
    # Sentence 1 alone was kept, so the text's bigrams are all novel.
    assert (found["novel_bigrams"]["mean"], found["novel_bigrams"]["n"]) == (1, 1)
    assert found["distinct_bigrams"] == 4
    assert done.stderr.splitlines()[0] == "left out, without candidate: c"


def test_a_style_that_no_target_has_is_said(run: Callable[..., Done]) -> None:
    done = run([{"id": "a", "targets": ["[ACT_START] x [ACT_END]"]}], [{"id": "a", "text": "x"}])
    assert "no target has a marker of the style spaces; is --style right?" in done.stderr


@pytest.mark.parametrize(
    ("reference", "candidate", "message"),
    [
        (
            {"targets": ["x"]},
            {"id": "b"},
            "references.jsonl: no line of it has a target and a text in candidates.jsonl",
        ),
        ({"targets": "x"}, {}, 'references.jsonl line 1: "targets" must be a list'),
        ({"targets": [" "]}, {}, "references.jsonl line 1: targets[0] is empty"),
        ({"targets": [3]}, {}, "references.jsonl line 1: targets[0] must be a text form"),
        ({"sentences": []}, {}, 'references.jsonl line 1: "sentences" is empty; a source has a sentence or more'),
        ({"sentences": ["x", ""]}, {}, "references.jsonl line 1: sentences[1] must be a text that is not empty"),
        (
            {"sentences": ["x"], "kept": [1]},
            {},
            "references.jsonl line 1: kept[0] is no number of a sentence; there are 1",
        ),
        (
            {"targets": [{"text": "x", "spans": [{"start": 0, "end": 2, "category": "A"}]}]},
            {},
            "references.jsonl line 1: targets[0]: span 'A' 0 to 2: lies outside the text of 1 code points",
        ),
        ({"targets": ["x"]}, {"text": None}, 'candidates.jsonl line 1: "text" must be the generated text'),
    ],
)
def test_what_is_wrong_is_refused_with_its_line(
    run: Callable[..., Done], reference: dict[str, Any], candidate: dict[str, Any], message: str
) -> None:
    done = run([{"id": "a"} | reference], [{"id": "a", "text": "x"} | candidate])
    assert done.returncode == 3
    assert done.stderr.startswith(f"RunDirectoryError: {message}")


def test_targets_with_spans_are_written_as_text(run: Callable[..., Done]) -> None:
    spans = [{"start": 0, "end": 1, "category": "ACT", "comment": "c"}]
    references = [{"id": "a", "targets": [{"text": "x y", "spans": spans}]}]
    found = json.loads(run(references, [{"id": "a", "text": "[ACT START] x (c) [ACT END] y"}]).stdout)
    assert {key: value["mean"] for key, value in found["rouge"]["with_markers"].items()} == {
        "rouge1": 1,
        "rouge2": 1,
        "rougeLsum": 1,
    }


@pytest.mark.parametrize("layer", [0, 3])
def test_bertscore_is_what_its_package_gives(layer: int) -> None:
    from bert_score import BERTScorer

    from al_worker.formats.models import MINILM, model_folder

    rows = second_opinion.texts(seed=5, n=8)
    generated = [" ".join(second_opinion.sentences(row["text"], False)) for row in rows]
    references = [[" ".join(second_opinion.sentences(each, False)) for each in row["targets"]] for row in rows]
    folder = str(model_folder(MINILM))
    scorer = BERTScorer(model_type=folder, num_layers=layer or 6)
    packaged = scorer.score(generated, references)[2].tolist()
    found = bert_scores(generated, references, MINILM, layer)
    assert found.f1 == pytest.approx(packaged, abs=1e-5)
    assert found.title == f"BERTScore F1 (all-MiniLM-L6-v2, layer {layer or 6} of 6, no idf, no baseline)"
    # A folder of this machine is named by its own name alone.
    title = bert_scores(generated[:1], references[:1], folder, layer).title
    assert title == f"BERTScore F1 ({Path(folder).name}, layer {layer or 6} of 6, no idf, no baseline)"


def test_bertscore_counts_what_it_cuts_and_names_a_layer_that_is_not_there(run: Callable[..., Done]) -> None:
    references = [{"id": "a", "targets": ["rates rose"]}]
    long = [{"id": "a", "text": "rates " * 600}]
    done = run(references, long, "--bertscore", "all-MiniLM-L6-v2")
    column = "BERTScore F1 (all-MiniLM-L6-v2, layer 6 of 6, no idf, no baseline)"
    assert 0 < json.loads(done.stdout)[column]["mean"] < 1
    assert "1 texts are longer than all-MiniLM-L6-v2 takes, and were cut for BERTScore" in done.stderr
    refused = run(references, long, "--bertscore", "all-MiniLM-L6-v2", "--bertscore-layer", "7")
    assert refused.returncode == 3
    assert "has layers 1 to 6, and no 7" in refused.stderr
    assert bert_scores(["", "x"], [["a"], ["x", "y"]], "all-MiniLM-L6-v2", 0).f1 == pytest.approx([0, 1], abs=1e-5)
