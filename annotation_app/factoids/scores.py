"""Score the texts of a set by a factoid list, and tell how many texts are enough (van Halteren and Teufel 2003)."""

from dataclasses import dataclass
from typing import Any

from al_worker.factoids.lists import FactoidList as EngineList
from al_worker.factoids.scores import Votes, consensus, gold_overlap, text_scores, votes_of, weights
from annotation_app.cached import Cache
from annotation_app.factoids.stored import engine_list
from annotation_app.factoids.texts import list_texts
from annotation_app.models import FactoidList, SetText
from annotation_app.refusals import Invalid, Refused

HALF = 0.5
DRAWS = 100
FEW = "Weights need two texts that people wrote. This list is about fewer."
LATER = "This list was made before the text was added: score the text by a list of a later annotation phase."

Points = tuple[dict[str, Any], ...]
# The list, its revision, how many texts it is about, draws, seed.
STABILITY: Cache[tuple[int, int, int, int, int], Points] = Cache(64)


@dataclass(frozen=True)
class Scored:
    """Hold a list with its texts, and which of their factoids the texts that vote have: all but the systems'."""

    given: EngineList
    systems: frozenset[str]
    votes: Votes


def scored(row: FactoidList) -> Scored:
    """Raise Refused where fewer than two texts vote."""
    given = engine_list(row)
    systems = frozenset(list_texts(row).filter(is_system=True).values_list("external_id", flat=True))
    voting = [text for text in given.texts if text not in systems]
    if len(voting) < 2:
        raise Refused("few_texts", FEW)
    return Scored(given, systems, votes_of(given, voting))


def list_scores(row: FactoidList, share: float = HALF, gold: str | None = None) -> dict[str, Any]:
    """Return the weights of a list's factoids, its consensus summary, and the score of each text.

    A system's text is scored, and has no vote. `share` is the least weight in the summary. `gold` is a text with which
    the others are compared too. A text of the set that was added after the list has the reason for no score.
    Raises Invalid and Refused.
    """
    of = scored(row)
    if gold is not None and gold not in of.given.texts:
        raise Invalid({"gold": [f"This list is about no text {gold!r}. Name one of {', '.join(of.given.texts)}."]})
    of_set = SetText.objects.filter(text_set=row.text_set_id).order_by("position")
    later = dict(of_set.exclude(external_id__in=of.given.texts).values_list("external_id", "is_system"))
    reasons: dict[str, float | str] = dict.fromkeys(later, LATER)
    scores = text_scores(of.given, of.systems) | reasons
    overlaps: dict[str, float | str] = {} if gold is None else gold_overlap(of.given, gold) | reasons
    return {
        "weights": dict(zip(of.given.by_id, weights(of.votes).tolist(), strict=True)),
        "consensus": consensus(of.given, of.votes, share),
        "scores": [
            {
                "text": text,
                "is_system": text in of.systems or later.get(text, False),
                "is_later": text in later,
                **value_or_reason("score", "reason", score),
                **value_or_reason("gold", "gold_reason", overlaps.get(text)),
            }
            for text, score in scores.items()
        ],
    }


def value_or_reason(name: str, reason: str, value: float | str | None) -> dict[str, float | str | None]:
    return {name: None, reason: value} if isinstance(value, str) else {name: value, reason: None}


def list_stability(row: FactoidList, draws: int = DRAWS, seed: int = 0) -> Points:
    """Return the points of rank stability. They are kept until the list changes. Raises Refused."""
    key = (row.pk, row.revision, list_texts(row).count(), draws, seed)

    def found() -> Points:
        # scipy.stats takes most of a second to import, which no other request should wait for.
        from al_worker.factoids.stability import rank_stability

        points = rank_stability(scored(row).votes, draws, seed)
        return tuple(
            {"m": each.m, "n": each.n, "rho": each.rho, "sd": each.sd, "reason": each.reason} for each in points
        )

    return STABILITY.read([key], lambda _: {key: found()})[key]
