"""Weigh factoids by how many texts have them, and score texts by the weights of theirs (van Halteren and Teufel 2003).

Votes are an (n, F) matrix of n texts and F factoids, which says which text has which factoid.
Pure functions; no text counts for its own score.
"""

from collections.abc import Collection, Sequence
from math import isnan

import numpy as np
from numpy.typing import NDArray

from al_worker.factoids.lists import FactoidList

Votes = NDArray[np.bool_]
NO_FACTOID = "The text has no factoid."
NO_WEIGHT = "No other text has a factoid."
NO_GOLD = "The gold text has no factoid."


def votes_of(given: FactoidList, texts: Sequence[str]) -> Votes:
    """Return the votes of some texts of a list, in the order of `texts` and of the list."""
    rows = [[text in factoid.texts for factoid in given.factoids] for text in texts]
    return np.array(rows, dtype=bool).reshape(len(texts), len(given.factoids))


def weights(votes: Votes) -> NDArray[np.float64]:
    """Return the (F,) shares of the texts, one or more, that have each factoid."""
    return votes.mean(axis=0)


def consensus(given: FactoidList, votes: Votes, share: float) -> list[str]:
    """Return the ids of the consensus summary: the factoids that at least this share of the texts have."""
    return [factoid.id for factoid, weight in zip(given.factoids, weights(votes), strict=True) if weight >= share]


def recall(has: Votes, counts: NDArray[np.int_]) -> NDArray[np.float64]:
    """Return (n,) weighted factoid recalls: the counts of a text's factoids over those of as many of the heaviest.

    `has` are the (n, F) factoids of the texts. `counts` are (n, F): in a text's row how many other texts have each
    factoid, of a number that is the same for all factoids. So they stand for weights. NaN: there is no such quotient.
    """
    own = has.sum(axis=1)
    heaviest = np.zeros((len(has), has.shape[1] + 1), dtype=np.int_)
    np.cumsum(-np.sort(-counts, axis=1), axis=1, out=heaviest[:, 1:])
    best = np.take_along_axis(heaviest, own[:, None], axis=1)[:, 0]
    return np.divide((has * counts).sum(axis=1), best, out=np.full(len(has), np.nan), where=best > 0)


def counts_of_others(has: Votes, votes: Votes, votes_too: Votes) -> NDArray[np.int_]:
    """Return (n, F) counts of the voting texts that have each factoid, without a text's own vote.

    `votes_too` are (n,) and say which of the scored texts are among those that vote.
    """
    return votes.sum(axis=0) - (has & votes_too[:, None])


def text_scores(given: FactoidList, systems: Collection[str]) -> dict[str, float | str]:
    """Return each text's weighted factoid recall against the texts that are no systems', or the reason for none.

    The list has two texts or more that are no systems'. A system's text is scored and has no vote.
    """
    voting = [text for text in given.texts if text not in systems]
    has, votes = votes_of(given, given.texts), votes_of(given, voting)
    counts = counts_of_others(has, votes, np.array([text in voting for text in given.texts]))
    rows = zip(given.texts, recall(has, counts).tolist(), has.sum(axis=1).tolist(), strict=True)
    return {text: (NO_WEIGHT if n else NO_FACTOID) if isnan(score) else score for text, score, n in rows}


def gold_overlap(given: FactoidList, gold: str) -> dict[str, float | str]:
    """Return for each other text the share of the gold text's factoids that it has, or the reason for none."""
    own = {factoid.id for factoid in given.factoids if gold in factoid.texts}
    others = [text for text in given.texts if text != gold]
    if not own:
        return dict.fromkeys(others, NO_GOLD)
    return {text: sum(text in given.by_id[name].texts for name in own) / len(own) for text in others}
