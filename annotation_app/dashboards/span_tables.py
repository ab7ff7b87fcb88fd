"""Compute the data set tables of Marfurt et al. 2022 (Tables 1, 2 and 5's first row). Pure: no I/O."""

import math
import statistics
from collections import Counter
from collections.abc import Collection, Iterable, Mapping, Sequence
from dataclasses import dataclass

from annotation_app.export.spans.splits import SPLITS, SourceKey, split_of


@dataclass(frozen=True)
class TargetFact:
    """Hold one target.

    `words` counts its text and comments (`count_words`), `markers` its start and end markers. `counts` has every
    category that could be marked. `closed` is the share of start markers that are closed after its text form was read,
    None where it has none.
    """

    source: SourceKey
    sentences: int
    words: int
    markers: int
    counts: Mapping[str, int]
    closed: float | None


@dataclass(frozen=True)
class SourceFact:
    """Hold one source document, or an item that stands for its own."""

    sentences: int
    words: int


@dataclass(frozen=True)
class SplitRow:
    """Hold a row of Table 1. `split` is train, valid, test or all; mean and maximum are targets a source, or None."""

    split: str
    sources: int
    targets: int
    mean_targets: float | None
    max_targets: int | None


@dataclass(frozen=True)
class Moments:
    """Hold mean and sample standard deviation (n - 1): `sd` is None below two values, `mean` without any."""

    n: int
    mean: float | None
    sd: float | None

    @property
    def population_sd(self) -> float | None:
        """Give the standard deviation with n in place of n - 1, as numpy does: 0 of one value, None without any."""
        if self.sd is None:
            return None if self.n == 0 else 0.0
        return self.sd * math.sqrt((self.n - 1) / self.n)


@dataclass(frozen=True)
class LengthRow:
    """Hold a row of Table 2, where one marker is one token. `sources` is None where a source has nothing of it."""

    what: str
    sources: Moments | None
    targets: Moments


@dataclass(frozen=True)
class CategoryRow:
    """Hold a row of Table 5: spans of a category a target, over the targets whose codebook has the category."""

    key: str
    count: Moments


@dataclass(frozen=True)
class Tables:
    splits: list[SplitRow]
    lengths: list[LengthRow]
    counts: list[CategoryRow]
    closed_correctly: Moments


def tables(
    targets: Sequence[TargetFact],
    sources: Mapping[SourceKey, SourceFact],
    categories: Iterable[str],
    random_state: int,
) -> Tables:
    """Compute the tables. `sources` holds every source of a target; the split is drawn over them."""
    return Tables(
        splits=split_rows(targets, sources, random_state),
        lengths=length_rows(targets, sources.values()),
        counts=[
            CategoryRow(key, moments([target.counts[key] for target in targets if key in target.counts]))
            for key in categories
        ],
        closed_correctly=moments([target.closed for target in targets if target.closed is not None]),
    )


def split_rows(targets: Sequence[TargetFact], sources: Collection[SourceKey], random_state: int) -> list[SplitRow]:
    per_source = Counter(target.source for target in targets)
    split = split_of(sources, random_state)
    parts = {name: [per_source[key] for key in sources if split[key] == name] for name in SPLITS}
    parts["all"] = [per_source[key] for key in sources]
    return [split_row(name, counts) for name, counts in parts.items()]


def split_row(name: str, counts: Sequence[int]) -> SplitRow:
    """Compute a row from `counts`, the targets of each source."""
    mean = statistics.fmean(counts) if counts else None
    return SplitRow(name, len(counts), sum(counts), mean, max(counts, default=None))


def length_rows(targets: Sequence[TargetFact], sources: Collection[SourceFact]) -> list[LengthRow]:
    of_sources = {
        "sentences": moments([source.sentences for source in sources]),
        "words": moments([source.words for source in sources]),
        "markers": None,
        "tokens": moments([source.words for source in sources]),
    }
    of_targets = {
        "sentences": moments([target.sentences for target in targets]),
        "words": moments([target.words for target in targets]),
        "markers": moments([target.markers for target in targets]),
        "tokens": moments([target.words + target.markers for target in targets]),
    }
    return [LengthRow(what, of_sources[what], of_targets[what]) for what in of_sources]


def moments(values: Sequence[float]) -> Moments:
    return Moments(
        n=len(values),
        mean=statistics.fmean(values) if values else None,
        sd=statistics.stdev(values) if len(values) > 1 else None,
    )
