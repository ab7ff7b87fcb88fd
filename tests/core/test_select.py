"""The select step on files: config.toml, the three JSONL files and predictions.npz alone."""

import json
from pathlib import Path

import numpy as np
import pytest

from al_worker.core.acquisition.ranking import text_key
from al_worker.formats.run_directory import Item, read_json, read_selected
from al_worker.formats.ties import tie_key
from tests.core.run_dirs import core, selected_ids, write_predictions, write_run


def items(*ids: str) -> list[Item]:
    return [Item(item_id, f"text of {item_id}") for item_id in ids]


IDS = tuple(f"s{n}" for n in range(10))
LABELED = [Item("l0", "a", "yes"), Item("l1", "b", "no")]


RANDOM = '[strategy]\nname = "random"\n'


def logits_of(p: list[float]) -> np.ndarray:
    return np.log(np.array([[1 - value, value] for value in p]))


def test_it_draws_the_first_batch_by_the_hash(tmp_path: Path) -> None:
    run = write_run(tmp_path / "run", strategy="random", pool=items(*IDS), round={"number": 0, "query_size": 10})
    assert core("select", run) == 0
    assert selected_ids(run) == ["s2", "s1", "s8", "s5", "s3", "s6", "s7", "s4", "s0", "s9"]
    assert [entry.rank for entry in read_selected(run / "selected.jsonl")] == list(range(1, 11))


def test_it_orders_by_rounded_score_then_hash(tmp_path: Path) -> None:
    run = write_run(tmp_path / "run", strategy="entropy", pool=items(*IDS), labeled=LABELED, round={"query_size": 10})
    p = [0.5, 0.31, 0.69, 0.31, 0.98, 0.02, 0.5, 0.69, 0.31, 0.1]
    write_predictions(run, IDS, logits_of(p))
    assert core("select", run) == 0
    groups = [("s0", "s6"), ("s1", "s2", "s3", "s7", "s8"), ("s9",), ("s4", "s5")]
    expected = [item for group in groups for item in sorted(group, key=lambda i: tie_key(13, 1, i))]
    assert selected_ids(run) == expected


def test_it_keeps_the_scores_of_the_whole_pool(tmp_path: Path) -> None:
    run = write_run(tmp_path / "run", strategy="entropy", pool=items(*IDS), labeled=LABELED, round={"query_size": 2})
    write_predictions(run, IDS, logits_of([0.1 * n + 0.05 for n in range(10)]))
    assert core("select", run) == 0
    with np.load(run / "scores.npz") as scores:
        assert scores["ids"].tolist() == list(IDS)
        assert scores["scores"].dtype == np.float64
        by_id = dict(zip(scores["ids"].tolist(), scores["scores"].tolist(), strict=True))
    assert by_id["s0"] == pytest.approx(-(0.05 * np.log(0.05) + 0.95 * np.log(0.95)))
    assert [entry.score for entry in read_selected(run / "selected.jsonl")] == [by_id[i] for i in selected_ids(run)]


def test_it_never_hands_out_an_item_twice(tmp_path: Path) -> None:
    run = write_run(
        tmp_path / "run",
        strategy="random",
        pool=items(*IDS),
        labeled=[Item("s2", "x", "yes")],
        issued=items("s1", "s8"),
        round={"number": 0, "query_size": 3},
    )
    assert core("select", run) == 0
    assert selected_ids(run) == ["s5", "s3", "s6"]


def test_it_finds_predictions_by_id_in_any_order(tmp_path: Path) -> None:
    run = write_run(
        tmp_path / "run", strategy="entropy", pool=items("a", "b", "c"), labeled=LABELED, round={"query_size": 1}
    )
    write_predictions(run, ["c", "gone", "a", "b"], logits_of([0.9, 0.5, 0.4, 0.1]))
    assert core("select", run) == 0
    assert selected_ids(run) == ["a"]


def test_it_needs_no_training_table_and_no_model(tmp_path: Path) -> None:
    run = write_run(tmp_path / "run", strategy="cal", model="none", pool=items("a", "b"), labeled=LABELED)
    config = (run / "config.toml").read_text()
    (run / "config.toml").write_text(config + '\n[training]\nnonsense = "not looked at"\n[elsewhere]\nx = 1\n')
    write_predictions(
        run,
        ["a", "b"],
        logits_of([0.5, 0.9]),
        labeled_ids=np.array(["l1", "l0"]),
        labeled_logits=logits_of([0.1, 0.8]),
        pool_vectors=np.eye(2, dtype=np.float32),
        labeled_vectors=np.eye(2, dtype=np.float32),
    )
    assert core("select", run) == 0
    assert sorted(selected_ids(run)) == ["a", "b"]
    assert read_json(run / "record.json")["strategy"]["options"]["k"] == 100


