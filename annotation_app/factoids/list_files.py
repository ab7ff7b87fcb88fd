"""Import a factoid list from a file into the empty list of a member."""

import json
from collections.abc import Collection, Mapping
from typing import Any
from uuid import UUID, uuid4

from django.db import transaction

from al_worker.factoids.errors import FactoidsInvalid
from al_worker.factoids.reading import factoid_list
from al_worker.formats.json_files import read_json_bytes
from annotation_app.factoids.access import open_check
from annotation_app.factoids.events import event_of
from annotation_app.factoids.revisions import factoids_store, in_order, list_lock, revision_add, surroundings
from annotation_app.factoids.states import FactoidState, factoid_states
from annotation_app.factoids.steps import IMPORT, Change, Step, changes_written, step_errors
from annotation_app.factoids.texts import list_texts, places_of
from annotation_app.models import FactoidList, FactoidPhase, SetSentence, TextSet, User, event_write
from annotation_app.projects.writable import writable_lock
from annotation_app.refusals import Invalid, Refused

NOT_IMPORTED = "The list was not imported."
LISTED = 100


@transaction.atomic
def list_import(
    *, text_set: TextSet, actor: User, phase: UUID, member: UUID, data: bytes, filename: str
) -> FactoidList:
    """Fill a member's list, on which nobody worked yet, from a file, as its first revision.

    The file holds one list in the form of `al_worker.factoids.reading.factoid_list`, or a factoid a line, as the export
    writes them. Raises Invalid and Refused; nothing is stored then.
    """
    writable_lock(text_set.project_id)
    found = text_set.lists.filter(phase__uuid=phase, owner__uuid=member).first()
    if found is None:
        raise Invalid({"member": ["This member has no list in this phase: add them to the phase first."]}, NOT_IMPORTED)
    row = list_lock(found)
    open_check(row)
    if row.phase is None or row.phase.step != FactoidPhase.Step.INDEPENDENT:
        raise Refused("not_independent", "Lists are imported into an independent phase alone.")
    if row.revision:
        raise Refused("not_empty", "Work on this list has begun, so that no other takes its place.")
    before = factoid_states(row)
    factoids, about = factoids_of(row, data, filename)
    changes = changes_of(row, before, factoids, about)
    places = places_of(list_texts(row), {name for change in changes if change.after for name in change.after.sentences})
    texts = dict(list_texts(row).values_list("external_id", "pk"))
    step = Step(uuid4(), 0, IMPORT, changes)
    if errors := step_errors(step, surroundings(row, step, before, places, texts, None)):
        # A change is that of the factoid at its place in the file.
        faults = [
            f"{filename}: {place.replace('changes', 'factoids').replace('.after', '')}: {message}"
            for place, messages in errors.items()
            for message in messages
        ]
        raise Invalid({"file": faults[:LISTED]}, NOT_IMPORTED)
    changes = [in_order(change, places, texts) for change in changes]
    factoids_store(row, before, changes, places, texts)
    revision_add(
        row,
        kind=IMPORT,
        changes=changes_written(before, changes),
        item=None,
        client_id=step.client_id,
        body_hash=step.body_hash,
        actor_id=actor.pk,
    )
    event_write(
        verb="factoid_list_imported",
        **event_of(text_set, actor),
        phase=row.phase.number,
        factoids=len(changes),
        file=filename,
    )
    return row


def factoids_of(row: FactoidList, data: bytes, filename: str) -> tuple[list[dict[str, Any]], list[str]]:
    """Return the factoids of a file, checked against the texts and sentences of the list's set, and its own texts.

    The set may have more texts: those that were added after the file was written. Raises Invalid.
    """
    texts = list_texts(row)
    names = list(texts.values_list("external_id", flat=True))
    sentences = SetSentence.objects.filter(set_text__in=texts).values_list("set_text__external_id", "external_id")
    try:
        sent = whole_list(data, filename)
        own = sent.get("texts", names)
        about = own if isinstance(own, list) else names
        if strange := sorted(set(map(str, about)) - set(names)):
            message = f"{strange[0]!r} is no text that this phase is about; import a list of its texts"
            raise FactoidsInvalid(filename, "texts", message)
        declared = [{"text": text, "id": name} for text, name in sentences]
        # The set says which sentences there are; the file's own division must be the same.
        absent_check(sent, filename)
        own_sentences = sent.get("sentences", [each for each in declared if each["text"] in about])
        read = factoid_list({**sent, "texts": own, "sentences": own_sentences}, filename)
        divided = {each["id"]: each["text"] for each in declared}
        if differing := [name for name, text in read.text_of.items() if divided.get(name) != text]:
            message = f"{differing[0]!r} is no such sentence of the set: import a list of the same sentences"
            raise FactoidsInvalid(filename, "sentences", message)
    except FactoidsInvalid as error:
        raise Invalid({"file": [str(error)]}, NOT_IMPORTED) from error
    return [{**each, "absent": each.get("absent")} for each in sent["factoids"]], list(read.texts)


