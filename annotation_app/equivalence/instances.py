"""Make instances and augmented targets of the project's evaluations, each with its place in its item."""

from collections.abc import Iterator, Sequence
from dataclasses import dataclass, replace
from typing import Any
from uuid import UUID

from al_worker.equivalence.augmentation import augmented
from al_worker.equivalence.evaluations import Evaluation, same_category
from al_worker.equivalence.instances import Placed, Tally, placed_instances
from al_worker.equivalence.parts import PAPER, SENTENCE, Rules
from al_worker.equivalence.targets import EVALUATED
from annotation_app.equivalence.categories import categories_of
from annotation_app.equivalence.data import CURRENT, LeftOut, MarkedData, MarkedTarget, marked_data
from annotation_app.equivalence.selectors import ShownEvaluation, evaluations_in_use, evaluations_shown
from annotation_app.equivalence.strings import Reader, Strings, hidden_items, strings_reveal
from annotation_app.export.writers.targets import placed
from annotation_app.models import Membership, Project

INSTANCES_A_PAGE = 50


@dataclass(frozen=True)
class InstanceOptions:
    """Choose instances; `evaluation` None is all of them."""

    data: str = CURRENT
    seed: int = 0
    source: str = PAPER
    prefix: str = SENTENCE
    replace_positive: bool = False
    evaluation: UUID | None = None


@dataclass(frozen=True)
class EvaluationLeftOut:
    """Name an evaluation that gives no instance, and why."""

    id: UUID
    name: str
    reason: str


@dataclass(frozen=True)
class Instances:
    placed: list[Placed]
    tallies: list[Tally]
    left_out: list[str]
    evaluations_left_out: list[EvaluationLeftOut]
    targets: dict[str, MarkedTarget]
    items: dict[str, str]
    # By category and name of the evaluation; empty for one whose classes have no names.
    class_names: dict[tuple[str, str], Sequence[str]]


@dataclass(frozen=True)
class ShownInstance:
    """Hold an instance with its place in its item's text, in code points.

    The names of the classes of both continuations are empty where they have none.
    """

    instance: Any
    positive_name: str
    negative_name: str
    item: str
    item_text: str
    start: int
    end: int


@dataclass(frozen=True)
class InstancesPage:
    """Hold a page of instances. `n_hidden` are of items on which the reader may still answer."""

    tallies: list[Tally]
    left_out: list[str]
    evaluations_left_out: list[EvaluationLeftOut]
    n: int
    n_hidden: int
    instances: list[ShownInstance]
    page: int
    n_pages: int


