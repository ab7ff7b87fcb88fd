"""Make more training targets by putting other members of a class in a span's place (Marfurt et al. 2022, 3.4). Pure.

The paper proposes this and has not tested it.
"""

import json
import random
from collections.abc import Iterator, Mapping, Sequence
from dataclasses import dataclass, replace

from al_worker.equivalence.evaluations import BOTH, COMMENT, Evaluation, same_category, tested_part
from al_worker.equivalence.sampling import sampled
from al_worker.equivalence.targets import TRAIN, Target
from al_worker.formats.text_form import Span


@dataclass(frozen=True, slots=True)
class Replacement:
    """Hold what comes in a span's place; `words` of None are its own words."""

    words: str | None
    comment: str | None


@dataclass(frozen=True, slots=True)
class Augmented:
    """Hold the new targets, and of how many training targets they are.

    `without` counts those in which no span has another member of its class. `blocked` counts spans that are kept,
    because another span begins or ends within them, or covers the same words. `unseen` counts members that are never
    drawn, because no training target has them.
    """

    targets: tuple[Target, ...]
    factor: int
    seed: int
    training: int
    without: int
    blocked: int
    unseen: int


def augmented(targets: Sequence[Target], evaluations: Sequence[Evaluation], factor: int, seed: int) -> Augmented:
    """Return up to `factor` new targets for each training target; each differs from it in one span.

    A span is drawn uniformly, then one of its replacements, without replacement. Only what a span of a training target
    has comes in its place: what valid or test targets alone have would teach a model what it is tested with.
    Evaluations in depth are left out: members of their classes may differ in all but one property. The same seed gives
    the same targets, whatever the order of what comes in.
    """
    training = sorted((target for target in targets if target.split == TRAIN), key=lambda target: target.id)
    whole = [each for each in evaluations if not each.in_depth]
    main = [_seen(each, training) for each in whole]
    found: list[Target] = []
    without = blocked = 0
    for target in training:
        fixed, options = _options(target, main)
        blocked += fixed
        without += not options
        drawn = sampled(random.Random(json.dumps([seed, target.id])), options, factor)
        for number, (span, replacement) in enumerate(drawn, start=1):
            found.append(replace(_replaced(target, span, replacement), id=f"{target.id} (augmented {number})"))
    return Augmented(tuple(found), factor, seed, len(training), without, blocked, _count(whole) - _count(main))


def _seen(evaluation: Evaluation, training: Sequence[Target]) -> Evaluation:
    """Return the evaluation with those of its members only that training targets have; a class may be empty."""
    category = same_category(evaluation.annotation)
    seen = {
        tested_part(evaluation.part, target.text[span.start : span.end], span.comment)
        for target in training
        for span in target.spans
        if same_category(span.category) == category
    }
    classes = tuple(tuple(each for each in members if each in seen) for members in evaluation.distinct)
    return replace(evaluation, classes=classes)


def _count(evaluations: Sequence[Evaluation]) -> int:
    return sum(len(members) for evaluation in evaluations for members in evaluation.distinct)


def _options(target: Target, evaluations: Sequence[Evaluation]) -> tuple[int, Mapping[Span, list[Replacement]]]:
    """Return the number of blocked spans, and the replacements of the others, each once and in a fixed order."""
    blocked, found = 0, {}
    for span in sorted(target.spans, key=lambda each: each.key):
        options = sorted(set(_of_span(target, span, evaluations)), key=lambda each: (each.words or "", str(each)))
        own_words = [each for each in options if each.words is None]
        if len(own_words) < len(options) and _is_fixed(span, target.spans):
            blocked += 1
            options = own_words
        if options:
            found[span] = options
    return blocked, found


def _of_span(target: Target, span: Span, evaluations: Sequence[Evaluation]) -> Iterator[Replacement]:
    words = target.text[span.start : span.end]
    for evaluation in evaluations:
        if same_category(evaluation.annotation) != same_category(span.category):
            continue
        own = tested_part(evaluation.part, words, span.comment)
        number = None if own is None else evaluation.class_of.get(own)
        for member in [] if number is None else evaluation.distinct[number]:
            if member == own:
                continue
            if evaluation.part == COMMENT:
                yield Replacement(None, member)
            elif evaluation.part == BOTH and member.endswith(")") and " (" in member:
                yield Replacement(*member.removesuffix(")").split(" (", 1))
            else:
                yield Replacement(member, None if evaluation.part == BOTH else span.comment)


def _is_fixed(span: Span, spans: Sequence[Span]) -> bool:
    """Return whether another span depends on the words of this one."""
    return any(
        span.start < bound < span.end or (other is not span and (other.start, other.end) == (span.start, span.end))
        for other in spans
        for bound in (other.start, other.end)
    )


def _replaced(target: Target, span: Span, replacement: Replacement) -> Target:
    if replacement.words is None:
        changed = tuple(replace(each, comment=replacement.comment) if each is span else each for each in target.spans)
        return replace(target, spans=changed)
    before = target.text[span.start : span.end]
    blank = len(before) - len(before.lstrip())
    words = f"{before[:blank]}{replacement.words}{before[len(before.rstrip()) :]}"
    longer = len(words) - len(before)
    text = f"{target.text[: span.start]}{words}{target.text[span.end :]}"
    return replace(target, text=text, spans=tuple(_moved(each, span, longer, replacement) for each in target.spans))


def _moved(each: Span, span: Span, longer: int, replacement: Replacement) -> Span:
    if each is span:
        return replace(span, end=span.end + longer, comment=replacement.comment)
    start = each.start + longer * (each.start >= span.end)
    return replace(each, start=start, end=each.end + longer * (each.end >= span.end))
