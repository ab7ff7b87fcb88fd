"""Write kind `aggregated`: one line for each item of the rounds, with its context and the label of every stage."""

import json
from collections.abc import Iterator, Mapping
from typing import Any, NamedTuple

from annotation_app.aggregation.rules import Aggregated, aggregate
from annotation_app.codebook.question_types.stage import Stage
from annotation_app.codebook.stages import Codebook
from annotation_app.db.statement import statement
from annotation_app.export.options import ExportOptions
from annotation_app.export.snapshot import Snapshot
from annotation_app.export.span_rows import imported, span_record, spans_of
from annotation_app.export.statements import SQL, aggregated_statement
from annotation_app.ingest.context import Walk
from annotation_app.ingest.context_levels import Context, Turn
from annotation_app.models import Item, Utterance

# Decisions of a validation that leave spans.
WITH_SPANS = ("accepted", "edited")


class AggregatedRow(NamedTuple):
    """Hold a row of the statement. Offsets are code points of the utterance; columns of JSON are text."""

    item: str
    text: str
    number: int | None
    start: int
    end: int
    utterance_id: int
    speaker: str
    document: str
    title: str
    utterance: str
    position: int
    round: int
    codebook_id: int
    score: float | None
    rank: int
    majorities: str
    votes: str
    medians: str
    decision: str | None
    spans: str
    said: str
    decided: str
    source: str | None
    revised: bool
    complete: bool
    left_out: str | None
    meta: str


def total(snapshot: Snapshot, options: ExportOptions) -> int:
    """Count the items of the rounds."""
    return int(snapshot.value(statement([], SQL / "aggregated_total.sql"), {"project": options.project.pk}))


def records(snapshot: Snapshot, options: ExportOptions) -> Iterator[dict[str, Any]]:
    """Yield the records in the order of the text."""
    return (each for each, _ in records_and_outcomes(snapshot, options))


def records_and_outcomes(
    snapshot: Snapshot, options: ExportOptions
) -> Iterator[tuple[dict[str, Any], dict[str, Aggregated]]]:
    """Yield each record with its outcomes by stage, which hold the label as it is stored.

    They come in the order of the text: documents in import order, and items by position within one.
    """
    codebooks = snapshot.codebooks(options.project)
    names = raters(snapshot, options)
    parameters = {"project": options.project.pk, "batches": None, "phase": options.phase}
    said = snapshot.rows(statement([], SQL / "utterances.sql"), parameters)
    walk = Walk()
    for values in snapshot.rows(aggregated_statement(options.phase), parameters):
        row = AggregatedRow(*values)
        while walk.utterance != row.utterance_id:
            walk.step(utterance_of(next(said)))
        context = walk.context(Item(number=row.number, start=row.start, end=row.end))
        version, codebook = codebooks[row.codebook_id]
        spans = resolved_spans(row) if codebook.span_layer else {}
        outcomes = aggregate(codebook, json.loads(row.majorities), json.loads(row.votes), json.loads(row.decided))
        made = (
            record(row, context)
            | {"labels": labels(row, codebook, outcomes, names)}
            | spans
            | {"codebook_version": version}
            | imported(row.meta)
        )
        yield made, outcomes


def raters(snapshot: Snapshot, options: ExportOptions) -> dict[str, str]:
    """Return pseudonyms, or user names with the option `names`, by the member's number as text."""
    rows = snapshot.rows(statement([], SQL / "usernames.sql"), {"project": options.project.pk})
    return {str(number): username if options.names else f"annotator {number}" for number, username in rows}


def utterance_of(values: tuple[Any, ...]) -> Utterance:
    """Return the utterance of a row, as far as its items' contexts need it."""
    names = ("pk", "document_id", "speaker", "text", "n_tokens", "sentence_starts", "sentence_ends")
    return Utterance(**dict(zip(names, values, strict=True)))


def record(row: AggregatedRow, context: Context) -> dict[str, Any]:
    """Return the record of an item, without labels.

    `start` and `end` are code points into the utterance, which is `before` + `text` + `after`. `complete` means that
    all answers are in, so that a missing majority is final. `left_out` is an admin's reason, null where nobody left the
    item out of the pool.
    """
    return {
        "id": row.item,
        "text": row.text,
        "speaker": row.speaker,
        "document": {"id": row.document, "title": row.title},
        "utterance": {"id": row.utterance, "number": row.position + 1},
        "sentence_number": row.number,
        "start": row.start,
        "end": row.end,
        "contexts": contexts(context),
        "round": row.round,
        "acquisition_score": row.score,
        "rank": row.rank,
        "complete": row.complete,
        "left_out": row.left_out,
    }


def contexts(context: Context) -> dict[str, Any]:
    """Return the context levels around an item; None where it has no utterance around it."""
    around = context.utterance
    return {
        "utterance": {"before": around.before, "after": around.after} if around else None,
        "minus_5_sentences": turns(context.minus_5_sentences),
        "minus_200_tokens": turns(context.minus_200_tokens),
    }


def turns(said: list[Turn]) -> list[dict[str, str]]:
    """Return turns of the context as records have them."""
    return [{"speaker": turn.speaker, "text": turn.text} for turn in said]


def labels(
    row: AggregatedRow, codebook: Codebook, outcomes: Mapping[str, Aggregated], names: Mapping[str, str]
) -> dict[str, dict[str, Any]]:
    """Return the label of every stage with its votes, and the median of numbers.

    A tie is written as no majority, and shows in the votes.

    `source` tells where an adjudicated label comes from, and `revised_since` that an answer that counts is newer than
    the decision.
    """
    said, medians = json.loads(row.said), json.loads(row.medians)
    return {
        key: label(codebook.by_key[key], result, said.get(key, {}), names)
        | ({"median": median(result, medians.get(key))} if codebook.by_key[key].is_number else {})
        | ({"source": row.source, "revised_since": row.revised} if result.state == "adjudicated" else {})
        for key, result in outcomes.items()
    }


def label(stage: Stage, result: Aggregated, said: Mapping[str, str], names: Mapping[str, str]) -> dict[str, Any]:
    """Return one stage's label and answers as its type exports them. Votes are by the answer as it is stored."""
    return {
        "state": "no_majority" if result.state == "tie" else result.state,
        "label": None if result.label is None else stage.exported(result.label),
        "votes": result.votes,
        "raw": {names[number]: stage.exported(said[number]) for number in sorted(said, key=int)},
    }


def median(result: Aggregated, given: float | None) -> float | None:
    """Return the median of a stage's answers; None where nobody answered, or the aggregated labels leave it closed."""
    return None if given is None or result.state == "not_applicable" else float(given)


def resolved_spans(row: AggregatedRow) -> dict[str, Any]:
    """Return the resolved spans; null until a validator has accepted an annotation or edited one."""
    if row.decision not in WITH_SPANS:
        return {"spans": None, "spans_state": "rejected" if row.decision == "rejected" else "not_validated"}
    return {"spans": [span_record(row.text, span) for span in spans_of(row.spans)], "spans_state": row.decision}
