"""Compute advisory stopping signals from one line of figures a round. Pure: no I/O. Nothing stops by itself."""

import math
from collections.abc import Callable, Sequence
from dataclasses import dataclass

from annotation_app.dashboards.signal_texts import (
    AGREEMENT_FLOOR,
    AGREEMENT_WINDOW,
    BUDGET,
    CHANGE_IN_F,
    CHANGED_SHARE,
    CLASSIFICATION_CHANGE,
    DELTA_F,
    FEWEST_ITEMS,
    HUMAN_CEILING,
    KAPPA,
    KAPPA_AVERAGE,
    OVERALL_UNCERTAINTY,
    P_VALUE,
    SELECTED_UNCERTAINTY,
    UNCERTAINTY,
    WINDOW,
    YIELD_EXHAUSTION,
    Declared,
)


@dataclass(frozen=True)
class RoundFigures:
    """Hold a round's figures; None where nothing was measured.

    `uncertainty` and `selected_uncertainty` are means of H / ln C, over the pool and over the batch. `changed_share`,
    `kappa` and `delta_f` compare the round's model with the one before, on `n_compared` items of the stopping set that
    neither was trained on. `doubt` says why the model is not informative, if it is not. `positives` counts among `n`
    items; `random` means that the batch was drawn uniformly, `by_admin` that an admin chose it. `alpha` is over
    `n_units` items with two answers or more, and `left` is the budget after the round.
    """

    number: int
    complete: bool = True
    random: bool = False
    by_admin: bool = False
    uncertainty: float | None = None
    selected_uncertainty: float | None = None
    changed_share: float | None = None
    kappa: float | None = None
    delta_f: float | None = None
    n_compared: int | None = None
    doubt: str = ""
    positives: int = 0
    n: int = 0
    alpha: float | None = None
    n_units: int = 0
    left: int | None = None


@dataclass(frozen=True)
class Point:
    round: int
    value: float | None


@dataclass(frozen=True)
class Signal:
    """Hold a signal. `status` is reached, not_reached or unknown; `reason` says why in words."""

    declared: Declared
    status: str
    reason: str
    values: list[Point]


Value = Callable[[RoundFigures], float | None]
# (status, reason)
Verdict = tuple[str, str]

NO_MODEL_YET = "No round's model was measured at this stage yet."
NOT_COMPARED = "No two successive models were compared at this stage yet."


def stopping_signals(
    rounds: Sequence[RoundFigures], *, base_share: float | None, base_name: str, budget: int | None
) -> list[Signal]:
    """Return all signals over the rounds in order. `base_share` is the baseline's share of positives, or None."""
    return [
        overall_uncertainty(rounds),
        selected_uncertainty(rounds),
        classification_change(rounds),
        stabilising_predictions(rounds),
        change_in_f(rounds),
        yield_exhaustion(rounds, base_share, base_name),
        budget_used(rounds, budget),
        human_ceiling(rounds),
    ]


def signal(declared: Declared, rounds: Sequence[RoundFigures], value: Value, found: Verdict) -> Signal:
    return Signal(declared, *found, [Point(row.number, value(row)) for row in rounds])


def verdict(reached: bool, reason: str) -> Verdict:
    return ("reached" if reached else "not_reached"), reason


def measured(rounds: Sequence[RoundFigures], value: Value) -> list[tuple[RoundFigures, float]]:
    """Return the rounds that have a value, with it."""
    return [(row, found) for row in rounds if (found := value(row)) is not None]


def no_suffix(row: RoundFigures) -> str:
    return ""


def compared(row: RoundFigures) -> str:
    """Say on how many items two models were compared."""
    return "" if row.n_compared is None else f" (n = {row.n_compared:,})"


def latest(
    rounds: Sequence[RoundFigures],
    value: Value,
    reached: Callable[[float], bool],
    nothing: str,
    suffix: Callable[[RoundFigures], str] = no_suffix,
) -> Verdict:
    """Decide by the newest round that has a value."""
    found = measured(rounds, value)
    if not found:
        return "unknown", nothing
    row, number = found[-1]
    if row.doubt:
        return "unknown", doubt_text(row)
    return verdict(reached(number), f"{number:.3f} in round {row.number}{suffix(row)}.")


def window(rounds: Sequence[RoundFigures], value: Value, reached: Callable[[list[float]], bool]) -> Verdict:
    """Decide by the newest WINDOW rounds that have a value. Models that predict one class agree without meaning."""
    found = measured(rounds, value)[-WINDOW:]
    if len(found) < WINDOW:
        return "unknown", f"Needs {WINDOW} comparisons of successive models; there are {len(found)}."
    doubted = next((row for row, _ in found if row.doubt), None)
    if doubted is not None:
        return "unknown", doubt_text(doubted)
    numbers = [number for _, number in found]
    shown = ", ".join(f"{number:.3f}{compared(row)}" for row, number in found)
    return verdict(reached(numbers), f"{shown} in the last {WINDOW} comparisons (mean {mean(numbers):.3f}).")


def mean(numbers: Sequence[float]) -> float:
    return math.fsum(numbers) / len(numbers)


def doubt_text(row: RoundFigures) -> str:
    return f"The model of round {row.number} is not informative, which says nothing about stopping: {row.doubt}."


def overall_uncertainty(rounds: Sequence[RoundFigures]) -> Signal:
    def value(row: RoundFigures) -> float | None:
        return row.uncertainty

    found = latest(rounds, value, lambda number: number < UNCERTAINTY, NO_MODEL_YET)
    return signal(OVERALL_UNCERTAINTY, rounds, value, found)