@pytest.mark.parametrize(
    ("p", "words"),
    [
        ([[0.0, np.nan], [0, 1]], 'NonFiniteScores: pool_logits of 1 items are NaN or infinite, the first is "a"'),
        ([[0.0, 1], [np.inf, 1]], 'NonFiniteScores: pool_logits of 1 items are NaN or infinite, the first is "b"'),
        ([[0.0, 1], [-np.inf, -np.inf]], "NonFiniteScores: pool_logits of 1 items"),
        ([[0.0, 1]], "PredictionsMismatch: predictions.npz: pool_logits has shape"),
        ([[0, 1], [0, 1]], "PredictionsMismatch: predictions.npz: pool_logits holds int"),
    ],
)
def test_it_stops_at_predictions_that_are_no_numbers(
    tmp_path: Path, capsys: pytest.CaptureFixture[str], p: list, words: str
) -> None:
    run = write_run(tmp_path / "run", strategy="entropy", pool=items("a", "b"), labeled=LABELED)
    np.savez(run / "predictions.npz", pool_ids=np.array(["a", "b"]), pool_logits=np.array(p))
    assert core("select", run) == 3
    assert capsys.readouterr().err.startswith(words)
    assert not (run / "selected.jsonl").exists()


def test_it_takes_a_probability_of_zero(tmp_path: Path) -> None:
    run = write_run(tmp_path / "run", strategy="entropy", pool=items("a", "b"), labeled=LABELED)
    write_predictions(run, ["a", "b"], [[0, -np.inf, -np.inf], [np.log(0.5), np.log(0.5), -np.inf]])
    assert core("select", run) == 0
    assert [entry.score for entry in read_selected(run / "selected.jsonl")] == pytest.approx([np.log(2), 0])


def test_it_stops_where_a_score_becomes_infinite(tmp_path: Path, capsys: pytest.CaptureFixture[str]) -> None:
    run = write_run(tmp_path / "run", strategy="cal", pool=items("a"), labeled=LABELED)
    write_predictions(
        run,
        ["a"],
        [[0, -np.inf]],
        labeled_ids=np.array(["l0", "l1"]),
        labeled_logits=np.zeros((2, 2)),
        pool_vectors=np.ones((1, 2)),
        labeled_vectors=np.ones((2, 2)),
    )
    assert core("select", run) == 3
    assert 'NonFiniteScores: strategy "cal" gave 1 scores' in capsys.readouterr().err


@pytest.mark.parametrize(
    ("arrays", "words"),
    [
        ({"pool_ids": np.array(["a"])}, "lacks pool_logits"),
        (
            {"pool_ids": np.array(["a"]), "pool_logits": np.ones((1, 2))},
            'lacks 1 items of pool.jsonl, the first is "b"',
        ),
        ({"pool_ids": np.array(["a", "a", "b"]), "pool_logits": np.ones((3, 2))}, "holds an id twice"),
    ],
)
def test_it_refuses_predictions_of_another_pool(
    tmp_path: Path, capsys: pytest.CaptureFixture[str], arrays: dict, words: str
) -> None:
    run = write_run(tmp_path / "run", strategy="entropy", pool=items("a", "b"), labeled=LABELED)
    np.savez(run / "predictions.npz", **arrays)
    assert core("select", run) == 3
    error = capsys.readouterr().err
    assert error.startswith("PredictionsMismatch") and words in error


def test_it_refuses_pickles_and_broken_files(tmp_path: Path, capsys: pytest.CaptureFixture[str]) -> None:
    run = write_run(tmp_path / "run", strategy="entropy", pool=items("a"), labeled=LABELED)
    assert core("select", run) == 3
    assert "run the score step first" in capsys.readouterr().err
    np.savez(run / "predictions.npz", pool_ids=np.array(["a"], dtype=object), pool_logits=np.ones((1, 2)))
    assert core("select", run) == 3
    assert "not a readable .npz file of plain arrays" in capsys.readouterr().err
    (run / "predictions.npz").write_bytes(b"PK\x03\x04 cut off")
    assert core("select", run) == 3
    assert "not a readable .npz file" in capsys.readouterr().err


