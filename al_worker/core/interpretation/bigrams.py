"""Count the distinct and the novel bigrams of texts without markers (Marfurt et al. 2022, 4.2)."""

from collections.abc import Iterable, Sequence
from itertools import pairwise

Bigrams = set[tuple[str, str]]


def bigrams(sentences: Iterable[str]) -> Bigrams:
    """Return the distinct bigrams of words between white space; none goes over the end of a sentence."""
    return {pair for sentence in sentences for pair in pairwise(sentence.split())}


def novel_share(sentences: Iterable[str], source: Sequence[str]) -> float | None:
    """Return the share of a text's distinct bigrams that are not in the source, or None where it has no bigram.

    The source is read as one text, as a model reads it.
    """
    own = bigrams(sentences)
    return len(own - bigrams([" ".join(source)])) / len(own) if own else None
