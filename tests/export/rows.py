"""A small labelled project for exports: two turns of two sentences, one round, and all kinds of assignments."""

from dataclasses import dataclass

from annotation_app.models import Assignment, Batch, BatchItem, Document, Import, Item, Project, Utterance
from tests.agreement.tables import Said, answer, revise
from tests.conftest import People
from tests.factories import make_member

FIRST = "Prices rose. We should act 🎉 now."
SECOND = "I agree.\r\nNot at\tall."


@dataclass(frozen=True)
class Labelled:
    project: Project
    batch: Batch
    items: list[Item]


def labelled(people: People) -> Labelled:
    items = sentences(people.project)
    batch = Batch.objects.create(
        project=people.project, number=1, codebook=people.project.codebooks.get(), annotators_per_item=3
    )
    # Ranks against the order of the text.
    places = BatchItem.objects.bulk_create(
        BatchItem(batch=batch, item=item, rank=4 - position, score=position / 4) for position, item in enumerate(items)
    )
    alice, bob, charlie = people.annotators
    yes, no = Said({"opinion": "yes", "mp": "no"}), Said({"opinion": "no"})
    skip = Said({}, Assignment.State.SKIPPED)
    answer(batch, [(places[0], alice, no), (places[0], bob, no), (places[0], charlie, yes)])
    answer(batch, [(places[1], alice, no), (places[1], bob, yes), (places[1], charlie, yes)])
    answer(batch, [(places[2], alice, yes), (places[2], bob, no), (places[2], charlie, skip)])
    answer(batch, [(places[3], member, Said({}, Assignment.State.OPEN)) for member in people.annotators])
    late = make_member(people.project, "late", "annotator")
    answer(batch, [(places[0], late, Said({"opinion": "yes", "mp": "yes"}, Assignment.State.SURPLUS))])
    revise(batch, [(places[1].assignments.get(annotator=alice), yes.answers)], revision=2)
    return Labelled(people.project, batch, items)


def sentences(project: Project) -> list[Item]:
    """Four items; the second utterance keeps its CR LF and tab."""
    source = Import.objects.create(project=project, filename="test", format="convokit", state=Import.State.DONE)
    document = Document.objects.create(project=project, source=source, external_id="d1", title="Minutes", position=0)
    bounds = {FIRST: [(0, 12), (13, 33)], SECOND: [(0, 8), (10, 21)]}
    items = []
    for position, (text, spans) in enumerate(bounds.items()):
        utterance = Utterance.objects.create(
            document=document,
            external_id=f"u{position}",
            position=position,
            speaker=f"Speaker {position}",
            text=text,
            n_tokens=len(text.split()),
            sentence_starts=[start for start, _ in spans],
            sentence_ends=[end for _, end in spans],
        )
        items += [
            Item(
                project=project,
                document=document,
                utterance=utterance,
                external_id=f"u{position}_{number}",
                number=number,
                start=start,
                end=end,
                text=text[start:end],
            )
            for number, (start, end) in enumerate(spans, start=1)
        ]
    return Item.objects.bulk_create(items)
