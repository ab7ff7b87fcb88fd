"""Read settled targets with their sources: those of the project as it is now, or of one of its releases.

Settled are the validated spans, as an export of kind `targets` has them with `of=validated`. What one annotator marked
is settled once somebody accepted or edited it, even where nobody else marked the item.
"""

import json
from collections import Counter
from collections.abc import Iterable, Iterator, Sequence
from contextlib import closing
from dataclasses import dataclass
from typing import Any, NamedTuple
from zipfile import ZipFile

from django.core.files.storage import default_storage

from al_worker.equivalence.targets import Target
from al_worker.formats.text_form import Span
from annotation_app.codebook.definition import codebook_of
from annotation_app.codebook.spans import SpanLayer
from annotation_app.dashboards.sentence_counts import sentence_bounds
from annotation_app.export.options import ExportOptions
from annotation_app.export.snapshot import Snapshot
from annotation_app.export.span_rows import span_layers, span_rows
from annotation_app.export.spans.linear_form import ExportedSpan
from annotation_app.export.spans.splits import split_of
from annotation_app.export.writers.targets import Range, source_key, target_id, targets_of
from annotation_app.models import Project, Release
from annotation_app.refusals import Invalid
from annotation_app.releases.data import data_path
from annotation_app.validation.review_state import state_counts

CURRENT, RELEASE = "current", "release"
EXAMPLES = 5
SPLIT_AT_ONCE = 20
NO_TARGET_CATEGORY = "The codebook has no category for target sentences, so the item has no target"
NO_SENTENCE = "No target sentence is marked in the settled item"
NOT_SETTLED = "The item was given to people to mark, and no decision about it stands"
NOT_SETTLED_THERE = "People marked the item, and the release has no decision about it, or a rejection"
REJECTED = "A validator found that none of the item's annotations can be used"


class MarkedSource(NamedTuple):
    """Hold a source document. `id` is its external id."""

    id: str
    title: str
    text: str


@dataclass(frozen=True, slots=True)
class MarkedTarget:
    """Hold a target: its text, and spans whose categories have the names that stand in markers.

    `source` is None where nothing links it to a source document; it then stands for a source of its own in the split,
    and no model can be trained with it. `item` is the item's external id, and `ranges` locate its parts in there.
    """

    id: str
    item: str
    source: str | None
    split: str
    text: str
    spans: tuple[Span, ...]
    ranges: tuple[Range, ...]

    @property
    def target(self) -> Target:
        """Return it as instances are made of."""
        return Target(self.id, self.split, self.text, self.spans)

    def written(self) -> dict[str, Any]:
        """Return the line of a file of targets."""
        sources = [] if self.source is None else [self.source]
        return self.target.written() | {"sources": sources, "item": self.item}


@dataclass(frozen=True, slots=True)
class LeftOut:
    """Count what was left out for one reason, with the ids of some."""

    reason: str
    n: int
    examples: tuple[str, ...] = ()


@dataclass(frozen=True)
class MarkedData:
    """Hold settled targets, with their sources and their items' texts by external id.

    `outer` are the markers of the categories that hold target sentences.
    """

    sources: dict[str, MarkedSource]
    targets: list[MarkedTarget]
    items: dict[str, str]
    outer: tuple[str, ...]
    left_out: list[LeftOut]


class _Item(NamedTuple):
    """Hold a settled item, from rows or from a release's file."""

    id: str
    text: str
    layer: SpanLayer
    spans: Sequence[ExportedSpan]
    sources: Sequence[str]


def marked_data(project: Project, key: str, random_state: int = 0) -> MarkedData:
    """Return the settled targets for "current", or "release:N" of a finished release.

    `random_state` is the seed of the split of sources, as the export has it. Raises Invalid for another key.
    """
    if key == CURRENT:
        return _current(project, random_state)
    kind, _, number = key.partition(":")
    if kind == RELEASE and number.isascii() and number.isdigit() and len(number) < 10:
        release = project.releases.filter(number=int(number), state=Release.State.DONE).first()
        if release is not None:
            return _released(release, random_state)
    raise Invalid({"data": ["Choose current, or release:N with the number of a finished release of this project."]})


def source_sentences(sources: Iterable[MarkedSource]) -> Iterator[tuple[str, list[str]]]:
    """Yield the id and the sentences of each source, as imports split texts by default."""
    waiting = list(sources)
    for first in range(0, len(waiting), SPLIT_AT_ONCE):
        some = waiting[first : first + SPLIT_AT_ONCE]
        for source, bounds in zip(some, sentence_bounds([each.text for each in some]), strict=True):
            yield source.id, [source.text[start:end] for start, end in bounds]


