"""Make instances: a prefix with a true and a false continuation (Marfurt et al. 2022, 3.2 and 4.1). Pure.

The same seed gives the same instances, whatever the order of targets, evaluations, classes and members.
"""

import json
import random
from collections.abc import Callable, Iterator, Mapping, Sequence
from dataclasses import asdict, dataclass, field
from typing import Any

from al_worker.equivalence.evaluations import COMMENT, Evaluation, Member, members_of, same_category
from al_worker.equivalence.parts import CODE, Located, Part, Rules, commented_categories, located_spans, part_of
from al_worker.equivalence.sampling import sampled
from al_worker.equivalence.targets import EVALUATED, Target, categories_of
from al_worker.formats.text_form import Span
from al_worker.formats.words import count_words

# An evaluation with fewer positives gets several negatives for each, up to about this many instances.
ENOUGH = 100
# The most by which the numbers of words of the two continuations may differ.
WORDS_APART = 2
# The authors' programs give up on a negative after so many draws.
DRAWS = 100


@dataclass(frozen=True, slots=True)
class Instance:
    """Hold one instance. The classes are numbers in the evaluation, from 0."""

    annotation: str
    evaluation: str
    target: str
    prefix: str
    positive: str
    negative: str
    positive_class: int
    negative_class: int

    def written(self) -> dict[str, Any]:
        """Return the instance as a JSON object."""
        return asdict(self)


@dataclass(frozen=True, slots=True)
class Placed:
    """Hold an instance with the span of the target whose part is its positive, or was before it was replaced."""

    instance: Instance
    span: Span


@dataclass(slots=True)
class Tally:
    """Count what became of the spans of one evaluation in one split.

    `without_part` have no comment, and `no_member` are in no class. `repeated` stand in a target that has a positive
    already. `alone` have no other member to replace them. `outside` are positives outside every standardized sentence.
    `short` is {target: negatives found} of the positives with fewer than `per_positive`.
    """

    annotation: str
    evaluation: str
    split: str
    spans: int = 0
    without_part: int = 0
    no_member: int = 0
    repeated: int = 0
    alone: int = 0
    outside: int = 0
    positives: int = 0
    per_positive: int = 0
    instances: int = 0
    short: list[tuple[str, int]] = field(default_factory=list)

    @property
    def n_short(self) -> int:
        """Return the number of positives with too few negatives."""
        return len(self.short)


@dataclass(frozen=True, slots=True)
class _Positive:
    target: str
    span: Span
    part: Part
    class_number: int
    draw: random.Random


def make_instances(
    evaluations: Sequence[Evaluation], targets: Sequence[Target], rules: Rules
) -> tuple[list[Instance], list[Tally]]:
    """Return the instances of all evaluations, and what was counted for each evaluation and split.

    Both are in the order of annotation, evaluation, split, target and place. Targets of the split train give none.
    """
    placed, tallies = placed_instances(evaluations, targets, rules)
    return [each.instance for each in placed], tallies


