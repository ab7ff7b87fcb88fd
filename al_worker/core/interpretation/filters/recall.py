"""Compute how much a sentence adds to the ROUGE-2 recall of a selection (Marfurt et al. 2022, 2.4).

The recall is that of rouge-score with its stemmer. Each sentence is cut into tokens once. Bigrams are counted as whole
numbers, so that equal gains are equal and ties go to the earlier sentence.
"""

from collections import Counter
from collections.abc import Iterable, Sequence
from fractions import Fraction
from itertools import chain, pairwise

from rouge_score.tokenizers import DefaultTokenizer

from al_worker.core.interpretation.filters.base import Source


class Recall:
    """Compute the gain of sentences of one source against all its targets."""

    def __init__(self, source: Source) -> None:
        tokenizer = DefaultTokenizer(use_stemmer=True)
        self.lengths = source.lengths
        self.tokens = [tokenizer.tokenize(sentence) for sentence in source.sentences]
        self.reference = Counter(pairwise(tokenizer.tokenize("\n".join(source.targets))))

    def shared(self, numbers: Iterable[int]) -> int:
        """Return how many bigrams of the targets the sentences have, as one text; a bigram counts as often as in both.

        Divided by the number of the targets' bigrams this is the recall.
        """
        found = Counter(pairwise(chain.from_iterable(self.tokens[number] for number in numbers)))
        return sum((found & self.reference).values())

    def best(self, kept: Sequence[int], candidates: Iterable[int]) -> int | None:
        """Return the candidate that adds most recall a token, the earlier of equals, or None where none adds any."""
        so_far = self.shared(sorted(kept))
        best, most = None, Fraction(0)
        for number in candidates:
            gain = Fraction(self.shared(sorted([*kept, number])) - so_far, self.lengths[number])
            if gain > most:
                best, most = number, gain
        return best