def _current(project: Project, random_state: int) -> MarkedData:
    options = ExportOptions(project, of="validated")
    with closing(Snapshot()) as snapshot:
        items = [
            _Item(each.row.item, each.row.text, each.layer, each.spans, [source.id for source in each.sources])
            for each in span_rows(snapshot, options)
        ]
        layers = [layer for _, (_, layer) in sorted(span_layers(snapshot, options).items())]
    states = state_counts(project, kinds=["round"])
    unsettled = {NOT_SETTLED: states["waiting"] + states["open"], REJECTED: states["rejected"]}
    targets, left_out = _targets(items, random_state)
    left_out += [LeftOut(reason, n) for reason, n in unsettled.items() if n]
    named = {target.source for target in targets if target.source is not None}
    rows = project.source_documents.filter(external_id__in=named).order_by("external_id")
    sources = {row[0]: MarkedSource(*row) for row in rows.values_list("external_id", "title", "text")}
    return MarkedData(sources, targets, _texts(items), _outer(layers), left_out)


def _released(release: Release, random_state: int) -> MarkedData:
    books = {row.version: codebook_of(row).span_layer for row in release.project.codebooks.all()}
    layers = {version: layer for version, layer in books.items() if layer is not None}
    items: list[_Item] = []
    seen: set[str] = set()
    texts: dict[str, MarkedSource] = {}
    for record in _records(release):
        seen.add(record["id"])
        if record["state"] != "validated":
            continue
        layer = layers[record["codebook_version"]]
        names = ("start", "end", "category", "comment", "source")
        spans = [ExportedSpan(**{name: span[name] for name in names}) for span in record["spans"]]
        items.append(_Item(record["id"], record["text"], layer, spans, [each["id"] for each in record["sources"]]))
        texts |= {each["id"]: MarkedSource(each["id"], each["title"], each["text"]) for each in record["sources"]}
    targets, left_out = _targets(items, random_state)
    unsettled = sorted(seen - {each.id for each in items})
    if unsettled:
        left_out.append(LeftOut(NOT_SETTLED_THERE, len(unsettled), tuple(unsettled[:EXAMPLES])))
    named = sorted({target.source for target in targets if target.source is not None})
    used = [layer for _, layer in sorted(layers.items())]
    return MarkedData({name: texts[name] for name in named}, targets, _texts(items), _outer(used), left_out)


def _records(release: Release) -> Iterator[dict[str, Any]]:
    """Yield the lines of a release's spans; there are none where its codebooks have no span layer."""
    with default_storage.open(release.path) as file, ZipFile(file) as packed:
        for name in packed.namelist():
            if name.endswith(f"/{data_path('spans')}"):
                with packed.open(name) as lines:
                    yield from map(json.loads, lines)


def _targets(items: Sequence[_Item], random_state: int) -> tuple[list[MarkedTarget], list[LeftOut]]:
    found = []
    left_out: Counter[str] = Counter()
    examples: dict[str, list[str]] = {}
    for item in items:
        own = targets_of(item.text, item.spans, item.layer, item.sources)
        found += [(item, each) for each in own]
        if not own:
            reason = NO_SENTENCE if item.layer.target else NO_TARGET_CATEGORY
            left_out[reason] += 1
            examples.setdefault(reason, []).append(item.id)
    keys = [source_key(item.id, each) for item, each in found]
    splits = split_of(keys, random_state)
    targets = [
        MarkedTarget(
            id=target_id(item.id, each, None),
            item=item.id,
            source=each.source,
            split=splits[key],
            text=each.text,
            spans=tuple(
                Span(span.start, span.end, item.layer.by_key[span.category].marker, span.comment) for span in each.spans
            ),
            ranges=each.ranges,
        )
        for (item, each), key in zip(found, keys, strict=True)
    ]
    return targets, [LeftOut(reason, n, tuple(examples[reason][:EXAMPLES])) for reason, n in left_out.items()]


def _texts(items: Sequence[_Item]) -> dict[str, str]:
    return {item.id: item.text for item in items}


def _outer(layers: Sequence[SpanLayer]) -> tuple[str, ...]:
    return tuple(dict.fromkeys(layer.by_key[layer.target].marker for layer in layers if layer.target))
