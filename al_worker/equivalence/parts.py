"""Find the part of each span that an evaluation tests, and the text before it (Marfurt et al. 2022, 3.2).

The rules of the paper and of its authors' programs differ. docs/methods/interpretation.md compares them.
"""

from collections.abc import Iterator, Sequence
from dataclasses import dataclass

from al_worker.equivalence.evaluations import BOTH, COMMENT, WORDS, Evaluation, same_category, tested_part
from al_worker.equivalence.targets import Target, categories_of
from al_worker.formats.text_form import OUTER, Place, Span, linearize_located

PAPER, CODE = SOURCES = ("paper", "code")
SENTENCE, TARGET = PREFIXES = ("sentence", "target")


@dataclass(frozen=True, slots=True, kw_only=True)
class Rules:
    """Hold how instances are made. `outer` names the categories that hold a standardized sentence.

    `source` is paper or code. `prefix` is sentence (the prefix begins with the standardized sentence) or target.
    `style` is that of the markers. `replace_positive` puts another member of its class in the positive's place.
    """

    seed: int = 0
    source: str = PAPER
    prefix: str = SENTENCE
    style: str = "spaces"
    outer: Sequence[str] = OUTER
    replace_positive: bool = False


@dataclass(frozen=True, slots=True)
class Located:
    """Hold a span of a target and its place in the target's text form `linear`.

    `begin` is where the prefix begins. `outside` says that no standardized sentence holds the span.
    """

    target: Target
    linear: str
    span: Span
    place: Place
    begin: int
    outside: bool


@dataclass(frozen=True, slots=True)
class Part:
    """Hold the tested part of a span: as members are written, as a text goes on with it, and the text before it."""

    member: str
    continuation: str
    prefix: str


def located_spans(targets: Sequence[Target], rules: Rules) -> list[Located]:
    """Return the spans of all targets in the order of their targets' ids and of the text."""
    outer = {same_category(name) for name in rules.outer}
    holding = [name for name in categories_of(targets) if same_category(name) in outer]
    return [each for target in sorted(targets, key=lambda each: each.id) for each in _located(target, holding, rules)]


def part_of(located: Located, evaluation: Evaluation, rules: Rules, commented: frozenset[str]) -> Part | None:
    """Return the part of a span that the evaluation tests, or None where the span has none.

    `commented` are the categories for which the file tests comments; only the authors' programs look at them.
    """
    if rules.source == CODE:
        return _part_by_code(located, evaluation.part, same_category(evaluation.annotation) in commented)
    return _part_by_paper(located, evaluation.part)


def commented_categories(evaluations: Sequence[Evaluation]) -> frozenset[str]:
    """Return the categories whose comments some evaluation tests, apart from their words or with them."""
    return frozenset(same_category(each.annotation) for each in evaluations if each.part != WORDS)


def _located(target: Target, holding: Sequence[str], rules: Rules) -> Iterator[Located]:
    linear, found = linearize_located(target.text, target.spans, rules.style, holding)
    sentences = [(span, place) for span, place in found if span.category in holding]
    for span, place in found:
        around = [at.start for own, at in sentences if own.start <= span.start and span.end <= own.end]
        begin = max(around, default=0) if rules.prefix == SENTENCE else 0
        yield Located(target, linear, span, place, begin, bool(sentences) and not around)


def _part_by_paper(located: Located, part: str) -> Part | None:
    span, place = located.span, located.place
    tested = tested_part(part, located.target.text[span.start : span.end], span.comment)
    if tested is None:
        return None
    if part == COMMENT:
        return Part(tested, f"({tested})", located.linear[located.begin : place.words_end].rstrip())
    return Part(tested, tested, located.linear[located.begin : place.words])


def _part_by_code(located: Located, part: str, commented: bool) -> Part | None:
    whole = located.linear[located.place.words : located.place.end].strip()
    prefix = located.linear[located.begin : located.place.words]
    if part == BOTH or (part == WORDS and not commented):
        return Part(whole, whole, prefix)
    words, opened, rest = whole.partition("(")
    comment, closed, _ = rest.partition(")")
    words = words.strip()
    if part == WORDS:
        return Part(words, words, prefix) if opened else None
    return Part(comment.strip(), f"({comment})", f"{prefix} {words}".rstrip()) if closed else None
