"""Turn scores into an ordered batch, by one rule for all strategies."""

from collections.abc import Iterable, Iterator, Sequence
from dataclasses import dataclass
from hashlib import sha256

import numpy as np
from numpy.typing import NDArray

from al_worker.core.acquisition.inputs import Floats

SCORE_DIGITS = 12


@dataclass(frozen=True, slots=True)
class Pick:
    """Name an item of the batch by its index in the pool. `source` is "strategy" or "random"."""

    index: int
    score: float
    source: str


def rank_order(scores: Floats, keys: NDArray[np.bytes_]) -> NDArray[np.intp]:
    """Return (n,) indices by (round(score, 12) descending, key ascending).

    Rounding keeps the last bits of a sum from deciding the order.
    """
    # Python's round is exact in decimal. numpy's multiplies first and can err in the last place.
    rounded = np.array([round(score, SCORE_DIGITS) for score in scores.tolist()])
    return np.lexsort((keys, -rounded))


def in_rank_order(scores: Floats, keys: NDArray[np.bytes_]) -> Iterator[tuple[int, float]]:
    """Yield (index, score) of every item, best first."""
    for index in rank_order(scores, keys):
        yield int(index), float(scores[index])


def random_draw(ids: Sequence[str], random_state: int, number: int) -> list[int]:
    """Return all indices in a uniformly random order.

    The order comes from a hash of its own, independent of scores and of tie keys.
    """
    keys = [sha256(f"{random_state}:{number}:random-share:{item_id}".encode()).hexdigest() for item_id in ids]
    return sorted(range(len(ids)), key=keys.__getitem__)


def take(
    ordered: Iterable[tuple[int, float]], size: int, taken: set[int], text_keys: Sequence[str] | None
) -> list[Pick]:
    """Return the first `size` items in order that are not in `taken`; with `text_keys`, no two with the same text."""
    texts = set() if text_keys is None else {text_keys[index] for index in taken}
    picks: list[Pick] = []
    for index, score in ordered if size > 0 else ():
        if index in taken or (text_keys is not None and text_keys[index] in texts):
            continue
        picks.append(Pick(index, score, "strategy"))
        if text_keys is not None:
            texts.add(text_keys[index])
        if len(picks) == size:
            break
    return picks


def text_key(text: str) -> str:
    """Return a key that is equal for texts that differ only in case and white space."""
    return " ".join(text.casefold().split())