def test_it_says_when_the_pool_or_the_labels_have_run_out(tmp_path: Path, capsys: pytest.CaptureFixture[str]) -> None:
    run = write_run(tmp_path / "a", strategy="random", pool=items("a"), issued=items("a"))
    assert core("round", run) == 3
    assert capsys.readouterr().err == (
        "PoolExhausted: all 1 items of pool.jsonl have been handed out; import more text or stop here\n"
    )
    run = write_run(tmp_path / "b", strategy="entropy", model="bow-logreg", pool=items("a"))
    assert core("round", run) == 3
    assert capsys.readouterr().err.startswith("NotEnoughLabels: labeled.jsonl holds no usable label")


def test_it_takes_all_of_a_pool_smaller_than_the_batch(tmp_path: Path) -> None:
    run = write_run(tmp_path / "run", strategy="random", pool=items("a", "b"), round={"query_size": 150})
    assert core("select", run) == 0
    assert sorted(selected_ids(run)) == ["a", "b"]
    assert read_json(run / "record.json")["notices"] == [
        "the pool holds 2 items, fewer than the 150 asked for: all were taken"
    ]


def test_it_leaves_out_repeated_texts_when_asked(tmp_path: Path) -> None:
    pool = [Item("a", "Yes."), Item("b", " yes. "), Item("c", "YES."), Item("d", "No.")]
    assert text_key(pool[0].text) == text_key(pool[1].text) == text_key(pool[2].text)
    repeated = write_run(tmp_path / "off", strategy="random", pool=pool, round={"query_size": 4})
    assert core("select", repeated) == 0 and len(selected_ids(repeated)) == 4
    run = write_run(tmp_path / "on", strategy="random", pool=pool, round={"query_size": 3, "no_duplicate_texts": True})
    assert core("select", run) == 0
    first = min("abc", key=lambda i: tie_key(13, 1, i))
    assert sorted(selected_ids(run)) == sorted([first, "d"])
    assert "only 2 items of distinct text are left" in read_json(run / "record.json")["notices"][0]


def test_it_adds_a_random_share_drawn_from_the_whole_pool(tmp_path: Path) -> None:
    ids = [f"i{n}" for n in range(100)]
    run = write_run(
        tmp_path / "run",
        strategy="entropy",
        pool=items(*ids),
        labeled=LABELED,
        round={"query_size": 10, "random_share": 0.2},
    )
    p = [0.5 - 0.004 * n for n in range(100)]
    write_predictions(run, ids, logits_of(p))
    assert core("select", run) == 0
    entries = read_selected(run / "selected.jsonl")
    assert [entry.source for entry in entries] == ["strategy"] * 8 + ["random"] * 2
    drawn = [entry.id for entry in entries[8:]]
    assert [entry.id for entry in entries[:8]] == [i for i in ids if i not in drawn][:8]
    facts = read_json(run / "record.json")["steps"]["select"]["facts"]
    assert facts["random_share_inclusion_probability"] == 2 / 100
    write_predictions(run, ids, logits_of(p[::-1]))
    assert core("select", run) == 0
    assert [entry.id for entry in read_selected(run / "selected.jsonl")[8:]] == drawn


def test_it_warns_when_cal_compares_with_more_than_half_of_the_labels(tmp_path: Path) -> None:
    arrays = {
        "labeled_ids": np.array(["l0", "l1"]),
        "labeled_logits": logits_of([0.1, 0.8]),
        "pool_vectors": np.ones((1, 2)),
        "labeled_vectors": np.ones((2, 2)),
    }
    for k, warned in ((1, False), (2, True)):
        run = write_run(
            tmp_path / str(k),
            strategy="cal",
            pool=items("a"),
            labeled=LABELED,
            options={"k": k},
            round={"query_size": 1},
        )
        write_predictions(run, ["a"], logits_of([0.5]), **arrays)
        assert core("select", run) == 0
        assert any("CAL compares" in notice for notice in read_json(run / "record.json")["notices"]) is warned


def test_it_writes_json_lines_of_progress(tmp_path: Path, capsys: pytest.CaptureFixture[str]) -> None:
    run = write_run(tmp_path / "run", strategy="random", pool=items(*IDS))
    assert core("round", run, "--progress", "json") == 0
    lines = [json.loads(line) for line in capsys.readouterr().out.splitlines()]
    assert [set(line) for line in lines] == [{"step", "fraction", "detail", "seconds"}] * len(lines)
    assert lines[0]["step"] == "select" and lines[-1]["fraction"] == 1.0