def placed_instances(
    evaluations: Sequence[Evaluation], targets: Sequence[Target], rules: Rules
) -> tuple[list[Placed], list[Tally]]:
    """Return what `make_instances` does, with the span of each instance."""
    commented = commented_categories(evaluations)
    of_category = _by_category(located_spans([each for each in targets if each.split in EVALUATED], rules))
    splits = sorted({target.split for target in targets} & set(EVALUATED), key=EVALUATED.index)
    instances: list[Placed] = []
    tallies = []
    for evaluation in sorted(evaluations, key=lambda each: (each.annotation, each.name)):
        spans = of_category.get(same_category(evaluation.annotation), [])
        for split in splits:
            tally = Tally(evaluation.annotation, evaluation.name, split)
            of_split = [each for each in spans if each.target.split == split]
            positives = list(_positives(evaluation, of_split, rules, commented, tally))
            tally.positives = len(positives)
            tally.per_positive = max(1, ENOUGH // len(positives)) if positives else 0
            for positive in positives:
                found = list(_with_negatives(evaluation, positive, tally.per_positive, rules))
                if len(found) < tally.per_positive:
                    tally.short.append((positive.target, len(found)))
                instances += [Placed(instance, positive.span) for instance in found]
                tally.instances += len(found)
            tallies.append(tally)
    return instances, tallies


def tally_text(tally: Tally) -> str:
    """Say in a sentence what became of the spans of one evaluation in one split."""
    reasons = (
        (tally.without_part, "without a comment"),
        (tally.no_member, "in no class"),
        (tally.repeated, "in a target that has an instance already"),
        (tally.alone, "alone in their class"),
    )
    left = ", ".join(f"{n} {reason}" for n, reason in reasons if n)
    outside = f"; {tally.outside} outside every sentence, with all text before as prefix" if tally.outside else ""
    return (
        f"{tally.annotation} | {tally.evaluation} | {tally.split}: {tally.instances} instances of {tally.positives} "
        f"positives, {tally.per_positive} negatives each; left out of {tally.spans} spans: {left or 'none'}{outside}"
    )


def unused_members(evaluations: Sequence[Evaluation], targets: Sequence[Target], rules: Rules) -> Iterator[Member]:
    """Yield the members that no span of any split has as its tested part."""
    commented = commented_categories(evaluations)
    of_category = _by_category(located_spans(targets, rules))
    for at, evaluation in enumerate(evaluations):
        spans = of_category.get(same_category(evaluation.annotation), [])
        parts = (part_of(each, evaluation, rules, commented) for each in spans)
        found = {part.member for part in parts if part}
        yield from (member for member in members_of(at, evaluation) if member.text.strip() not in found)


def without_spans(evaluations: Sequence[Evaluation], targets: Sequence[Target]) -> list[int]:
    """Return the numbers, from 0, of the evaluations whose category no target has."""
    known = {same_category(name) for name in categories_of(targets)}
    return [at for at, each in enumerate(evaluations) if same_category(each.annotation) not in known]


def _by_category(spans: Sequence[Located]) -> Mapping[str, list[Located]]:
    found: dict[str, list[Located]] = {}
    for each in spans:
        found.setdefault(same_category(each.span.category), []).append(each)
    return found


def _positives(
    evaluation: Evaluation, spans: Sequence[Located], rules: Rules, commented: frozenset[str], tally: Tally
) -> Iterator[_Positive]:
    class_of, distinct, used = evaluation.class_of, evaluation.distinct, set()
    for located in spans:
        tally.spans += 1
        part = part_of(located, evaluation, rules, commented)
        if part is None:
            tally.without_part += 1
        elif (class_number := class_of.get(part.member)) is None:
            tally.no_member += 1
        elif rules.replace_positive and len(distinct[class_number]) == 1:
            tally.alone += 1
        elif rules.source != CODE and located.target.id in used:
            tally.repeated += 1
        else:
            used.add(located.target.id)
            tally.outside += located.outside
            draw = _random(rules.seed, evaluation, located)
            if rules.replace_positive:
                member = draw.choice([each for each in distinct[class_number] if each != part.member])
                part = Part(member, _continuation(evaluation, member), part.prefix)
            yield _Positive(located.target.id, located.span, part, class_number, draw)


def _random(seed: int, evaluation: Evaluation, located: Located) -> random.Random:
    """Return the draws of one positive, which do not depend on any other."""
    span = located.span
    key = [seed, evaluation.annotation, evaluation.name, located.target.id, span.start, span.end, span.comment]
    return random.Random(json.dumps(key))


def _with_negatives(evaluation: Evaluation, positive: _Positive, wanted: int, rules: Rules) -> Iterator[Instance]:
    n_words = count_words(positive.part.continuation)
    classes = {
        number: [_continuation(evaluation, member) for member in members]
        for number, members in enumerate(evaluation.distinct)
        if number != positive.class_number
    }
    # The order of the members, not of the file, so that the draw does not depend on the latter.
    classes = dict(sorted(classes.items(), key=lambda entry: entry[1]))
    if rules.source == CODE:
        drawn = _sampled_by_code(positive.draw, classes, wanted, lambda text: _near(text, n_words))
    else:
        near = {number: [each for each in members if _near(each, n_words)] for number, members in classes.items()}
        drawn = sampled(positive.draw, near, wanted)
    for number, negative in drawn:
        yield Instance(
            annotation=evaluation.annotation,
            evaluation=evaluation.name,
            target=positive.target,
            prefix=positive.part.prefix,
            positive=positive.part.continuation,
            negative=negative,
            positive_class=positive.class_number,
            negative_class=number,
        )


def _near(text: str, n_words: int) -> bool:
    return abs(count_words(text) - n_words) <= WORDS_APART


def _sampled_by_code(
    draw: random.Random, classes: Mapping[int, Sequence[str]], wanted: int, fits: Callable[[str], bool]
) -> Iterator[tuple[int, str]]:
    """Yield distinct members that fit: any class, then any of its members, drawn anew while it does not serve."""
    taken: set[str] = set()
    for _ in range(wanted):
        for _ in range(DRAWS):
            number = draw.choice(list(classes))
            member = draw.choice(classes[number])
            if member not in taken and fits(member):
                break
        else:
            return
        taken.add(member)
        yield number, member


def _continuation(evaluation: Evaluation, member: str) -> str:
    return f"({member})" if evaluation.part == COMMENT else member
