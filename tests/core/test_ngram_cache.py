"""n-grams kept between rounds: the same batch as without, whatever lies in the folder and whoever writes there."""

import os
import random
import signal
import subprocess
import sys
import tempfile
import time
from pathlib import Path
from typing import Any

import numpy as np
import pytest
from hypothesis import given, settings
from hypothesis import strategies as st

from al_worker.core.acquisition import ngram_cache, ngram_density
from al_worker.core.acquisition.inputs import Inputs
from al_worker.core.acquisition.ngram_cache import NgramCache
from al_worker.core.acquisition.ngrams import NgramSettings, make_table
from al_worker.formats.run_directory import Item, read_json
from al_worker.formats.strategies import check_options
from tests.core.run_dirs import core, selected_ids, write_run

ROOT = Path(__file__).parents[2]
WORDS = st.sampled_from(["Rates", "rates", "rise", "fall", ",", "İ", "now", "we agree", "\x00", ""])
TEXTS = st.lists(st.lists(WORDS, max_size=6).map(" ".join), min_size=1, max_size=12)
THREE = NgramSettings(3, "words", True)


def picks_of(pool: list[str], read: list[str], make: Any, **options: Any) -> tuple[list[float], list[tuple]]:
    keys = np.array([f"{n:03d}" for n in range(len(pool))], dtype=np.bytes_)
    inputs = Inputs(pool_texts=pool, pool_keys=keys, issued_texts=read, make_ngram_table=make)
    found: Any = ngram_density.scores(inputs, check_options("ngram_density", options))
    return found.scores.tolist(), list(found.picks(frozenset()))


@settings(max_examples=25)
@given(
    first=TEXTS,
    added=TEXTS,
    cut=st.integers(0, 12),
    j=st.integers(1, 4),
    tokenizer=st.sampled_from(["words", "whitespace"]),
    lowercase=st.booleans(),
)
def test_it_gives_the_same_order_and_scores_as_without_a_cache(
    first: list[str], added: list[str], cut: int, j: int, tokenizer: str, lowercase: bool
) -> None:
    options = {"j": j, "tokenizer": tokenizer, "lowercase": lowercase}
    with tempfile.TemporaryDirectory() as folder:
        # A first batch, a later one over the same texts, one after texts were added, and one over a part of them.
        for pool, read in ((first, []), (first[cut:], first[:cut]), (first[cut:] + added, first[:cut]), (added, [])):
            if pool:
                cached = picks_of(pool, read, NgramCache(Path(folder)).table, **options)
                assert cached == picks_of(pool, read, make_table, **options)


def test_it_makes_an_index_once_and_finds_it_for_every_part_of_its_texts(tmp_path: Path) -> None:
    cache = NgramCache(tmp_path)
    outcomes = []
    for texts in (["a b", "c", "d"], ["d", "a b"], ["c", "c", "c"], ["c", "new"], ["new"], ["d", "new"]):
        cache.table(texts, THREE)
        outcomes.append(cache.outcome)
    assert outcomes == ["built", "found", "found", "built", "found", "built"]


@pytest.mark.parametrize("other", [(2, "words", True), (3, "whitespace", True), (3, "words", False)])
def test_it_keeps_other_ways_to_count_apart(tmp_path: Path, other: tuple[int, str, bool]) -> None:
    NgramCache(tmp_path).table(["A, b"], THREE)
    cache = NgramCache(tmp_path)
    table = cache.table(["A, b"], NgramSettings(*other))
    assert cache.outcome == "built"
    assert table.ngrams.data.tolist() == make_table(["A, b"], NgramSettings(*other)).ngrams.data.tolist()


def index_files(cache: Path) -> list[Path]:
    return sorted(path for path in cache.glob("grams/*/*/*"))


@pytest.mark.parametrize("file", ["keys.bin", "data.npy", "offsets.npy", "lengths.npy"])
@pytest.mark.parametrize("damage", ["gone", "empty", "cut"])
def test_it_makes_a_damaged_index_anew(tmp_path: Path, file: str, damage: str) -> None:
    texts = ["a b c", "b c d", "e"]
    NgramCache(tmp_path).table(texts, THREE)
    path = next(path for path in index_files(tmp_path) if path.name == file)
    if damage == "gone":
        path.unlink()
    else:
        path.write_bytes(path.read_bytes()[: 0 if damage == "empty" else -8])
    cache = NgramCache(tmp_path)
    assert picks_of(texts, [], cache.table) == picks_of(texts, [], make_table)
    assert cache.outcome == "built"
    cache.table(texts, THREE)
    assert cache.outcome == "found"


