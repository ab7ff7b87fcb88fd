"""Successive models on the stopping set: hand-worked vectors, scikit-learn, and the score step on real files."""

import json
from pathlib import Path

import pytest
from hypothesis import given
from hypothesis import strategies as st

from al_worker.core.evaluation.stopping import changed_share, delta_f, stopping_figures
from al_worker.formats.kappa import cohen_kappa
from al_worker.formats.run_directory import (
    METRICS,
    PREVIOUS_STOPPING,
    RECORD,
    STOPPING,
    STOPPING_SET,
    Item,
    RunDirectoryError,
    read_json,
    read_labels,
    write_items,
    write_labels,
)
from tests.core.run_dirs import core, sentences, write_run

two = st.lists(st.tuples(st.sampled_from("01"), st.sampled_from("01")), min_size=1, max_size=40)


def test_it_gives_the_hand_worked_kappa() -> None:
    assert cohen_kappa("0011010010", "0011010110") == pytest.approx(0.8)
    assert changed_share("0011010010", "0011010110") == pytest.approx(0.1)


def test_it_gives_the_hand_worked_change_in_f() -> None:
    assert delta_f("1110001000", "1100011000", "1") == pytest.approx(0.25)


def test_it_defines_what_has_no_quotient() -> None:
    assert cohen_kappa("0000", "0000") == 1
    assert cohen_kappa("0000", "1111") == 0
    assert delta_f("0000", "0000", "1") is None
    assert delta_f("0000", "0001", "1") == 1


@given(two)
def test_it_agrees_with_scikit_learn(pairs: list[tuple[str, str]]) -> None:
    from sklearn.metrics import cohen_kappa_score, f1_score

    old, new = [a for a, _ in pairs], [b for _, b in pairs]
    if old != new:
        assert cohen_kappa(old, new) == pytest.approx(cohen_kappa_score(old, new))
    change = delta_f(old, new, ["1"])
    if change is None:
        assert "1" not in old + new
    else:
        assert change == pytest.approx(1 - f1_score(old, new, pos_label="1", zero_division=0))


@given(st.permutations(range(8)), st.lists(st.sampled_from(["a", "b", "c"]), min_size=8, max_size=8))
def test_it_does_not_depend_on_the_order_of_the_ids(order: list[int], labels: list[str]) -> None:
    now = {str(n): labels[n] for n in range(8)}
    previous = {str(n): labels[-n - 1] for n in range(8)}
    shuffled = {str(n): now[str(n)] for n in order}
    assert stopping_figures(previous, shuffled, ["a"]) == stopping_figures(previous, now, ["a"])


def test_it_compares_the_ids_that_both_have() -> None:
    figures = stopping_figures({"a": "yes", "b": "no", "x": "no"}, {"a": "yes", "b": "yes", "c": "no"}, [])
    assert figures == {"n_compared": 2, "changed_share": 0.5, "kappa": 0.0, "delta_f": None}
    assert stopping_figures({}, {"a": "yes"}, ["yes"])["kappa"] is None


def run_of(folder: Path, n_labeled: int) -> Path:
    """A round over 40 sentences, of which the first are labelled and leave the pool; the set is every third."""
    items = sentences(40)
    run = write_run(
        folder,
        strategy="entropy",
        model="bow-logreg",
        pool=items[n_labeled:],
        labeled=items[:n_labeled],
        model_table={"labels": ["no", "yes"], "positive_labels": ["yes"]},
    )
    write_items(run / STOPPING_SET, [Item(item.id, item.text) for item in items[::3]])
    return run


