"""Make lists from lists: those of a second look, and the one of a consensus, with the items on which people differ."""

from collections import defaultdict
from collections.abc import Iterable, Mapping
from dataclasses import replace
from uuid import UUID

from django.db.models import QuerySet

from al_worker.factoids.lists import IDENTIFYING
from annotation_app.factoids.relations import newest_relations
from annotation_app.factoids.states import FactoidState, states_of_lists
from annotation_app.factoids.steps import Cell, answers
from annotation_app.factoids.texts import phase_texts
from annotation_app.models import (
    Factoid,
    FactoidAbsence,
    FactoidItem,
    FactoidList,
    FactoidPhase,
    FactoidRelation,
    FactoidSentence,
    SetSentence,
    SetText,
)
from annotation_app.refusals import Refused

States = Mapping[UUID, FactoidState]


def lists_copy(contents: Mapping[FactoidList, States], *, with_links: bool = True) -> None:
    """Fill new lists with factoids, in a fixed number of queries."""
    text_sets = {row.text_set_id for row in contents}
    made = Factoid.objects.bulk_create(
        Factoid(factoid_list=row, key=state.key, external_id=state.id, description=state.description)
        for row, states in contents.items()
        for state in states.values()
    )
    if not with_links:
        return
    sentences = dict(SetSentence.objects.filter(text_set__in=text_sets).values_list("external_id", "pk"))
    texts = dict(SetText.objects.filter(text_set__in=text_sets).values_list("external_id", "pk"))
    of = [(factoid, contents[factoid.factoid_list][factoid.key]) for factoid in made]
    FactoidSentence.objects.bulk_create(
        FactoidSentence(factoid=factoid, sentence_id=sentences[name])
        for factoid, state in of
        for name in state.sentences
    )
    FactoidAbsence.objects.bulk_create(
        FactoidAbsence(factoid=factoid, set_text_id=texts[name]) for factoid, state in of for name in state.absent
    )


class Answers:
    """Hold what the lists of a closed phase say of each factoid in each text."""

    def __init__(self, phase: FactoidPhase) -> None:
        self.lists = list(phase.lists.select_related("owner__user").order_by("owner__number"))
        self.states = states_of_lists([row.pk for row in self.lists])
        self.texts = list(phase_texts(phase))
        sentences = SetSentence.objects.filter(text_set=phase.text_set_id)
        self.text_of = dict(sentences.values_list("external_id", "set_text__external_id"))
        self._there = {
            (row.pk, key): frozenset(text for text, said in answers(state, self.text_of).items() if said)
            for row in self.lists
            for key, state in self.states.get(row.pk, {}).items()
        }

    def is_there(self, row: FactoidList, cell: Cell) -> bool:
        """Return whether a list links a sentence of the text. What was not answered counts as not there."""
        return cell.text in self._there[row.pk, cell.key]

    def differing(self) -> list[Cell]:
        """Return the factoids and texts on which the lists of an annotation differ, in the order of list and set."""
        keys = self.states.get(self.lists[0].pk, {}) if self.lists else {}
        cells = (Cell(key, text.external_id) for key in keys for text in self.texts)
        return [cell for cell in cells if len({self.is_there(row, cell) for row in self.lists}) > 1]


def second_looks_make(phase: FactoidPhase, follows: FactoidPhase) -> None:
    """Copy the lists of the phase before, and make an item of each answer that differs from another's.

    Raises Refused where nothing differs.
    """
    before = Answers(follows)
    if phase.kind == FactoidPhase.Kind.ANNOTATION:
        asked = {row.pk: before.differing() for row in before.lists}
    else:
        asked = differing_by_relation(follows, before)
    if not any(asked.values()):
        raise Refused("nothing_differs", nothing_differs(phase.kind))
    made = {
        row: FactoidList(text_set_id=phase.text_set_id, phase=phase, owner=row.owner, started_from=row)
        for row in before.lists
    }
    FactoidList.objects.bulk_create(made.values())
    lists_copy({copy: before.states.get(row.pk, {}) for row, copy in made.items()})
    texts = {text.external_id: text for text in before.texts}
    FactoidItem.objects.bulk_create(
        FactoidItem(factoid_list=copy, key=cell.key, set_text=texts[cell.text], was_there=before.is_there(row, cell))
        for row, copy in made.items()
        for cell in asked.get(row.pk, ())
    )


def nothing_differs(kind: str) -> str:
    if kind == FactoidPhase.Kind.ANNOTATION:
        return "Nobody's answers differ: there is nothing to look at again."
    return "No two related factoids are in different texts. Pair the lists and judge their relations first."


def differing_by_relation(phase: FactoidPhase, before: Answers) -> dict[int, list[Cell]]:
    """Return for each list its own factoids and the texts in which a related factoid of another list differs."""
    rows = {row.pk: row for row in before.lists}
    found: dict[int, dict[Cell, None]] = defaultdict(dict)
    for relation in relations_in(phase):
        sides = ((relation.pairing.first_id, relation.a), (relation.pairing.second_id, relation.b))
        if any(key not in before.states.get(row, {}) for row, key in sides):
            continue
        for text in before.texts:
            cells = [(row, Cell(key, text.external_id)) for row, key in sides]
            if len({before.is_there(rows[row], cell) for row, cell in cells}) > 1:
                for row, cell in cells:
                    found[row][cell] = None
    return {row: list(cells) for row, cells in found.items()}


def relations_in(phase: FactoidPhase) -> QuerySet[FactoidRelation]:
    """Return the judgements that count of a phase's lists, of factoids that say the same or a part of the other."""
    rows = FactoidRelation.objects.filter(pairing__first__phase=phase, pairing__second__phase=phase)
    return newest_relations(rows).filter(relation__in=IDENTIFYING).select_related("pairing")


def consensus_list_make(phase: FactoidPhase, follows: FactoidPhase) -> FactoidList:
    """Make the list of a consensus phase: what people agree on is in it, and each cell on which they differ is an item.

    Where they agree that a factoid is in a text, every sentence that one of them named is linked.
    """
    before = Answers(follows)
    row = FactoidList.objects.create(text_set_id=phase.text_set_id, phase=phase)
    differing = before.differing()
    open_cells = {(cell.key, cell.text) for cell in differing}
    heads = before.states.get(before.lists[0].pk, {}) if before.lists else {}
    lists_copy({row: {key: agreed(head, before, open_cells) for key, head in heads.items()}})
    texts = {text.external_id: text for text in before.texts}
    FactoidItem.objects.bulk_create(
        FactoidItem(factoid_list=row, key=cell.key, set_text=texts[cell.text]) for cell in differing
    )
    return row


def agreed(head: FactoidState, before: Answers, open_cells: set[tuple[UUID, str]]) -> FactoidState:
    """Return a factoid with what all say of it: their sentences, and the texts in which nobody sees it."""
    named = (name for row in before.lists for name in before.states[row.pk][head.key].sentences)
    sentences = tuple(name for name in unique(named) if (head.key, before.text_of[name]) not in open_cells)
    there = {before.text_of[name] for name in sentences}
    others = (text.external_id for text in before.texts if text.external_id not in there)
    return replace(
        head, sentences=sentences, absent=tuple(text for text in others if (head.key, text) not in open_cells)
    )


def unique(names: Iterable[str]) -> tuple[str, ...]:
    return tuple(dict.fromkeys(names))
