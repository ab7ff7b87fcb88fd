"""What every query strategy must do, whatever it computes. A new one is covered by being declared."""

import random
from pathlib import Path
from typing import Any

import numpy as np
import pytest

from al_worker.core.acquisition.registry import REGISTRY
from al_worker.formats.run_directory import Item, read_json, read_selected
from al_worker.formats.strategies import STRATEGIES
from tests.core.run_dirs import core, selected_ids, write_run

WORDS = ("rates", "growth", "should", "rise", "fall", "we", "agree", "inflation", "now")
N_POOL, N_LABELED, DIMENSIONS = 40, 12, 6

every_strategy = pytest.mark.parametrize("strategy", list(STRATEGIES))
every_learner = pytest.mark.parametrize(
    "strategy", [name for name, declared in STRATEGIES.items() if declared.needs_model]
)


class World:
    """A pool, a training set, and what some model said: fixed by the seed, written in any order.

    With `heads` the model has two, of `n_labels` and of two labels, and every third item has no label at the second.
    """

    heads = False

    def __init__(self, n_pool: int = N_POOL, n_labels: int = 3, duplicates: bool = False) -> None:
        draw, generator = random.Random(1), np.random.default_rng(1)
        texts = [" ".join(draw.choice(WORDS) for _ in range(draw.randrange(1, 8))) for _ in range(n_pool)]
        rows = [n // 4 * 4 if duplicates else n for n in range(n_pool)]
        width = n_labels + 2 * self.heads
        self.sizes = {"a": n_labels, "b": 2}
        self.pool = [Item(f"p{n}", texts[row]) for n, row in enumerate(rows)]
        self.labeled = [self._labelled(n, f"read {draw.choice(WORDS)}") for n in range(N_LABELED)]
        self.logits = {f"p{n}": value for n, value in enumerate(generator.normal(size=(n_pool, width))[rows])}
        self.vectors = {f"p{n}": value for n, value in enumerate(generator.normal(size=(n_pool, DIMENSIONS))[rows])}
        self.logits |= {f"l{n}": value for n, value in enumerate(generator.normal(size=(N_LABELED, width)))}
        self.vectors |= {f"l{n}": value for n, value in enumerate(generator.normal(size=(N_LABELED, DIMENSIONS)))}

    def _labelled(self, n: int, text: str) -> Item:
        if not self.heads:
            return Item(f"l{n}", text, str(n % self.sizes["a"]))
        second = {"b": str(n % 2)} if n % 3 else {}
        return Item(f"l{n}", text, labels={"a": str(n % self.sizes["a"]), **second})

    def write(self, run: Path, strategy: str, order: int = 0, **round: Any) -> Path:
        """`order` shuffles the lines of the files and, apart from them, the rows of predictions.npz."""
        pool, labeled = list(self.pool), list(self.labeled)
        random.Random(order).shuffle(pool)
        random.Random(order + 1).shuffle(labeled)
        options = {"k": 4} if any(option.name == "k" for option in STRATEGIES[strategy].options) else {}
        heads = [{"name": name, "labels": [str(n) for n in range(size)]} for name, size in self.sizes.items()]
        write_run(
            run,
            strategy=strategy,
            pool=pool,
            labeled=labeled,
            options=options,
            round={"query_size": 7, **round},
            heads=heads if self.heads else None,
        )
        random.Random(order + 2).shuffle(pool)
        random.Random(order + 3).shuffle(labeled)
        arrays = {}
        for part, items in (("pool", pool), ("labeled", labeled)):
            arrays[f"{part}_ids"] = np.array([item.id for item in items])
            arrays[f"{part}_logits"] = np.array([self.logits[item.id] for item in items])
            arrays[f"{part}_vectors"] = np.array([self.vectors[item.id] for item in items])
        np.savez(run / "predictions.npz", **arrays)
        return run


@pytest.fixture(autouse=True, params=[False, True], ids=["one head", "two heads"])
def heads(request: pytest.FixtureRequest, monkeypatch: pytest.MonkeyPatch) -> None:
    """Every test of the contract holds with one head and with two."""
    monkeypatch.setattr(World, "heads", request.param)


def chosen(run: Path) -> list[str]:
    assert core("select", run) == 0
    return selected_ids(run)


def test_it_is_declared_exactly_where_it_is_implemented() -> None:
    assert list(REGISTRY) == list(STRATEGIES)


@every_strategy
def test_it_gives_an_ordered_batch_and_a_score_for_every_item(tmp_path: Path, strategy: str) -> None:
    run = World().write(tmp_path / "run", strategy)
    ids = chosen(run)
    assert len(set(ids)) == 7
    with np.load(run / "scores.npz") as scores:
        assert sorted(scores["ids"].tolist()) == sorted(f"p{n}" for n in range(N_POOL))
        assert scores["scores"].dtype == np.float64 and np.isfinite(scores["scores"]).all()
    assert [entry.rank for entry in read_selected(run / "selected.jsonl")] == list(range(1, 8))
    falling = [round(entry.score, 12) for entry in read_selected(run / "selected.jsonl")]
    assert falling == sorted(falling, reverse=True)


@every_strategy
def test_it_repeats_itself(tmp_path: Path, strategy: str) -> None:
    world = World()
    first, second = (chosen(world.write(tmp_path / name, strategy)) for name in ("a", "b"))
    assert first == second
    assert (tmp_path / "a" / "selected.jsonl").read_bytes() == (tmp_path / "b" / "selected.jsonl").read_bytes()


@every_strategy
def test_it_does_not_depend_on_the_order_of_lines_and_rows(tmp_path: Path, strategy: str) -> None:
    world = World()
    batches = [chosen(world.write(tmp_path / str(order), strategy, order=order)) for order in (0, 10, 20)]
    assert batches[0] == batches[1] == batches[2]


@every_strategy
def test_it_breaks_ties_by_state_and_round_and_by_nothing_else(tmp_path: Path, strategy: str) -> None:
    world = World()
    for item in world.pool:
        world.logits[item.id] = world.logits["p0"]
        world.vectors[item.id] = world.vectors["p0"]
    world.pool = [Item(item.id, "one text") for item in world.pool]
    batches = {
        (state, number): tuple(
            chosen(world.write(tmp_path / f"{state}-{number}", strategy, random_state=state, number=number))
        )
        for state in (13, 14)
        for number in (1, 2)
    }
    assert len(set(batches.values())) == 4
    from al_worker.formats.ties import tie_key

    for (state, number), batch in batches.items():
        hashed = sorted((item.id for item in world.pool), key=lambda i: tie_key(state, number, i))
        assert list(batch) == hashed[:7]


@every_strategy
def test_it_takes_a_larger_batch_as_a_longer_prefix(tmp_path: Path, strategy: str) -> None:
    world = World()
    small, large = (chosen(world.write(tmp_path / str(n), strategy, query_size=n)) for n in (5, 15))
    assert large[:5] == small


@every_strategy
def test_it_takes_a_pool_smaller_than_the_batch_whole(tmp_path: Path, strategy: str) -> None:
    run = World(n_pool=3).write(tmp_path / "run", strategy, query_size=150)
    assert sorted(chosen(run)) == ["p0", "p1", "p2"]


@every_strategy
def test_it_may_repeat_a_text_unless_told_not_to(tmp_path: Path, strategy: str) -> None:
    world = World(duplicates=True)
    text_of = {item.id: item.text for item in world.pool}
    batch = chosen(world.write(tmp_path / "distinct", strategy, no_duplicate_texts=True))
    assert len({text_of[i] for i in batch}) == 7
    everything = chosen(world.write(tmp_path / "all", strategy, query_size=N_POOL))
    assert sorted(everything) == sorted(text_of)


@every_strategy
def test_it_works_where_only_one_label_exists(tmp_path: Path, strategy: str) -> None:
    assert len(chosen(World(n_labels=1).write(tmp_path / "run", strategy))) == 7


@every_learner
def test_it_stops_at_a_prediction_that_is_no_number(
    tmp_path: Path, strategy: str, capsys: pytest.CaptureFixture[str]
) -> None:
    world = World()
    world.logits["p5"] = np.array([0.0, np.nan, *world.logits["p5"][2:]])
    run = world.write(tmp_path / "run", strategy)
    assert core("select", run) == 3
    assert capsys.readouterr().err.startswith("NonFiniteScores: ")
    assert not (run / "selected.jsonl").exists() and not (run / "record.json").exists()


@every_strategy
def test_it_refuses_no_labels_only_where_it_compares_with_them(
    tmp_path: Path, strategy: str, capsys: pytest.CaptureFixture[str]
) -> None:
    world = World()
    world.labeled = []
    run = world.write(tmp_path / "run", strategy)
    if STRATEGIES[strategy].needs_labels:
        assert core("select", run) == 3
        assert capsys.readouterr().err.startswith("NotEnoughLabels: ")
    else:
        assert len(chosen(run)) == 7


@every_learner
def test_it_does_not_train_on_nothing(tmp_path: Path, strategy: str, capsys: pytest.CaptureFixture[str]) -> None:
    run = write_run(tmp_path / "run", strategy=strategy, model="bow-logreg", pool=World().pool)
    assert core("round", run) == 3
    assert capsys.readouterr().err.startswith("NotEnoughLabels: ")


def test_with_two_labels_those_give_one_order_that_say_so(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    # The scores of several heads are added, and so have other orders.
    monkeypatch.setattr(World, "heads", False)
    world = World(n_labels=2)
    orders = {name: chosen(world.write(tmp_path / name, name)) for name, each in STRATEGIES.items() if each.needs_model}
    same = [name for name in orders if STRATEGIES[name].same_with_two_labels]
    assert [name for name, order in orders.items() if order == orders["entropy"]] == same


def test_it_cuts_k_to_the_labelled_set_and_says_so(tmp_path: Path) -> None:
    run = World().write(tmp_path / "run", "cal")
    config = (run / "config.toml").read_text()
    (run / "config.toml").write_text(config.replace("k = 4", "k = 1000"))
    assert len(chosen(run)) == 7
    assert "CAL compares with 12 neighbours of 12 labelled items" in read_json(run / "record.json")["notices"][0]
