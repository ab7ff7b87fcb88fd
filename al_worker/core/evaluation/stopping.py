"""Measure how much two successive models agree on a fixed set of texts. Pure functions over their predicted labels."""

from collections.abc import Collection, Mapping, Sequence
from typing import Any

from al_worker.formats.kappa import cohen_kappa


def changed_share(old: Sequence[str], new: Sequence[str]) -> float:
    """Return the share, from 0 to 1, of items whose label changed. There must be one item or more."""
    return sum(a != b for a, b in zip(old, new, strict=True)) / len(old)


def delta_f(old: Sequence[str], new: Sequence[str], positive: Collection[str]) -> float | None:
    """Return 1 - 2a / (2a + b + c) (Altschuler and Bloodgood 2019).

    Of the items, a are positive for both models, and b + c for just one of them.
    Return None where neither model predicts a positive: agreement on positives cannot be measured then.
    """
    pairs = [(a in positive, b in positive) for a, b in zip(old, new, strict=True)]
    both, one = sum(a and b for a, b in pairs), sum(a != b for a, b in pairs)
    return 1 - 2 * both / (2 * both + one) if both or one else None


def stopping_figures(previous: Mapping[str, str], now: Mapping[str, str], positive: Collection[str]) -> dict[str, Any]:
    """Return how one model's figures compare with those of the model before it, over their common ids.

    Figures are None where there are no common ids. Both arguments map ids to labels.
    They leave out what their model was trained on: successive models agree on training items by construction.
    The stopping set is unlabelled (Bloodgood and Vijay-Shanker 2009, 3).
    """
    common = [name for name in now if name in previous]
    old, new = [previous[name] for name in common], [now[name] for name in common]
    return {
        "n_compared": len(common),
        "changed_share": changed_share(old, new) if common else None,
        "kappa": cohen_kappa(old, new) if common else None,
        "delta_f": delta_f(old, new, positive) if common and positive else None,
    }
