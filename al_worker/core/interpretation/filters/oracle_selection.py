"""Select the sentences that a trained filter learns to keep (Marfurt et al. 2022, 4.3)."""

from al_worker.core.interpretation.filters.base import Source
from al_worker.core.interpretation.filters.recall import Recall


def keep(source: Source, budget: int) -> list[int]:
    """Return sentences taken greedily by gain in recall for each token, until the next would reach the budget.

    The kept ones have fewer tokens than the budget. Only where the first one does not, it is kept alone. Where no
    sentence has a bigram of the targets, none is kept.
    """
    recall, kept, used = Recall(source), list[int](), 0
    while True:
        number = recall.best(kept, (n for n in range(len(source.sentences)) if n not in kept))
        if number is None:
            return sorted(kept)
        used += source.lengths[number]
        if used >= budget:
            return sorted(kept) or [number]
        kept.append(number)
