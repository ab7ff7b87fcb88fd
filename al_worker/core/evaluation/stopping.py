"""How much two successive models agree on a fixed set of texts: pure, over their predicted labels."""

from collections import Counter
from collections.abc import Collection, Mapping, Sequence
from typing import Any


def cohen_kappa(old: Sequence[str], new: Sequence[str]) -> float:
    """Chance-corrected agreement (Cohen 1960) of two predictions of the same items, one or more.

    1 where they are identical, also if both give one label to everything and chance alone would do the same.
    """
    if list(old) == list(new):
        return 1.0
    n = len(old)
    observed = sum(a == b for a, b in zip(old, new, strict=True)) / n
    before, after = Counter(old), Counter(new)
    expected = sum(before[label] * after[label] for label in before) / (n * n)
    return (observed - expected) / (1 - expected)


def changed_share(old: Sequence[str], new: Sequence[str]) -> float:
    """Share of the items, one or more, whose label is another one."""
    return sum(a != b for a, b in zip(old, new, strict=True)) / len(old)


def delta_f(old: Sequence[str], new: Sequence[str], positive: Collection[str]) -> float | None:
    """1 - 2a / (2a + b + c): a items are positive for both models, b + c for one (Altschuler and Bloodgood 2019).

    None where neither predicts a positive: no agreement on positives can be measured then.
    """
    pairs = [(a in positive, b in positive) for a, b in zip(old, new, strict=True)]
    both, one = sum(a and b for a, b in pairs), sum(a != b for a, b in pairs)
    return 1 - 2 * both / (2 * both + one) if both or one else None


def stopping_figures(previous: Mapping[str, str], now: Mapping[str, str], positive: Collection[str]) -> dict[str, Any]:
    """Return the figures of one model beside those before it, over their common ids; None without any.

    Both map ids to labels, and leave out what their model was trained on (Bloodgood and Vijay-Shanker 2009, 3: the
    stopping set is unlabelled). Successive models agree on training items by construction.
    """
    common = [name for name in now if name in previous]
    old, new = [previous[name] for name in common], [now[name] for name in common]
    return {
        "n_compared": len(common),
        "changed_share": changed_share(old, new) if common else None,
        "kappa": cohen_kappa(old, new) if common else None,
        "delta_f": delta_f(old, new, positive) if common and positive else None,
    }
