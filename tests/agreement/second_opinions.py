"""Every coefficient a second time, from packages and textbook definitions, over patterns counted in Python.

A pattern is what was said of one item: ((rater, label), ...). Krippendorff's alpha comes from the `krippendorff`
package, Cohen's kappa from scikit-learn; the rest is written from its definition, an item at a time. Intervals are
found by leaving out one item and doing it all again.
"""

import json
from collections import Counter
from collections.abc import Callable, Iterable, Mapping, Sequence
from itertools import combinations, product
from math import comb, sqrt
from typing import Literal

import krippendorff
import numpy as np
from scipy.stats import t as student
from sklearn.metrics import cohen_kappa_score

from annotation_app.agreement.statistics import BY_KEY
from annotation_app.codebook.question_types.stage import Measure

Pattern = tuple[tuple[int, str], ...]
Patterns = Counter[Pattern]
PackageLevel = Literal["nominal", "ordinal", "interval"]
Level = PackageLevel | Literal["masi"]
Coefficient = Callable[[Patterns], float | None]


def labels_in(patterns: Patterns) -> list[str]:
    return sorted({label for pattern in patterns for _, label in pattern})


def units(patterns: Patterns) -> Patterns:
    """The items with two answers or more."""
    return Counter({pattern: n for pattern, n in patterns.items() if len(pattern) >= 2})


def complete(patterns: Patterns, raters: Sequence[int]) -> Patterns:
    return Counter({pattern: n for pattern, n in patterns.items() if {r for r, _ in pattern} == set(raters)})


def percent(patterns: Patterns) -> float | None:
    agreeing = pairs = 0
    for pattern, n in patterns.items():
        for (_, one), (_, other) in combinations(pattern, 2):
            agreeing += n * (one == other)
            pairs += n
    return agreeing / pairs if pairs else None


def by_item(patterns: Patterns) -> float | None:
    """The mean over items of how often two of an item's answers are equal."""
    counted = units(patterns)
    shares = {
        pattern: sum(one == other for (_, one), (_, other) in combinations(pattern, 2)) / comb(len(pattern), 2)
        for pattern in counted
    }
    return sum(n * shares[pattern] for pattern, n in counted.items()) / counted.total() if counted else None


def usual(patterns: Patterns) -> Patterns:
    """The items with as many answers as most of those with two or more have; the larger number of two such."""
    numbers: Counter[int] = Counter()
    for pattern, n in units(patterns).items():
        numbers[len(pattern)] += n
    most = max(numbers, key=lambda number: (numbers[number], number), default=0)
    return Counter({pattern: n for pattern, n in patterns.items() if len(pattern) == most})


def fleiss(patterns: Patterns) -> float | None:
    """Of complete items. How often two people agree on an item, against two answers taken at large."""
    observed = percent(patterns)
    answers: Counter[str] = Counter()
    for pattern, n in patterns.items():
        for _, label in pattern:
            answers[label] += n
    if observed is None or len(+answers) < 2:
        return None
    expected = sum((n / answers.total()) ** 2 for n in answers.values())
    return (observed - expected) / (1 - expected)


def alpha_by_package(patterns: Patterns, order: Sequence[str], level: PackageLevel) -> float | None:
    counted = units(patterns)
    if len(labels_in(counted)) < 2:
        return None
    rows = np.array([[sum(label == each for _, label in pattern) for each in order] for pattern in counted])
    expanded = np.repeat(rows, list(counted.values()), axis=0)
    domain = [float(each) for each in order] if level == "interval" else range(len(order))
    return float(krippendorff.alpha(value_counts=expanded, value_domain=domain, level_of_measurement=level))


def masi(one: str, other: str) -> float:
    """The distance of two stored sets of labels, from the definition of Passonneau (2006)."""
    a, b = set(json.loads(one)), set(json.loads(other))
    if a == b:
        return 0.0
    weight = 2 / 3 if a <= b or b <= a else 1 / 3 if a & b else 0
    return 1 - weight * len(a & b) / len(a | b)


DISTANCES: dict[Level, Callable[[str, str], float]] = {
    "interval": lambda one, other: (float(one) - float(other)) ** 2,  # in floats, where the product is exact
    "masi": masi,
}


def alpha(patterns: Patterns, order: Sequence[str], level: Level) -> float | None:
    """From the coincidence matrix, as in Krippendorff's worked examples; quick where items are many and alike."""
    size = len(order)
    o = np.zeros((size, size))
    for pattern, n in units(patterns).items():
        for (i, (_, one)), (j, (_, other)) in product(enumerate(pattern), repeat=2):
            if i != j:
                o[order.index(one), order.index(other)] += n / (len(pattern) - 1)
    totals = o.sum(axis=0)
    distance = np.ones((size, size))
    if level == "ordinal":
        for c, k in product(range(size), repeat=2):
            low, high = min(c, k), max(c, k)
            distance[c, k] = (totals[low : high + 1].sum() - (totals[c] + totals[k]) / 2) ** 2
    if level in DISTANCES:
        distance = np.array([[DISTANCES[level](one, other) for other in order] for one in order])
    np.fill_diagonal(distance, 0.0)
    expected = (np.outer(totals, totals) * distance).sum()
    return None if expected == 0 else float(1 - (totals.sum() - 1) * (o * distance).sum() / expected)


def cohen_by_package(patterns: Patterns) -> float | None:
    if len(labels_in(patterns)) < 2:
        return None
    first, second = ([pattern[side][1] for pattern in patterns] for side in (0, 1))
    return float(cohen_kappa_score(first, second, sample_weight=list(patterns.values())))


