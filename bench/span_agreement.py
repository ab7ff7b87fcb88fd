"""Time agreement on spans, and print the plan of its statement, on invented spans.

    python -m annotation_app.embedded run -- python -m bench.span_agreement
    python -m annotation_app.embedded run -- python -m bench.span_agreement --only one-long-document --explain plan.txt

Two projects have three annotators and eight categories. One has 200 documents of 500 words, the other one document of
20,000 words in which each annotator has 2,000 spans. Annotators agree on most spans, shift some and invent some; half
of the spans have comments. `--one-category` puts every span into one category, which is the hardest case for the
comparison of spans with spans.
"""

import argparse
import os
import random
import time
from dataclasses import dataclass
from pathlib import Path
from uuid import uuid4

os.environ.setdefault("DJANGO_SETTINGS_MODULE", "annotation_app.config.settings")

import django

django.setup()

from django.core.management import call_command  # noqa: E402
from django.db import connection  # noqa: E402
from django.utils import timezone  # noqa: E402

from annotation_app.agreement import span_selectors  # noqa: E402
from annotation_app.models import (  # noqa: E402
    Annotation,
    Assignment,
    Batch,
    BatchItem,
    CodebookVersion,
    Document,
    Import,
    Item,
    Membership,
    Project,
    Span,
    User,
    Utterance,
)

PEOPLE = 3
CATEGORIES = [f"category_{letter}" for letter in "abcdefgh"]
WORDS = (
    "the",
    "board",
    "committee",
    "raised",
    "interest",
    "rates",
    "because",
    "inflation",
    "growth",
    "was",
    "higher",
    "🎉",
)


@dataclass(frozen=True)
class Case:
    name: str
    documents: int
    words: int
    spans: int


CASES = (Case("many-documents", 200, 500, 50), Case("one-long-document", 1, 20_000, 2_000))


def made(case: Case, categories: list[str], chance: random.Random) -> Project:
    """Make the project of a case through bulk inserts."""
    owner, _ = User.objects.get_or_create(username="owner")
    project = Project.objects.create(name=case.name, created_by=owner)
    codebook = CodebookVersion.objects.create(
        project=project,
        version=1,
        state=CodebookVersion.State.PUBLISHED,
        published_at=timezone.now(),
        definition={"name": "Spans", "span_layer": {"categories": [{"key": key, "name": key} for key in CATEGORIES]}},
        created_by=owner,
    )
    people = [
        Membership.objects.create(
            project=project, user=User.objects.create(username=f"{case.name}-{n}"), role="annotator", number=n
        )
        for n in range(1, PEOPLE + 1)
    ]
    batch = Batch.objects.create(project=project, number=1, codebook=codebook, annotators_per_item=PEOPLE)
    for place in BatchItem.objects.bulk_create(
        BatchItem(batch=batch, item=item, rank=rank) for rank, item in enumerate(items(project, case, chance), start=1)
    ):
        submitted(place, people, case, categories, chance)
    return project


def items(project: Project, case: Case, chance: random.Random) -> list[Item]:
    source = Import.objects.create(project=project, filename="bench", format="jsonl", state=Import.State.DONE)
    document = Document.objects.create(project=project, source=source, external_id="d", position=0)
    texts = [" ".join(chance.choices(WORDS, k=case.words)) for _ in range(case.documents)]
    utterances = Utterance.objects.bulk_create(
        Utterance(
            document=document,
            external_id=str(place),
            position=place,
            text=text,
            n_tokens=case.words,
            sentence_starts=[0],
            sentence_ends=[len(text)],
        )
        for place, text in enumerate(texts)
    )
    return Item.objects.bulk_create(
        Item(
            project=project,
            document=document,
            utterance=utterance,
            external_id=utterance.external_id,
            start=0,
            end=len(utterance.text),
            text=utterance.text,
        )
        for utterance in utterances
    )


def submitted(
    place: BatchItem, people: list[Membership], case: Case, categories: list[str], chance: random.Random
) -> None:
    text = place.item.text
    truth = [span(text, categories, chance) for _ in range(case.spans)]
    for person in people:
        assignment = Assignment.objects.create(batch_item=place, annotator=person, state="submitted", position=1)
        annotation = Annotation.objects.create(
            assignment=assignment,
            revision=1,
            base_revision=0,
            client_id=uuid4(),
            codebook=place.batch.codebook,
            context_opened="sentence",
            active_ms=1,
            wall_ms=1,
        )
        Span.objects.bulk_create(
            Span(
                annotation=annotation, place=n, start=start, end=end, quote=text[start:end], category=key, comment=said
            )
            for n, (start, end, key, said) in enumerate(seen(text, each, categories, chance) for each in truth)
        )
        assignment.current = annotation
        assignment.save()


def span(text: str, categories: list[str], chance: random.Random) -> tuple[int, int, str, str]:
    start = chance.randrange(len(text) - 1)
    comment = " ".join(chance.choices(WORDS, k=12)) if chance.random() < 0.5 else ""
    return start, min(len(text), start + chance.randint(5, 150)), chance.choice(categories), comment


def seen(
    text: str, span_: tuple[int, int, str, str], categories: list[str], chance: random.Random
) -> tuple[int, int, str, str]:
    """Return one annotator's version of a span: mostly the same, sometimes an end or a word changed, rarely new."""
    start, end, category, comment = span_
    if chance.random() < 0.1:
        return span(text, categories, chance)
    if chance.random() < 0.3:
        end = min(len(text), end + chance.randint(1, 9))
    if comment and chance.random() < 0.5:
        comment += " " + chance.choice(WORDS)
    return start, end, category, comment


def explained(project: Project, path: Path) -> None:
    """Write EXPLAIN ANALYZE of every statement of the table to a file."""

    def explain(execute, sql, params, many, context):  # type: ignore[no-untyped-def]
        if sql.startswith("WITH"):
            execute("EXPLAIN (ANALYZE, BUFFERS, COSTS OFF) " + sql, params, many, context)
            plan.extend(row[0] for row in context["cursor"].fetchall())
            plan.append("")
        return execute(sql, params, many, context)

    plan: list[str] = []
    with connection.execute_wrapper(explain):
        span_selectors.span_agreement(project=project)
    path.write_text("\n".join(plan), encoding="utf-8")


def main() -> None:
    parser = argparse.ArgumentParser(description=__doc__, formatter_class=argparse.RawDescriptionHelpFormatter)
    parser.add_argument("--only", choices=[case.name for case in CASES])
    parser.add_argument("--one-category", action="store_true")
    parser.add_argument("--analyze", action="store_true", help="with fresh statistics, as a running server has them")
    parser.add_argument("--explain", type=Path)
    asked = parser.parse_args()
    call_command("migrate", verbosity=0)
    for case in CASES:
        if asked.only in (None, case.name):
            project = made(case, CATEGORIES[:1] if asked.one_category else CATEGORIES, random.Random(20_260))
            if asked.analyze:
                connection.cursor().execute("ANALYZE")
            for _ in range(2):
                begun = time.perf_counter()
                table = span_selectors.span_agreement(project=project)
                print(f"{case.name}: {len(table.rows)} rows in {time.perf_counter() - begun:.2f} s", flush=True)
            if asked.explain:
                explained(project, asked.explain)


if __name__ == "__main__":
    main()