def absent_check(sent: Mapping[str, Any], filename: str) -> None:
    """Raise FactoidsInvalid where a factoid's `absent`, which the command on files does not know, is no list of ids."""
    factoids = sent["factoids"] if isinstance(sent["factoids"], list) else ()
    for at, each in enumerate(factoids):
        absent = each.get("absent") if isinstance(each, dict) else None
        if absent is not None and not (isinstance(absent, list) and all(isinstance(name, str) for name in absent)):
            raise FactoidsInvalid(filename, f"factoids[{at}].absent", "must be a list of ids of texts, or left out")


def whole_list(data: bytes, filename: str) -> dict[str, Any]:
    """Return the list of a file, put together where it has one factoid a line. Raises FactoidsInvalid."""
    lines = [line for line in data.splitlines() if line.strip()]
    if len(lines) > 1 and is_object(lines[0]):
        rows = [
            read_json_bytes(line, f"{filename}, line {number}", FactoidsInvalid)
            for number, line in enumerate(lines, start=1)
        ]
        of = {str(row.get("list")) for row in rows if isinstance(row, dict)}
        if len(of) > 1:
            raise FactoidsInvalid(filename, "list", f"holds {len(of)} lists; keep the lines of one of them")
        return {"annotator": next(iter(of), "list"), "factoids": rows}
    value = read_json_bytes(data, filename, FactoidsInvalid)
    if isinstance(value, dict) and "factoids" in value:
        return value
    if isinstance(value, dict) and "id" in value:
        return {"annotator": "list", "factoids": [value]}
    raise FactoidsInvalid(filename, "", 'must be {"annotator", "texts", "factoids"}, or a factoid a line')


def is_object(line: bytes) -> bool:
    try:
        return isinstance(json.loads(line), dict)
    except ValueError:
        return False


def changes_of(
    row: FactoidList, before: Mapping[UUID, FactoidState], factoids: list[dict[str, Any]], about: Collection[str]
) -> list[Change]:
    """Return what the factoids of a file, which is `about` these texts, make of the list.

    In an annotation they fill the given factoids. Where a factoid says nothing of absence, it is absent from each of
    the file's texts without a sentence of it. A text that the file does not name stays without an answer.
    """
    if row.phase is None or row.phase.kind == FactoidPhase.Kind.DEFINITION:
        return [Change(state.key, state) for state in map(new_state, factoids)]
    given = {state.id: state for state in before.values()}
    if lacking := given.keys() ^ {each["id"] for each in factoids}:
        message = f"The factoids are not those of the given list: {min(lacking)} is in one of them only."
        raise Invalid({"file": [message]}, NOT_IMPORTED)
    text_of = dict(
        SetSentence.objects.filter(text_set=row.text_set_id).values_list("external_id", "set_text__external_id")
    )
    changes = []
    for each in factoids:
        there = {text_of[name] for name in each["sentences"]}
        absent = [text for text in about if text not in there] if each["absent"] is None else each["absent"]
        head = given[each["id"]]
        description = each.get("description") or head.description
        state = FactoidState(head.key, head.id, description, tuple(each["sentences"]), tuple(absent))
        changes.append(Change(head.key, state))
    return changes


def new_state(sent: Mapping[str, Any]) -> FactoidState:
    lists = tuple(sent["sentences"]), tuple(sent["absent"] or ())
    return FactoidState(uuid4(), sent["id"], sent.get("description") or "", *lists)