@pytest.mark.parametrize(
    ("table", "words"),
    [
        ('[strategy]\nname = "random"\n', '[round] lacks "number"'),
        (
            '[round]\nnumber = -1\nquery_size = 1\nrandom_state = 1\n[strategy]\nname = "random"\n',
            "number = -1 is outside",
        ),
        (
            "[round]\nnumber = 1\nquery_size = 1.5\nrandom_state = 1\n" + RANDOM,
            "query_size = 1.5 is not a whole number",
        ),
        ("[round]\nnumber = 1\nquery_size = 1\nrandom_state = 1\nshare = 1\n" + RANDOM, '[round] takes no "share"'),
        ("[round]\nnumber = 1\nquery_size = 1\nrandom_state = 1\n", "[strategy] needs a name"),
        (
            '[round]\nnumber = 1\nquery_size = 1\nrandom_state = 1\n[strategy]\nname = "best"\n',
            'unknown strategy "best"',
        ),
        ('[round]\nnumber = 1\nquery_size = 1\nrandom_state = 1\n[strategy]\nname = "cal"\nk = 0\n', 'option "k": 0'),
    ],
)
def test_it_names_what_is_wrong_in_the_config(
    tmp_path: Path, capsys: pytest.CaptureFixture[str], table: str, words: str
) -> None:
    run = write_run(tmp_path / "run", strategy="random", pool=items("a"))
    (run / "config.toml").write_text(table)
    assert core("select", run) == 3
    error = capsys.readouterr().err
    assert words in error and error.count("\n") == 1


def test_it_refuses_a_folder_that_another_process_works_on(tmp_path: Path, capsys: pytest.CaptureFixture[str]) -> None:
    from al_worker.core.run.lifetime import run_lock

    run = write_run(tmp_path / "run", strategy="random", pool=items("a"))
    with run_lock(run):
        assert core("select", run) == 3
    assert capsys.readouterr().err.startswith("RunBusy: another process works on")
    assert core("select", run) == 0


def test_it_says_that_there_is_no_such_folder(tmp_path: Path, capsys: pytest.CaptureFixture[str]) -> None:
    assert core("round", tmp_path / "nowhere") == 3
    assert "no such folder" in capsys.readouterr().err


@pytest.mark.parametrize(
    ("columns", "words"),
    [
        (1, "pool_logits has 1 columns, and config.toml names 2 labels"),
        (3, "pool_logits has 3 columns, and config.toml names 2 labels"),
    ],
)
def test_it_refuses_predictions_for_other_labels(
    tmp_path: Path, capsys: pytest.CaptureFixture[str], columns: int, words: str
) -> None:
    table = {"labels": ["no", "yes"]}
    run = write_run(tmp_path / "run", strategy="entropy", pool=items("a", "b"), labeled=LABELED, model_table=table)
    write_predictions(run, ["a", "b"], np.zeros((2, columns)))
    assert core("select", run) == 3
    assert f"PredictionsMismatch: predictions.npz: {words}" in capsys.readouterr().err


def test_it_leaves_no_older_batch_where_it_fails(tmp_path: Path) -> None:
    run = write_run(tmp_path / "run", strategy="entropy", pool=items("a", "b"), labeled=LABELED)
    write_predictions(run, ["a", "b"], np.zeros((2, 2)))
    assert core("select", run) == 0
    write_predictions(run, ["a", "b"], np.full((2, 2), np.nan))
    assert core("select", run) == 3
    assert not {"selected.jsonl", "scores.npz", "record.json"} & {path.name for path in run.iterdir()}


def test_it_refuses_a_table_that_nothing_reads_before_it_trains(
    tmp_path: Path, capsys: pytest.CaptureFixture[str]
) -> None:
    run = write_run(tmp_path / "run", strategy="entropy", model="bow-logreg", pool=items("a"), labeled=LABELED)
    with (run / "config.toml").open("a") as file:
        file.write("\n[trainng]\nepochs = 50\n")
    assert core("train", run) == 3
    assert "no table [trainng] is known; there are round, strategy, model, heads, training" in capsys.readouterr().err


def test_it_refuses_a_held_out_label_before_it_trains(tmp_path: Path, capsys: pytest.CaptureFixture[str]) -> None:
    held_out = [Item("h", "held out", "perhaps")]
    run = write_run(
        tmp_path / "run", strategy="entropy", model="bow-logreg", pool=items("a"), labeled=LABELED, evaluation=held_out
    )
    assert core("train", run) == 3
    assert 'evaluation.jsonl: label "perhaps" of "h" is not among those' in capsys.readouterr().err
    assert not (run / "model").exists()