def test_it_compares_a_round_with_the_one_before_on_what_neither_was_trained_on(tmp_path: Path) -> None:
    first, second = run_of(tmp_path / "1", 2), run_of(tmp_path / "2", 12)
    assert core("round", first) == 0
    figures = read_json(first / METRICS)["stopping"]
    # Of the 14 items of the set s0 is among the two labelled ones.
    assert (figures["n"], figures["n_unseen"], figures["n_compared"], figures["kappa"]) == (14, 13, 0, None)
    said = read_labels(first / STOPPING)[""]
    assert list(said) == [item.id for item in sentences(40)[3::3]]
    (second / PREVIOUS_STOPPING).write_bytes((first / STOPPING).read_bytes())
    assert core("round", second) == 0
    figures, now = read_json(second / METRICS)["stopping"], read_labels(second / STOPPING)[""]
    # s0, s3, s6 and s9 are among the twelve.
    assert list(now) == [item.id for item in sentences(40)[12::3]]
    assert (figures["n"], figures["n_unseen"], figures["n_compared"]) == (14, 10, 10)
    assert figures["changed_share"] == sum(now[name] != said[name] for name in now) / 10
    assert figures["kappa"] == pytest.approx(cohen_kappa([said[name] for name in now], list(now.values())))
    assert figures["predicted_share"]["yes"] == sum(label == "yes" for label in now.values()) / 10
    chosen = read_json(second / RECORD)["steps"]["select"]["facts"]["selected_entropy_over_ln_c"]
    assert chosen >= read_json(second / METRICS)["pool"]["entropy_over_ln_c"]["mean"]


def test_it_compares_nothing_where_the_whole_set_was_learned(tmp_path: Path) -> None:
    run = run_of(tmp_path / "run", 12)
    write_items(run / STOPPING_SET, [Item(item.id, item.text) for item in sentences(40)[:12:3]])
    assert core("round", run) == 0
    figures = read_json(run / METRICS)["stopping"]
    assert (figures["n"], figures["n_unseen"], figures["kappa"], figures["predicted_share"]) == (4, 0, None, {})
    assert (run / STOPPING).read_text() == ""


def test_it_scores_again_where_the_set_or_the_previous_changed(tmp_path: Path) -> None:
    run = run_of(tmp_path / "run", 12)
    assert core("round", run) == 0
    marker = run / "steps" / "score.json"
    before = json.loads(marker.read_text())["started_at"], marker.stat().st_mtime_ns
    assert core("round", run) == 0
    assert marker.stat().st_mtime_ns == before[1]
    write_labels(run / PREVIOUS_STOPPING, read_labels(run / STOPPING))
    assert core("round", run) == 0
    assert read_json(run / METRICS)["stopping"]["kappa"] == 1
    (run / STOPPING).unlink()
    assert core("round", run) == 0
    assert (run / STOPPING).is_file()


def test_it_writes_nothing_of_it_without_a_set(tmp_path: Path) -> None:
    run = run_of(tmp_path / "run", 12)
    (run / STOPPING_SET).unlink()
    assert core("round", run) == 0
    assert read_json(run / METRICS)["stopping"] is None
    assert not (run / STOPPING).exists()


def test_it_names_the_line_that_is_wrong(tmp_path: Path) -> None:
    path = tmp_path / PREVIOUS_STOPPING
    path.write_text('{"id": "a", "label": "yes"}\n{"id": "a", "label": "no"}\n')
    with pytest.raises(RunDirectoryError, match='line 2: id "a" was already given'):
        read_labels(path)
    path.write_text('{"id": "a"}\n')
    with pytest.raises(RunDirectoryError, match='line 1: "label" is missing'):
        read_labels(path)


def test_it_writes_one_line_an_item_for_several_heads(tmp_path: Path) -> None:
    said = {"opinion": {"x": "yes", "y": "no"}, "mp": {"x": "no", "z": "yes"}}
    write_labels(tmp_path / STOPPING, said)
    lines = [json.loads(line) for line in (tmp_path / STOPPING).read_text().splitlines()]
    assert lines == [
        {"id": "x", "labels": {"opinion": "yes", "mp": "no"}},
        {"id": "y", "labels": {"opinion": "no"}},
        {"id": "z", "labels": {"mp": "yes"}},
    ]
    assert read_labels(tmp_path / STOPPING) == said
    write_labels(tmp_path / STOPPING, {"": said["opinion"]})
    assert (tmp_path / STOPPING).read_text() == '{"id": "x", "label": "yes"}\n{"id": "y", "label": "no"}\n'
