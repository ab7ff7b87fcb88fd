"""Read a text set with its closed work as records, with pseudonyms in place of names.

Lists of open phases and drafts are left out: nobody sees them yet.
"""

from collections.abc import Callable, Iterator, Mapping, Sequence
from functools import cached_property
from typing import Any, cast
from uuid import UUID

from django.db.models import Q

from al_worker.factoids.comparison import STRONG
from annotation_app.export.times import utc
from annotation_app.factoids.agreement import set_agreement
from annotation_app.factoids.scores import list_scores
from annotation_app.factoids.states import FactoidState, states_of_lists
from annotation_app.factoids.stored import links_of_pairings
from annotation_app.factoids.texts import list_texts, with_sentences
from annotation_app.models import FactoidItem, FactoidList, FactoidPairing, FactoidRevision, TextSet
from annotation_app.releases.features import BOOL, FLOAT, INT, STRING, Type
from annotation_app.releases.tables import rounded

Record = dict[str, Any]
CONSENSUS = "consensus"

PAIR: dict[str, Type] = {"list_a": STRING, "list_b": STRING, "a": STRING, "b": STRING}
ANSWER: dict[str, Type] = {"is_there": BOOL, "note": STRING}
# The fields of each file. Every record has them all.
FIELDS: dict[str, dict[str, Type]] = {
    "texts": {"id": STRING, "is_system": BOOL, "sentences": [{"id": STRING, "text": STRING}]},
    "phases": {
        "phase": INT,
        "kind": STRING,
        "step": STRING,
        "follows": INT,
        "given_version": INT,
        "annotators": [STRING],
        "opened_at": STRING,
        "closed_at": STRING,
    },
    "lists": {
        "list": STRING,
        "kind": STRING,
        "step": STRING,
        "phase": INT,
        "annotator": STRING,
        "version": INT,
        "started_from": STRING,
        "proposed_from": [STRING],
        "n_factoids": INT,
        "revision": INT,
        "published_at": STRING,
    },
    "factoids": {
        "list": STRING,
        "key": STRING,
        "id": STRING,
        "description": STRING,
        "sentences": [STRING],
        "absent": [STRING],
    },
    "links": PAIR | {"f": FLOAT, "direction": STRING, "threshold": FLOAT, "description_weight": FLOAT},
    "relations": PAIR | {"relation": STRING, "annotator": STRING, "decided_at": STRING, "is_current": BOOL},
    "items": {
        "list": STRING,
        "key": STRING,
        "id": STRING,
        "text": STRING,
        "was_there": BOOL,
        "is_there": BOOL,
        "note": STRING,
        "decided_at": STRING,
    },
    "decisions": {
        "list": STRING,
        "revision": INT,
        "step": STRING,
        "annotator": STRING,
        "decided_at": STRING,
        "key": STRING,
        "id": STRING,
        "text": STRING,
        "before": ANSWER,
        "after": ANSWER,
    },
    "agreement": {
        "kind": STRING,
        "phase": INT,
        "step": STRING,
        "annotators": [STRING],
        "relation": STRING,
        "K": FLOAT,
        "N": INT,
        "k": INT,
        "n": INT,
        "P_A": FLOAT,
        "P_E": FLOAT,
        "cohen": FLOAT,
        "low": FLOAT,
        "high": FLOAT,
        "reason": STRING,
    },
    "consensus": {
        "version": INT,
        "key": STRING,
        "id": STRING,
        "description": STRING,
        "sentences": [STRING],
        "weight": FLOAT,
    },
    "scores": {"list": STRING, "text": STRING, "is_system": BOOL, "score": FLOAT, "reason": STRING},
}


