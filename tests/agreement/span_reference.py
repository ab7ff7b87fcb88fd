"""Agreement on spans by brute force, from the definitions: a second opinion on the database's statements.

A span is (start, end, category, comment); an item is its text and what each annotator marked in it. Nothing here is
quick, and nothing here knows how the statements go about it.
"""

from collections import Counter
from collections.abc import Iterator, Sequence
from dataclasses import dataclass
from itertools import combinations, permutations
from statistics import fmean

from al_worker.formats.words import token_bounds

Mark = tuple[int, int, str, str]
# (start, end, is a unit): what an annotator made of the continuum, gaps too.
Section = tuple[int, int, bool]


@dataclass(frozen=True)
class Marked:
    """An item that some annotators submitted, by their names; a name with an empty list marked nothing."""

    text: str
    marks: dict[str, list[Mark]]


def both(items: Sequence[Marked], a: str, b: str) -> list[Marked]:
    return [item for item in items if a in item.marks and b in item.marks]


def of(marks: Sequence[Mark], category: str | None) -> list[Mark]:
    return [mark for mark in marks if category in (None, mark[2])]


def exact_f1(items: Sequence[Marked], a: str, b: str, category: str | None) -> float | None:
    matched = marked = 0
    for item in both(items, a, b):
        ours = Counter(mark[:3] for mark in of(item.marks[a], category))
        theirs = Counter(mark[:3] for mark in of(item.marks[b], category))
        matched += (ours & theirs).total()
        marked += ours.total() + theirs.total()
    return 2 * matched / marked if marked else None


def overlap(one: Mark, other: Mark) -> float:
    """Intersection over union of two spans of one category, code point by code point; 0 for other categories."""
    if one[2] != other[2]:
        return 0.0
    ours, theirs = set(range(one[0], one[1])), set(range(other[0], other[1]))
    return len(ours & theirs) / len(ours | theirs)


def partnered(items: Sequence[Marked], a: str, b: str, category: str | None, least: float) -> float | None:
    """Share of a's spans that some span of b overlaps by `least` (0: at all)."""
    found = [
        any(overlap(mark, other) >= least and overlap(mark, other) > 0 for other in item.marks[b])
        for item in both(items, a, b)
        for mark in of(item.marks[a], category)
    ]
    return sum(found) / len(found) if found else None


def overlap_f1(items: Sequence[Marked], a: str, b: str, category: str | None, least: float) -> float | None:
    precision, recall = partnered(items, a, b, category, least), partnered(items, b, a, category, least)
    if precision is None and recall is None:
        return None
    if not precision or not recall:
        return 0.0
    return 2 / (1 / precision + 1 / recall)


def tokens(text: str) -> list[tuple[int, int]]:
    """Give start and end of each token; `tests/formats/test_words.py` holds the cuts against worked examples."""
    return token_bounds(text)


def token_table(items: Sequence[Marked], a: str, b: str, category: str) -> Counter[tuple[bool, bool]]:
    return Counter(
        tuple(
            any(set(range(start, end)) & set(range(*mark[:2])) for mark in of(item.marks[name], category))
            for name in (a, b)
        )
        for item in both(items, a, b)
        for start, end in tokens(item.text)
    )


def token_kappa(items: Sequence[Marked], a: str, b: str, category: str) -> float | None:
    table = token_table(items, a, b, category)
    n = table.total()
    if not n:
        return None
    observed = (table[True, True] + table[False, False]) / n
    first = (table[True, True] + table[True, False]) / n
    second = (table[True, True] + table[False, True]) / n
    expected = first * second + (1 - first) * (1 - second)
    return None if {first, second} in ({0.0}, {1.0}) else (observed - expected) / (1 - expected)


def merged(spans: Sequence[tuple[int, int]]) -> list[tuple[int, int]]:
    """Overlapping spans as one; such that only touch stay apart."""
    units: list[tuple[int, int]] = []
    for start, end in sorted(spans):
        if units and start < units[-1][1]:
            units[-1] = (units[-1][0], max(units[-1][1], end))
        else:
            units.append((start, end))
    return units


def sections(items: Sequence[Marked], name: str, category: str) -> list[Section]:
    """The texts one after the other, cut into this annotator's units and the gaps between them."""
    units, length = [], 0
    for item in items:
        here = merged([mark[:2] for mark in of(item.marks[name], category)])
        units += [(start + length, end + length) for start, end in here]
        length += len(item.text)
    cut: list[Section] = []
    reached = 0
    for start, end in units:
        cut += [(reached, start, False)] * (start > reached) + [(start, end, True)]
        reached = end
    return cut + [(reached, length, False)] * (length > reached)


