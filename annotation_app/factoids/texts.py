"""Read the texts of a set, and which of them a phase or a list is about."""

from collections import defaultdict
from collections.abc import Collection, Mapping
from datetime import datetime
from typing import NamedTuple

from django.db.models import Prefetch, Q, QuerySet

from annotation_app.models import FactoidList, FactoidPhase, SetSentence, SetText


class SentencePlace(NamedTuple):
    """Hold where a sentence stands. Places sort as the set is read."""

    text_position: int
    position: int
    text: str
    pk: int


def first_phase(phase: FactoidPhase) -> FactoidPhase:
    """Return the independent phase that a phase goes back to."""
    while phase.follows is not None:
        phase = phase.follows
    return phase


def list_texts(row: FactoidList) -> QuerySet[SetText]:
    """Return the texts that a list is about, in their order.

    A phase is about the texts that the set had when its independent phase was closed; a list without a phase is about
    those that it had when it was published. Texts that are added later do not count there.
    """
    if row.phase is not None:
        return phase_texts(row.phase)
    return texts_until(row.text_set_id, row.published_at)


def phase_texts(phase: FactoidPhase) -> QuerySet[SetText]:
    """Return the texts that a phase is about, in their order."""
    return texts_until(phase.text_set_id, first_phase(phase).closed_at)


def n_texts_of(phases: Collection[FactoidPhase]) -> dict[int, int]:
    """Return how many texts each phase is about, by its primary key, in one query."""
    added: dict[int, list[datetime]] = defaultdict(list)
    texts = SetText.objects.filter(text_set__in={phase.text_set_id for phase in phases})
    for text_set, moment in texts.values_list("text_set", "created_at"):
        added[text_set].append(moment)
    found = {}
    for phase in phases:
        closed = first_phase(phase).closed_at
        found[phase.pk] = sum(closed is None or moment <= closed for moment in added[phase.text_set_id])
    return found


def texts_until(text_set_id: int, moment: datetime | None) -> QuerySet[SetText]:
    """Return the texts that a set had at a moment, or has now where it is None."""
    until = Q() if moment is None else Q(created_at__lte=moment)
    return SetText.objects.filter(until, text_set=text_set_id).order_by("position")


def with_sentences(texts: QuerySet[SetText]) -> QuerySet[SetText]:
    """Load the sentences of texts too, in their order."""
    return texts.prefetch_related(Prefetch("sentences", SetSentence.objects.order_by("position")))


def places_of(texts: QuerySet[SetText], names: set[str]) -> Mapping[str, SentencePlace]:
    """Return where the named sentences of these texts stand, by their ids; unknown ones are left out."""
    fields = ("external_id", "set_text__position", "position", "set_text__external_id", "pk")
    found = SetSentence.objects.filter(set_text__in=texts, external_id__in=names).values_list(*fields)
    return {name: SentencePlace(*place) for name, *place in found}