class ClosedWork:
    """Hold a set with the lists of its closed phases and the published ones. The caller holds one snapshot."""

    def __init__(self, text_set: TextSet) -> None:
        self.text_set = text_set
        is_closed = Q(phase__closed_at__isnull=False) | Q(published_at__isnull=False)
        related = ("phase__follows__follows", "owner", "proposed_from")
        rows = text_set.lists.filter(is_closed).select_related(*related)
        self.lists = {row.pk: row for row in rows.order_by("phase__number", "version", "owner__number")}
        self.states = states_of_lists(self.lists)
        people = text_set.project.memberships.values_list("user_id", "number")
        self.names = {user: f"annotator {number}" for user, number in people}

    def name_of(self, pk: int | None) -> str | None:
        """Return the name of a list, which is unique in its set; None for one that is left out."""
        row = None if pk is None else self.lists.get(pk)
        if row is None:
            return None
        if row.phase is None:
            return f"version-{row.version}"
        whose = "consensus" if row.owner is None else f"annotator-{row.owner.number}"
        return f"phase-{row.phase.number}-{whose}"

    def annotator_of(self, row: FactoidList) -> str | None:
        return None if row.owner is None else self.names[row.owner.user_id]

    def factoids_of(self, pk: int) -> Mapping[UUID, FactoidState]:
        return self.states.get(pk, {})

    @cached_property
    def agreement(self) -> Mapping[str, Sequence[Record]]:
        """Return the rows of agreement by their kind, with pseudonyms."""
        return set_agreement(self.text_set, pseudonyms=True)

    def pairings(self) -> Iterator[FactoidPairing]:
        """Yield the pairings of closed lists."""
        for pairing in self.text_set.pairings.order_by("pk"):
            if pairing.first_id in self.lists and pairing.second_id in self.lists:
                pairing.first, pairing.second = self.lists[pairing.first_id], self.lists[pairing.second_id]
                yield pairing


def text_records(work: ClosedWork) -> Iterator[Record]:
    for text in with_sentences(work.text_set.texts.order_by("position")):
        sentences = [{"id": each.external_id, "text": each.text} for each in text.sentences.all()]
        yield {"id": text.external_id, "is_system": text.is_system, "sentences": sentences}


def phase_records(work: ClosedWork) -> Iterator[Record]:
    for phase in work.text_set.phases.select_related("follows", "given").order_by("number"):
        owners = phase.lists.filter(owner__isnull=False).order_by("owner__number")
        yield {
            "phase": phase.number,
            "kind": phase.kind,
            "step": phase.step,
            "follows": phase.follows and phase.follows.number,
            "given_version": phase.given and phase.given.version,
            "annotators": [work.names[user] for user in owners.values_list("owner__user_id", flat=True)],
            "opened_at": utc(phase.opened_at),
            "closed_at": phase.closed_at and utc(phase.closed_at),
        }


def list_records(work: ClosedWork) -> Iterator[Record]:
    for row in work.lists.values():
        pairing = row.proposed_from
        yield {
            "list": work.name_of(row.pk),
            "kind": row.phase.kind if row.phase else CONSENSUS,
            "step": row.phase.step if row.phase else CONSENSUS,
            "phase": row.phase and row.phase.number,
            "annotator": work.annotator_of(row),
            "version": row.version,
            "started_from": work.name_of(row.started_from_id),
            "proposed_from": [work.name_of(each) for each in (pairing.first_id, pairing.second_id)] if pairing else [],
            "n_factoids": len(work.factoids_of(row.pk)),
            "revision": row.revision,
            "published_at": row.published_at and utc(row.published_at),
        }


def factoid_records(work: ClosedWork) -> Iterator[Record]:
    for pk in work.lists:
        for state in work.factoids_of(pk).values():
            yield {"list": work.name_of(pk), "key": str(state.key), **state.written()}


def link_records(work: ClosedWork) -> Iterator[Record]:
    pairings = list(work.pairings())
    found = links_of_pairings(pairings)
    for pairing in pairings:
        links = found[pairing.pk]
        for link in (*links.strong, *links.weak):
            yield lists_paired(work, pairing) | {
                "a": link.a,
                "b": link.b,
                "f": link.f,
                "direction": link.direction or STRONG,
                "threshold": pairing.threshold,
                "description_weight": pairing.description_weight,
            }


def relation_records(work: ClosedWork) -> Iterator[Record]:
    """Yield every judgement in its order; the newest of a pair is current, unless it withdraws.

    Withdrawn ones of a factoid that was deleted in the reopened phase are left out.
    """
    for pairing in work.pairings():
        first, second = work.factoids_of(pairing.first_id), work.factoids_of(pairing.second_id)
        rows = list(pairing.relations.order_by("pk"))
        newest = {(row.a, row.b): row.pk for row in rows}
        for row in (each for each in rows if each.a in first and each.b in second):
            yield lists_paired(work, pairing) | {
                "a": first[row.a].id,
                "b": second[row.b].id,
                "relation": row.relation or None,
                "annotator": work.names[row.decided_by_id],
                "decided_at": utc(row.decided_at),
                "is_current": newest[row.a, row.b] == row.pk and bool(row.relation),
            }


