"""Compute agreement on spans: by category, round and pair of annotators, and over the pairs together."""

import json
from collections.abc import Iterable, Mapping
from dataclasses import asdict, dataclass, field
from functools import cache
from typing import Any

from al_worker.formats.words import token_bounds
from annotation_app.aggregation.planner import one_snapshot
from annotation_app.aggregation.selectors import codebooks_of
from annotation_app.agreement.rouge import rouge_l
from annotation_app.agreement.span_statements import (
    comment_texts_statement,
    span_rows_statement,
    span_texts_statement,
)
from annotation_app.agreement.statistics import IOU, SPAN_STATISTICS, SpanStatistic
from annotation_app.codebook.spans import SpanCategory
from annotation_app.codebook.stages import Codebook
from annotation_app.models import Batch, Membership, Project

NOBODY = "no item was submitted by two annotators"
NOT_EVERYONE = "no item was submitted by every annotator; see the mean of the pairs"
BY_PAIR = "given for pairs: it depends on which of the two comes first"
ONE_PAIR = "given for the pairs together"
NO_COMMENTS = "no spans that match exactly and have a comment on both sides"
NO_WORDS = "no words in the comments"

# (category's number, round, a, b). 0 is all categories or all rounds; a = b = 0 is all pairs.
View = tuple[int, int, int, int]


@dataclass(frozen=True)
class Figure:
    """Hold a value and the number `n` of what it is computed from, or the reason why there is none.

    `pairs` is the number of pairs that a mean is over, and None where the value is no mean.
    """

    value: float | None
    n: int
    reason: str | None = None
    pairs: int | None = None


@dataclass(frozen=True)
class Sizes:
    """Hold the sizes of a row: items that both submitted, pairs, and the spans of a and of b in those items.

    Over all pairs, items are those that two people or more submitted.
    `n_matched` spans match exactly; `n_uncommented` of them have no comment on either side.
    `alpha_items` and `alpha_length` are the items and the code points of alpha_u's continuum.
    `alpha_merged` is by how many spans the merging of overlapping ones reduces their number.
    """

    n_items: int = 0
    n_pairs: int = 0
    n_a: int = 0
    n_b: int = 0
    n_matched: int = 0
    n_uncommented: int = 0
    alpha_items: int = 0
    alpha_length: int = 0
    alpha_merged: int = 0


@dataclass(frozen=True)
class SpanRow:
    """Hold one row.

    A `category` of None is all of them, a `round` of None all rounds, a `pair` of None the pairs together.
    """

    category: str | None
    round: int | None
    pair: tuple[int, int] | None
    sizes: Sizes
    figures: dict[str, Figure] = field(default_factory=dict)

    def shown(self) -> dict[str, Any]:
        """Return the row as the API and releases write it.

        It is built plainly, because serializers would take longer than the database over thousands of rows.
        """
        return {
            "category": self.category,
            "round": self.round,
            "pair": self.pair,
            **asdict(self.sizes),
            "figures": {name: asdict(figure) for name, figure in self.figures.items()},
        }


@dataclass(frozen=True)
class SpanTable:
    """Hold the rows of a table of agreement on spans, and the people and categories that they name."""

    rows: list[SpanRow]
    annotators: list[Membership]
    # Those of the newest codebook come first, in its order, then those that only older ones have.
    categories: list[SpanCategory]


def span_agreement(*, project: Project, batches: Iterable[Batch] | None = None, iou: float = IOU) -> SpanTable:
    """Return every statistic on spans over the project's rounds, or over other batches, all of one kind.

    `iou`, above 0 and at most 1, is the intersection over union from which two spans count as close.
    The number of statements does not grow with the data.
    A project without span categories has no rows.
    """
    codebooks = codebooks_of(project)
    categories = _categories(codebooks)
    if not categories:
        return SpanTable([], [], [])
    parameters: dict[str, Any] = {
        "project": project.pk,
        "batches": None if batches is None else [batch.pk for batch in batches],
        "categories": json.dumps(_known(codebooks, [category.key for category in categories])),
        "iou": iou,
    }
    with one_snapshot() as cursor:
        cursor.execute(span_texts_statement(), parameters)
        cursor.execute(span_rows_statement(), parameters | _tokens(cursor.fetchall()))
        names = [column.name for column in cursor.description]
        found = [dict(zip(names, values, strict=True)) for values in cursor.fetchall()]
        cursor.execute(comment_texts_statement(), parameters)
        rouge = _rouge(cursor.fetchall())
    rows = _in_order([_row(each, rouge, categories) for each in found], categories)
    numbers = {number for row in rows for number in row.pair or ()}
    people = Membership.objects.filter(project=project, number__in=numbers).select_related("user").order_by("number")
    return SpanTable(rows, list(people), categories)


