"""A small project whose figures can be counted by hand, for the datasheet and the card."""

from datetime import UTC, datetime

from annotation_app.models import Annotation, Batch, Document, Import, Item, Round
from tests.agreement.tables import Row, Said, at, fill
from tests.conftest import People
from tests.rounds.measured import round_of

# Majority yes, no, ambiguous, none (three labels), yes (two of three).
FIRST = {"i1": "YYY", "i2": "NNN", "i3": "AAN", "i4": "YNA", "i5": "YYN"}
DEEP = {"opinion": "yes", "mp": "yes", "mp_context": "utterance", "stance_nli": "entailment"}
WHOLE = Said(DEEP | {"stance_nli_context": "sentence"}, wall_ms=60_000, active_ms=30_000)
# One policy item of three deep answers; one that somebody skipped; one that nobody has answered.
SECOND: dict[str, Row] = {
    "j1": [WHOLE] * 3,
    "j2": [Said({"opinion": "yes", "mp": "no"}), Said({}, "skipped"), Said({"opinion": "no"})],
    "j3": [Said(state="open")] * 3,
}
REPORT = {
    "sha256": "cd" * 32,
    "items": 9,
    "rows": "utterance",
    "limits": {"min_tokens": 4, "max_tokens": 500},
    "splitter": {"name": "blank", "version": "3.8.7", "spacy": "3.8.7"},
    "skipped_lines": 2,
}


def worked_project(people: People) -> None:
    """Round 1 random with five items, round 2 by entropy with three, a prototype batch of one: a pool of nine items."""
    people.project.time_zone = "Europe/Oslo"
    people.project.save()
    first = fill(people.project, people.annotators, at("opinion", FIRST))
    round_of(people, first, "random")
    second = fill(people.project, people.annotators, SECOND, number=2)
    round_of(people, second, "entropy", random_share=0.1)
    fill(people.project, people.annotators, {"p1": [WHOLE, None, None]}, slots=1, kind=Batch.Kind.PROTOTYPE)
    Batch.objects.filter(kind=Batch.Kind.PROTOTYPE).update(random_state=3)
    Round.objects.update(random_state=7)
    # The first evening is already the next day in Oslo.
    answered(first, datetime(2025, 3, 31, 22, 30, tzinfo=UTC))
    answered(second, datetime(2025, 4, 6, 9, 0, tzinfo=UTC))
    Document.objects.update(meta={"date": "1993-07-07"})
    Item.objects.filter(external_id="j3").update(text="Text of i1.")
    source = Import.objects.latest("pk")
    Import.objects.exclude(pk=source.pk).update(state=Import.State.FAILED)
    Import.objects.filter(pk=source.pk).update(filename="board.zip", options={"unit": "sentence"}, report=REPORT)


def answered(batch: Batch, when: datetime) -> None:
    Annotation.objects.filter(assignment__batch_item__batch=batch).update(created_at=when)
