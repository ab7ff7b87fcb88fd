"""Compute ROUGE-L of two short texts (Lin 2004, section 3), as F with equal weight for recall and precision."""

from al_worker.formats.words import words


def rouge_l(one: str, other: str) -> float | None:
    """Return 2 LCS / (words in one + words in the other), from 0 to 1, or None where neither text has a word.

    LCS is the length of the longest common subsequence of their lower-cased words.
    The value is the same with the texts exchanged.
    """
    ours, theirs = words(one.lower()), words(other.lower())
    if not ours and not theirs:
        return None
    return 2 * common_subsequence(ours, theirs) / (len(ours) + len(theirs))


def common_subsequence(one: list[str], other: list[str]) -> int:
    """Return the length of the longest common subsequence.

    A row of the table is computed at a time, as the bits of one number (Hyyrö 2004).
    """
    places: dict[str, int] = {}
    for place, word in enumerate(one):
        places[word] = places.get(word, 0) | 1 << place
    full = (1 << len(one)) - 1
    row = full
    for word in other:
        met = row & places.get(word, 0)
        row = (row + met | row - met) & full
    return len(one) - row.bit_count()