def _categories(codebooks: Mapping[int, Codebook]) -> list[SpanCategory]:
    named: dict[str, SpanCategory] = {}
    for codebook in list(codebooks.values())[::-1]:
        for category in codebook.span_layer.categories if codebook.span_layer else ():
            named.setdefault(category.key, category)
    return list(named.values())


def _known(codebooks: Mapping[int, Codebook], keys: list[str]) -> list[dict[str, Any]]:
    """Return the categories for the statements, with numbers from 1, which sort faster than keys."""
    return [
        {"codebook": number, "category": keys.index(key) + 1, "key": key}
        for number, codebook in codebooks.items()
        if codebook.span_layer
        for key in codebook.span_layer.keys
    ]


def _tokens(texts: Iterable[tuple[int, str]]) -> dict[str, str]:
    """Return every token of every unit as three array literals, which the database reads faster than lists."""
    cut = cache(token_bounds)
    found = [(unit, start, end) for unit, text in texts for start, end in cut(text)]
    columns = zip(*found, strict=True) if found else ((), (), ())
    names = ("token_units", "token_starts", "token_ends")
    return {name: f"{{{','.join(map(str, column))}}}" for name, column in zip(names, columns, strict=True)}


def _rouge(texts: Iterable[tuple[int, int, int, int, str, str, int]]) -> dict[View, Figure]:
    """Return ROUGE-L averaged over the matched spans of each pair, and over the pairs. Equal texts are scored once."""
    scored = cache(rouge_l)
    sums: dict[View, list[float]] = {}
    for *view, one, other, n in texts:
        score = scored(one, other)
        total = sums.setdefault((view[0], view[1], view[2], view[3]), [0.0, 0])
        if score is not None:
            total[0] += n * score
            total[1] += n
    figures = {view: Figure(total / n, int(n)) if n else Figure(None, 0, NO_WORDS) for view, (total, n) in sums.items()}
    return figures | _rouge_means(figures)


def _rouge_means(pairs: Mapping[View, Figure]) -> dict[View, Figure]:
    together: dict[View, list[Figure]] = {}
    for (category, round, _, _), figure in pairs.items():
        together.setdefault((category, round, 0, 0), []).append(figure)
    return {view: _mean(figures) for view, figures in together.items()}


def _mean(figures: Iterable[Figure]) -> Figure:
    counted = [(figure.value, figure.n) for figure in figures if figure.value is not None]
    if not counted:
        return Figure(None, 0, NO_WORDS, pairs=0)
    return Figure(sum(value for value, _ in counted) / len(counted), sum(n for _, n in counted), pairs=len(counted))


def _row(found: Mapping[str, Any], rouge: Mapping[View, Figure], categories: list[SpanCategory]) -> SpanRow:
    pair = (found["a"], found["b"]) if found["a"] else None
    view = (found["category"], found["round"] or 0, *(pair or (0, 0)))
    known = {name: Figure(**figure) for name, figure in json.loads(found["figures"]).items()}
    known["comment_rouge_l"] = rouge.get(view) or Figure(None, 0, NO_COMMENTS, pairs=None if pair else 0)
    return SpanRow(
        category=categories[found["category"] - 1].key if found["category"] else None,
        round=found["round"],
        pair=pair,
        sizes=Sizes(**{name: found[name] or 0 for name in Sizes.__dataclass_fields__}),
        figures={each.key: known.get(each.key) or _left_out(each, pair) for each in SPAN_STATISTICS},
    )


def _left_out(statistic: SpanStatistic, pair: tuple[int, int] | None) -> Figure:
    """Return a figure that says why a view does not have this statistic."""
    if pair:
        return Figure(None, 0, ONE_PAIR)
    return Figure(None, 0, BY_PAIR if statistic.mean is None else NOT_EVERYONE)


def _in_order(rows: list[SpanRow], categories: list[SpanCategory]) -> list[SpanRow]:
    """Return the rows in the codebook's order, all categories together last.

    Each category has a row over all rounds and pairs, even an empty one.
    """
    order: dict[str | None, int] = {category.key: place for place, category in enumerate(categories)}
    order[None] = len(order)
    there = {row.category for row in rows}
    empty = [
        SpanRow(key, None, None, Sizes(), {each.key: Figure(None, 0, NOBODY) for each in SPAN_STATISTICS})
        for key in order
        if key not in there
    ]
    return sorted([*rows, *empty], key=lambda row: (order[row.category], row.round or 0, row.pair or (0, 0)))