def selected_uncertainty(rounds: Sequence[RoundFigures]) -> Signal:
    def value(row: RoundFigures) -> float | None:
        return row.selected_uncertainty

    found = latest(rounds, value, lambda number: number < UNCERTAINTY, NO_MODEL_YET)
    return signal(SELECTED_UNCERTAINTY, rounds, value, found)


def classification_change(rounds: Sequence[RoundFigures]) -> Signal:
    def value(row: RoundFigures) -> float | None:
        return row.changed_share

    found = latest(rounds, value, lambda number: number <= CHANGED_SHARE, NOT_COMPARED, compared)
    return signal(CLASSIFICATION_CHANGE, rounds, value, found)


def stabilising_predictions(rounds: Sequence[RoundFigures]) -> Signal:
    def value(row: RoundFigures) -> float | None:
        return row.kappa

    return signal(KAPPA_AVERAGE, rounds, value, window(rounds, value, lambda numbers: mean(numbers) >= KAPPA))


def change_in_f(rounds: Sequence[RoundFigures]) -> Signal:
    def value(row: RoundFigures) -> float | None:
        return row.delta_f

    return signal(CHANGE_IN_F, rounds, value, window(rounds, value, lambda numbers: max(numbers) < DELTA_F))


def yield_exhaustion(rounds: Sequence[RoundFigures], base_share: float | None, base_name: str) -> Signal:
    """Decide from batches that a strategy chose; random ones have the base rate by construction."""
    chosen = [row for row in rounds if row.complete and not row.random and not row.by_admin]
    windows = {row.number: chosen[at - WINDOW + 1 : at + 1] for at, row in enumerate(chosen) if at + 1 >= WINDOW}

    def value(row: RoundFigures) -> float | None:
        batches = windows.get(row.number)
        if batches is None or base_share is None or not 0 < base_share < 1:
            return None
        positives, n = summed(batches)
        return no_more_than(positives, n, base_share) if n else None

    return signal(YIELD_EXHAUSTION, rounds, value, yield_verdict(chosen, value, base_share, base_name))


def no_more_than(positives: int, n: int, base_share: float) -> float:
    """Return the p-value of "no more positives than at the base share", by the exact binomial test."""
    from scipy.stats import binomtest

    return float(binomtest(positives, n, base_share, alternative="greater").pvalue)


def summed(batches: Sequence[RoundFigures]) -> tuple[int, int]:
    """Return (positives, n) of the batches together."""
    return sum(row.positives for row in batches), sum(row.n for row in batches)


def yield_verdict(chosen: Sequence[RoundFigures], value: Value, base_share: float | None, base_name: str) -> Verdict:
    if base_share is None:
        return "unknown", "There is no base rate yet: it needs a complete random or prototype batch."
    if not 0 < base_share < 1:
        return "unknown", f"The base rate is {base_share:.0%} ({base_name}): a share to compare with lies between."
    if len(chosen) < WINDOW:
        return "unknown", f"Needs {WINDOW} complete batches that a strategy chose; there are {len(chosen)}."
    found = value(chosen[-1])
    if found is None:
        return "unknown", f"No item of the last {WINDOW} chosen batches has a majority."
    positives, n = summed(chosen[-WINDOW:])
    reason = f"{positives} positives of {n} in the last {WINDOW} chosen batches"
    reason += f"; base rate {base_share:.1%} ({base_name}): p = {found:.3g}."
    if found > P_VALUE and positives / n > base_share:
        return "unknown", f"{reason} More than the base rate, but too few items to tell."
    if found > P_VALUE and n < FEWEST_ITEMS:
        return "unknown", f"{reason} Too few items to tell: it takes {FEWEST_ITEMS}."
    return verdict(found > P_VALUE, reason)


def budget_used(rounds: Sequence[RoundFigures], budget: int | None) -> Signal:
    def value(row: RoundFigures) -> float | None:
        return row.left

    found: Verdict = ("unknown", "The project has no annotation budget.")
    if budget is not None:
        left = next((row.left for row in reversed(rounds) if row.left is not None), budget)
        found = verdict(left <= 0, f"{left} of {budget} items left.")
    return signal(BUDGET, rounds, value, found)


def human_ceiling(rounds: Sequence[RoundFigures]) -> Signal:
    def value(row: RoundFigures) -> float | None:
        return row.alpha

    return signal(HUMAN_CEILING, rounds, value, ceiling_verdict([row for row in rounds if row.complete]))


def ceiling_verdict(complete: Sequence[RoundFigures]) -> Verdict:
    last = complete[-AGREEMENT_WINDOW:]
    if len(last) < AGREEMENT_WINDOW:
        return "unknown", f"Needs {AGREEMENT_WINDOW} complete batches; there are {len(last)}."
    undefined = next((row for row in last if row.alpha is None), None)
    if undefined is not None:
        return "unknown", f"Alpha is undefined in batch {undefined.number}."
    found = [row.alpha for row in last if row.alpha is not None]
    shown = ", ".join(f"{row.alpha:.3f} (n = {row.n_units:,})" for row in last)
    reason = f"{shown} in the last {AGREEMENT_WINDOW} complete batches."
    if max(found) < AGREEMENT_FLOOR and min(row.n_units for row in last) < FEWEST_ITEMS:
        return "unknown", f"{reason} Too few items to tell: it takes {FEWEST_ITEMS} with two answers in each."
    return verdict(max(found) < AGREEMENT_FLOOR, reason)
