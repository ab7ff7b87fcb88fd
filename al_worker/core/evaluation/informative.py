"""Decide whether a model has learned anything. Pure functions turn the figures of one head into reasons for doubt.

A strategy that ranks the pool with a model that has learned nothing ranks noise. Its batch is as good as random.
One reason is enough. Each threshold stands in its own test below.
"""

from collections.abc import Mapping, Sequence
from dataclasses import dataclass
from typing import Any

from al_worker.core.run.config import HeadSettings
from al_worker.formats.heads import SEVERAL

# A class that is predicted less often than a tenth of its share of the training set has not been learned.
SHARE_FLOOR = 0.1
# Entropies over ln C that lie this close together do not tell items apart.
FLAT_RANGE = 0.003
TOLERANCE = 1e-9


@dataclass(frozen=True, slots=True)
class Reason:
    """A reason why a model is not informative: `kind` for programs, `words` for people."""

    kind: str
    words: str


def doubts(
    head: HeadSettings,
    training: Mapping[str, Any],
    pool: Mapping[str, Any] | None,
    epoch_losses: Sequence[float] = (),
) -> list[Reason]:
    """Return every reason why the model of one head is not informative; none means that it is.

    `training` and `pool` are the head's figures in metrics.json.
    `epoch_losses` are the mean training losses of the epochs.
    """
    if head.kind == SEVERAL:
        return [*_doubts_of_sets(training, pool), *filter(None, [loss_rises(epoch_losses)])]
    counts = {label: int(training["per_label"][label]["n"]) for label in head.labels}
    found = [one_class(counts), no_better_than_majority(counts, float(training["macro_f1"])), loss_rises(epoch_losses)]
    if pool is not None:
        shares = pool["predicted_share"]
        found += [
            one_label(shares),
            minority_not_predicted(counts, training["per_label"], shares),
            flat_scores(pool["entropy_over_ln_c"]),
        ]
    return [reason for reason in found if reason is not None]


def _doubts_of_sets(training: Mapping[str, Any], pool: Mapping[str, Any] | None) -> list[Reason]:
    """Return the same reasons for a head of sets, whose labels are counted one by one."""
    n, per_label = int(training["n"]), training["per_label"]
    counts = {label: int(of["n"]) for label, of in per_label.items()}
    found = [one_set(counts, n), no_better_than_constant_set(counts, n, float(training["macro_f1"]))]
    if pool is not None:
        shares = pool["predicted_share"]
        found += [one_predicted_set(shares), few_predicted(counts, n, per_label, shares)]
        found += [flat_scores(pool["entropy_over_ln_c"])]
    return [reason for reason in found if reason is not None]


def one_set(counts: Mapping[str, int], n: int) -> Reason | None:
    """Return a reason where every training item has the same set of labels."""
    if any(0 < count < n for count in counts.values()):
        return None
    return Reason("one_class", f"every training item has the same labels: {_listed(counts, n)}")


def one_predicted_set(shares: Mapping[str, float]) -> Reason | None:
    """Return a reason where the whole pool gets one set of labels."""
    if any(0 < share < 1 for share in shares.values()):
        return None
    return Reason("one_label", f"the model predicts the same labels for every item of the pool: {_listed(shares, 1)}")


def no_better_than_constant_set(counts: Mapping[str, int], n: int, macro_f1: float) -> Reason | None:
    """Return a reason where the model does no better on its training items than one set for all of them.

    The set holds the labels that more than half of the items have: a label's F1 is then 2m / (n + m), else 0.
    """
    present = [count for count in counts.values() if count]
    if not present or all(count == n for count in present):
        return None
    floor = sum(2 * count / (n + count) for count in present if 2 * count > n) / len(present)
    if macro_f1 > floor + TOLERANCE:
        return None
    words = (
        "on its own training items the model is no better than the labels that most of them have, given to all "
        f"(macro-F1 {macro_f1:.3f}, those labels alone {floor:.3f})"
    )
    return Reason("no_better_than_majority", words)


def few_predicted(
    counts: Mapping[str, int], n: int, per_label: Mapping[str, Mapping[str, Any]], shares: Mapping[str, float]
) -> Reason | None:
    """Return a reason where labels are hardly ever predicted in the pool, as `minority_not_predicted` does."""
    total = sum(counts.values())
    found = sum(per_label[label]["recall"] * count for label, count in counts.items())
    predicted, expected = sum(shares.values()), total / n
    # Without any predicted label, the whole pool has one set, which `one_predicted_set` reports.
    if found >= total / 2 or predicted >= SHARE_FLOOR * expected or predicted == 0:
        return None
    words = (
        f"the model gives {predicted:.2g} labels to an item of the pool, under a tenth of the {expected:.2g} that an "
        "item of the training set has"
    )
    return Reason("minority_not_predicted", words)