def difference(one: Section, other: Section) -> int:
    """Krippendorff's squared difference of two sections (Krippendorff 2004, 11.6)."""
    if one[2] and other[2] and one[0] < other[1] and other[0] < one[1]:
        return (one[0] - other[0]) ** 2 + (one[1] - other[1]) ** 2
    if one[2] and not other[2] and other[0] <= one[0] and one[1] <= other[1]:
        return (one[1] - one[0]) ** 2
    if other[2] and not one[2] and one[0] <= other[0] and other[1] <= one[1]:
        return (other[1] - other[0]) ** 2
    return 0


def observed(cuts: Sequence[Sequence[Section]], length: int) -> float:
    total = sum(difference(g, h) for ours, theirs in permutations(cuts, 2) for g in ours for h in theirs)
    return total / (len(cuts) * (len(cuts) - 1) * length**2)


def placements(one: int, other: int) -> Iterator[int]:
    """Squared differences of two units of these lengths, over every way in which they can overlap."""
    for start in range(1 - other, one):
        yield start**2 + (one - (start + other)) ** 2


def expected(cuts: Sequence[Sequence[Section]], length: int) -> float:
    """Over every place that each unit could have beside each other one, and within each gap, of everyone."""
    lengths = [end - start for cut in cuts for start, end, unit in cut if unit]
    gaps = [end - start for cut in cuts for start, end, unit in cut if not unit]
    total = sum(sum(placements(one, other)) for one, other in combinations(lengths, 2))
    total += sum(one**2 for one in lengths for gap in gaps for start in range(gap) if start + one <= gap)
    whole = len(cuts) * length
    return 2 * total / (length * (whole * (whole - 1) - sum(one * (one - 1) for one in lengths)))


def disagreement(items: Sequence[Marked], names: Sequence[str], category: str) -> tuple[float, float]:
    """Observed and expected, over the items that all of them submitted."""
    shared = [item for item in items if all(name in item.marks for name in names)]
    length = sum(len(item.text) for item in shared)
    cuts = [sections(shared, name, category) for name in names]
    return (observed(cuts, length), expected(cuts, length)) if length else (0.0, 0.0)


def alpha_u(items: Sequence[Marked], names: Sequence[str], categories: Sequence[str]) -> float | None:
    """1 - the sum of observed over the sum of expected disagreements of the categories."""
    parts = [disagreement(items, names, category) for category in categories]
    whole = sum(each for _, each in parts)
    return 1 - sum(each for each, _ in parts) / whole if whole else None


def comment_pairs(items: Sequence[Marked], a: str, b: str, category: str | None) -> list[tuple[str, str]]:
    """Comments of the spans that match exactly; among several on one range equal ones first, then in their order."""
    pairs = []
    for item in both(items, a, b):
        ours, theirs = of(item.marks[a], category), of(item.marks[b], category)
        for where in {mark[:3] for mark in ours} & {mark[:3] for mark in theirs}:
            one = Counter(mark[3] for mark in ours if mark[:3] == where)
            other = Counter(mark[3] for mark in theirs if mark[:3] == where)
            equal = one & other
            pairs += [(text, text) for text in equal.elements()]
            left, right = (one - equal).elements(), (other - equal).elements()
            pairs += list(zip(sorted(left), sorted(right), strict=False))
    return pairs


def categories_in(items: Sequence[Marked]) -> list[str]:
    return sorted({mark[2] for item in items for marks in item.marks.values() for mark in marks})


def of_pair(made: Sequence[Marked], a: str, b: str, category: str | None, iou: float) -> dict[str, float | None]:
    """Give every statistic of a pair that the database computes."""
    table = token_table(made, a, b, category) if category else None
    n = table.total() if table else 0
    texts = [(one, other) for one, other in comment_pairs(made, a, b, category) if one or other]
    return {
        "exact_f1": exact_f1(made, a, b, category),
        "overlap_any_f1": overlap_f1(made, a, b, category, 0),
        "overlap_any_precision": partnered(made, a, b, category, 0),
        "overlap_any_recall": partnered(made, b, a, category, 0),
        "overlap_iou_f1": overlap_f1(made, a, b, category, iou),
        "overlap_iou_precision": partnered(made, a, b, category, iou),
        "overlap_iou_recall": partnered(made, b, a, category, iou),
        "token_kappa": token_kappa(made, a, b, category) if category else None,
        "token_agreement": (table[True, True] + table[False, False]) / n if table and n else None,
        "token_share": (2 * table[True, True] + table[True, False] + table[False, True]) / (2 * n)
        if table and n
        else None,
        "alpha_u": alpha_u(made, [a, b], [category] if category else categories_in(made)),
        "comment_equal": fmean(one == other for one, other in texts) if texts else None,
    }
