"""Tell all that happened to one item, oldest first: who, when, every revision, decision, flag and leave-out.

It shows answers with names, as exports do. Whoever labels the item themselves sees those of others by the rules of
`assignment/blinding.py`: once their own can no longer change, or has been locked by looking.
"""

from collections.abc import Iterable, Iterator, Sequence
from dataclasses import dataclass, field
from datetime import datetime
from typing import Any

from al_worker.formats.plurals import several
from annotation_app.annotation.selectors import answers_of
from annotation_app.assignment.blinding import reveal_answers
from annotation_app.codebook.definition import pinned_codebook
from annotation_app.codebook.stages import Codebook
from annotation_app.dashboards.log.words import batch_words, sentence
from annotation_app.models import (
    Adjudication,
    Annotation,
    Assignment,
    BatchItem,
    Event,
    Flag,
    Item,
    ItemAct,
    Membership,
    User,
    Validation,
)
from annotation_app.refusals import Refused

# What lines of the log say that no other row does. Times and people of the rest stand in the rows themselves.
FROM_LOG = ("item_left_out", "item_taken_back", "item_released", "answers_shown", "predictions_shown")
# These tell of others' remarks, and stay away with them.
OF_REMARKS = ("remark_resolved", "remark_reopened")


@dataclass(frozen=True)
class SaidAnswer:
    """Hold an answer with the names that the codebook of its time gives."""

    stage: str
    answer: str


@dataclass(frozen=True)
class HistoryLine:
    """Hold one thing that happened. `who` is empty for the system.

    `answers` and `note` are what the person said; None and "" where they said none, or where it `is_hidden`.
    """

    at: datetime
    who: str
    sentence: str
    answers: Sequence[SaidAnswer] | None = None
    spans: Sequence[tuple[str, str]] = field(default=())
    note: str = ""
    is_hidden: bool = False


@dataclass(frozen=True)
class ItemHistory:
    """Hold the lines; `refused` is why others' answers are hidden, None where they are shown."""

    lines: Sequence[HistoryLine]
    refused: Refused | None


def item_history(*, reader: Membership, item: Item, lock_own: bool) -> ItemHistory:
    """Return the history. Showing others' answers is recorded, and locks the reader's own (`reveal_answers`)."""
    places = list(item.batch_items.select_related("batch").order_by("batch__opened_at"))
    refused = None
    try:
        reveal_answers(
            reader=reader,
            batch_items=[row.pk for row in places],
            subject=item.uuid,
            lock_own=lock_own,
            # The page leaves items out and takes them back, so that a withdrawn row may be given back at once.
            ask_if_withdrawn=True,
        )
    except Refused as error:
        refused = error
    lines = [
        *imported_lines(item),
        *batch_lines(item, places),
        *logged_lines(item, hidden=refused is not None),
        *act_lines(item),
        *handed_lines(item),
        *annotation_lines(item, reader, hidden=refused is not None),
        *flag_lines(item, reader, hidden=refused is not None),
        *([] if refused else decision_lines(item)),
        *review_lines(item, hidden=refused is not None),
    ]
    return ItemHistory(sorted(lines, key=lambda line: line.at), refused)


def imported_lines(item: Item) -> Iterator[HistoryLine]:
    source = item.document.source
    who = source.created_by.shown_name if source.created_by else ""
    yield HistoryLine(source.finished_at or source.created_at, who, f"Imported from {source.filename}.")


def batch_lines(item: Item, places: Iterable[BatchItem]) -> Iterator[HistoryLine]:
    """Yield what happened to its batches as a whole."""
    batches = {str(place.batch.uuid): place for place in places}
    events = Event.objects.filter(
        project=item.project_id,
        subject__in=batches,
        verb__in=("batch_closed", "batch_reopened", "second_look_closed"),
    )
    for place in batches.values():
        name = batch_words(place.batch.kind, place.batch.number)
        yield HistoryLine(place.batch.opened_at, "", f"Given out in {name}, in place {place.rank} of its order.")
        if place.batch.frozen_at:
            yield HistoryLine(place.batch.frozen_at, "", f"The answers of {name} were frozen.")
    for event in events.select_related("actor"):
        batch = batches[event.subject].batch
        yield HistoryLine(event.created_at, named(event.actor), logged(event, f"{batch.kind} {batch.number}"))


def logged_lines(item: Item, *, hidden: bool) -> Iterator[HistoryLine]:
    """Yield what the log says of the item, or of an assignment of it."""
    assignments = Assignment.objects.filter(batch_item__item=item).values_list("uuid", flat=True)
    subjects = [str(item.uuid), *map(str, assignments)]
    verbs = FROM_LOG if hidden else (*FROM_LOG, *OF_REMARKS)
    events = Event.objects.filter(project=item.project_id, subject__in=subjects, verb__in=verbs)
    for event in events.select_related("actor"):
        yield HistoryLine(event.created_at, named(event.actor), logged(event, item.external_id))


def act_lines(item: Item) -> Iterator[HistoryLine]:
    """Yield what was done with the item among others."""
    acts = ItemAct.objects.filter(project=item.project_id, items__contains=[item.pk])
    for act in acts.select_related("created_by", "batch"):
        others = several(len(act.items), "item")
        sentences = {
            "leave_out": f"Left it out of the pool, as one of {others}.",
            "take_back": f"Took it back into the pool, as one of {others}.",
            "open_batch": f"Chose it for a batch, as one of {others}.",
        }
        yield HistoryLine(act.created_at, act.created_by.shown_name, sentences[act.kind], note=act.reason)