def instances_page(member: Membership, options: InstanceOptions, page: int) -> InstancesPage:
    """Return a page of instances; those of items that are hidden from the reader are counted only. Raises Invalid."""
    made = instances_made(member.project, options)
    hidden = hidden_from(member)
    seen = [each for each in made.placed if made.targets[each.instance.target].item not in hidden]
    first = (page - 1) * INSTANCES_A_PAGE
    return InstancesPage(
        tallies=made.tallies,
        left_out=made.left_out,
        evaluations_left_out=made.evaluations_left_out,
        n=len(made.placed),
        n_hidden=len(made.placed) - len(seen),
        instances=[_shown(each, made) for each in seen[first : first + INSTANCES_A_PAGE]],
        page=page,
        n_pages=max(1, -(-len(seen) // INSTANCES_A_PAGE)),
    )


def instance_lines(member: Membership, options: InstanceOptions) -> Iterator[dict[str, Any]]:
    """Return all instances as lines but those of items that are hidden from the reader. Raises Invalid at once."""
    made = instances_made(member.project, options)
    hidden = hidden_from(member)
    seen = (each for each in made.placed if made.targets[each.instance.target].item not in hidden)
    return (each.instance.written() for each in seen)


def hidden_from(member: Membership) -> set[str]:
    """Return the items whose spans the reader may not see, and record that they are shown the others."""
    strings_reveal(member, member.project.uuid)
    return set(hidden_items(Reader(member.project, member)))


def instances_made(project: Project, options: InstanceOptions) -> Instances:
    """Return all instances. They are made anew each time, because they hold what people answered. Raises Invalid."""
    data = marked_data(project, options.data)
    usable, unusable = evaluations_usable(project)
    chosen = [each for each in usable if options.evaluation in (None, each.row.uuid)]
    rules = Rules(
        seed=options.seed,
        source=options.source,
        prefix=options.prefix,
        outer=data.outer,
        replace_positive=options.replace_positive,
    )
    targets = [each.target for each in data.targets]
    evaluations = [evaluation_used(each) for each in chosen]
    found, tallies = placed_instances(evaluations, targets, rules)
    return Instances(
        placed=found,
        tallies=tallies,
        left_out=list(left_out_of(data)),
        evaluations_left_out=[each for each in unusable if options.evaluation in (None, each.id)],
        targets={each.id: each for each in data.targets},
        items=data.items,
        class_names={(each.annotation, each.name): each.class_names for each in evaluations},
    )


def evaluations_usable(project: Project) -> tuple[list[ShownEvaluation], list[EvaluationLeftOut]]:
    """Return the evaluations that give instances, and those that do not, with the reason."""
    found = evaluations_shown(evaluations_in_use(project), categories_of(project), Strings({}))
    unusable = [EvaluationLeftOut(each.row.uuid, each.content.name, each.left_out) for each in found if each.left_out]
    return [each for each in found if not each.left_out], unusable


def evaluation_used(shown: ShownEvaluation) -> Evaluation:
    """Return an evaluation as targets name its category: by the marker, unless what it says means that already."""
    found = shown.content.evaluation
    marker = shown.category.marker if shown.category else found.annotation
    return found if same_category(found.annotation) == same_category(marker) else replace(found, annotation=marker)


def left_out_of(data: MarkedData) -> Iterator[str]:
    """Say in sentences what of the data gives no instance."""
    yield from map(left_out_text, data.left_out)
    training = sum(each.split not in EVALUATED for each in data.targets)
    if training:
        yield f"Targets of the training split, which give no instance: {training:,}."
    alone = sum(each.source is None for each in data.targets)
    if alone:
        yield (
            f"Targets without a source document: {alone:,}. Each stands for a source of its own in the split. "
            "They give instances, and no model is trained with them."
        )


def left_out_text(left: LeftOut) -> str:
    some = f" For example {', '.join(left.examples)}." if left.examples else ""
    return f"{left.reason}: {left.n:,}.{some}"


def augmented_lines(member: Membership, data: str, factor: int, seed: int) -> Iterator[dict[str, Any]]:
    """Return augmented training targets with their sources, as lines of a file of targets. Raises Invalid at once.

    Those of items that are hidden from the reader are left out.
    """
    marked = marked_data(member.project, data)
    usable, _ = evaluations_usable(member.project)
    hidden = hidden_from(member)
    found = augmented(
        [each.target for each in marked.targets], [evaluation_used(each) for each in usable], factor, seed
    )
    by_id = {each.id: each for each in marked.targets}
    pairs = ((target, by_id[target.id.rpartition(" (augmented ")[0]]) for target in found.targets)
    return (
        target.written() | {key: origin.written()[key] for key in ("sources", "item")}
        for target, origin in pairs
        if origin.item not in hidden
    )


def _shown(each: Placed, made: Instances) -> ShownInstance:
    found = each.instance
    target = made.targets[found.target]
    start, end = item_place(each.span.start, each.span.end, target.ranges)
    names = made.class_names[found.annotation, found.evaluation]
    positive, negative = (names[number] if names else "" for number in (found.positive_class, found.negative_class))
    return ShownInstance(found, positive, negative, target.item, made.items[target.item], start, end)


def item_place(start: int, end: int, ranges: Sequence[tuple[int, int]]) -> tuple[int, int]:
    """Return where a span of a target is in the target's item. `ranges` locate the target's parts there."""
    places = placed(ranges)
    first = max(number for number, place in enumerate(places) if place <= start)
    last = max(number for number, place in enumerate(places) if place < end)
    return ranges[first][0] + start - places[first], ranges[last][0] + end - places[last]
