"""Hold factoids as they are at a revision of their list, and read the current ones."""

from collections import defaultdict
from collections.abc import Collection, Iterable
from dataclasses import dataclass
from typing import Any
from uuid import UUID

from al_worker.factoids.lists import natural_key
from annotation_app.models import Factoid, FactoidAbsence, FactoidList, FactoidSentence


@dataclass(frozen=True, slots=True)
class FactoidState:
    """Hold a factoid. `sentences` and `absent` are ids of sentences and of texts, in the order of the set."""

    key: UUID
    id: str
    description: str
    sentences: tuple[str, ...] = ()
    absent: tuple[str, ...] = ()

    def written(self) -> dict[str, Any]:
        """Return the factoid as a revision stores it, without its key."""
        return {
            "id": self.id,
            "description": self.description,
            "sentences": list(self.sentences),
            "absent": list(self.absent),
        }


def factoid_states(row: FactoidList, keys: Collection[UUID] | None = None) -> dict[UUID, FactoidState]:
    """Return the factoids of a list in natural order of their ids, or only those with these keys. Takes 3 queries."""
    return states_of_lists([row.pk], keys).get(row.pk, {})


def states_of_lists(lists: Iterable[int], keys: Collection[UUID] | None = None) -> dict[int, dict[UUID, FactoidState]]:
    """Return the factoids of several lists, as `factoid_states` does. Lists without a factoid are left out."""
    rows = Factoid.objects.filter(factoid_list__in=lists)
    if keys is not None:
        rows = rows.filter(key__in=keys)
    sentences: dict[int, list[str]] = defaultdict(list)
    of_set = ("sentence__set_text__position", "sentence__position")
    links = FactoidSentence.objects.filter(factoid__in=rows).order_by(*of_set)
    for factoid, sentence in links.values_list("factoid_id", "sentence__external_id"):
        sentences[factoid].append(sentence)
    absent: dict[int, list[str]] = defaultdict(list)
    absences = FactoidAbsence.objects.filter(factoid__in=rows).order_by("set_text__position")
    for factoid, text in absences.values_list("factoid_id", "set_text__external_id"):
        absent[factoid].append(text)
    found: dict[int, dict[UUID, FactoidState]] = defaultdict(dict)
    fields = rows.values_list("pk", "factoid_list_id", "key", "external_id", "description")
    for pk, owner, key, name, description in sorted(fields, key=lambda field: natural_key(field[3])):
        found[owner][key] = FactoidState(key, name, description, tuple(sentences[pk]), tuple(absent[pk]))
    return dict(found)
