"""Run directories for tests: two kinds of short sentences, a tiny ModernBERT with random weights, and the commands."""

import os
import random
from collections.abc import Mapping, Sequence
from pathlib import Path
from typing import Any

import numpy as np

from al_worker.core.__main__ import main
from al_worker.core.acquisition.ranking import rank_order
from al_worker.formats.run_directory import (
    CONFIG,
    EVALUATION,
    ISSUED,
    LABELED,
    POOL,
    PREDICTIONS,
    SELECTED,
    Item,
    read_selected,
    write_config,
    write_items,
)

RECIPE = {"epochs": 2, "batch_size": 10, "threads": 1}


def sentences(n: int, seed: int = 0) -> list[Item]:
    """n labelled sentences in turn: an opinion ("yes") and a plain statement ("no"), of 4 to 14 words."""
    draw = random.Random(seed)
    fillers = [
        "the",
        "committee",
        "growth",
        "outlook",
        "this",
        "quarter",
        "in",
        "our",
        "region",
        "of",
        "late",
        "and",
        "again",
    ]
    items = []
    for number in range(n):
        opinion = number % 2 == 0
        start = "I strongly believe that" if opinion else "The report lists"
        words = [draw.choice(fillers) for _ in range(draw.randrange(1, 11))]
        items.append(Item(f"s{number}", f"{start} {' '.join(words)} {number}", "yes" if opinion else "no"))
    return items


def write_run(
    run: Path,
    *,
    strategy: str,
    model: str = "none",
    pool: Sequence[Item] = (),
    labeled: Sequence[Item] = (),
    issued: Sequence[Item] = (),
    evaluation: Sequence[Item] = (),
    options: Mapping[str, Any] | None = None,
    round: Mapping[str, Any] | None = None,
    model_table: Mapping[str, Any] | None = None,
    training: Mapping[str, Any] | None = None,
    heads: Sequence[Mapping[str, Any]] | None = None,
) -> Path:
    """A run directory in the shape that the web side writes."""
    run.mkdir(parents=True, exist_ok=True)
    tables: dict[str, Any] = {
        "round": {"number": 1, "query_size": 5, "random_state": 13, **(round or {})},
        "strategy": {"name": strategy, **(options or {})},
        "model": {"name": model, **(model_table or {})},
    }
    if model != "none":
        tables["training"] = {**RECIPE, **(training or {})}
    if heads is not None:
        tables["heads"] = heads
    write_config(run / CONFIG, tables)
    write_items(run / LABELED, labeled)
    write_items(run / ISSUED, issued)
    write_items(run / POOL, [Item(item.id, item.text) for item in pool])
    if evaluation:
        write_items(run / EVALUATION, evaluation)
    return run


def write_predictions(run: Path, pool_ids: Sequence[str], pool_logits: Any, **more: Any) -> None:
    """predictions.npz as another program may write it."""
    arrays = {"pool_ids": np.array(pool_ids), "pool_logits": np.asarray(pool_logits, dtype=np.float64), **more}
    np.savez(run / PREDICTIONS, **arrays)


def core(command: str, run: Path, *more: str) -> int:
    """The command line's exit code, in this process."""
    return main([command, str(run), "--cache", str(run.parent / "cache"), *more])


def selected_ids(run: Path) -> list[str]:
    return [entry.id for entry in read_selected(run / SELECTED)]


def order_of(scores: Any) -> list[int]:
    """Indices by score, ties by position: the order in which the hand-worked tables are printed."""
    scores = np.asarray(scores, dtype=np.float64)
    return rank_order(scores, np.array([f"{i:03d}" for i in range(len(scores))], dtype=np.bytes_)).tolist()


def runs(pid: int) -> bool:
    """Tell whether the process has not ended yet."""
    try:
        os.kill(pid, 0)
    except ProcessLookupError:
        return False
    # An orphan that nobody has waited for yet has ended all the same.
    try:
        state = Path(f"/proc/{pid}/stat").read_text().rsplit(")", 1)[1].split()[0]
    except FileNotFoundError:
        return False
    return state != "Z"
