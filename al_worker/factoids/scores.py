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


def recalls(has: Votes, voting: Votes) -> NDArray[np.float64]:
    """Return (..., n) weighted factoid recalls of n texts, a row for each (n,) of `voting`, which says what votes.

    `has` are the (n, F) factoids of the texts. A recall is the sum of the counts of a text's factoids over that of as
    many of the heaviest: counts of votes stand for weights. A text's own vote does not count for it.
    NaN: there is no such quotient.
    """
    factoids, own, votes = has.astype(np.float64), has.sum(axis=1), voting.astype(np.float64)
    counts = votes @ factoids
    # The k heaviest counts sum to this over all v: how many counts are v or more, at most k. Without its own vote, a
    # text's factoids with v votes have fewer.
    best = np.zeros(votes.shape)
    for v in range(1, int(counts.max(initial=0)) + 1):
        reaching = (counts >= v).sum(axis=-1)[..., None] - votes * ((counts == v) @ factoids.T)
        best += np.minimum(own, reaching)
    gained = counts @ factoids.T - votes * own
    return np.divide(gained, best, out=np.full(best.shape, np.nan), where=best > 0)


def text_scores(given: FactoidList, systems: Collection[str]) -> dict[str, float | str]:
    """Return each text's weighted factoid recall against the texts that are no systems', or the reason for none.

    The list has two texts or more that are no systems'. A system's text is scored and has no vote.
    """
    has, voting = votes_of(given, given.texts), np.array([text not in systems for text in given.texts])
    rows = zip(given.texts, recalls(has, voting).tolist(), has.sum(axis=1).tolist(), strict=True)
    return {text: (NO_WEIGHT if n else NO_FACTOID) if isnan(score) else score for text, score, n in rows}


def gold_overlap(given: FactoidList, gold: str) -> dict[str, float | str]:
    """Return for each other text the share of the gold text's factoids that it has, or the reason for none."""
    own = {factoid.id for factoid in given.factoids if gold in factoid.texts}
    others = [text for text in given.texts if text != gold]
    if not own:
        return dict.fromkeys(others, NO_GOLD)
    return {text: sum(text in given.by_id[name].texts for name in own) / len(own) for text in others}
