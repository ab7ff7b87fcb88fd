"""Compare two models on the same instances."""

from collections import Counter, defaultdict
from collections.abc import Sequence
from dataclasses import asdict, dataclass
from typing import Any

from al_worker.equivalence.results import Scored
from al_worker.formats.p_values import holm


@dataclass(frozen=True, slots=True)
class Paired:
    """Hold the instances of an evaluation that one model alone got right, those that the other did, and the p-value."""

    annotation: str
    evaluation: str
    first_alone: int
    second_alone: int
    p: float


def first_difference(first: Sequence[Scored], second: Sequence[Scored]) -> int | None:
    """Return the number, from 0, of the first instance that the two do not have in common, or None."""
    for number, (one, other) in enumerate(zip(first, second, strict=False)):
        if one.instance != other.instance:
            return number
    return None if len(first) == len(second) else min(len(first), len(second))


def paired(first: Sequence[Scored], second: Sequence[Scored]) -> list[Paired]:
    """Test for each evaluation whether two models are right equally often; both scored the same instances in order.

    Instances of one target are alike, so targets are compared: `sign_flip_p` of their differences in right instances.
    """
    alone: dict[tuple[str, str], Counter[bool]] = defaultdict(Counter)
    differences: dict[tuple[str, str], Counter[str]] = defaultdict(Counter)
    for one, other in zip(first, second, strict=True):
        key = one.instance.annotation, one.instance.evaluation
        differences[key][one.instance.target] += one.right - other.right
        if one.right != other.right:
            alone[key][one.right] += 1
    return [
        Paired(*key, alone[key][True], alone[key][False], sign_flip_p(list(by_target.values())))
        for key, by_target in differences.items()
    ]


def paired_written(first: Sequence[Scored], second: Sequence[Scored]) -> list[dict[str, Any]]:
    """Return the tests of `paired` as JSON objects, with p-values adjusted for their number (Holm 1979)."""
    tests = paired(first, second)
    return [asdict(test) | {"p_holm": p} for test, p in zip(tests, holm([test.p for test in tests]), strict=True)]


def sign_flip_p(differences: Sequence[int]) -> float:
    """Return the two-sided p-value of the sum of differences, exactly (Fisher 1935, section 21).

    Under the hypothesis each difference has either sign with probability 1/2. Where all are 1, 0 or -1, this is
    McNemar's exact test. Without a difference p is 1.
    """
    observed = abs(sum(differences))
    chances = {0: 1.0}
    for size in filter(None, map(abs, differences)):
        after: dict[int, float] = defaultdict(float)
        for total, chance in chances.items():
            after[total + size] += chance / 2
            after[total - size] += chance / 2
        chances = after
    return min(1.0, sum(chance for total, chance in chances.items() if abs(total) >= observed))
