"""Keep the sentences that are most like the targets (Marfurt et al. 2022, 2.4)."""

from al_worker.core.interpretation.filters.base import Source
from al_worker.core.interpretation.filters.lead import fill
from al_worker.core.interpretation.filters.recall import Recall


def keep(source: Source, budget: int) -> list[int]:
    """Return sentences taken greedily by gain in recall for each token, and then from the top.

    A sentence that would overflow the budget, or whose text is kept already, is passed over. The rest of the budget is
    filled up to the first that overflows. Where nothing fits, sentence 0 is kept.
    """
    recall, kept, texts, used = Recall(source), list[int](), set[str](), 0
    lengths, sentences = source.lengths, source.sentences
    while True:
        fitting = (n for n, text in enumerate(sentences) if text not in texts and used + lengths[n] <= budget)
        number = recall.best(kept, fitting)
        if number is None:
            break
        kept.append(number)
        texts.add(sentences[number])
        used += lengths[number]
    return sorted([*kept, *fill(source, budget, texts, used)]) or [0]
