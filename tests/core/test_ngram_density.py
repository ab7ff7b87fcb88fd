"""n-gram density against hand-worked values and against a naive search in exact fractions."""

import random
from fractions import Fraction
from typing import Any

import numpy as np
import pytest

from al_worker.core.acquisition import ngram_density
from al_worker.core.acquisition.inputs import Greedy, Inputs
from al_worker.formats.strategies import check_options

READ = ["inflation rose"]
POOL = ["rates should rise", "rates should rise now", "we we we agree", "inflation fell", "rates should fall"]


def run(read: list[str], pool: list[str], **options: Any) -> Any:
    keys = np.array([f"{i:03d}" for i in range(len(pool))], dtype=np.bytes_)
    given = Inputs(pool_texts=pool, pool_keys=keys, issued_texts=read)
    return ngram_density.scores(given, check_options("ngram_density", {"tokenizer": "whitespace", **options}))


@pytest.mark.parametrize(
    ("j", "weights", "picks"),
    [
        (1, [1, 1, 1, 1 / 2, 1], [(0, 1), (2, 1), (3, 1 / 2), (4, 1 / 3), (1, 1 / 4)]),
        (2, [5 / 3, 7 / 4, 7 / 4, 1, 5 / 3], [(1, 7 / 4), (2, 7 / 4), (3, 1), (4, 2 / 3), (0, 0)]),
        (3, [2, 9 / 4, 9 / 4, 1, 2], [(1, 9 / 4), (2, 9 / 4), (3, 1), (4, 1), (0, 0)]),
    ],
)
def test_it_gives_the_hand_worked_picks(j: int, weights: list[float], picks: list[tuple[int, float]]) -> None:
    found = run(READ, POOL, j=j)
    assert found.scores.tolist() == pytest.approx(weights, abs=1e-15)
    assert list(found.picks(frozenset())) == [(index, pytest.approx(weight, abs=1e-15)) for index, weight in picks]


def test_it_counts_an_unseen_gram_as_often_as_it_stands() -> None:
    assert run(READ, POOL, j=2).scores[2] == 7 / 4 != (2 + 2) / 4


def test_it_orders_by_the_first_weights_without_update_within_the_batch() -> None:
    from al_worker.core.acquisition.ranking import rank_order

    found = run(READ, POOL, j=2, update_within_batch=False)
    keys = np.array([b"0", b"1", b"2", b"3", b"4"])
    assert rank_order(found, keys).tolist() == [1, 2, 0, 4, 3]


def test_it_recomputes_only_what_reaches_the_top(monkeypatch: pytest.MonkeyPatch) -> None:
    calls = []
    weight = ngram_density._weight
    monkeypatch.setattr(ngram_density, "_weight", lambda *args: calls.append(1) or weight(*args))
    list(run(READ, POOL, j=2).picks(frozenset()))
    assert len(calls) == 7


def test_it_agrees_with_a_naive_search_in_fractions() -> None:
    draw = random.Random(5)
    for _ in range(60):
        texts = [
            " ".join(draw.choice("abcde") for _ in range(draw.randrange(0, 7))) for _ in range(draw.randrange(2, 14))
        ]
        cut, j = draw.randrange(0, len(texts)), draw.randrange(1, 5)
        read, pool = texts[:cut], texts[cut:]
        found = run(read, pool, j=j)
        assert isinstance(found, Greedy)
        expected = naive(read, pool, j)
        assert [
            (index, Fraction(weight).limit_denominator(1000)) for index, weight in found.picks(frozenset())
        ] == expected


def test_it_counts_the_grams_of_what_is_in_the_batch_already() -> None:
    picks = list(run(READ, POOL, j=2).picks(frozenset({1})))
    assert [index for index, _ in picks] == [2, 3, 4, 0]


def test_it_splits_words_from_marks_and_ignores_case_unless_told() -> None:
    assert run(["Rates, rise."], ["rates RISE , ."], tokenizer="words", j=1).scores.tolist() == [0.0]
    assert run(["Rates, rise."], ["rates RISE , ."], tokenizer="whitespace", j=1).scores.tolist() == [1.0]
    assert run(["Rates"], ["rates"], lowercase=False, j=1).scores.tolist() == [1.0]


def test_it_takes_empty_texts_last() -> None:
    assert [index for index, _ in run([], ["", "a"], j=2).picks(frozenset())] == [1, 0]
    assert run([], ["", ""], j=2).scores.tolist() == [0.0, 0.0]


def naive(read: list[str], pool: list[str], j: int) -> list[tuple[int, Fraction]]:
    def grams(text: str) -> list[tuple[str, ...]]:
        tokens = text.split()
        return [tuple(tokens[i : i + n]) for n in range(1, j + 1) for i in range(len(tokens) - n + 1)]

    def weight(text: str) -> Fraction:
        n = len(text.split())
        return Fraction(sum(gram not in seen for gram in grams(text)), n) if n else Fraction(0)

    seen = {gram for text in read for gram in grams(text)}
    left, picks = list(range(len(pool))), []
    while left:
        best = min(left, key=lambda index: (-weight(pool[index]), index))
        picks.append((best, weight(pool[best])))
        seen.update(grams(pool[best]))
        left.remove(best)
    return picks
