"""Test whether a model can stand in for an annotator: the alternative annotator test (Calderon et al. 2025).

Each annotator is left out once. On the items that they and at least one other labelled, the model and they are compared
by how many of the others gave their label. The model wins an item where it does at least as well, and so does the
annotator. The hypothesis that the model wins less often than the annotator, by more than a margin in its favour, is
tested by a one-sided paired t-test.
"""

from collections.abc import Mapping, Sequence
from dataclasses import dataclass
from itertools import compress
from statistics import fmean, stdev

from scipy.stats import false_discovery_control, t

# What an annotator costs more than a model, as a share of items that the model may lose (section 3).
EPSILON = {"expert": 0.2, "trained": 0.15, "crowd": 0.1}
LEVEL = 0.05
LEAST_ANNOTATORS = 3
LEAST_ITEMS = 30
PASSES_FROM = 0.5


@dataclass(frozen=True, slots=True)
class AnnotatorComparison:
    """Compare the model with one annotator on n items. Win rates are in [0, 1]; `p` is not adjusted."""

    annotator: str
    n: int
    model_wins: float
    annotator_wins: float
    p: float
    is_beaten: bool


@dataclass(frozen=True, slots=True)
class AlternativeAnnotatorTest:
    """Hold the test's outcome.

    `winning_rate` is the share of annotators that the model beats, and `advantage` the mean of `model_wins`, which the
    paper calls the average advantage probability. The model passes from a winning rate of 0.5 on.
    """

    epsilon: float
    comparisons: tuple[AnnotatorComparison, ...]
    winning_rate: float
    advantage: float

    @property
    def passes(self) -> bool:
        return self.winning_rate >= PASSES_FROM


class TooFewAnswers(ValueError):
    """The test needs more annotators, or more items of one of them. The message says which."""


def alternative_annotator_test(
    answers: Mapping[str, Mapping[str, str]], model: Mapping[str, str | None], epsilon: float
) -> AlternativeAnnotatorTest:
    """Run the test. `answers` holds the label of each item by annotator, `model` the label of each item.

    Items without a prediction in `model` are left out; a prediction of None agrees with nobody. Raises TooFewAnswers
    under LEAST_ANNOTATORS annotators, and where one has fewer than LEAST_ITEMS items that another also labelled.
    """
    if len(answers) < LEAST_ANNOTATORS:
        raise TooFewAnswers(f"The test needs {LEAST_ANNOTATORS} annotators, and {len(answers)} labelled this stage.")
    pairs = {name: _wins(name, answers, model) for name in answers}
    for name, rows in pairs.items():
        if len(rows) < LEAST_ITEMS:
            raise TooFewAnswers(
                f"The test needs {LEAST_ITEMS} items of each annotator that somebody else labelled too, and {name} "
                f"has {len(rows)}."
            )
    p_values = [_p_value([annotator - model for model, annotator in rows], epsilon) for rows in pairs.values()]
    adjusted = false_discovery_control(p_values, method="by")
    comparisons = tuple(
        AnnotatorComparison(
            name, len(rows), fmean(model for model, _ in rows), fmean(annotator for _, annotator in rows), p, below
        )
        for (name, rows), p, below in zip(pairs.items(), p_values, (adjusted <= LEVEL).tolist(), strict=True)
    )
    beaten = list(compress(comparisons, (each.is_beaten for each in comparisons)))
    return AlternativeAnnotatorTest(
        epsilon, comparisons, len(beaten) / len(comparisons), fmean(each.model_wins for each in comparisons)
    )


def _wins(
    left_out: str, answers: Mapping[str, Mapping[str, str]], model: Mapping[str, str | None]
) -> list[tuple[bool, bool]]:
    """Return for each item whether the model wins, and whether the annotator does; both win a tie."""
    rows = []
    for item, own in answers[left_out].items():
        others = [given[item] for name, given in answers.items() if name != left_out and item in given]
        if others and item in model:
            by_model, by_annotator = others.count(model[item] or ""), others.count(own)
            rows.append((by_model >= by_annotator, by_annotator >= by_model))
    return rows


def _p_value(differences: Sequence[float], epsilon: float) -> float:
    """Return the p-value of a mean difference of epsilon or more, by Student's t with n - 1 degrees of freedom."""
    spread, mean = stdev(differences), fmean(differences)
    if spread == 0:
        return float(mean >= epsilon)
    return float(t.cdf((mean - epsilon) / (spread / len(differences) ** 0.5), len(differences) - 1))