def lists_paired(work: ClosedWork, pairing: FactoidPairing) -> Record:
    return {"list_a": work.name_of(pairing.first_id), "list_b": work.name_of(pairing.second_id)}


def item_records(work: ClosedWork) -> Iterator[Record]:
    rows = FactoidItem.objects.filter(factoid_list__in=work.lists).select_related("set_text")
    for row in rows.order_by("factoid_list__phase__number", "factoid_list", "set_text__position", "pk"):
        yield {
            "list": work.name_of(row.factoid_list_id),
            "key": str(row.key),
            "id": work.factoids_of(row.factoid_list_id)[row.key].id,
            "text": row.set_text.external_id,
            "was_there": row.was_there,
            "is_there": row.is_there,
            "note": row.note,
            "decided_at": row.decided_at and utc(row.decided_at),
        }


def decision_records(work: ClosedWork) -> Iterator[Record]:
    """Yield every step that decided an item, list by list in the order of the steps."""
    items = {
        str(row.uuid): row for row in FactoidItem.objects.filter(factoid_list__in=work.lists).select_related("set_text")
    }
    steps = FactoidRevision.objects.filter(factoid_list__in=work.lists, item__isnull=False)
    for step in steps.order_by("factoid_list__phase__number", "factoid_list", "revision"):
        decided = cast("Record", step.item)
        item = items[decided["id"]]
        yield {
            "list": work.name_of(step.factoid_list_id),
            "revision": step.revision,
            "step": step.kind,
            "annotator": work.names[step.created_by_id],
            "decided_at": utc(step.created_at),
            "key": str(item.key),
            "id": work.factoids_of(step.factoid_list_id)[item.key].id,
            "text": item.set_text.external_id,
            "before": decided["before"],
            "after": decided["after"],
        }


def agreement_records(work: ClosedWork) -> Iterator[Record]:
    for kind, rows in work.agreement.items():
        for row in rows:
            shown = rounded({name: row[name] for name in FIELDS["agreement"] if name in row})
            yield {"kind": kind, **shown, "annotators": row["who"]}


def consensus_records(work: ClosedWork) -> Iterator[Record]:
    for row in work.lists.values():
        if row.version is not None:
            found = list_scores(row)["weights"]
            for state in work.factoids_of(row.pk).values():
                yield {
                    "version": row.version,
                    "key": str(state.key),
                    "id": state.id,
                    "description": state.description,
                    "sentences": list(state.sentences),
                    "weight": found[state.id],
                }


def score_records(work: ClosedWork) -> Iterator[Record]:
    """Yield the scores by the lists that stand for everyone: published ones, and those of consensus phases."""
    for row in work.lists.values():
        if row.owner_id is None:
            for each in list_scores(row)["scores"]:
                shown = {name: each[name] for name in ("text", "is_system", "score", "reason")}
                yield {"list": work.name_of(row.pk), **shown}


READ: Mapping[str, Callable[[ClosedWork], Iterator[Record]]] = {
    "texts": text_records,
    "phases": phase_records,
    "lists": list_records,
    "factoids": factoid_records,
    "links": link_records,
    "relations": relation_records,
    "items": item_records,
    "decisions": decision_records,
    "agreement": agreement_records,
    "consensus": consensus_records,
    "scores": score_records,
}


def whole_list(work: ClosedWork, row: FactoidList) -> Record:
    """Return a list in the form that the command on files and the import of lists take."""
    texts = list(with_sentences(list_texts(row)))
    return {
        "annotator": work.annotator_of(row) or CONSENSUS,
        "texts": [text.external_id for text in texts],
        "sentences": [
            {"text": text.external_id, "id": each.external_id} for text in texts for each in text.sentences.all()
        ],
        "factoids": [state.written() for state in work.factoids_of(row.pk).values()],
    }