def test_it_keeps_the_indexes_used_last(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(ngram_cache, "MOST_INDEXES", 2)
    cache = NgramCache(tmp_path)
    for text, age in (("a", 30), ("b", 20)):
        cache.table([text], THREE)
        newest = max(tmp_path.glob("grams/*/*"), key=lambda path: path.stat().st_mtime)
        os.utime(newest, (time.time() - age, time.time() - age))
    cache.table(["a"], THREE)
    cache.table(["c"], THREE)
    outcomes = []
    for text in ("a", "c", "b"):
        cache.table([text], THREE)
        outcomes.append(cache.outcome)
    assert outcomes == ["found", "found", "built"]


def pool_of(n: int) -> list[Item]:
    draw = random.Random(3)
    words = [f"w{number}" for number in range(300)]
    return [Item(f"i{k}", " ".join(draw.choice(words) for _ in range(12))) for k in range(n)]


def select_in_process(run: Path, cache: Path) -> subprocess.Popen[str]:
    command = [sys.executable, "-m", "al_worker.core", "select", str(run), "--cache", str(cache), "--force"]
    return subprocess.Popen(command, cwd=ROOT, stdout=subprocess.DEVNULL, stderr=subprocess.PIPE, text=True)


def test_it_can_be_written_by_two_processes_at_once(tmp_path: Path) -> None:
    runs = [write_run(tmp_path / name, strategy="ngram_density", pool=pool_of(4000)) for name in ("a", "b")]
    processes = [select_in_process(run, tmp_path / "cache") for run in runs]
    for process in processes:
        assert process.communicate()[1] == "" and process.returncode == 0
    assert core("select", alone := write_run(tmp_path / "c", strategy="ngram_density", pool=pool_of(4000))) == 0
    assert selected_ids(runs[0]) == selected_ids(runs[1]) == selected_ids(alone)
    assert len(list((tmp_path / "cache").glob("grams/*/*"))) == 1


def test_it_leaves_no_half_index_when_killed(tmp_path: Path) -> None:
    run, cache = write_run(tmp_path / "run", strategy="ngram_density", pool=pool_of(8000)), tmp_path / "cache"
    process = select_in_process(run, cache)
    while process.poll() is None and not list(cache.glob("grams/*/*")):
        time.sleep(0.001)
    process.send_signal(signal.SIGKILL)
    process.communicate()
    again = select_in_process(run, cache)
    assert again.communicate()[1] == "" and again.returncode == 0
    assert core("select", plain := write_run(tmp_path / "plain", strategy="ngram_density", pool=pool_of(8000))) == 0
    assert (run / "selected.jsonl").read_bytes() == (plain / "selected.jsonl").read_bytes()


def test_it_drops_what_a_killed_process_left_an_hour_ago(tmp_path: Path) -> None:
    NgramCache(tmp_path).table(["a"], THREE)
    parent = next((tmp_path / "grams").iterdir())
    for name in (".old.1", ".young.2"):
        (parent / name).mkdir()
    os.utime(parent / ".old.1", (time.time() - 4000, time.time() - 4000))
    NgramCache(tmp_path).table(["b"], THREE)
    assert sorted(path.name for path in parent.iterdir() if path.name.startswith(".")) == [".young.2"]


def test_it_says_on_the_record_where_the_grams_came_from(tmp_path: Path) -> None:
    run = write_run(tmp_path / "run", strategy="ngram_density", pool=pool_of(30))
    outcomes = []
    for _ in range(2):
        assert core("select", run, "--force") == 0
        outcomes.append(read_json(run / "record.json")["steps"]["select"]["facts"]["gram_index"])
    assert outcomes == ["built", "found"]


def test_it_selects_where_the_cache_cannot_be_written_and_says_so(tmp_path: Path) -> None:
    run = write_run(tmp_path / "run", strategy="ngram_density", pool=pool_of(30))
    (tmp_path / "cache").write_text("a file where the folder should be")
    assert core("select", run) == 0 and len(selected_ids(run)) == 5
    facts = read_json(run / "record.json")["steps"]["select"]["facts"]
    assert facts["gram_index"].startswith("built, not kept in ")