def cohen(patterns: Patterns) -> float | None:
    total = patterns.total()
    if total == 0 or len(labels_in(patterns)) < 2:
        return None
    first, second = Counter[str](), Counter[str]()
    for pattern, n in patterns.items():
        first[pattern[0][1]] += n
        second[pattern[1][1]] += n
    observed = sum(n for pattern, n in patterns.items() if pattern[0][1] == pattern[1][1]) / total
    expected = sum(first[label] * second[label] for label in first) / total**2
    return None if expected == 1 else (observed - expected) / (1 - expected)


def ac1(patterns: Patterns, n_labels: int) -> float | None:
    counted = units(patterns)
    if not counted.total():
        return None
    observed = 0.0
    for pattern, n in counted.items():
        labels = Counter(label for _, label in pattern)
        m = len(pattern)
        observed += n * sum(k * (k - 1) for k in labels.values()) / (m * (m - 1))
    observed /= counted.total()
    shares: Counter[str] = Counter()
    for pattern, n in patterns.items():
        for _, label in pattern:
            shares[label] += n / len(pattern)  # type: ignore[assignment]
    chance = sum(p / patterns.total() * (1 - p / patterns.total()) for p in shares.values())
    # With one label it is 0, of however many.
    expected = chance / (max(n_labels, 2) - 1)
    return (observed - expected) / (1 - expected)


def interval(patterns: Patterns, coefficient: Coefficient, lowest: float = -1.0) -> tuple[float, float] | None:
    """Of the items that bear on the coefficient; None where one of them cannot be spared."""
    n = patterns.total()
    value = coefficient(patterns)
    if n < 2 or value is None:
        return None
    without = []
    for pattern, times in patterns.items():
        found = coefficient(+(patterns - Counter([pattern])))
        if found is None:
            return None
        without.append((found, times))
    mean = sum(v * times for v, times in without) / n
    error = sqrt((n - 1) / n * sum(times * (v - mean) ** 2 for v, times in without))
    half = float(student.ppf(0.975, n - 1)) * error
    return max(value - half, lowest), min(value + half, 1.0)


def patterns_in(rows: Iterable[str], numbers: Sequence[int], labels: Mapping[str, str]) -> Patterns:
    """The patterns of rows such as "YN-", a letter for each of `numbers`."""
    said = (
        tuple((number, labels[letter]) for number, letter in zip(numbers, row, strict=True) if letter != "-")
        for row in rows
    )
    return Counter(filter(None, said))


def of_pair(patterns: Patterns, pair: tuple[int, int]) -> Patterns:
    found: Patterns = Counter()
    for pattern, n in patterns.items():
        if kept := tuple(said for said in pattern if said[0] in pair):
            found[kept] += n
    return found


Interval = tuple[float, float]
Opinion = tuple[dict[str, float | None], dict[str, Interval]]


def forced(patterns: Patterns, circular: Patterns) -> bool:
    """True where all units are among the items whose answers had to be equal for them to be there."""
    counted = units(patterns)
    return bool(counted) and all(circular[pattern] == n for pattern, n in counted.items())


def opinions(
    patterns: Patterns,
    raters: Sequence[int],
    order: Sequence[str] | None,
    is_pair: bool,
    circular: Patterns | None = None,
    measure: Measure | None = None,
) -> Opinion:
    """Values and intervals of one view. `measure` None: ordinal with an `order`, else nominal. `circular`: the items
    among `patterns` that have no more answers than a majority takes."""
    measure = measure or ("ordinal" if order else "nominal")
    whole, n_labels, labels = units(patterns), len(labels_in(patterns)), labels_in(patterns)
    whole_complete = complete(patterns, raters) if len(raters) >= 2 else Counter()
    ordered = order if order is not None and set(labels_in(whole)) <= set(order) else None
    asked: dict[str, tuple[Patterns, Coefficient]] = {
        "percent_agreement": (whole, percent),
        "item_agreement": (whole, by_item),
        "fleiss_kappa": (whole_complete, fleiss),
        "fleiss_kappa_general": (usual(patterns) if len(raters) >= 2 else Counter(), fleiss),
        "alpha_nominal": (whole, lambda found: alpha(found, labels, "nominal")),
        "alpha_ordinal": (whole, lambda found: alpha(found, ordered, "ordinal") if ordered else None),
        "alpha_interval": (whole, lambda found: alpha(found, labels, "interval") if measure == "interval" else None),
        "alpha_masi": (whole, lambda found: alpha(found, labels, "masi") if measure == "set" else None),
        "cohen_kappa": (whole_complete, lambda found: cohen(found) if is_pair else None),
        "ac1": (patterns, lambda found: ac1(found, n_labels)),
    }
    values = {name: coefficient(found) for name, (found, coefficient) in asked.items()}
    values["alpha_nominal"] = alpha_by_package(patterns, labels, "nominal")
    values["alpha_ordinal"] = alpha_by_package(patterns, ordered, "ordinal") if ordered else None
    if measure == "interval":
        values["alpha_interval"] = alpha_by_package(patterns, labels, "interval")
    values["cohen_kappa"] = cohen_by_package(whole_complete) if is_pair else None
    for name, (found, _) in asked.items():
        if forced(found, circular or Counter()) or (measure == "none" and not BY_KEY[name].share_of):
            values[name] = None
    asked = {name: each for name, each in asked.items() if values[name] is not None}
    intervals = {
        name: interval(found, coefficient, 0.0 if BY_KEY[name].share_of else -1.0)
        for name, (found, coefficient) in asked.items()
    }
    return values, {name: each for name, each in intervals.items() if each is not None}