def handed_lines(item: Item) -> Iterator[HistoryLine]:
    """Yield the hand-overs of the item."""
    found = Assignment.objects.filter(batch_item__item=item)
    rows = list(found.select_related("annotator__user", "handed_to__user", "batch_item__batch"))
    people = {str(row.annotator.uuid): row.annotator.user.shown_name for row in rows}
    events = Event.objects.filter(project=item.project_id, verb="items_handed_over", subject__in=people)
    for event in events.select_related("actor"):
        if any(is_handed(row, event) for row in rows):
            taker = people.get(str(event.data["to"]), event.data["to_name"])
            said = f"Handed over from {people[event.subject]} to {taker}."
            yield HistoryLine(event.created_at, named(event.actor), said)


def is_handed(row: Assignment, event: Event) -> bool:
    """Tell whether the hand-over was of this assignment."""
    if "assignments" in event.data:
        return str(row.uuid) in event.data["assignments"]
    # Events of before named giver, taker and batch only, so that two hand-overs between the same people look alike.
    said = (event.subject, event.data.get("to"), event.data.get("batch"))
    batch, taker = row.batch_item.batch, row.handed_to
    return taker is not None and said == (str(row.annotator.uuid), str(taker.uuid), str(batch.uuid))


def annotation_lines(item: Item, reader: Membership, *, hidden: bool) -> Iterator[HistoryLine]:
    rows = Annotation.objects.filter(assignment__batch_item__item=item)
    people = rows.select_related("assignment__annotator__user", "assignment__batch_item__batch")
    for row in people.prefetch_related("answers", "spans"):
        owner = row.assignment.annotator
        batch = row.assignment.batch_item.batch
        is_hidden = hidden and owner.pk != reader.pk
        done = "Skipped it" if row.skip_reason and not is_hidden else "Answered it"
        again = "" if row.revision == 1 else f", revision {row.revision}"
        said = f"{done} in {batch_words(batch.kind, batch.number)}{again}."
        if is_hidden:
            yield HistoryLine(row.created_at, owner.user.shown_name, said, is_hidden=True)
            continue
        yield HistoryLine(
            row.created_at,
            owner.user.shown_name,
            said,
            answers=None if row.skip_reason else said_answers(answers_of(row), codebook_of(row.codebook_id)),
            spans=[(span.category, span.quote) for span in sorted(row.spans.all(), key=lambda span: span.place)],
            note=row.skip_reason or row.comment,
        )


def flag_lines(item: Item, reader: Membership, *, hidden: bool) -> Iterator[HistoryLine]:
    flags = Flag.objects.filter(assignment__batch_item__item=item).select_related("assignment__annotator__user")
    for flag in flags:
        owner = flag.assignment.annotator
        is_hidden = hidden and owner.pk != reader.pk
        note = "" if is_hidden else flag.note
        yield HistoryLine(flag.created_at, owner.user.shown_name, "Flagged it.", note=note, is_hidden=is_hidden)


def decision_lines(item: Item) -> Iterator[HistoryLine]:
    rows = Adjudication.objects.filter(batch_item__item=item).select_related("adjudicator__user", "batch_item__batch")
    for row in rows.prefetch_related("labels"):
        done = "Withdrew the decision" if row.withdraws else "Decided"
        source = ", as a consensus" if row.source == Adjudication.Source.CONSENSUS else ""
        again = "" if row.revision == 1 else f": decision {row.revision}"
        line = HistoryLine(row.created_at, row.adjudicator.user.shown_name, f"{done}{source}{again}.")
        if row.withdraws:
            yield line
            continue
        labels = {each.stage: each.label for each in sorted(row.labels.all(), key=lambda each: each.pk)}
        book = codebook_of(row.batch_item.batch.codebook_id)
        yield HistoryLine(line.at, line.who, line.sentence, answers=said_answers(labels, book), note=row.reason)


def review_lines(item: Item, *, hidden: bool) -> Iterator[HistoryLine]:
    rows = Validation.objects.filter(batch_item__item=item).select_related("validator__user")
    for row in rows.select_related("annotation__assignment__annotator__user").prefetch_related("spans"):
        who = row.validator.user.shown_name
        if hidden:
            yield HistoryLine(row.created_at, who, "Reviewed its spans.", is_hidden=True)
            continue
        yield HistoryLine(
            row.created_at,
            who,
            reviewed(row),
            spans=[(span.category, span.quote) for span in sorted(row.spans.all(), key=lambda span: span.place)],
            note=row.reason,
        )


def reviewed(row: Validation) -> str:
    whose = f" of {row.annotation.assignment.annotator.user.shown_name}" if row.annotation else ""
    return {
        "accepted": f"Accepted the spans{whose}.",
        "edited": f"Edited the spans{whose} and accepted them.",
        "rejected": "Rejected all annotations of spans.",
        "reopened": "Reopened the review of its spans.",
    }[row.decision]


def said_answers(answers: dict[str, str], book: Codebook) -> list[SaidAnswer]:
    known = book.by_key
    return [
        SaidAnswer(known[key].title, known[key].name_of(label)) if key in known else SaidAnswer(key, label)
        for key, label in answers.items()
    ]


def codebook_of(codebook_id: int) -> Codebook:
    return pinned_codebook(codebook_id).parsed


def logged(event: Event, about: str) -> str:
    data: dict[str, Any] = event.data
    return sentence(event.verb, data, about)


def named(actor: User | None) -> str:
    return actor.shown_name if actor else ""
