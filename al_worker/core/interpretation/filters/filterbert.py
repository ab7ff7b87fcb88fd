"""Keep the sentences that a trained model would keep most (Marfurt et al. 2022, 4.3)."""

from al_worker.core.interpretation.filters.base import Source


def keep(source: Source, budget: int) -> list[int]:
    """Return the sentences with the largest scores, up to the first that overflows the budget.

    The best one is kept whatever its length. Equal scores go to the earlier sentence. A sentence whose text is kept
    already is passed over.
    """
    kept, texts, used = list[int](), set[str](), 0
    for number in sorted(range(len(source.sentences)), key=lambda number: (-source.scores[number], number)):
        if source.sentences[number] in texts:
            continue
        used += source.lengths[number]
        if kept and used > budget:
            break
        kept.append(number)
        texts.add(source.sentences[number])
    return sorted(kept)
