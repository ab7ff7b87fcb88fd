"""Keep a source's first sentences (Marfurt et al. 2022, 2.4)."""

from al_worker.core.interpretation.filters.base import Source


def keep(source: Source, budget: int) -> list[int]:
    """Return sentence 0, whatever its length, and those after it up to the first that overflows the budget.

    A sentence whose text is kept already is passed over.
    """
    return [0, *fill(source, budget, {source.sentences[0]}, source.lengths[0])]


def fill(source: Source, budget: int, texts: set[str], used: int) -> list[int]:
    """Return the sentences from the top that are not among the texts, up to the first that overflows the budget."""
    texts, found = set(texts), []
    for number, (sentence, length) in enumerate(zip(source.sentences, source.lengths, strict=True)):
        if sentence in texts:
            continue
        if used + length > budget:
            break
        found.append(number)
        texts.add(sentence)
        used += length
    return found
