"""Describe a span project as a data set: its tables, what they count, and what is missing."""

from collections import Counter
from collections.abc import Iterator
from contextlib import closing
from dataclasses import dataclass, field
from functools import partial
from uuid import UUID

from al_worker.formats.text_form import parse
from al_worker.formats.words import count_words
from annotation_app.dashboards.sentence_counts import sentence_counts, splitter
from annotation_app.dashboards.span_tables import SourceFact, Tables, TargetFact, tables
from annotation_app.dashboards.statements import SQL
from annotation_app.db.statement import statement
from annotation_app.export.options import ExportOptions
from annotation_app.export.snapshot import Snapshot
from annotation_app.export.span_rows import MarkedItem, span_layers
from annotation_app.export.spans.linear_form import linear_form
from annotation_app.export.spans.splits import SourceKey
from annotation_app.export.writers.targets import Target, marked_targets, source_key


@dataclass(frozen=True)
class SpanDataset:
    """Hold the tables. `categories` is {key: name}, the newest codebook's first; `missing` says what is too little."""

    tables: Tables
    categories: dict[str, str]
    notes: list[str]
    missing: list[str]
    splitter: dict[str, str] | None


@dataclass
class Tally:
    """Hold the facts that are counted.

    `uuids` are those of the texts that stand for each source, a source document's or an item's; `words` has their
    words.
    """

    targets: list[TargetFact] = field(default_factory=list)
    uuids: dict[SourceKey, UUID] = field(default_factory=dict)
    words: dict[UUID, int] = field(default_factory=dict)
    people: Counter[tuple[str, str | None]] = field(default_factory=Counter)
    unlinked: int = 0
    clipped: int = 0


def span_dataset(options: ExportOptions) -> SpanDataset:
    """Count the targets that an export with the same options writes. It never raises for want of data."""
    with closing(Snapshot()) as snapshot:
        tally = tally_of(snapshot, options)
        sources = source_facts(snapshot, tally)
        categories = category_names(snapshot, options)
        has_target = any(layer.target for _, layer in span_layers(snapshot, options).values())
        given = progress(snapshot, options)
    return SpanDataset(
        tables=tables(tally.targets, sources, categories, options.random_state),
        categories=categories,
        notes=list(notes(options, tally)),
        missing=list(missing(options, tally, categories, has_target, given)),
        splitter=splitter().record() if sources else None,
    )


def tally_of(snapshot: Snapshot, options: ExportOptions) -> Tally:
    tally = Tally()
    for marked, target in marked_targets(snapshot, options):
        key = source_key(marked.row.item, target)
        tally.targets.append(target_fact(marked, target, key))
        if target.source is None:
            tally.uuids[key] = marked.row.item_uuid
            tally.words[marked.row.item_uuid] = count_words(marked.row.text)
        else:
            tally.uuids[key] = next(UUID(source.uuid) for source in marked.sources if source.id == target.source)
        tally.people[marked.row.item, target.source] += 1
        tally.unlinked += target.source is None and bool(marked.sources)
        tally.clipped += target.clipped
    return tally


def target_fact(marked: MarkedItem, target: Target, key: SourceKey) -> TargetFact:
    comments = sum(count_words(span.comment) for span in target.spans if span.comment)
    spans = Counter(span.category for span in target.spans)
    return TargetFact(
        source=key,
        sentences=target.sentences,
        words=count_words(target.text) + comments,
        markers=2 * len(target.spans),
        counts={category: spans[category] for category in marked.layer.keys},
        closed=parse(linear_form(target.text, target.spans, marked.layer)).closed_correctly,
    )


def source_facts(snapshot: Snapshot, tally: Tally) -> dict[SourceKey, SourceFact]:
    uuids = list(tally.uuids.values())
    sentences = sentence_counts(uuids, partial(texts, snapshot))
    words = tally.words | dict(snapshot.rows(statement([], SQL / "source_words.sql"), {"uuids": uuids}))
    return {key: SourceFact(sentences[uuid], words[uuid]) for key, uuid in tally.uuids.items()}


def texts(snapshot: Snapshot, uuids: list[UUID]) -> Iterator[tuple[UUID, str]]:
    """Yield (id, text) as a stream, in no order."""
    yield from snapshot.rows(statement([], SQL / "source_texts.sql"), {"uuids": uuids}, at_once=20)


def category_names(snapshot: Snapshot, options: ExportOptions) -> dict[str, str]:
    names: dict[str, str] = {}
    for _, layer in sorted(span_layers(snapshot, options).values(), key=lambda found: -found[0]):
        for category in layer.categories:
            names.setdefault(category.key, category.name)
    return names


@dataclass(frozen=True)
class Progress:
    """Count items given out for marking, those marked by somebody, and those with a validated result."""

    given: int
    marked: int
    validated: int


def progress(snapshot: Snapshot, options: ExportOptions) -> Progress:
    layered = list(span_layers(snapshot, options))
    sql = statement([], SQL / "marked_progress.sql")
    (row,) = snapshot.rows(sql, {"project": options.project.pk, "layered": layered})
    return Progress(*row)


def notes(options: ExportOptions, tally: Tally) -> Iterator[str]:
    """Say what the numbers count, where it is not plain."""
    own = sum(key.is_item for key in tally.uuids)
    if own:
        yield (
            f"Sources that are an item's own text, because nothing links it to a source document: {own:,} of "
            f"{len(tally.uuids):,}."
        )
    if tally.unlinked:
        yield f"Targets that link to none of the source documents of their item: {tally.unlinked:,}."
    several = sum(n > 1 for n in tally.people.values())
    if several:
        yield (
            "One item and source can have several targets here: each person's counts, and the validated one too. "
            f"{several:,} of {len(tally.people):,} pairs of item and source have more than one."
        )
    if tally.clipped:
        yield f"Spans that reach beyond their target's sentences and are clipped to them: {tally.clipped:,}."


def missing(
    options: ExportOptions, tally: Tally, categories: dict[str, str], has_target: bool, given: Progress
) -> Iterator[str]:
    """Say what the tables still lack, and what to do about it."""
    if not categories:
        yield "No published codebook has a span layer: there is nothing to count."
    elif not has_target:
        yield "The span layer names no target category, whose spans make target sentences: name one in the codebook."
    elif not given.given:
        yield "No item is given out yet: start a round."
    else:
        done, word = (given.validated, "validated") if options.of == "validated" else (given.marked, "marked")
        if done < given.given:
            yield f"{done:,} of {given.given:,} items given out are {word}; only these are counted."
        if done and not tally.targets:
            yield "Nothing in them is marked with the target category."
