"""The context of items out of the database, after a real import."""

import json
import random
from collections.abc import Callable
from typing import Any

import pytest
from django.db import connection
from django.db.models import QuerySet

from annotation_app.ingest.context import EARLIER, Walk, context_for
from annotation_app.ingest.context_levels import (
    AroundItem,
    Context,
    Turn,
    UtteranceText,
    around,
    last_sentences,
    last_tokens,
)
from annotation_app.ingest.selectors import report_of
from annotation_app.models import Item, Project, Utterance
from tests.ingest.conftest import ImportText

pytestmark = pytest.mark.django_db(transaction=True)
Queries = Callable[[int], Any]


def utterance(number: int, text: str, speaker: str = "A.", document: str = "d") -> dict[str, str]:
    return {"id": f"{document}_{number}", "document_id": document, "speaker": speaker, "text": text}


def load(import_bytes: ImportText, rows: list[dict[str, str]], **options: str) -> None:
    imported = import_bytes("".join(json.dumps(row) + "\n" for row in rows), rows="utterance", **options)
    assert imported.state == "done", report_of(imported)


def context_of(external_id: str) -> Context:
    item = Item.objects.get(external_id=external_id)
    return context_for([item])[item.pk]


def test_it_gives_the_utterance_around_and_the_turns_before(import_bytes: ImportText) -> None:
    load(
        import_bytes,
        [
            utterance(0, "Zero is here. One is here."),
            utterance(1, "Yes.", "B."),
            utterance(2, "Two it is, then. Three it is. Four it is, too.", "C."),
            utterance(3, "  Before it all. The target sentence.\nAfter it all. ", "A."),
            utterance(4, "Later on there is more.", "B."),
        ],
    )
    context = context_of("d_3_2")
    assert context.utterance == AroundItem("A.", "  Before it all. ", "\nAfter it all. ")
    # The "Yes." is left out of the pool, and is context all the same.
    assert Item.objects.get(external_id="d_1_1").left_out == "too_short"
    assert context.minus_5_sentences == [
        Turn("A.", "One is here."),
        Turn("B.", "Yes."),
        Turn("C.", "Two it is, then. Three it is. Four it is, too."),
    ]
    assert context.minus_200_tokens == [Turn("A.", "Zero is here. One is here."), *context.minus_5_sentences[1:]]


def test_it_starts_empty_at_the_start_of_a_document(import_bytes: ImportText) -> None:
    load(
        import_bytes, [utterance(0, "Some other text there.", document="c"), utterance(0, "The very first turn. Next.")]
    )
    assert context_of("d_0_2") == Context(AroundItem("A.", "The very first turn. ", ""), [], [])


def test_it_has_no_utterance_level_where_the_item_is_the_utterance(import_bytes: ImportText) -> None:
    load(import_bytes, [utterance(0, "One here. Two here."), utterance(1, "Three here.")], unit="utterance")
    assert context_of("d_1") == Context(None, [Turn("A.", "One here. Two here.")], [Turn("A.", "One here. Two here.")])


def test_it_takes_rows_that_are_sentences_as_turns_of_one_sentence(import_bytes: ImportText) -> None:
    rows = [utterance(number, f"Sentence {number}.") for number in range(8)]
    import_bytes("".join(json.dumps(row) + "\n" for row in rows))
    assert context_of("d_7").minus_5_sentences == [Turn("A.", f"Sentence {number}.") for number in range(2, 7)]


def made_up_rows() -> list[dict[str, str]]:
    """Turns of every size, many of them a single word, in interleaved documents."""
    chance = random.Random(20240611)
    rows = []
    for number in range(240):
        sizes = [1] if chance.random() < 0.4 else [chance.randint(1, 70) for _ in range(chance.randint(1, 5))]
        text = " ".join("w " * (size - 1) + "End." for size in sizes)
        rows.append(utterance(number, text, chance.choice("ABC"), f"d{chance.randint(1, 3)}"))
    return rows


def naive_contexts(project: Project) -> dict[int, Context]:
    """Each document read whole, for each of its items."""
    contexts = {}
    for document in project.documents.all():
        earlier: list[UtteranceText] = []
        for row in Utterance.objects.filter(document=document).order_by("position"):
            said = UtteranceText(row.speaker, row.text, row.sentence_starts, row.sentence_ends)
            for item in row.items.all():
                levels = last_sentences(earlier[::-1]), last_tokens(earlier[::-1])
                contexts[item.pk] = Context(around(said, item.start, item.end), *levels)
            earlier.append(said)
    return contexts


def walked_contexts(items: QuerySet[Item]) -> dict[int, Context]:
    """Reads items and utterances side by side in the order of the text, as an export does."""
    utterances = iter(Utterance.objects.order_by("document_id", "position"))
    walk, contexts = Walk(), {}
    for item in items.order_by("document_id", "utterance__position", "start"):
        while walk.utterance != item.utterance_id:
            walk.step(next(utterances))
        contexts[item.pk] = walk.context(item)
    return contexts


def test_it_agrees_with_reading_whole_documents(import_bytes: ImportText, project: Project) -> None:
    load(import_bytes, made_up_rows())
    expected = naive_contexts(project)
    items = list(Item.objects.order_by("id"))
    assert len(expected) == len(items) > 300
    assert context_for(items) == expected
    assert walked_contexts(Item.objects.all()) == expected


def test_it_streams_the_contexts_of_some_items_only(import_bytes: ImportText, project: Project) -> None:
    load(import_bytes, made_up_rows())
    some = Item.objects.filter(document__external_id="d2", left_out="").order_by("pk")
    chosen = list(some)[::3]
    assert walked_contexts(Item.objects.filter(pk__in=[item.pk for item in chosen])) == context_for(chosen) != {}


def test_it_needs_two_queries_for_any_number_of_items(
    import_bytes: ImportText, django_assert_num_queries: Queries
) -> None:
    load(import_bytes, made_up_rows())
    items = list(Item.objects.order_by("id")[:25])
    with django_assert_num_queries(2):
        context_for(items)


def test_it_reads_no_more_of_a_long_document_than_the_context_levels_reach(import_bytes: ImportText) -> None:
    load(import_bytes, [utterance(number, "Short turn of five words.") for number in range(3000)])
    last = Utterance.objects.get(external_id="d_2999")
    with connection.cursor() as cursor:
        cursor.execute("ANALYZE annotation_app_utterance")
        arguments: dict[str, Any] = {"utterances": [last.pk], "tokens": 200, "sentences": 5}
        cursor.execute("EXPLAIN (ANALYZE, FORMAT JSON) " + EARLIER, arguments)
        (plan,) = cursor.fetchone()[0]
    scans = [node for node in nodes(plan["Plan"]) if "Relation Name" in node]
    assert {node["Node Type"] for node in scans} <= {"Index Scan", "Bitmap Heap Scan"}
    assert max(node["Actual Rows"] for node in scans) <= 200
    assert len(context_of("d_2999_1").minus_200_tokens) == 40


def nodes(plan: dict[str, Any]) -> list[dict[str, Any]]:
    return [plan, *(node for inner in plan.get("Plans", []) for node in nodes(inner))]
