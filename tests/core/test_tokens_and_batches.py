from collections.abc import Sequence
from pathlib import Path

import numpy as np
import pytest

from al_worker.core.backends.batches import plan_batches, plan_shards
from al_worker.core.backends.fine_tuning import padded
from al_worker.core.backends.tokens import TokenCache, text_digest


class Counter:
    """A tokenizer that gives a number a word and remembers what it was asked."""

    def __init__(self) -> None:
        self.asked: list[str] = []

    def __call__(self, texts: Sequence[str]) -> list[list[int]]:
        self.asked += texts
        return [[len(word) for word in text.split()] for text in texts]


def quiet(done: int, new: int) -> None:
    return None


def test_it_tokenises_each_text_once_over_rounds_and_processes(tmp_path: Path) -> None:
    first = Counter()
    table = TokenCache(tmp_path, "tok", first).table(["a bb", "ccc", "a bb"], quiet)
    assert first.asked == ["a bb", "ccc"] and table.n_new == 2
    assert [table.row(i).tolist() for i in range(3)] == [[1, 2], [3], [1, 2]]
    second = Counter()
    table = TokenCache(tmp_path, "tok", second).table(["ccc", "dddd", "a bb", ""], quiet)
    assert second.asked == ["dddd", ""]
    assert [table.row(i).tolist() for i in range(4)] == [[3], [4], [1, 2], []]
    assert table.lengths.tolist() == [1, 1, 2, 0]


def test_it_joins_texts_of_several_segments_in_the_order_asked_for(tmp_path: Path) -> None:
    TokenCache(tmp_path, "tok", Counter()).table(["a bb", "ccc", ""], quiet)
    table = TokenCache(tmp_path, "tok", Counter()).table(["dddd e", "ccc", "", "a bb"], quiet)
    assert len(table.segments) == 2
    assert table.joined(np.array([3, 0, 2, 1])).tolist() == [1, 2, 4, 1, 3]
    for order in ([0], [2, 2, 3], [1, 0, 3]):
        assert table.joined(np.array(order)).tolist() == [token for row in order for token in table.row(row)]


def test_it_pads_on_the_right_and_masks_only_where_something_is_padded(tmp_path: Path) -> None:
    table = TokenCache(tmp_path, "tok", Counter()).table(["a bb ccc", "dd", "eeee f"], quiet)
    ids, mask = padded(table, np.array([0, 1, 2]), 3, False, 9)
    assert ids.tolist() == [[1, 2, 3], [2, 9, 9], [4, 1, 9]]
    assert mask is not None and mask.tolist() == [[1, 1, 1], [1, 0, 0], [1, 1, 0]]
    ids, mask = padded(table, np.array([2]), 2, True, 9)
    assert ids.tolist() == [[4, 1]] and mask is None


def test_it_keeps_tokenizers_apart(tmp_path: Path) -> None:
    TokenCache(tmp_path, "one", Counter()).table(["a"], quiet)
    other = Counter()
    TokenCache(tmp_path, "two", other).table(["a"], quiet)
    assert other.asked == ["a"]


def test_it_takes_no_notice_of_a_segment_that_was_not_finished(tmp_path: Path) -> None:
    (tmp_path / "tokens" / "tok" / ".half.123").mkdir(parents=True)
    assert TokenCache(tmp_path, "tok", Counter()).table(["a"], quiet).row(0).tolist() == [1]


def test_it_shares_a_segment_that_another_process_wrote_first(tmp_path: Path) -> None:
    class Overtaken(Counter):
        def __call__(self, texts: Sequence[str]) -> list[list[int]]:
            TokenCache(tmp_path, "tok", Counter()).table(["a", "bb"], quiet)
            return super().__call__(texts)

    table = TokenCache(tmp_path, "tok", Overtaken()).table(["a", "bb"], quiet)
    assert [table.row(i).tolist() for i in range(2)] == [[1], [2]]
    assert len(list((tmp_path / "tokens" / "tok").iterdir())) == 1


def keys(n: int) -> list[bytes]:
    return [text_digest(str(i)) for i in range(n)]


def test_it_never_pads_beyond_the_budget_and_leaves_nothing_out() -> None:
    lengths = np.random.default_rng(0).integers(1, 60, size=500)
    batches = plan_batches(lengths, keys(500), budget=256, exact_rows=1000)
    assert sorted(np.concatenate([batch.rows for batch in batches]).tolist()) == list(range(500))
    assert all(batch.length * len(batch.rows) <= 256 and batch.length == lengths[batch.rows].max() for batch in batches)
    assert [batch.length for batch in batches] == sorted((batch.length for batch in batches), reverse=True)
    padded = sum(batch.length * len(batch.rows) for batch in batches)
    assert padded < 1.1 * lengths.sum()


def test_it_pads_no_text_far_once_a_batch_is_worth_a_call() -> None:
    lengths = np.array([100] * 3 + [91] * 3 + [89] * 3 + [20] * 3)
    batches = plan_batches(lengths, keys(12), budget=1600, exact_rows=99)
    assert [(batch.length, len(batch.rows)) for batch in batches] == [(100, 6), (89, 3), (20, 3)]
    few = plan_batches(np.array([100, 20, 20]), keys(3), budget=2400, exact_rows=99)
    assert [len(batch.rows) for batch in few] == [3], "200 tokens are no eighth of the budget"


def test_it_gives_a_text_longer_than_the_budget_a_batch_of_its_own() -> None:
    batches = plan_batches(np.array([9, 300, 5]), keys(3), budget=100, exact_rows=10)
    assert [batch.rows.tolist() for batch in batches] == [[1], [0, 2]]


def test_it_ends_a_large_batch_where_the_length_changes() -> None:
    lengths = np.array([7] * 5 + [6] * 2 + [5])
    batches = plan_batches(lengths, keys(8), budget=1000, exact_rows=4)
    assert [(batch.length, len(batch.rows), batch.exact) for batch in batches] == [(7, 5, True), (6, 3, False)]


def test_it_plans_the_same_whatever_the_order_of_the_pool() -> None:
    lengths, names = np.array([3, 3, 3, 5, 5, 2, 2]), keys(7)
    expected = [[names[row] for row in batch.rows] for batch in plan_batches(lengths, names, 7, 9)]
    for order in (np.array([6, 5, 4, 3, 2, 1, 0]), np.array([2, 0, 4, 6, 1, 3, 5])):
        shuffled = [names[i] for i in order]
        plan = plan_batches(lengths[order], shuffled, 7, 9)
        assert [[shuffled[row] for row in batch.rows] for batch in plan] == expected


def test_it_plans_nothing_for_nothing() -> None:
    assert plan_batches(np.array([], dtype=np.int64), [], 10, 1) == []
    assert plan_shards([], 5) == []


@pytest.mark.parametrize(("sentences", "sizes"), [(1, [2, 2, 2, 1]), (3, [4, 3]), (100, [7])])
def test_it_makes_shards_of_whole_batches(sentences: int, sizes: list[int]) -> None:
    batches = plan_batches(np.array([4] * 7), keys(7), budget=8, exact_rows=9)
    assert [sum(len(batch.rows) for batch in shard) for shard in plan_shards(batches, sentences)] == sizes
