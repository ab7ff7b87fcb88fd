"""Text sets, phases, lists and relations for tests, made through the same tables as the product."""

import uuid
from collections.abc import Iterable, Mapping, Sequence
from typing import Any

from django.utils import timezone

from annotation_app.models import (
    Factoid,
    FactoidList,
    FactoidPairing,
    FactoidPhase,
    FactoidRelation,
    FactoidSentence,
    Membership,
    Project,
    SetSentence,
    SetText,
    TextSet,
)

# {factoid: its sentences}
Own = Mapping[str, Iterable[str]]


def make_set(project: Project, texts: Mapping[str, Sequence[str]], name: str = "Ferry") -> TextSet:
    """A set of {text: its sentences}, whose ids are made as in the paper: M01-001."""
    row = TextSet.objects.create(project=project, name=name, created_by=project.created_by)
    for text, sentences in texts.items():
        add_text(row, text, sentences)
    return row


def make_short_set(project: Project, texts: Iterable[str], name: str = "Ferry") -> TextSet:
    """A set of texts with one sentence each, a-001 and so on."""
    return make_set(project, {text: [f"Sentence of {text}."] for text in texts}, name)


def add_text(row: TextSet, text: str, sentences: Sequence[str], *, is_system: bool = False) -> SetText:
    position = row.texts.count()
    made = SetText.objects.create(text_set=row, external_id=text, position=position, is_system=is_system)
    SetSentence.objects.bulk_create(
        SetSentence(text_set=row, set_text=made, external_id=f"{text}-{at + 1:03}", position=at, text=sentence)
        for at, sentence in enumerate(sentences)
    )
    return made


def make_phase(row: TextSet, kind: str, lists: Mapping[Membership, Own], **given: Any) -> FactoidPhase:
    """A closed independent phase with people's lists. In an annotation a factoid has one key in all of them."""
    if kind == "annotation" and "given" not in given:
        given["given"] = publish_list(row, {name: () for own in lists.values() for name in own})
    phase = FactoidPhase.objects.create(
        text_set=row,
        number=row.phases.count() + 1,
        kind=kind,
        opened_by=row.created_by,
        closed_by=row.created_by,
        **{"step": "independent", "closed_at": timezone.now()} | given,
    )
    keys = dict(phase.given.factoids.values_list("external_id", "key")) if phase.given else {}
    for owner, own in lists.items():
        fill(FactoidList.objects.create(text_set=row, phase=phase, owner=owner), own, keys)
    return phase


def publish_list(row: TextSet, own: Own) -> FactoidList:
    """A published version of the consensus list."""
    version = row.lists.filter(version__isnull=False).count() + 1
    made = FactoidList.objects.create(
        text_set=row, version=version, published_at=timezone.now(), published_by=row.created_by
    )
    return fill(made, own)


def fill(made: FactoidList, own: Own, keys: Mapping[str, uuid.UUID] | None = None) -> FactoidList:
    """Give a list its factoids. A factoid's description is its id in words."""
    sentences = dict(SetSentence.objects.filter(text_set=made.text_set).values_list("external_id", "pk"))
    for name, linked in own.items():
        key = (keys or {}).get(name) or uuid.uuid4()
        factoid = Factoid.objects.create(factoid_list=made, key=key, external_id=name, description=f"what {name} says")
        FactoidSentence.objects.bulk_create(
            FactoidSentence(factoid=factoid, sentence_id=sentences[sentence]) for sentence in linked
        )
    return made


def list_of(phase: FactoidPhase, owner: Membership) -> FactoidList:
    return phase.lists.get(owner=owner)


def key_of(of: FactoidList, name: str) -> uuid.UUID:
    return of.factoids.get(external_id=name).key


def make_pairing(first: FactoidList, second: FactoidList, **settings: float) -> FactoidPairing:
    return FactoidPairing.objects.create(
        text_set=first.text_set, first=first, second=second, created_by=first.text_set.created_by, **settings
    )


def judge(pairing: FactoidPairing, *relations: tuple[str, str, str]) -> None:
    """Judge pairs, each (id of A, id of B, relation); an empty relation withdraws."""
    for a, b, relation in relations:
        FactoidRelation.objects.create(
            pairing=pairing,
            a=key_of(pairing.first, a),
            b=key_of(pairing.second, b),
            relation=relation,
            client_id=uuid.uuid4(),
            decided_by=pairing.created_by,
        )


def in_texts(own: Mapping[str, str]) -> dict[str, list[str]]:
    """{factoid: its texts, a letter each} as {factoid: its sentences} of a short set."""
    return {name: [f"{text}-001" for text in texts] for name, texts in own.items()}