def _listed(counts: Mapping[str, float], whole: float) -> str:
    return ", ".join(f'"{label}"' for label, count in counts.items() if count == whole) or "none"


def one_class(counts: Mapping[str, int]) -> Reason | None:
    """Return a reason where every training item has one label."""
    present = [label for label, n in counts.items() if n]
    if len(present) != 1:
        return None
    return Reason("one_class", f'every training item is labelled "{present[0]}"')


def one_label(shares: Mapping[str, float]) -> Reason | None:
    """Return a reason where the whole pool gets one label."""
    constant = [label for label, share in shares.items() if share == 1.0]
    if not constant:
        return None
    return Reason("one_label", f'the model predicts "{constant[0]}" for every item of the pool')


def majority_macro_f1(counts: Mapping[str, int]) -> float:
    """Return the macro-F1, over the labels that occur, of giving the most frequent label to every item.

    The majority's F1 is 2m / (n + m), with m of n items; that of each other label is 0.
    """
    present = [n for n in counts.values() if n]
    most, total = max(present), sum(present)
    return 2 * most / (total + most) / len(present)


def no_better_than_majority(counts: Mapping[str, int], macro_f1: float) -> Reason | None:
    """Return a reason where the model does no better on its own training items than the most frequent label does."""
    if sum(n > 0 for n in counts.values()) < 2:
        return None
    floor = majority_macro_f1(counts)
    if macro_f1 > floor + TOLERANCE:
        return None
    words = (
        f"on its own training items the model is no better than always the most frequent label "
        f"(macro-F1 {macro_f1:.3f}, that label alone {floor:.3f})"
    )
    return Reason("no_better_than_majority", words)


def minority_not_predicted(
    counts: Mapping[str, int], per_label: Mapping[str, Mapping[str, Any]], shares: Mapping[str, float]
) -> Reason | None:
    """Return a reason where all labels but the most frequent one are hardly ever predicted in the pool.

    A chosen training set can be much richer in them than the pool. So a model that finds at least half of them among
    its training items is believed: they may be that rare.
    """
    total = sum(counts.values())
    most = max(counts, key=lambda label: counts[label])
    others = total - counts[most]
    if not others:
        return None
    found = sum(per_label[label]["recall"] * n for label, n in counts.items() if label != most)
    predicted, expected = 1 - shares.get(most, 0.0), others / total
    # A share of exactly 1 is reported by `one_label`.
    if found >= others / 2 or predicted >= SHARE_FLOOR * expected or predicted == 0:
        return None
    words = (
        f'all labels but "{most}" are predicted for {_percent(predicted)} of the pool, under a tenth of their '
        f"{_percent(expected)} of the training set"
    )
    return Reason("minority_not_predicted", words)


def flat_scores(entropy: Mapping[str, float]) -> Reason | None:
    """Return a reason where the entropies over ln C of nearly the whole pool lie within FLAT_RANGE.

    The lowest 5 % are left out, so that a few odd texts do not hide it. A sure model has low entropies and a long
    upper tail, which is not flat.
    """
    spread = entropy["max"] - entropy["q05"]
    if spread > FLAT_RANGE:
        return None
    words = (
        f"all scores are alike: the uncertainty of 95 % of the pool lies between {entropy['q05']:.4f} and "
        f"{entropy['max']:.4f} of its maximum"
    )
    return Reason("flat_scores", words)


def loss_rises(epoch_losses: Sequence[float]) -> Reason | None:
    """Return a reason where the training loss ended above where it began: training diverged."""
    if len(epoch_losses) < 2 or epoch_losses[-1] <= epoch_losses[0]:
        return None
    words = f"the training loss rose from {epoch_losses[0]:.3f} to {epoch_losses[-1]:.3f}: use a smaller learning rate"
    return Reason("loss_rises", words)


def doubts_words(found: Sequence[Mapping[str, str]]) -> str:
    """Return the one sentence that rounds, insights and records show, from the `doubts` of metrics.json."""
    reasons = "; ".join(doubt["words"] for doubt in found)
    return f"The model is not informative yet, so its ranking is as good as random: {reasons}"


def _percent(share: float) -> str:
    return f"{100 * share:.2g} %"
