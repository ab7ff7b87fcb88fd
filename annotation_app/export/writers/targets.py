"""Write kind `targets`: one line for each person, item and source document, with the source's split."""

from collections.abc import Iterator, Mapping
from typing import Any

from annotation_app.export.options import ExportOptions
from annotation_app.export.snapshot import Snapshot
from annotation_app.export.span_rows import MarkedItem, about, source_record, span_record, span_rows
from annotation_app.export.spans.linear_form import linear_form
from annotation_app.export.spans.splits import SourceKey, split_of
from annotation_app.export.spans.targets import Target, targets_of


def read(snapshot: Snapshot, options: ExportOptions) -> tuple[int, Iterator[dict[str, Any]]]:
    """Read the rows twice, because the split is drawn over all sources before the first line."""
    found = [source_key(*each) for each in marked_targets(snapshot, options)]
    return len(found), records(snapshot, options, split_of(found, options.random_state))


def records(snapshot: Snapshot, options: ExportOptions, splits: Mapping[SourceKey, str]) -> Iterator[dict[str, Any]]:
    for marked, target in marked_targets(snapshot, options, source_texts=True):
        sources = {source.id: source_record(source) for source in marked.sources}
        yield about(marked, names=options.names) | {
            "id": target_id(marked, target),
            "source": sources[target.source] if target.source else None,
            "split": splits[source_key(marked, target)],
            "style": options.style,
            "linear": linear_form(target.text, target.spans, marked.layer, options.style),
            "text": target.text,
            "spans": [span_record(target.text, span) for span in target.spans],
            "ranges": target.ranges,
            "n_sentences": target.sentences,
            "n_clipped": target.clipped,
        }


def marked_targets(
    snapshot: Snapshot, options: ExportOptions, *, source_texts: bool = False
) -> Iterator[tuple[MarkedItem, Target]]:
    for marked in span_rows(snapshot, options, source_texts=source_texts):
        sources = [source.id for source in marked.sources]
        for target in targets_of(marked.row.text, marked.spans, marked.layer, sources):
            yield marked, target


def target_id(marked: MarkedItem, target: Target) -> str:
    """Return a unique id of item, source and person: "news_1/press-1/annotator 2", "news_1//validated".

    A slash or percent sign in an id is written as %2F or %25.
    """
    row = marked.row
    whose = "validated" if row.number is None else f"annotator {row.number}"
    parts = (row.item, target.source or "")
    return "/".join([*(part.replace("%", "%25").replace("/", "%2F") for part in parts), whose])


def source_key(marked: MarkedItem, target: Target) -> SourceKey:
    """Return the target's source; without one it is its item, which stands for a source of its own."""
    return SourceKey(marked.row.item, True) if target.source is None else SourceKey(target.source, False)
